// How many cables load the same kinematic trees: what each of them undoes within a step adds up.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace mujocable {

// the number for one cable, itself included
int CountSharing(const mjModel* m, int instance);

// The same for every instance of a plugin: each route is read once, however many there are. 0 for
// other instances and for routes that cannot be read.
std::vector<int> CountAllSharing(const mjModel* m, int slot);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_SHARING_H_
