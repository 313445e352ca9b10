#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh/make.h"
#include "core/mesh/patch.h"
#include "core/mesh/tolerance.h"
#include "core/mesh/tree.h"

namespace mujocable {
namespace {

class Maker {
 public:
  Maker(const MeshShape& shape, const Patches& patches, double offset, MeshField& f)
      : shape_(shape), mesh_(shape.mesh), patches_(patches), f_(f) {
    f.offset = offset;
    f.join = patches.join;
    for (const Primitive& s : patches.primitive) f.patch.push_back(MovedOut(s, offset));
  }

  bool Make() {
    double sharpest = shape_.widest;
    for (const Primitive& s : f_.patch) {
      if (s.kind == PrimitiveKind::kPlane) continue;
      if (!(s.radius > 0)) return false;
      sharpest = std::min(sharpest, s.radius);
    }
    const double cell =
        std::max(std::min({kPatchCellPerRadius * sharpest,
                           kPatchCellPerNarrowest * (shape_.narrowest + 2 * f_.offset)}),
                 kPatchCellPerWidest * shape_.widest);
    Sampled(cell);
    if (!Fits()) return false;
    if (!MakeGrid(samples_, cell, f_)) return false;
    f_.radius = std::clamp(sharpest, f_.cell, 0.5 * shape_.narrowest + f_.offset);
    MarkJoins();
    if (!Meets()) return false;
    for (const Sample& s : samples_) f_.sample.push_back(s.x);
    for (size_t i = 0; i < samples_.size(); ++i) {
      f_.owner[i] = PatchAt(f_, samples_[i].x);
      f_.sample[i] = Drop(f_, samples_[i].x);
    }
    Measure();
    return true;
  }

 private:
  void Add(const Vec3& x, int patch) {
    Vec3 n;
    const Vec3 foot = FootOn(f_.patch[patch], x, n);
    samples_.push_back({foot, n, 0});
    f_.owner.push_back(patch);
  }

  // vertices, and points on faces larger than a cell
  void Sampled(double cell) {
    for (size_t v = 0; v < mesh_.vertex.size(); ++v) Add(mesh_.vertex[v], holds_.of[v][0]);
    for (const auto& face : mesh_.face) {
      int k = 0;  // the longest edge leaves this corner
      const auto corner = [&](int i) { return mesh_.vertex[face[i % 3]]; };
      for (int i = 1; i < 3; ++i) {
        if (Norm(corner(i + 1) - corner(i)) > Norm(corner(k + 1) - corner(k))) k = i;
      }
      const Vec3 a = corner(k), b = corner(k + 1), c = corner(k + 2);
      const double longest = Norm(b - a), height = Norm(Cross(b - a, c - a)) / longest;
      const int along = static_cast<int>(std::ceil(longest / cell));
      const int up = static_cast<int>(std::ceil(height / cell));
      if (along < 2) continue;
      for (int j = 0; j < up; ++j) {
        for (int i = 1; i < along; ++i) {
          const double u = double(i) / along, v = double(j) / up;
          const int nearest = v > 0.5 ? 2 : u > 0.5 ? 1 : 0;
          // the patch of the whole face, else of the corner
          const int own = (k + nearest) % 3, whole = holds_.OfFace(face, own);
          Add((1 - v) * ((1 - u) * a + u * b) + v * c,
              whole >= 0 ? whole : holds_.of[face[own]][0]);
        }
      }
    }
  }

  // whether the cable reaches all of it
  bool Fits() const {
    if (!(f_.offset > 0)) return true;
    const MeshTree tree(mesh_);
    for (size_t v = 0; v < mesh_.vertex.size(); ++v) {
      if (tree.Distance(samples_[v].x, f_.offset) < (1 - kBallShare) * f_.offset) return false;
    }
    return true;
  }

