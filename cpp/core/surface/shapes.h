// Surfaces without a closed form for the string over them. All answer the same three questions, in
// their own frame.

#ifndef MUJOCABLE_CORE_SURFACE_SHAPES_H_
#define MUJOCABLE_CORE_SURFACE_SHAPES_H_

#include "core/surface/surface.h"

namespace mujocable {

struct Shape {
  // the geodesic from a point, forward
  Geodesic (*shoot)(const Surface& s, const Vec3& p, const Vec3& t, double length);
  // the signed distance of x, and the outward unit normal at the surface point nearest to it
  double (*distance)(const Surface& s, const Vec3& x, Vec3& n);
  // the least signed distance on a segment, at a + u (b - a)
  double (*deepest)(const Surface& s, const Vec3& a, const Vec3& b, double& u);
};

// Ellipsoid with semi-axes size[0..2]; a cable radius makes it the true parallel surface, every
// point moved along its normal by `offset` (which is no ellipsoid).
namespace ellipsoid {
extern const Shape kShape;
}

// Torus about the z axis: ring radius size[0], tube radius `radius` (cable radius included: the
// parallel surface of a torus is a torus).
namespace torus {
extern const Shape kShape;
}

// Box of half sizes size[0..2] swept by a ball of `radius`: a capsule (size 0, 0, h) or a box with
// rounded edges. Flat, cylindrical and spherical pieces joined without a corner, all in closed
// form; a cable radius adds to the ball's, so the parallel surface is exact.
namespace rounded {
extern const Shape kShape;
}

// The boundary of a mesh, compiled to a field (mesh/field.h); the cable's radius is part of it.
namespace mesh {
extern const Shape kShape;
double DistanceRoughly(const Surface& s, const Vec3& x, Vec3& n);  // to first order near it
}  // namespace mesh

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_SHAPES_H_
