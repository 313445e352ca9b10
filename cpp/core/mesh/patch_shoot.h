// Geodesics over a field of exact patches.

#ifndef MUJOCABLE_CORE_MESH_PATCH_SHOOT_H_
#define MUJOCABLE_CORE_MESH_PATCH_SHOOT_H_

#include "core/math/geodesic.h"
#include "core/mesh/field.h"

namespace mujocable {

// On from p, t_p and n_p of `g`, which lie on the surface. Each patch is left where its geodesic
// meets a join, exactly: nothing is integrated across a jump of curvature.
void ShootOverPatches(const MeshField& f, double length, Geodesic& g);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_PATCH_SHOOT_H_
