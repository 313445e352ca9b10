#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "core/math/dense.h"
#include "core/mesh/patch.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

class Seams {
 public:
  Seams(const MeshShape& shape, Patches& found)
      : mesh_(shape.mesh), extent_(shape.extent), found_(found) {
    FindSeams();
    FitTogether();
    MakeJoins();
  }

 private:
  // the point near x where two patches touch each other
  bool Touch(int a, int b, Vec3& x, double within) const {
    const Primitive &one = found_.primitive[a], &two = found_.primitive[b];
    const Vec3 start = x;
    bool still = false;
    for (int k = 0; k < kMaxSeamSteps && !still; ++k) {
      Jet p = JetOf(one, x);
      x += -p.f * p.g;
      p = JetOf(one, x);
      const Jet q = JetOf(two, x);
      const Vec3 apart = p.g - q.g;
      const auto twist = [&](const Vec3& v) { return p.Times(v) - q.Times(v); };
      // across is where the curvatures differ most
      const Vec3 u = Perpendicular(p.g), v = Cross(p.g, u), one_way = twist(u), other = twist(v);
      Vec3 across = Dot(one_way, one_way) > Dot(other, other) ? u : v;
      for (int i = 0; i < 8; ++i) across = Unit(twist(across), across);
      const double differ = Dot(across, twist(across)), off = Dot(apart, across);
      if (!(std::abs(differ) > kBendAlike / extent_)) return false;
      x += (-off / differ) * across;
      if (Norm(x - start) > within) return false;
      still = std::abs(off / differ) < kFitStill * extent_;
      // along the seam they do not differ; else they touch in a point
      const Vec3 along = twist(Cross(p.g, across));
      if (still && Norm(along) > kTouchInPoint * std::abs(differ)) return false;
    }
    if (!still) return false;
    Vec3 n, m;
    const double above = DistanceOf(one, x, n), other = DistanceOf(two, x, m);
    return std::abs(above) < 2 * kExact * extent_ && std::abs(other) < 2 * kExact * extent_ &&
           Norm(n - m) < kTangent;
  }

  struct Seam {
    std::vector<Vec3> start;                // near it
    std::vector<std::array<int, 2>> piece;  // starts that one face joins
    std::vector<int> face;                  // that they are of
    std::vector<double> within;
  };

