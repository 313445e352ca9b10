// Warnings of MuJoCo about paths and steps: each kind once per simulation, with the cable and the
// element.

#ifndef MUJOCABLE_PLUGIN_STEP_TELL_H_
#define MUJOCABLE_PLUGIN_STEP_TELL_H_

#include <mujoco/mujoco.h>

#include "plugin/configure/config.h"

namespace mujocable {

// Warns of a path that is not valid, and of a step in which no motion was found that balances the
// tensions; unless any cable of this simulation has had the same since the reset: its state
// remembers. For the end of a step, when states change.
void Tell(const mjModel* m, mjData* d, const Member& member, const Record& record);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_TELL_H_
