// Torus about the z axis: ring radius size[0], tube radius `radius` (cable radius included: the
// parallel surface of a torus is a torus).

#ifndef MUJOCABLE_CORE_SURFACE_TORUS_H_
#define MUJOCABLE_CORE_SURFACE_TORUS_H_

#include "core/surface/surface.h"

namespace mujocable::torus {

// all in the frame of the surface
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);

// signed distance of x and the outward unit normal at the surface point nearest to it
double Signed(const Surface& s, const Vec3& x, Vec3& n);

// least signed distance on the segment a-b, at a + u (b - a)
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);

}  // namespace mujocable::torus

#endif  // MUJOCABLE_CORE_SURFACE_TORUS_H_
