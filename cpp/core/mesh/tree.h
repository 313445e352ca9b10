// A tree of boxes around the faces of a mesh: nearest points and pairs of faces that come near.

#ifndef MUJOCABLE_CORE_MESH_TREE_H_
#define MUJOCABLE_CORE_MESH_TREE_H_

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/mesh/mesh.h"

namespace mujocable {

// of the distance of x from a triangle
inline double SquaredFrom(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = Cross(b - a, c - a), corner[] = {a, b, c, a};
  double least = INFINITY;
  bool above = true;  // or below, not beside it
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = corner[k + 1] - corner[k], from = x - corner[k];
    const double square = Dot(edge, edge);
    const Vec3 apart =
        from - (square > 0 ? std::clamp(Dot(from, edge) / square, 0.0, 1.0) : 0) * edge;
    least = std::min(least, Dot(apart, apart));
    above = above && Dot(Cross(edge, from), n) > 0;
  }
  return above ? Dot(x - a, n) * Dot(x - a, n) / Dot(n, n) : least;
}

class MeshTree {
 public:
  explicit MeshTree(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.face.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    node_.reserve(2 * order_.size() / kLeaf + 2);
    if (!order_.empty()) Build(0, static_cast<int>(order_.size()));
  }

  // distance of x from the mesh, at most `reach`
  double Distance(const Vec3& x, double reach) const {
    double best = reach * reach;
    if (!node_.empty()) Nearest(0, x, best);
    return std::sqrt(best);
  }

  // calls visit(i, j) for all pairs of faces i < j whose boxes meet
  template <typename Visit>
  void Pairs(const Visit& visit) const {
    for (int i = 0; i < static_cast<int>(order_.size()); ++i) {
      Box box;
      for (int k = 0; k < 3; ++k) box.Add(mesh_.At(i, k));
      Meeting(0, i, box, visit);
    }
  }

 private:
  static constexpr int kLeaf = 4;  // faces; fewer make more boxes than they spare
  struct Node {
    Box box;
    int first = 0, last = 0;  // faces of a leaf, in order_
    int child[2] = {-1, -1};
  };

  int Build(int first, int last) {
    const int index = static_cast<int>(node_.size());
    Box box, middles;
    for (int i = first; i < last; ++i) {
      for (int k = 0; k < 3; ++k) box.Add(mesh_.At(order_[i], k));
      middles.Add(mesh_.Middle(order_[i]));
    }
    node_.push_back({box, first, last});
    if (last - first <= kLeaf) return index;
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (middles.Side(k) > middles.Side(axis)) axis = k;
    }
    const int half = (first + last) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last,
                     [&](int i, int j) {
                       const double x = mesh_.Middle(i)[axis], y = mesh_.Middle(j)[axis];
                       return x < y || (x == y && i < j);
                     });
    const int left = Build(first, half), right = Build(half, last);
    node_[index].child[0] = left;
    node_[index].child[1] = right;
    return index;
  }

  void Nearest(int index, const Vec3& x, double& best) const {
    const Node& node = node_[index];
    if (node.box.Squared(x) >= best) return;
    if (node.child[0] < 0) {
      for (int i = node.first; i < node.last; ++i) {
        const int f = order_[i];
        best = std::min(best, SquaredFrom(x, mesh_.At(f, 0), mesh_.At(f, 1), mesh_.At(f, 2)));
      }
      return;
    }
    const double d0 = node_[node.child[0]].box.Squared(x);
    const double d1 = node_[node.child[1]].box.Squared(x);
    Nearest(node.child[d0 <= d1 ? 0 : 1], x, best);
    Nearest(node.child[d0 <= d1 ? 1 : 0], x, best);
  }

  template <typename Visit>
  void Meeting(int index, int face, const Box& box, const Visit& visit) const {
    const Node& node = node_[index];
    if (!node.box.Meets(box)) return;
    if (node.child[0] >= 0) {
      for (int child : node.child) Meeting(child, face, box, visit);
      return;
    }
    for (int i = node.first; i < node.last; ++i) {
      if (order_[i] > face) visit(face, order_[i]);
    }
  }

  const TriangleMesh& mesh_;
  std::vector<int> order_;
  std::vector<Node> node_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_TREE_H_
