// Which primitives may hold a few points: first guesses for a fit.

#ifndef MUJOCABLE_CORE_MESH_GUESS_H_
#define MUJOCABLE_CORE_MESH_GUESS_H_

#include <vector>

#include "core/mesh/primitive.h"

namespace mujocable {

// What may have the curvatures found around the first of some points with normals, simple surfaces
// first. extent: of the mesh, half the diagonal of its box [m].
std::vector<Primitive> GuessPrimitives(const std::vector<Vec3>& points,
                                       const std::vector<Vec3>& normals, double extent);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_GUESS_H_