  void MarkJoins() {
    const std::int64_t nodes = f_.Nodes();
    std::vector<std::vector<std::int32_t>> lists(nodes);
    std::vector<Sample> marks;
    const int reach = static_cast<int>(std::ceil(kJoinReach));
    for (size_t j = 0; j < f_.join.size(); ++j) {
      for (const auto& [from, to] : patches_.seam[j]) {
        const int pieces = std::max(1, static_cast<int>(std::ceil(2 * Norm(to - from) / f_.cell)));
        for (int i = 0; i <= pieces; ++i) {
          Vec3 n;
          const Vec3 x =
              FootOn(f_.patch[f_.join[j].patch[0]], from + (double(i) / pieces) * (to - from), n);
          marks.push_back({x, n, 0});
          VisitAround(f_, f_.Near(x), reach, [&](std::int64_t node, int square) {
            auto& list = lists[node];
            if (square > kJoinReach * kJoinReach) return;
            if (list.empty() || list.back() != static_cast<int>(j)) {
              list.push_back(static_cast<std::int32_t>(j));
            }
          });
        }
      }
    }
    f_.first.assign(1, 0);
    for (std::int64_t i = 0; i < nodes; ++i) {
      if (std::abs(f_.distance[i]) <= (kBand + 2) * f_.cell) {
        f_.near.insert(f_.near.end(), lists[i].begin(), lists[i].end());
      }
      f_.first.push_back(static_cast<std::int32_t>(f_.near.size()));
    }
    // how far the joins are: a cell is what nodes and marks may be apart
    f_.reach.assign(nodes, std::numeric_limits<float>::max());
    if (marks.empty()) return;
    const std::vector<std::int32_t> nearest = NearestOf(marks, f_);
    for (std::int64_t i = 0; i < nodes; ++i) {
      const double apart = Norm(f_.At(i) - marks[nearest[i]].x);
      f_.reach[i] = static_cast<float>(apart - f_.cell);
    }
  }

  // whether every vertex is a point of the patch nearest to it, and distance and normal go on
  // without a jump along every edge, where another patch becomes nearest
  bool Meets() const {
    for (size_t v = 0; v < mesh_.vertex.size(); ++v) {
      const int patch = PatchAt(f_, samples_[v].x);
      if (holds_.Holds(static_cast<int>(v), patch)) continue;
      if (std::abs(DistanceOf(f_.patch[patch], samples_[v].x)) > kJump * f_.extent) return false;
    }
    return std::ranges::all_of(shape_.edge, [&](const MeshEdge& edge) {
      return Smooth(samples_[edge.from].x, samples_[edge.to].x);
    });
  }

  bool Smooth(const Vec3& from, const Vec3& to) const {
    constexpr int kLooks = 16;  // along one edge: it crosses a join or two
    int before = PatchAt(f_, from);
    for (int i = 1; i <= kLooks; ++i) {
      const double now = double(i) / kLooks;
      const auto at = [&](double u) { return from + u * (to - from); };
      const int patch = PatchAt(f_, at(now));
      if (patch != before) {
        double low = now - 1.0 / kLooks, high = now;
        for (int k = 0; k < 50; ++k) {
          const double half = 0.5 * (low + high);
          (PatchAt(f_, at(half)) == before ? low : high) = half;
        }
        Vec3 n, m;
        const double one = DistanceOf(f_.patch[before], at(high), n);
        const double two = DistanceOf(f_.patch[PatchAt(f_, at(high))], at(high), m);
        if (std::abs(one - two) > kJump * f_.extent || Norm(n - m) > kCorner) return false;
        // the nodes around know that a join is near, or a geodesic would step over it
        const Vec3 x = at(high) - one * n;
        Vec3 node;
        if (f_.reach[f_.Near(x, node)] > Norm(x - node)) return false;
      }
      before = patch;
    }
    return true;
  }

  // the mesh, moved out by the offset, against the surface
  void Measure() {
    Deviation& deviation = f_.deviation;
    const auto away = [&](const Vec3& x) { return std::abs(Value(f_, x) + f_.offset); };
    double sum = 0, area = 0;
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      deviation.facet = std::max(deviation.facet, away(mesh_.Middle(f)));
    }
    for (size_t v = 0; v < mesh_.vertex.size(); ++v) {
      const double apart = away(mesh_.vertex[v]), share = shape_.vertex_area[v];
      deviation.most = std::max(deviation.most, apart);
      sum += share * apart * apart;
      area += share;
    }
    deviation.edge = deviation.most;
    deviation.rms = area > 0 ? std::sqrt(sum / area) : 0;
  }

  const MeshShape& shape_;
  const TriangleMesh& mesh_;
  const Patches& patches_;
  const Holders& holds_ = patches_.holds;
  MeshField& f_;
  std::vector<Sample> samples_;
};

}  // namespace

bool MakePatchField(const MeshShape& shape, double offset, MeshField& f) {
  Patches patches;
  f = {};
  return FindPatches(shape, patches) && Maker(shape, patches, offset, f).Make();
}

}  // namespace mujocable
