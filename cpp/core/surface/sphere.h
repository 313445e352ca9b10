// Sphere: geodesics are great circles in the plane of the two neighbors and the center.

#ifndef MUJOCABLE_CORE_SURFACE_SPHERE_H_
#define MUJOCABLE_CORE_SURFACE_SPHERE_H_

#include "core/math/inline.h"
#include "core/surface/circle.h"
#include "core/surface/surface.h"

namespace mujocable::sphere {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);

// The closed form is in the header: the solver of a single wrap inlines it.

// Plane through the center and both neighbors, with the tangents in it; `swept` is the angle from a
// to b about its normal, the others those to the tangent points.
struct Plane {
  Vec3 normal;
  Pair3 c;  // a and b, from the center
  Tangents to;
  double swept, angle_a, angle_b;
};

MUJOCABLE_INLINE inline Plane PlaneOf(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                      const Homotopy& way) {
  const Vec3& preferred = way.plane;
  Plane plane;
  plane.c = PairOf(a, b) - s.pos;
  plane.to = TangentLines(Dot(plane.c, plane.c), s.radius);
  const Vec3 ca = plane.c.First(), cb = plane.c.Second();
  const Vec3 cross = Cross(ca, cb);
  const double size = plane.to.distance[0] * plane.to.distance[1];
  const double sine = Norm(cross), cosine = Dot(ca, cb);
  const Lanes angle = AnglesOf(sine, cosine, size, plane.to);
  plane.angle_a = angle[1];
  plane.angle_b = angle[2];
  if (sine > kCollinear * size) {
    plane.normal = (1 / sine) * cross;
    plane.swept = angle[0];
    if (!way.shorter && Dot(plane.normal, preferred) < 0) {
      plane.normal = -plane.normal;
      plane.swept = 2 * kPi - plane.swept;
    }
  } else {
    // a, b and the center on one line: the remembered plane decides
    const Vec3 ua = Unit(ca, {1, 0, 0});
    const Vec3 inplane = preferred - Dot(preferred, ua) * ua;
    plane.normal = Norm(inplane) > kCollinear ? Unit(inplane) : Perpendicular(ua);
    plane.swept = cosine < 0 ? kPi : 0;
  }
  return plane;
}

MUJOCABLE_INLINE inline Touch Tighten(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                      const Homotopy& way) {
  const Plane plane = PlaneOf(s, a, b, way);
  const Tangents& to = plane.to;
  const double wrap = plane.swept - plane.angle_a - plane.angle_b;
  Touch touch;
  touch.clearance = Least(to.distance) - s.radius;
  touch.way.plane = plane.normal;
  // lifted: no more than half a turn is left, so it will come back the shorter way
  if (wrap <= 0) return touch;

  // unit directions of entry and exit, and tangents there
  const Pair3 turned = Cross(plane.normal, plane.c);
  const Pair reach = to.reach * to.inverse, around = Pair{1, -1} * to.length * to.inverse;
  const Pair3 point = s.pos + Both(s.radius) * (reach * plane.c + around * turned);
  const Pair3 tangent = reach * turned - around * plane.c;
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
