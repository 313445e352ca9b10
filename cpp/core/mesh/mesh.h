// Triangle meshes: cleaning, and what makes one unfit to be the boundary of a solid.

#ifndef MUJOCABLE_CORE_MESH_MESH_H_
#define MUJOCABLE_CORE_MESH_MESH_H_

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/math/vec.h"

namespace mujocable {

struct TriangleMesh {
  std::vector<Vec3> vertex;
  std::vector<std::array<int, 3>> face;  // counter-clockwise seen from outside
};

// a box along the axes, around points
struct Box {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};

  void Add(const Vec3& v) {
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  double Side(int k) const { return high[k] - low[k]; }
  double HalfDiagonal() const { return 0.5 * Norm({Side(0), Side(1), Side(2)}); }
  bool Meets(const Box& b) const {
    for (int k = 0; k < 3; ++k) {
      if (low[k] > b.high[k] || b.low[k] > high[k]) return false;
    }
    return true;
  }
  // of the distance from v, 0 inside
  double Squared(const Vec3& v) const {
    const double x[3] = {v.x, v.y, v.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({low[k] - x[k], 0.0, x[k] - high[k]});
      sum += d * d;
    }
    return sum;
  }
};

// an edge with its two faces; `from` to `to` as the first face runs
struct MeshEdge {
  int from = -1, to = -1;
  int face[2] = {-1, -1};
  int uses = 1;         // faces that have it: two of a mesh without faults
  bool turned = false;  // another one runs it the same way as the first
};

// vertices at the same place made one; faces that lose their area by it and unused vertices dropped
TriangleMesh Weld(const TriangleMesh& mesh);

// edges, in the order of the faces
std::vector<MeshEdge> EdgesOf(const TriangleMesh& mesh);

// Why the mesh does not bound a solid: open, not manifold, not oriented, inside out, empty,
// cutting itself; which edges or faces, how many. "" when it does.
std::string FaultOf(const TriangleMesh& mesh);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_MESH_H_
