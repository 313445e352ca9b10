// The end of a stage: cables that are stiff for the step are solved together with the motion.

#ifndef MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
#define MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_

#include <mujoco/mujoco.h>

#include "core/math/inline.h"

namespace mujocable {

// Called at the end of a stage; plugin: place of the cables among the plugins of MuJoCo. Passive:
// where no actuation stage follows, solves; else keeps the sum of the other passive forces, and
// applies what the acceleration in `d` calls for, which inverse dynamics needs.
MUJOCABLE_COLD void CouplePassive(const mjModel* m, mjData* d, int plugin);
// Actuation: solves for all coupled cables and applies their tensions.
MUJOCABLE_COLD void CoupleActuation(const mjModel* m, mjData* d, int plugin);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
