// A mesh that consists of exact patches as a field.

#ifndef MUJOCABLE_CORE_MESH_PATCH_FIELD_H_
#define MUJOCABLE_CORE_MESH_PATCH_FIELD_H_

#include "core/mesh/field.h"
#include "core/mesh/sample.h"

namespace mujocable {

// The field of a mesh that is all patches, moved out by the offset; false where it is not, or
// where some pair of neighbors does not meet without a jump.
bool MakePatchField(const MeshShape& shape, double offset, MeshField& f);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_PATCH_FIELD_H_
