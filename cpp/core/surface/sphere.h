// Sphere: geodesics are great circles in the plane of the two neighbors and the center.

#ifndef MUJOCABLE_CORE_SURFACE_SPHERE_H_
#define MUJOCABLE_CORE_SURFACE_SPHERE_H_

#include "core/math/inline.h"
#include "core/surface/circle.h"
#include "core/surface/surface.h"

namespace mujocable::sphere {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);

// in the header: the solver of a single wrap inlines it
MUJOCABLE_INLINE inline Touch Tighten(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                      const Homotopy& way) {
  const Pair3 c = PairOf(a, b) - s.pos;
  const Tangents to = TangentLines(Dot(c, c), s.radius);
  Touch touch;
  touch.clearance = Least(to.distance) - s.radius;

  // plane through the center and both points; angle from one to the other about its normal
  const Vec3 ca = c.First(), cb = c.Second(), cross = Cross(ca, cb);
  const double size = to.distance[0] * to.distance[1], sine = Norm(cross), cosine = Dot(ca, cb);
  const Lanes angle = AnglesOf(sine, cosine, size, to);
  double swept = angle[0];
  Vec3& normal = touch.way.plane;
  if (sine > kCollinear * size) {
    normal = (1 / sine) * cross;
    if (!way.shorter && Dot(normal, way.plane) < 0) {
      normal = -normal;
      swept = 2 * kPi - swept;
    }
  } else {
    // a, b and the center on one line: the remembered plane decides
    const Vec3 ua = Unit(ca, {1, 0, 0}), inplane = way.plane - Dot(way.plane, ua) * ua;
    normal = Norm(inplane) > kCollinear ? Unit(inplane) : Perpendicular(ua);
    swept = cosine < 0 ? kPi : 0;
  }
  const double wrap = swept - angle[1] - angle[2];
  // lifted: no more than half a turn is left, so it will come back the shorter way
  if (wrap <= 0) return touch;

  // unit directions of entry and exit, and tangents there
  const Pair3 turned = Cross(normal, c);
  const Pair reach = to.reach * to.inverse, around = Pair{1, -1} * to.length * to.inverse;
  const Pair3 point = s.pos + Both(s.radius) * (reach * c + around * turned);
  const Pair3 tangent = reach * turned - around * c;
  touch.touching = true;
  touch.p = point.First();
  touch.q = point.Second();
  touch.t_p = tangent.First();
  touch.t_q = tangent.Second();
  touch.before = to.length[0];
  touch.arc = s.radius * wrap;
  touch.after = to.length[1];
  touch.turn = wrap;
  return touch;
}

}  // namespace mujocable::sphere

#endif  // MUJOCABLE_CORE_SURFACE_SPHERE_H_
