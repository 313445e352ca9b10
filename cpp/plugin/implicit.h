// Cables that are stiff for the step, or rub hard for it: their tensions are found together with
// the motion.

#ifndef MUJOCABLE_PLUGIN_IMPLICIT_H_
#define MUJOCABLE_PLUGIN_IMPLICIT_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "core/implicit.h"
#include "core/inline.h"
#include "engine.h"

namespace mujocable {

// whether this integrator leaves room for implicit tensions
inline bool ImplicitIntegrator(const mjModel* m) {
  return m->opt.integrator != mjINT_RK4 && !UnknownIntegrator(m);
}

// Share of the implicit law of one cable (20), given the mobility its load meets. Cheap: that of
// qpos0.
inline double StepWeight(const mjModel* m, const CableConfig& c, const AxialParameters& axial,
                         double mobility) {
  if (c.take_up.Tension()) return 0;
  if (c.joint_dof >= 0) {
    const double gain = c.take_up.Gain();
    mobility += gain * gain * m->dof_invweight0[c.joint_dof];
  }
  const double h = m->opt.timestep;
  return ImplicitWeight(h * (h * axial.stiffness + axial.damping) * mobility);
}

// Whether a stage ends with this cable and may leave tensions to be found together: of a cable that
// is alone the record tells.
inline bool Couples(const mjModel* m, const mjData* d, const CableConfig& c) {
  if (!c.last || !ImplicitIntegrator(m)) return false;
  if (!c.alone) return true;
  if (c.record_adr < 0) return false;
  return RecordOf(d, c).Coupled();
}

// Called by the last cable of a model at the end of a stage; slot: of the plugin.
// Passive: where no actuation stage follows, solves; else keeps the sum of the other passive
// forces, and applies what the acceleration in `d` calls for, which inverse dynamics needs.
MUJOCABLE_APART void CouplePassive(const mjModel* m, mjData* d, int slot);
// Actuation: solves for all implicit cables and applies their tensions.
MUJOCABLE_APART void CoupleActuation(const mjModel* m, mjData* d, int slot);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_IMPLICIT_H_
