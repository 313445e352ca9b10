// Small questions to mjModel and mjData.

#ifndef MUJOCABLE_PLUGIN_ASK_H_
#define MUJOCABLE_PLUGIN_ASK_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "plugin/engine.h"

namespace mujocable {

// the control of an actuator as MuJoCo itself would use it: delayed, clamped, 0 where it is no
// number
inline double Control(const mjModel* m, const mjData* d, int actuator) {
  const int adr = m->actuator_ctrladr[actuator];
  double u = ControlInTime(m, d, actuator);
  if (!(std::abs(u) <= mjMAXVAL)) return 0;
  if (m->actuator_ctrllimited[adr] && !(m->opt.disableflags & mjDSBL_CLAMPCTRL)) {
    u = std::clamp(u, m->actuator_ctrlrange[2 * adr], m->actuator_ctrlrange[2 * adr + 1]);
  }
  return u;
}

// whether an actuator belongs to a group that is switched off
inline bool ActuatorDisabled(const mjModel* m, int actuator) {
  const int group = m->actuator_group[actuator];
  return group >= 0 && group < 31 && (m->opt.disableactuator & (1 << group));
}

// whether a dof belongs to a tree that is not asleep
inline bool Awake(const mjModel* m, const mjData* d, int dof) {
  return !(m->opt.enableflags & mjENBL_SLEEP) || d->tree_awake[m->dof_treeid[dof]];
}

// whether a body carries another one, or is it; parents come first
inline bool Carries(const mjModel* m, int body, int other) {
  while (other > body) other = m->body_parentid[other];
  return other == body;
}

// the body itself or the nearest one above that has joints, 0: none
inline int MovingBody(const mjModel* m, int body) {
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  return body;
}

// derivative of the polynomial of a damper
inline double DampingSlope(double slope, const mjtNum* poly, double velocity) {
  const double v = std::abs(velocity);
  double power = v;
  for (int i = 0; i < mjNPOLY; ++i, power *= v) slope += (i + 2) * poly[i] * power;
  return slope;
}

// derivative of joint damping, that of actuators included, where the integrator treats it as
// implicit; else 0
inline double ImplicitDamping(const mjModel* m, const mjData* d, int dof) {
  const int flags = m->opt.disableflags;
  if (flags & mjDSBL_DAMPER) return 0;
  if (m->opt.integrator == mjINT_EULER && (flags & mjDSBL_EULERDAMP)) return 0;
  mjtNum poly[mjNPOLY];
  std::copy_n(m->dof_dampingpoly + mjNPOLY * dof, mjNPOLY, poly);
  double slope = m->dof_damping[dof];
  const int joint = m->dof_jntid[dof];
  if (m->jnt_actuatorid[joint] != -1) slope += mj_actuatorDamping(m, mjOBJ_JOINT, joint, poly);
  return std::max(DampingSlope(slope, poly, d->qvel[dof]), 0.0);
}

// the same of a tendon
inline double ImplicitTendonDamping(const mjModel* m, const mjData* d, int tendon) {
  const bool implicit =
      m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  if (!implicit || (m->opt.disableflags & mjDSBL_DAMPER)) return 0;
  mjtNum poly[mjNPOLY];
  std::copy_n(m->tendon_dampingpoly + mjNPOLY * tendon, mjNPOLY, poly);
  const double slope =
      m->tendon_damping[tendon] + mj_actuatorDamping(m, mjOBJ_TENDON, tendon, poly);
  return DampingSlope(slope, poly, d->ten_velocity[tendon]);
}

// whether MuJoCo calls the passive stage at all
inline bool PassiveEnabled(const mjModel* m) {
  return !((m->opt.disableflags & mjDSBL_SPRING) && (m->opt.disableflags & mjDSBL_DAMPER));
}

// whether MuJoCo calls the actuation stage at all
inline bool ActuationEnabled(const mjModel* m) {
  return m->nactuator > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
}

// whether a step computes any force of a cable; where it does not, only its end calls the cable
inline bool AnyStage(const mjModel* m) { return PassiveEnabled(m) || ActuationEnabled(m); }

// whether this integrator leaves room for tensions that are found with the motion
inline bool CouplingIntegrator(const mjModel* m) {
  return m->opt.integrator != mjINT_RK4 && !UnknownIntegrator(m);
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_ASK_H_