  // edges from one patch into the next, vertices on both
  void FindSeams() {
    std::map<std::array<int, 2>, std::map<std::array<int, 2>, int>> known;  // starts by edge
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      std::map<std::array<int, 2>, std::vector<int>> here;
      for (int k = 0; k < 3; ++k) {
        const int v = mesh_.face[f][k], w = mesh_.face[f][(k + 1) % 3];
        for (int a : holds_.of[v]) {
          for (int b : holds_.of[w]) {
            if (a == b) continue;
            const std::array<int, 2> pair = {std::min(a, b), std::max(a, b)};
            // both ends on one of them: the seam is at an end, if anywhere
            const int one = holds_.Holds(v, b) ? v : w, two = holds_.Holds(w, a) ? w : v;
            const std::array<int, 2> edge = {std::min(one, two), std::max(one, two)};
            Seam& seam = seam_[pair];
            const auto [at, fresh] =
                known[pair].try_emplace(edge, static_cast<int>(seam.start.size()));
            if (fresh) {
              seam.start.push_back(0.5 * (mesh_.vertex[one] + mesh_.vertex[two]));
              seam.within.push_back(Norm(mesh_.vertex[v] - mesh_.vertex[w]));
            }
            std::vector<int>& list = here[pair];
            if (std::ranges::count(list, at->second) == 0) list.push_back(at->second);
          }
        }
      }
      for (const auto& [pair, list] : here) {
        for (size_t i = 0; i < list.size(); ++i) {
          seam_[pair].piece.push_back({list[i], list[(i + 1) % list.size()]});
          seam_[pair].face.push_back(static_cast<int>(f));
        }
      }
    }
  }

  // All vertices by least squares, and touching along the seams with a weight that leaves nothing
  // of what rounding of the vertices made of it.
  void FitTogether() {
    const int n = kFree * static_cast<int>(found_.primitive.size());
    std::vector<double> a, b;
    double row[kFree];
    for (int round = 0; round < kFitsTogether; ++round) {
      a.assign(size_t(n) * n, 0);
      b.assign(n, 0);
      const auto scale = [&](int i) {
        return IsAngle(found_.primitive[i / kFree].kind, i % kFree) ? extent_ : 1.0;
      };
      // asks that the sum of some distances at x vanishes
      std::vector<std::pair<int, double>> terms;
      const auto ask = [&](const Vec3& x, double weight,
                           std::initializer_list<std::pair<int, double>> patches) {
        double left = 0;
        terms.clear();
        for (const auto& [patch, sign] : patches) {
          left += sign * DistanceOf(found_.primitive[patch], x);
          Sensitivity(found_.primitive[patch], x, row);
          for (int i = kFree * patch, k = 0; k < kFree; ++i, ++k) {
            if (row[k] != 0) terms.emplace_back(i, sign * row[k] / scale(i));
          }
        }
        for (const auto& [i, y] : terms) {
          b[i] -= weight * y * left;
          for (const auto& [j, z] : terms) a[size_t(n) * i + j] += weight * y * z;
        }
      };
      for (size_t p = 0; p < found_.primitive.size(); ++p) {
        const double weight = 1.0 / found_.vertex[p].size();
        for (int v : found_.vertex[p]) ask(mesh_.vertex[v], weight, {{static_cast<int>(p), 1}});
      }
      for (const auto& [pair, seam] : seam_) {
        for (size_t i = 0; i < seam.start.size(); ++i) {
          Vec3 x = seam.start[i];
          if (!Touch(pair[0], pair[1], x, 2 * seam.within[i])) continue;
          ask(x, kSeamWeight / seam.start.size(), {{pair[0], 1}, {pair[1], -1}});
        }
      }
      // along what nothing depends on (a cylinder along its axis) nothing moves
      for (int i = 0; i < n; ++i) a[size_t(n + 1) * i] += kHeldBackTogether;
      static_assert(Padded(kFree) == kFree);  // so n is one too
      if (!SolveDense(a.data(), b.data(), n, 0)) return;
      for (int i = 0; i < n; ++i) b[i] /= scale(i);
      for (size_t p = 0; p < found_.primitive.size(); ++p) {
        Change(b.data() + kFree * p, found_.primitive[p]);
      }
    }
  }

  void MakeJoins() {
    for (const auto& [pair, seam] : seam_) {
      std::vector<Vec3> at = seam.start, points;  // all, and those of the seam
      std::vector<char> touches;
      for (size_t i = 0; i < at.size(); ++i) {
        touches.push_back(Touch(pair[0], pair[1], at[i], 2 * seam.within[i]));
        if (touches[i]) points.push_back(at[i]);
      }
      Join join;
      join.patch[0] = pair[0], join.patch[1] = pair[1];
      if (!Through(points, join)) continue;
      // the first patch is where its own vertices are
      double sides = 0;
      std::vector<std::array<Vec3, 2>> pieces;
      for (size_t i = 0; i < seam.piece.size(); ++i) {
        const auto [one, two] = seam.piece[i];
        if (!touches[one] || !touches[two]) continue;
        pieces.push_back({at[one], at[two]});
        for (int v : mesh_.face[seam.face[i]]) {
          const bool first = holds_.Holds(v, pair[0]), second = holds_.Holds(v, pair[1]);
          if (first != second) sides += (second ? 1 : -1) * Beyond(join, mesh_.vertex[v]);
        }
      }
      if (sides < 0) {
        join.across = -join.across, join.up = -join.up;
        if (!join.round) join.axis = -join.axis;
      }
      found_.join.push_back(join);
      found_.seam.push_back(pieces);
    }
  }

  // the line or circle through the points of a seam; false where the patches touch in a point
  bool Through(const std::vector<Vec3>& points, Join& join) const {
    if (points.size() < 2) return false;
    const auto farthest = [&](const auto& how) {
      return *std::ranges::max_element(points, {}, how);
    };
    const Vec3 x = points[0];
    const Vec3 y = farthest([&](const Vec3& p) { return Norm(p - x); });
    if (Norm(y - x) < kShortSeam * extent_) return false;
    const Vec3 along = Unit(y - x);
    const auto aside = [&](const Vec3& p) { return Norm(Cross(along, p - x)); };
    const Vec3 z = farthest(aside);
    const Vec3 away = NormalOf(found_.primitive[join.patch[0]], x);
    if (aside(z) < kSeamCurve * extent_) {
      join.center = x;
      join.axis = Unit(Cross(along, away));
    } else {
      const Vec3 p = y - x, q = z - x, n = Cross(p, q);
      const Vec3 middle = (0.5 / Dot(n, n)) * (Dot(p, p) * Cross(q, n) + Dot(q, q) * Cross(n, p));
      join.round = 1;
      join.center = x + middle;
      join.axis = Unit(n);
      join.ring = Norm(middle);
      join.across = -Dot(away, join.axis);
      join.up = -Dot(away, middle) / join.ring;
    }
    return true;
  }

  const TriangleMesh& mesh_;
  const double extent_;
  Patches& found_;
  const Holders& holds_ = found_.holds;
  std::map<std::array<int, 2>, Seam> seam_;
};

}  // namespace

void JoinPatches(const MeshShape& shape, Patches& found) { Seams(shape, found); }

}  // namespace mujocable
