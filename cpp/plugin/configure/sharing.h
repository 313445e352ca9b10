// How many cables load the same kinematic trees: what each of them undoes within a step adds up.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace mujocable {

// The number for every instance of a plugin, itself included: each route is read once, however many
// there are. 0 for other instances; a route that cannot be read shares nothing.
std::vector<int> CountSharing(const mjModel* m, int plugin);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_
