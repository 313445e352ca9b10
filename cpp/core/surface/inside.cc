#include "core/surface/inside.h"

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/surface/circle.h"

namespace mujocable {

Touch TightenInside(const Surface& s, const Vec3& a, const Vec3& b) {
  const Vec3 ca = a - s.pos, cb = b - s.pos;
  Vec3 axis = s.rot.Column(2);
  double za = 0, zb = 0;
  if (s.kind == SurfaceKind::kSphere) {
    const Vec3 cross = Cross(ca, cb);
    axis = Unit(cross, Perpendicular(Unit(ca, {1, 0, 0})));
  } else {
    za = Dot(ca, axis);
    zb = Dot(cb, axis);
  }
  const Vec3 pa = ca - za * axis, pb = cb - zb * axis;
  const double at_a = Norm(pa), at_b = Norm(pb);

  Touch touch;
  const Vec3 d = pb - pa;
  const double dd = Dot(d, d), u = dd > 0 ? std::clamp(-Dot(pa, d) / dd, 0.0, 1.0) : 0;
  if (Norm(pa + u * d) <= s.radius) return touch;

  // both see the point, which lies between them
  const Vec3 ua = (1 / at_a) * pa;
  const double sine = Dot(Cross(pa, pb), axis),
               span = AngleOf(std::abs(sine), Dot(pa, pb), at_a * at_b);
  const double sense = sine < 0 ? -1 : 1;
  const double theta = KeeperAngle(at_a, at_b, s.radius, span);
  const Vec3 around = sense * Cross(axis, ua);
  const Vec3 flat = s.radius * (std::cos(theta) * ua + std::sin(theta) * around);
  // straight along the axis in the unrolled plane
  const double before = Norm(flat - pa), after = Norm(pb - flat);
  const double share = before + after > 0 ? before / (before + after) : 0.5;
  HoldAt(s.pos + flat + (za + share * (zb - za)) * axis, a, b, around, touch);
  return touch;
}

}  // namespace mujocable
