// Parts of a mesh that are exact: planes, spheres, cylinders, cones and tori whose points its
// vertices are, and the seams along which one passes into the next without a corner.
//
// At such a seam the curvature jumps. A spline smears the jump over its cells; the surfaces
// themselves do not.

#ifndef MUJOCABLE_CORE_MESH_PATCH_H_
#define MUJOCABLE_CORE_MESH_PATCH_H_

#include <algorithm>
#include <array>
#include <vector>

#include "core/mesh/primitive.h"
#include "core/mesh/sample.h"

namespace mujocable {

// the patches that each vertex of a mesh is a point of
struct Holders {
  std::vector<std::vector<int>> of;  // each vertex

  bool Holds(int vertex, int patch) const { return std::ranges::count(of[vertex], patch) > 0; }
  // a patch of the whole face, the first of those of a corner; -1: none
  int OfFace(const std::array<int, 3>& face, int corner = 0) const {
    for (int p : of[face[corner]]) {
      if (Holds(face[0], p) && Holds(face[1], p) && Holds(face[2], p)) return p;
    }
    return -1;
  }
};

struct Patches {
  std::vector<Primitive> primitive;
  std::vector<std::vector<int>> vertex;  // of the mesh, that each of them holds
  Holders holds;
  std::vector<Join> join;
  std::vector<std::vector<std::array<Vec3, 2>>> seam;  // short pieces of each join
};

// The patches of a mesh that consists of nothing else; false where some vertex is on none of them,
// or an edge is sharp. Seams are exact to rounding: all patches are fitted together.
bool FindPatches(const MeshShape& shape, Patches& found);

// Finds the joins of patches whose primitives and vertices are known, and moves all primitives by
// as little as makes them touch to rounding there.
void JoinPatches(const MeshShape& shape, Patches& found);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_PATCH_H_
