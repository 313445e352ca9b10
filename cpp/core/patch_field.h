// A mesh that consists of exact patches as a field, and geodesics from patch to patch.

#ifndef MUJOCABLE_CORE_PATCH_FIELD_H_
#define MUJOCABLE_CORE_PATCH_FIELD_H_

#include "mesh_field.h"
#include "mesh_sample.h"
#include "surface.h"

namespace mujocable {

// The field of a mesh that is all patches, moved out by the offset; false where it is not, or
// where some pair of neighbors does not meet without a jump.
bool MakePatchField(const MeshShape& shape, double offset, MeshField& f);

// On from p, t_p and n_p of `g`, which lie on the surface. Each patch is left where its geodesic
// meets a join, exactly: nothing is integrated across a jump of curvature.
void ShootOverPatches(const MeshField& f, double length, Geodesic& g);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATCH_FIELD_H_
