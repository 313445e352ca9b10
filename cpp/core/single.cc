#include "single.h"

namespace mujocable {

void SolveSingle(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                 const double* remembered, Start start, const RouteLimits& limits, double* memory,
                 const Record& record, Tally& tally) {
  const Surface& s = wrap.surface;
  Homotopy way;
  if (Authored(wrap, start)) {
    way = wrap.has_hint ? WayThrough(s, a, wrap.hint, b) : WayStraight(s, a, b);
    way.swept += std::copysign(2 * kPi * wrap.turns, way.swept);
  } else {
    way = RememberedWay(s, remembered, wrap.bias);
  }
  const Touch touch = wrap.permanent ? TightenKept(s, a, b, way) : Tighten(s, a, b, way);
  record.length() += WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, tally);

  // fixed nodes outside
  tally.penetration = std::max(tally.penetration, -touch.clearance);
  if (!(-touch.clearance <= Allowed(limits, s))) tally.pierced = true;
}

}  // namespace mujocable
