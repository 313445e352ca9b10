// How far the joints can move a path.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_LEVERS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_LEVERS_H_

#include <mujoco/mujoco.h>

#include "plugin/configure/shapes.h"

namespace mujocable {

// How much the bodies of a cable can give way to it: the sum over its dofs of their mobility at
// qpos0 times the square of how far each can change the lengths of all segments, added up. An upper
// bound that holds in every pose, but for slides [1/kg].
double LeverMobility(const mjModel* m, const Home& home, const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_LEVERS_H_
