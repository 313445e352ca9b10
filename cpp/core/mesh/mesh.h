// Triangle meshes: cleaning, and what makes one unfit to be the boundary of a solid.

#ifndef MUJOCABLE_CORE_MESH_MESH_H_
#define MUJOCABLE_CORE_MESH_MESH_H_

#include <array>
#include <string>
#include <vector>

#include "core/math/vec.h"

namespace mujocable {

struct TriangleMesh {
  std::vector<Vec3> vertex;
  std::vector<std::array<int, 3>> face;  // counter-clockwise seen from outside
};

// an edge with its two faces; `from` to `to` as the first face runs
struct MeshEdge {
  int from = -1, to = -1;
  int face[2] = {-1, -1};
};

// vertices at the same place made one; faces that lose their area by it and unused vertices dropped
TriangleMesh Weld(const TriangleMesh& mesh);

// edges of a mesh without faults
std::vector<MeshEdge> EdgesOf(const TriangleMesh& mesh);

// Why the mesh does not bound a solid: open, not manifold, not oriented, inside out, empty,
// cutting itself; which edges or faces, how many. "" when it does.
std::string FaultOf(const TriangleMesh& mesh);

Vec3 FaceNormal(const TriangleMesh& mesh, int face);  // unit; zero where it has no area

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_MESH_H_
