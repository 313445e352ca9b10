// Surfaces without a closed form for the string over them. All answer the same three questions, in
// their own frame: the geodesic from a point; the signed distance of x, with the outward unit
// normal at the surface point nearest to it; the least signed distance on a segment, at a + u (b -
// a).

#ifndef MUJOCABLE_CORE_SURFACE_SHAPES_H_
#define MUJOCABLE_CORE_SURFACE_SHAPES_H_

#include "core/surface/surface.h"

namespace mujocable {

// Ellipsoid with semi-axes size[0..2]; a cable radius makes it the true parallel surface, every
// point moved along its normal by `offset` (which is no ellipsoid).
namespace ellipsoid {
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
double Signed(const Surface& s, const Vec3& x, Vec3& n);
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);
}  // namespace ellipsoid

// Torus about the z axis: ring radius size[0], tube radius `radius` (cable radius included: the
// parallel surface of a torus is a torus).
namespace torus {
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
double Signed(const Surface& s, const Vec3& x, Vec3& n);
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);
}  // namespace torus

// Box of half sizes size[0..2] swept by a ball of `radius`: a capsule (size 0, 0, h) or a box with
// rounded edges. Flat, cylindrical and spherical pieces joined without a corner, all in closed
// form; a cable radius adds to the ball's, so the parallel surface is exact.
namespace rounded {
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
double Signed(const Surface& s, const Vec3& x, Vec3& n);
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);
}  // namespace rounded

// The boundary of a mesh, compiled to a field (mesh/field.h); the cable's radius is part of it.
namespace mesh {
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);
double Signed(const Surface& s, const Vec3& x, Vec3& n);
double SignedRoughly(const Surface& s, const Vec3& x, Vec3& n);  // to first order near it
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);
}  // namespace mesh

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_SHAPES_H_
