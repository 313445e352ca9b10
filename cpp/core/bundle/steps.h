// The laws of four steps: a number of each at a time.

#ifndef MUJOCABLE_CORE_BUNDLE_STEPS_H_
#define MUJOCABLE_CORE_BUNDLE_STEPS_H_

#include "core/law/cell.h"

namespace mujocable {

// as AxialStep, of cables that are commanded alike in steps of the same size
struct LaneStep {
  Lanes stiffness, damping, transition, max_tension;  // as in AxialParameters
  Lanes length, total, motor, command, most_hold;
  Lanes rigid;   // a number below zero where it is
  Lanes undone;  // UndoneBy it
  double step;
  bool commanded;
  bool length_rate_only;  // as in AxialParameters
};

inline Elastic<Lanes> ElasticOf(const LaneStep& step, bool rigid) {
  return {step.stiffness, step.length, step.commanded ? All<Lanes>(0) : step.transition, rigid};
}

// what the record says of an elastic energy: nothing where the stiffness is not the cable's own
inline Lanes StoredIn(const LaneStep& step, const Lanes& energy) {
  return Select(0 - step.most_hold, All<Lanes>(0), energy);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_STEPS_H_
