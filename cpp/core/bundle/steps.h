// The laws of four steps: a number of each at a time.

#ifndef MUJOCABLE_CORE_BUNDLE_STEPS_H_
#define MUJOCABLE_CORE_BUNDLE_STEPS_H_

#include "core/law/cell.h"

namespace mujocable {

template <typename Get>
MUJOCABLE_INLINE inline Lanes Each(const AxialStep* steps, const Get& get) {
  return Lanes{get(steps[0]), get(steps[1]), get(steps[2]), get(steps[3])};
}

// as std::min and std::max
inline Lanes Least(const Lanes& a, const Lanes& b) { return Select(b - a, b, a); }
inline Lanes Most(const Lanes& a, const Lanes& b) { return Select(a - b, b, a); }

inline Elastic<Lanes> ElasticOf(const AxialStep* steps, bool rigid) {
  return {Each(steps, [](const AxialStep& s) { return s.axial.stiffness; }),
          Each(steps, [](const AxialStep& s) { return s.length; }),
          Each(steps, [](const AxialStep& s) { return s.commanded ? 0 : s.axial.transition; }),
          rigid};
}

// what the record says of an elastic energy: nothing where the stiffness is not the cable's own
inline Lanes StoredIn(const AxialStep* steps, const Lanes& energy) {
  const Lanes held = Each(steps, [](const AxialStep& s) { return -s.most_hold; });
  return Select(held, All<Lanes>(0), energy);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_STEPS_H_
