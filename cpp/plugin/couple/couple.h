// The end of a stage: cables that are stiff for the step are solved together with the motion.

#ifndef MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
#define MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_

#include "core/math/inline.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// Called at the end of a stage; plugin: place of the cables among the plugins of MuJoCo. Solves for
// all coupled cables and applies their tensions. Where an actuation stage follows, the passive one
// keeps the sum of the other passive forces, and applies what the acceleration in `d` calls for,
// which inverse dynamics needs.
MUJOCABLE_COLD void Couple(const mjModel* m, mjData* d, int plugin, Stage stage);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
