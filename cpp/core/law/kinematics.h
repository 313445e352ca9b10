// Path and body velocities -> length rate (6) and the growth of the path beyond each contact (9).

#ifndef MUJOCABLE_CORE_LAW_KINEMATICS_H_
#define MUJOCABLE_CORE_LAW_KINEMATICS_H_

#include "core/math/inline.h"
#include "core/math/pair.h"
#include "core/record.h"

namespace mujocable {

// velocity of a body, where the adapter keeps it: rotation and velocity of its point at `about`;
// no `angular`: a body at rest
struct Twist {
  const double* angular;
  const double* linear;
  const double* about;
  MUJOCABLE_INLINE Vec3 At(const Vec3& x) const {
    if (!angular) return {};
    return Load(linear) + Cross(Load(angular), x - Load(about));
  }
  MUJOCABLE_INLINE Pair3 At(const Pair3& x) const {
    if (!angular) return PairOf({}, {});
    return Load(linear) + Cross(Load(angular), x - Load(about));
  }
};

// Fills length_rate (6) and growth, the rate at which the path beyond each contact grows: the
// first sum of (9). twists[i]: of element i of the route.
template <typename Twists>
void Rates(const Twists& twists, const Record& record) {
  const int n = record.ncontact;
  Vec3 to = twists[n + 1].At(Load(record.ends() + 3));
  double rate = 0;
  for (int i = n - 1; i >= 0; --i) {
    if (record.Touching(i)) {
      const Vec3 leaving = twists[i + 1].At(record.Exit(i));
      rate += Dot(record.Direction(i + 1), to - leaving);
      to = record.arc()[i] == 0 ? leaving : twists[i + 1].At(record.Entry(i));
    }
    record.growth()[i] = rate;
  }
  record.length_rate() = rate + Dot(record.Direction(0), to - twists[0].At(Load(record.ends())));
}

// Fills slip_rate (9), given the rate at which the whole cable stretches, evenly: the speed of the
// cable past each contact where nothing holds it.
inline void SlipRates(double stretch_rate, const Record& record) {
  const int n = record.ncontact;
  const double strain_rate = record.length() > 0 ? stretch_rate / record.length() : 0;
  double beyond = record.segment()[n];  // cable between contact and distal end
  for (int i = n - 1; i >= 0; --i) {
    record.slip_rate()[i] =
        record.Touching(i) ? record.growth()[i] - (beyond + record.arc()[i] / 2) * strain_rate : 0;
    beyond += record.arc()[i] + record.segment()[i];
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_KINEMATICS_H_
