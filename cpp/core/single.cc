#include "single.h"

#include "buried.h"

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
    way = RememberedWay(s, remembered, wrap.bias, wrap.has_hint);
  }
  Touch touch = wrap.permanent ? TightenKept(s, a, b, way) : Tighten(s, a, b, way);

  // fixed nodes outside; for one that is not the surface gives way
  const double depth = -touch.clearance;
  tally.penetration = std::max(tally.penetration, depth);
  if (depth <= Allowed(limits, s)) {
    record.length() += WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, tally);
    return;
  }
  tally.let_go = true;
  Tally unchecked;  // its contacts are not on the surface
  touch = TightenBuried(s, a, b, touch.way);
  record.length() += WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, unchecked);
}

}  // namespace mujocable
