// Cylinder: unrolls to the plane, so every question has a closed form. Windings are unbounded.

#ifndef MUJOCABLE_CORE_SURFACE_CYLINDER_H_
#define MUJOCABLE_CORE_SURFACE_CYLINDER_H_

#include "core/math/inline.h"
#include "core/surface/circle.h"
#include "core/surface/surface.h"

namespace mujocable::cylinder {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);
Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// in the header: the solver of a single wrap inlines it
MUJOCABLE_INLINE inline Touch Tighten(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                      const Homotopy& way) {
  const Pair3 local = Unrotate(s.rot, PairOf(a, b) - s.pos);
  const Pair x = local.x, y = local.y, z = local.z;
  const Tangents to = TangentLines(x * x + y * y, s.radius);
  Touch touch;
  touch.clearance = Least(to.distance) - s.radius;

  // angles between the points, and from each of them to its tangent point
  const double cross = x[0] * y[1] - y[0] * x[1], dot = x[0] * x[1] + y[0] * y[1];
  const Lanes angle = AnglesOf(std::abs(cross), dot, to.distance[0] * to.distance[1], to);
  touch.way.swept = Unwrap(std::copysign(angle[0], cross), way.swept);

  // lifted: the straight line clears the circle on the side it is on
  const double sense = touch.way.swept < 0 ? -1 : 1;
  const double wrap = std::abs(touch.way.swept) - angle[1] - angle[2];
  if (wrap <= 0) [[unlikely]]
    return touch;

  // touching: straight in the unrolled plane, so z advances evenly with the planar length
  const double planar = to.length[0] + s.radius * wrap + to.length[1];
  const double dz = z[1] - z[0], square = planar * planar + dz * dz;
  const double total = std::sqrt(square), scale = total * (1 / square);  // root and inverse at once
  const double flat = 1 / planar, slope = dz * flat, steepness = total * flat;
  const double cosine = planar * scale, along = sense * cosine, up = dz * scale;
  const Pair onward = Pair{1, -1} * to.length, around = sense * onward;
  const Pair px = (to.reach * x - around * y) * to.inverse;  // unit directions of entry and exit
  const Pair py = (around * x + to.reach * y) * to.inverse;
  const Pair pz = z + slope * onward;
  const Pair3 point = s.pos + Rotate(s.rot, Pair3{s.radius * px, s.radius * py, pz});
  const Pair3 tangent = Rotate(s.rot, Pair3{-along * py, along * px, Both(up)});
  touch.touching = true;
  touch.p = point.First();
  touch.q = point.Second();
  touch.t_p = tangent.First();
  touch.t_q = tangent.Second();
  touch.before = to.length[0] * steepness;
  touch.arc = s.radius * wrap * steepness;
  touch.after = to.length[1] * steepness;
  touch.turn = wrap * cosine;
  return touch;
}

}  // namespace mujocable::cylinder

#endif  // MUJOCABLE_CORE_SURFACE_CYLINDER_H_
