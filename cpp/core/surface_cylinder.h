// Cylinder: unrolls to the plane, so every question has a closed form. Windings are unbounded.

#ifndef MUJOCABLE_CORE_SURFACE_CYLINDER_H_
#define MUJOCABLE_CORE_SURFACE_CYLINDER_H_

#include "surface.h"

namespace mujocable::cylinder {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
Touch Tighten(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);
Touch TightenKept(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);
Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b);
Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);
double Distance(const Surface& s, const Vec3& x);
Vec3 Normal(const Surface& s, const Vec3& x);
double SegmentDepth(const Surface& s, const Vec3& a, const Vec3& b);
double Overrun(const Surface& s, const Vec3& x);

}  // namespace mujocable::cylinder

#endif  // MUJOCABLE_CORE_SURFACE_CYLINDER_H_
