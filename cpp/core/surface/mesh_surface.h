// The boundary of a mesh, compiled to a field (mesh_field.h); the cable's radius is part of it.

#ifndef MUJOCABLE_CORE_SURFACE_MESH_SURFACE_H_
#define MUJOCABLE_CORE_SURFACE_MESH_SURFACE_H_

#include "core/surface/surface.h"

namespace mujocable::mesh {

// all in the frame of the surface
Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length);

// signed distance of x and the outward unit normal at the surface point nearest to it
double SignedRoughly(const Surface& s, const Vec3& x, Vec3& n);  // to first order near it
double Signed(const Surface& s, const Vec3& x, Vec3& n);

// least signed distance on the segment a-b, at a + u (b - a)
double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u);

}  // namespace mujocable::mesh

#endif  // MUJOCABLE_CORE_SURFACE_MESH_SURFACE_H_
