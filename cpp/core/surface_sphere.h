// Sphere: geodesics are great circles in the plane of the two neighbors and the center.

#ifndef MUJOCABLE_CORE_SURFACE_SPHERE_H_
#define MUJOCABLE_CORE_SURFACE_SPHERE_H_

#include "surface.h"

namespace mujocable::sphere {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);
Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);
Homotopy WayAmong(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);
Homotopy WayStraight(const Surface& s, const Vec3& a, const Vec3& b);
double Distance(const Surface& s, const Vec3& x);
Vec3 Normal(const Surface& s, const Vec3& x);
double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b);

}  // namespace mujocable::sphere

#endif  // MUJOCABLE_CORE_SURFACE_SPHERE_H_
