// Box of half sizes size[0..2] swept by a ball of `radius`: a capsule (size 0, 0, h) or a box with
// rounded edges. Flat, cylindrical and spherical pieces joined without a corner, all in closed
// form; a cable radius adds to the ball's, so the parallel surface is exact.

#ifndef MUJOCABLE_CORE_SURFACE_ROUNDED_H_
#define MUJOCABLE_CORE_SURFACE_ROUNDED_H_

#include "core/surface/surface.h"

namespace mujocable::rounded {

// all in the frame of the surface
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);

// signed distance of x and the outward unit normal at the surface point nearest to it
double Signed(const Surface& s, const Vec3& x, Vec3& n);

// least signed distance on the segment a-b, at a + u (b - a)
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);

}  // namespace mujocable::rounded

#endif  // MUJOCABLE_CORE_SURFACE_ROUNDED_H_
