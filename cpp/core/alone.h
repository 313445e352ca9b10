// A cable over one cylinder or sphere and nothing else, which is what most of them are: the
// velocity stage in one piece, warm and in short.

#ifndef MUJOCABLE_CORE_ALONE_H_
#define MUJOCABLE_CORE_ALONE_H_

#include <cmath>

#include "kinematics.h"
#include "planar.h"
#include "single.h"
#include "surface_cylinder.h"
#include "surface_sphere.h"

namespace mujocable {

// Path and rates. remembered: of the wrap, from the step before; permanent, hinted, bias: as in
// Wrap. False
// where the ends are not clear of the surface, the wrap takes no part or ends there, a number is
// bad or a corner is left: Locate knows what to do then. What is accepted is, bit for bit, what
// Locate finds.
template <typename Twists>
MUJOCABLE_INLINE inline bool LocateAlone(const RoundSurface& s, bool permanent, bool hinted,
                                         double bias, const Vec3& from, const Vec3& to,
                                         const Twists& twists, const double* remembered,
                                         const RouteLimits& limits, const RecordOfOne& record) {
  // the same for every closed form, each of them taken apart
  const auto finish = [&](const Touch& touch) MUJOCABLE_INLINE {
    if (!(touch.clearance > kOnSurface * s.radius)) [[unlikely]]
      return false;
    Tally tally;
    const double length =
        WriteSingle(s, from, to, bias, touch, First(), record.memory(), record, tally);
    Store(record.ends(), from);
    Store(record.ends() + 3, to);
    record.length() = length;
    record.status() = static_cast<double>(SolveStatus::kValid);
    record.status_contact() = -1;
    record.derailments() = 0;
    record.smoothness() = tally.smoothness;
    record.surface_error() = tally.surface_error;
    record.penetration() = 0;
    record.iterations() = 0;

    const Vec3 near = twists[0].At(from), far = twists[2].At(to);
    if (touch.touching) [[likely]] {
      const Pair3 velocity = twists[1].At(PairOf(touch.p, touch.q));
      const double growth = Dot(touch.t_q, far - velocity.Second());
      record.growth()[0] = growth;
      record.length_rate() = growth + Dot(touch.t_p, velocity.First() - near);
    } else {
      record.growth()[0] = 0;
      record.length_rate() = Dot(record.Direction(0), far - near);
    }
    // beyond the end of a cylinder it may run off
    return std::isfinite(length) && tally.smoothness <= limits.smoothness &&
           !(record.overrun()[0] > 0);
  };
  if (!(s.radius > 0) || IsReleased(remembered)) [[unlikely]]
    return false;
  const Homotopy way = RememberedWay(s, remembered, bias, hinted);
  if (permanent) [[unlikely]]
    return finish(TightenKept(Surface{s}, from, to, way));
  if (s.kind == SurfaceKind::kCylinder) return finish(cylinder::Tighten(s, from, to, way));
  return finish(sphere::Tighten(s, from, to, way));
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_ALONE_H_
