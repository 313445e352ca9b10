// Engine: how MuJoCo's releases differ, and what we use of it beyond its documented interface.
//
// Every release has a library of its own: layouts of mjModel and mjData change. Checked by the
// tests on 3.11, 3.17 and 4.0, built on every release that CMakeLists.txt names. What we take for
// granted and no page promises:
//   - order of a step: passive plugins, actuation plugins, constraint solver (mujoco_cable,
//     couple);
//   - a plugin whose sensors belong to a stage that does not exist is not asked for them, see
//     kNoSensorStage (cable_plugin);
//   - RK4 evaluates its inner stages half a step and a step later, from deeper in the stack of
//     mjData than the first one (mujoco_cable);
//   - places of a site without gear stand at the end of actuator_moment, empty (loads);
//   - between the passive and the actuation stage nothing uses qH under "implicit", nor qLU
//     under any other integrator (couple);
//   - mj_inverseSkip past its velocity stage refreshes the reference of constraints only
//     (motion_constraints);
//   - the effective metric of "discrete": efm_active, efm_aid, efm_c, efm_ck, efm_tid, efm_ts
//     (motion), and mj_effShift, which is exported from 3.16 on and in no header; nor is
//     mj_actuatorDamping, what actuators add to the damping of a joint (ask), nor mj_tendonBias,
//     what the armature of tendons adds to qfrc_bias (motion).

#ifndef MUJOCABLE_PLUGIN_ENGINE_H_
#define MUJOCABLE_PLUGIN_ENGINE_H_

#include <mujoco/mujoco.h>

// oldest first: the integrator "discrete" (3.13), actuators of several controls that are delayed
// (3.14), mj_effShift (3.16), springs that yield (4.0)
#define MUJOCABLE_HAS_READ_MANY (mjVERSION_HEADER >= 3014000)
#define MUJOCABLE_HAS_DISCRETE (mjVERSION_HEADER >= 3016000)
#define MUJOCABLE_HAS_YIELD (mjVERSION_HEADER >= 4000000)

extern "C" mjtNum mj_actuatorDamping(const mjModel* m, mjtObj type, int id, mjtNum* poly);
extern "C" void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc);
#if MUJOCABLE_HAS_DISCRETE
extern "C" void mj_effShift(const mjModel* m, mjData* d);
#endif

namespace mujocable {

// A stage of sensors that MuJoCo never computes. The record is written by the passive and the
// actuation stage; if it belonged to a stage of sensors too, MuJoCo would look through all sensors
// of the model for every cable, which takes longer than the cables where there are hundreds.
inline constexpr int kNoSensorStage = mjSTAGE_ACC + 1;

// an integrator that this release has and we do not know how to follow: 3.13 to 3.15 only
inline bool UnknownIntegrator([[maybe_unused]] const mjModel* m) {
#if !MUJOCABLE_HAS_DISCRETE && mjVERSION_HEADER >= 3013000
  return m->opt.integrator == mjINT_DISCRETE;
#else
  return false;
#endif
}

// whether constraints are solved in the effective metric
inline bool IsDiscrete([[maybe_unused]] const mjModel* m) {
#if MUJOCABLE_HAS_DISCRETE
  return m->opt.integrator == mjINT_DISCRETE;
#else
  return false;
#endif
}

// stiffness times step of a degree of freedom in the effective metric
inline double MetricStiffness([[maybe_unused]] const mjData* d, [[maybe_unused]] int dof) {
#if MUJOCABLE_HAS_DISCRETE
  return d->efm_ck[dof];
#else
  return 0;
#endif
}

// calls use(tendon, scale) for each tendon in the effective metric
template <typename Use>
void ForMetricTendons([[maybe_unused]] const mjData* d, [[maybe_unused]] Use use) {
#if MUJOCABLE_HAS_DISCRETE
  for (int t = 0; t < d->nefmT; ++t) use(d->efm_tid[t], d->efm_ts[t]);
#endif
}

// whether actuators are in the effective metric: the dual solver has no place for them
inline bool ActuatorsInMetric([[maybe_unused]] const mjData* d) {
#if MUJOCABLE_HAS_DISCRETE
  return d->efm_aid != nullptr;
#else
  return false;
#endif
}

// the part of the effective metric that depends on velocities
inline void ShiftMetric([[maybe_unused]] const mjModel* m, [[maybe_unused]] mjData* d) {
#if MUJOCABLE_HAS_DISCRETE
  mj_effShift(m, d);
#endif
}

// the first control of an actuator, late by its delay where it has one
inline double ControlInTime(const mjModel* m, const mjData* d, int actuator) {
  if (!(m->actuator_delay[actuator] > 0)) return d->ctrl[m->actuator_ctrladr[actuator]];
  const int interpolation = m->actuator_history[2 * actuator + 1];
#if MUJOCABLE_HAS_READ_MANY
  constexpr int kMost = 16;  // chosen: more controls than any actuator of MuJoCo has
  mjtNum result[kMost];
  if (m->actuator_ctrlnum[actuator] > kMost) return d->ctrl[m->actuator_ctrladr[actuator]];
  const mjtNum* found = mj_readCtrl(m, d, actuator, d->time, result, interpolation);
  return found ? *found : result[0];
#else
  return mj_readCtrl(m, d, actuator, d->time, interpolation);
#endif
}

// whether the spring of a tendon yields
inline bool SpringYields([[maybe_unused]] const mjModel* m, [[maybe_unused]] int tendon) {
#if MUJOCABLE_HAS_YIELD
  return m->tendon_plasticadr[tendon] >= 0;
#else
  return false;
#endif
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_ENGINE_H_
