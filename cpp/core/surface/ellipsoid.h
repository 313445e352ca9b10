// Ellipsoid with semi-axes size[0..2]; a cable radius makes it the true parallel surface, every
// point moved along its normal by `offset` (which is no ellipsoid).

#ifndef MUJOCABLE_CORE_SURFACE_ELLIPSOID_H_
#define MUJOCABLE_CORE_SURFACE_ELLIPSOID_H_

#include "core/surface/surface.h"

namespace mujocable::ellipsoid {

// all in the frame of the surface
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);

// signed distance of x and the outward unit normal at the surface point nearest to it
double Signed(const Surface& s, const Vec3& x, Vec3& n);

// least signed distance on the segment a-b, at a + u (b - a)
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);

}  // namespace mujocable::ellipsoid

#endif  // MUJOCABLE_CORE_SURFACE_ELLIPSOID_H_
