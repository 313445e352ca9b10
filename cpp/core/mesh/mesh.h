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

  const Vec3& At(size_t f, int corner) const { return vertex[face[f][corner]]; }
  int CornerOf(size_t f, int v) const { return face[f][0] == v ? 0 : face[f][1] == v ? 1 : 2; }
  Vec3 Middle(size_t f) const { return (1.0 / 3) * (At(f, 0) + At(f, 1) + At(f, 2)); }
};

// a box along the axes, around points
struct Box {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};

  void Add(const Vec3& v) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], v[k]);
      high[k] = std::max(high[k], v[k]);
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
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({low[k] - v[k], 0.0, v[k] - high[k]});
      sum += d * d;
    }
    return sum;
  }
};

// an edge with its two faces; `from` to `to` as the first face runs
struct MeshEdge {
  int from = -1, to = -1;
  int face[2] = {-1, -1};
  int uses = 1;                        // faces that have it: two of a mesh without faults
  bool turned = false;                 // another one runs it the same way as the first
  bool crease = false, sharp = false;  // meant sharp, and turns outward: as MeshShape finds
};

// What hangs together with `start` among `count` things, nearest first: beside(at, go) calls
// go(other) for all that are next to one, `holds` tells which of them count.
template <typename Beside, typename Holds = decltype([](int) { return true; })>
std::vector<int> Reached(int start, size_t count, const Beside& beside, const Holds& holds = {}) {
  std::vector<char> seen(count, 0);
  std::vector<int> all;
  const auto go = [&](int at) {
    if (!seen[at] && holds(at)) all.push_back(at);
    seen[at] = 1;
  };
  go(start);
  for (size_t i = 0; i < all.size(); ++i) beside(all[i], go);
  return all;
}

// the same where the neighbors of each are listed
template <typename Holds>
std::vector<int> Reached(int start, const std::vector<std::vector<int>>& next, const Holds& holds) {
  const auto beside = [&](int at, const auto& go) { std::ranges::for_each(next[at], go); };
  return Reached(start, next.size(), beside, holds);
}

// the faces around each vertex
std::vector<std::vector<int>> FacesAround(const TriangleMesh& mesh);

// vertices at the same place made one; faces that lose their area by it and unused vertices dropped
TriangleMesh Weld(const TriangleMesh& mesh);

// edges, in the order of the faces
std::vector<MeshEdge> EdgesOf(const TriangleMesh& mesh);

// Why the mesh does not bound a solid: open, not manifold, not oriented, inside out, empty,
// cutting itself; which edges or faces, how many. "" when it does.
std::string FaultOf(const TriangleMesh& mesh);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_MESH_H_
