#include "single.h"

#include <algorithm>
#include <cmath>

#include "angle.h"
#include "pair.h"
#include "state.h"
#include "surface_cylinder.h"
#include "surface_sphere.h"

namespace mujocable {
namespace {

// What a closed form claims, measured: entry and exit lie on the surface, and the segments run
// along the tangents there, so that no corner is left.
MUJOCABLE_INLINE inline void CheckSingle(const Surface& s, const Vec3& a, const Vec3& b,
                                         const Touch& touch, double& overrun, Tally& tally) {
  const Pair3 from_center = PairOf(touch.p, touch.q) - s.pos;
  Pair height = Both(0);
  if (s.kind == SurfaceKind::kCylinder) {
    height = Dot(s.rot.Column(2), from_center);
    overrun = std::max(0.0, MostSize(height) - s.half_length);
  }
  // to first order, without a root
  const Pair off = Dot(from_center, from_center) - height * height - s.radius * s.radius;
  tally.surface_error = std::max(tally.surface_error, MostSize(off) / (2 * s.radius));

  if (touch.held) return;
  const Pair length = {touch.before, touch.after};
  const Pair3 astray =
      (PairOf(touch.p, b) - PairOf(a, touch.q)) - length * PairOf(touch.t_p, touch.t_q);
  const Pair kinks = Dot(astray, astray) / (length * length);
  const double square = Most(Select(length - kShortSegment * s.radius, Both(0), kinks));
  tally.smoothness = std::max(tally.smoothness, std::sqrt(square));
}

}  // namespace

template <typename Count, typename Contact>
double SolveSingle(const Wrap& wrap, const Vec3& a, const Vec3& b, Contact contact,
                   const double* remembered, Start start, const RouteLimits& limits, double* memory,
                   const BasicRecord<Count>& record, Tally& tally) {
  const Surface& s = wrap.surface;

  // which way round
  Homotopy way;
  if (Authored(wrap, start)) {
    way = wrap.has_hint ? WayThrough(s, a, wrap.hint, b) : WayStraight(s, a, b);
    way.swept += std::copysign(2 * kPi * wrap.turns, way.swept);
  } else {
    const WrapMemory old = LoadMemory(remembered);
    way.swept = old.swept + wrap.bias;
    if (ArcShowsWay(s) && old.touching) way.plane = Rotate(s.rot, Cross(old.point, old.tangent));
  }

  // the path into the record; the same for every closed form, each of them taken apart
  const auto write = [&](const Touch& touch) MUJOCABLE_INLINE {
    record.touching()[contact] = touch.touching;
    record.wrap_angle()[contact] = touch.turn;
    record.arc()[contact] = touch.arc;
    record.overrun()[contact] = 0;
    Store(record.entry() + 3 * contact, touch.p);
    Store(record.exit() + 3 * contact, touch.q);
    WrapMemory now;
    now.touching = touch.touching;
    now.swept = touch.way.swept - wrap.bias;
    if (touch.touching) {
      Store(record.direction() + 3 * contact, touch.t_p);
      Store(record.direction() + 3 * (contact + 1), touch.t_q);
      record.segment()[contact] = touch.before;
      record.segment()[contact + 1] = touch.after;
      record.length() += touch.before + touch.arc + touch.after;
      CheckSingle(s, a, b, touch, record.overrun()[contact], tally);
      if (ArcShowsWay(s)) {
        now.point = Unrotate(s.rot, touch.p - s.pos);
        now.tangent = Unrotate(s.rot, touch.t_p);
      }
    } else {
      const Vec3 d = b - a;
      const double length = Norm(d);
      const Vec3 e = length > kShortSegment * s.radius ? (1 / length) * d : Vec3{};
      Store(record.direction() + 3 * contact, e);
      Store(record.direction() + 3 * (contact + 1), e);
      record.segment()[contact] = length;
      record.segment()[contact + 1] = 0;
      record.length() += length;
    }
    StoreMemory(memory, now);

    // fixed nodes outside
    const double allowed = Allowed(limits, s);
    tally.penetration = std::max(tally.penetration, -touch.clearance);
    if (!(-touch.clearance <= allowed)) tally.pierced = true;
    return touch.clearance;
  };
  if (wrap.permanent) return write(TightenKept(s, a, b, way));
  if (s.kind == SurfaceKind::kCylinder) return write(cylinder::Tighten(s, a, b, way));
  return write(sphere::Tighten(s, a, b, way));
}
template double SolveSingle(const Wrap&, const Vec3&, const Vec3&, int, const double*, Start,
                            const RouteLimits&, double*, const Record&, Tally&);
template double SolveSingle(const Wrap&, const Vec3&, const Vec3&, First, const double*, Start,
                            const RouteLimits&, double*, const RecordOfOne&, Tally&);

}  // namespace mujocable
