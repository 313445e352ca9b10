// Where the patches of a mesh meet: seams, and the fit of all patches together that closes them.

#ifndef MUJOCABLE_CORE_MESH_SEAM_H_
#define MUJOCABLE_CORE_MESH_SEAM_H_

#include <vector>

#include "core/mesh/patch.h"

namespace mujocable {

// Finds the joins of patches whose primitives and vertices are known, `holds` the patches of each
// vertex, and moves all primitives by as little as makes them touch to rounding there.
void JoinPatches(const TriangleMesh& mesh, const Holders& holds, double extent, Patches& found);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_SEAM_H_
