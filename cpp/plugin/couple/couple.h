// The end of a stage: cables that are stiff for the step are solved together with the motion.

#ifndef MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
#define MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_

#include <mujoco/mujoco.h>

#include "core/math/inline.h"
#include "plugin/ask.h"
#include "plugin/configure/config.h"

namespace mujocable {

// Whether a stage ends with this cable and may leave tensions to be found together: of a cable that
// is the only one the record tells.
inline bool Couples(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (!c.last || !CouplingIntegrator(m)) return false;
  if (!c.only_cable) return true;
  if (c.record_adr < 0) return false;
  return RecordOf(d, c).Coupled();
}

// Called by the last cable of a model at the end of a stage; plugin: its place among the plugins of
// MuJoCo. Passive: where no actuation stage follows, solves; else keeps the sum of the other
// passive forces, and applies what the acceleration in `d` calls for, which inverse dynamics needs.
MUJOCABLE_COLD void CouplePassive(const mjModel* m, mjData* d, int plugin);
// Actuation: solves for all coupled cables and applies their tensions.
MUJOCABLE_COLD void CoupleActuation(const mjModel* m, mjData* d, int plugin);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_COUPLE_H_
