// A tree of boxes around the faces of a mesh: nearest points and pairs of faces that come near.

#ifndef MUJOCABLE_CORE_MESH_TREE_H_
#define MUJOCABLE_CORE_MESH_TREE_H_

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/mesh/mesh.h"

namespace mujocable {

// point of a triangle nearest to x
inline Vec3 NearestOnTriangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  // the seven regions of its plane: corners, edges, inside
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = Dot(ab, ax), d2 = Dot(ac, ax);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vec3 bx = x - b;
  const double d3 = Dot(ab, bx), d4 = Dot(ac, bx);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
  const Vec3 cx = x - c;
  const double d5 = Dot(ab, cx), d6 = Dot(ac, cx);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return b + ((d4 - d3) / (d4 - d3 + d5 - d6)) * (c - b);
  const double sum = va + vb + vc;
  return sum > 0 ? a + (vb / sum) * ab + (vc / sum) * ac : a;
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
        const Vec3 d = x - NearestOnTriangle(x, mesh_.At(f, 0), mesh_.At(f, 1), mesh_.At(f, 2));
        best = std::min(best, Dot(d, d));
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
