#include "mesh_patch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "dense.h"

namespace mujocable {
namespace {

// how far a vertex may lie from the surface it is a point of, half diagonals of the box: ten times
// what is lost where coordinates are kept in single precision
constexpr double kExact = 1e-6;
constexpr double kAligned = 0.8;  // cosine between normals of vertex and surface
constexpr double kOutlier = 12;  // vertices this many times the third quartile off are a neighbor's
constexpr int kMaxGrowths = 16;
constexpr double kGrown = 1.5;  // a patch holds this many times the vertices of its seed
constexpr double kMaxFailures = 40, kFailureShare = 0.1;  // seeds without a patch
constexpr int kMaxPatches = 100;
constexpr int kMaxSeamSteps = 20;
constexpr double kTangent = 1e-4;  // normals at a seam agree, before the fit of all       [rad]
constexpr double kSeamWeight = 1e6;
constexpr double kSeamExact = 1e-11;  // after it                                       [extents]

class Finder {
 public:
  Finder(const MeshShape& shape, Patches& found)
      : shape_(shape), mesh_(shape.mesh()), found_(found) {
    const size_t vertices = mesh_.vertex.size();
    next_.resize(vertices);
    normal_.resize(vertices);
    holds_.resize(vertices);
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3& x : mesh_.vertex) {
      low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
      high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    extent_ = 0.5 * Norm(high - low);
    for (const MeshEdge& edge : shape.edges()) {
      next_[edge.from].push_back(edge.to);
      next_[edge.to].push_back(edge.from);
    }
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      for (int k = 0; k < 3; ++k) normal_[mesh_.face[f][k]] = shape.Normal(static_cast<int>(f), k);
    }
  }

  bool Find() {
    // All over the mesh, in an order that comes back to no place soon. A vertex near a seam tells
    // nothing; where hardly any other does, the mesh is of another kind.
    const size_t vertices = mesh_.vertex.size();
    size_t stride = static_cast<size_t>(0.618 * vertices) | 1, failed = 0, covered = 0;
    while (std::gcd(stride, vertices) != 1) stride += 2;
    for (size_t i = 0, v = 0; i < vertices; ++i, v = (v + stride) % vertices) {
      if (!holds_[v].empty()) continue;
      if (Seed(static_cast<int>(v))) {
        covered = 0;
        for (const auto& holds : holds_) covered += !holds.empty();
      } else if (++failed > kMaxFailures + kFailureShare * covered) {
        return false;
      }
      if (found_.primitive.size() > kMaxPatches) return false;
    }
    if (!Attach()) return false;
    Prune();
    FindSeams();
    FitTogether();
    return MakeJoins();
  }

 private:
  // vertices at most `rings` edges away
  std::vector<int> Around(int v, int rings) const {
    std::vector<int> all = {v};
    size_t first = 0;
    for (int ring = 0; ring < rings; ++ring) {
      const size_t last = all.size();
      for (; first < last; ++first) {
        for (int w : next_[all[first]]) {
          if (std::find(all.begin(), all.end(), w) == all.end()) all.push_back(w);
        }
      }
    }
    return all;
  }

  std::vector<Vec3> Points(const std::vector<int>& vertices) const {
    std::vector<Vec3> points;
    for (int v : vertices) points.push_back(mesh_.vertex[v]);
    return points;
  }

  bool Seed(int v) {
    for (int rings : {2, 1}) {
      const std::vector<int> around = Around(v, rings);
      const std::vector<Vec3> points = Points(around);
      for (const Primitive& guess : Guesses(v, around)) {
        const size_t numbers = ParametersOf(guess.kind);
        if (points.size() < numbers + 2 || (rings == 1 && numbers > 5)) continue;
        Primitive s = guess;
        const double worst = FitPrimitive(points, s);
        if (!(worst >= 0 && worst < kExact * extent_)) continue;
        std::vector<int> members = around;
        if (!Grow(v, s, members)) continue;
        // what holds no more than its seed may do so by chance, as a ball does with a pole and a
        // ring
        const double grown = s.kind == PrimitiveKind::kPlane ? 1 : kGrown;
        if (members.size() < std::max<double>(2 * numbers + 3, grown * around.size())) continue;
        // a cone may be a cylinder
        if (s.kind == PrimitiveKind::kCone) {
          Primitive simple = s;
          simple.kind = PrimitiveKind::kCylinder;
          simple.slope = 0;
          const double left = FitPrimitive(Points(members), simple);
          if (left >= 0 && left < kExact * extent_) s = simple;
        }
        Keep(s, members);
        return true;
      }
    }
    return false;
  }

  // a new patch, or more of one that is known
  void Keep(const Primitive& s, const std::vector<int>& members) {
    for (size_t p = 0; p < found_.primitive.size(); ++p) {
      const Primitive& known = found_.primitive[p];
      if (known.kind != s.kind || known.side != s.side) continue;
      Vec3 g;
      bool same = false, all = true;
      for (int v : members) {
        same = same || Holds(v, static_cast<int>(p));
        all = all && std::abs(DistanceOf(known, mesh_.vertex[v], g)) < kExact * extent_;
      }
      if (!same || !all) continue;
      for (int v : members) {
        if (Holds(v, static_cast<int>(p))) continue;
        holds_[v].push_back(static_cast<int>(p));
        found_.vertex[p].push_back(v);
      }
      return;
    }
    for (int v : members) holds_[v].push_back(static_cast<int>(found_.primitive.size()));
    found_.primitive.push_back(s);
    found_.vertex.push_back(members);
  }

  // vertices that lie a little off the patch of a neighbor, and on no other; false where there are
  // more
  bool Attach() {
    std::vector<int> left;
    for (size_t v = 0; v < holds_.size(); ++v) {
      if (holds_[v].empty()) left.push_back(static_cast<int>(v));
    }
    for (bool more = true; more && !left.empty();) {
      more = false;
      for (int v : left) {
        for (int w : next_[v]) {
          for (int p : holds_[w]) {
            Vec3 g;
            const double d = DistanceOf(found_.primitive[p], mesh_.vertex[v], g);
            if (std::abs(d) > kExact * extent_ || Dot(g, normal_[v]) < kAligned) continue;
            if (!holds_[v].empty()) continue;
            holds_[v].push_back(p);
            found_.vertex[p].push_back(v);
            more = true;
          }
        }
      }
      std::erase_if(left, [&](int v) { return !holds_[v].empty(); });
    }
    return left.empty();
  }

  // Three rows of vertices across a seam may lie on a surface too, by chance: what holds no vertex
  // of its own is dropped, the smallest first.
  void Prune() {
    std::vector<size_t> order(found_.primitive.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return found_.vertex[a].size() < found_.vertex[b].size();
    });
    for (size_t p : order) {
      std::vector<int>& members = found_.vertex[p];
      const bool needed =
          std::any_of(members.begin(), members.end(), [&](int v) { return holds_[v].size() == 1; });
      if (needed) continue;
      for (int v : members) std::erase(holds_[v], static_cast<int>(p));
      members.clear();
    }
    Patches kept;
    std::vector<int> now(found_.primitive.size(), -1);
    for (size_t p = 0; p < now.size(); ++p) {
      if (found_.vertex[p].empty()) continue;
      now[p] = static_cast<int>(kept.primitive.size());
      kept.primitive.push_back(found_.primitive[p]);
      kept.vertex.push_back(found_.vertex[p]);
    }
    for (auto& holds : holds_) {
      for (int& p : holds) p = now[p];
    }
    found_ = kept;
  }

  // What may have the curvatures found around a vertex, simple surfaces first. A surface of
  // revolution is not told by its curvatures alone: its axis is tried at several angles.
  std::vector<Primitive> Guesses(int v, const std::vector<int>& around) const {
    const Vec3 x = mesh_.vertex[v], n = normal_[v], u = Perpendicular(n), w = Cross(n, u);
    double a[9] = {}, b[3] = {}, size = 0;
    for (int i : around) {
      const Vec3 dx = mesh_.vertex[i] - x, dn = normal_[i] - n;
      const double p = Dot(dx, u), q = Dot(dx, w), pn = Dot(dn, u), qn = Dot(dn, w);
      size = std::max(size, Norm(dx));
      a[0] += p * p, a[1] += p * q, a[4] += p * p + q * q, a[5] += p * q, a[8] += q * q;
      b[0] += p * pn, b[1] += q * pn + p * qn, b[2] += q * qn;
    }
    a[3] = a[1], a[7] = a[5];
    std::vector<Primitive> guesses(1);
    guesses[0].center = x;
    guesses[0].axis = n;
    if (!SolveDense(a, b, 3, 1e-12 * size * size)) return guesses;
    const double mean = 0.5 * (b[0] + b[2]), spread = std::hypot(0.5 * (b[0] - b[2]), b[1]);
    const double angle = 0.5 * std::atan2(b[1], 0.5 * (b[0] - b[2]));
    double bend[2] = {mean + spread, mean - spread};
    Vec3 along[2] = {std::cos(angle) * u + std::sin(angle) * w,
                     std::cos(angle) * w - std::sin(angle) * u};
    if (std::abs(bend[1]) > std::abs(bend[0])) {
      std::swap(bend[0], bend[1]);
      std::swap(along[0], along[1]);
    }
    // flatter than a vertex tells
    const double least = kExact * extent_ / (size * size);
    if (!(std::abs(bend[0]) > least)) return guesses;
    Primitive s;
    s.kind = PrimitiveKind::kSphere;
    s.side = mean < 0 ? -1 : 1;
    if (std::abs(mean) > least) {
      s.radius = 1 / std::abs(mean);
      s.center = x - (1 / mean) * n;
      guesses.push_back(s);
    }
    s.kind = PrimitiveKind::kCylinder;
    s.side = bend[0] < 0 ? -1 : 1;
    s.radius = 1 / std::abs(bend[0]);
    s.center = x - (1 / bend[0]) * n;
    s.axis = along[1];
    guesses.push_back(s);
    std::vector<std::pair<double, Primitive>> round;
    const auto offer = [&](const Primitive& guess) {
      double worst = 0;
      Vec3 g;
      for (int i : around) {
        worst = std::max(worst, std::abs(DistanceOf(guess, mesh_.vertex[i], g)));
      }
      round.emplace_back(worst, guess);
    };
    for (double lean : {-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2}) {
      const double c = std::cos(lean), up = std::sin(lean);
      Primitive cone = s;
      cone.kind = PrimitiveKind::kCone;
      cone.axis = c * along[1] + up * n;
      cone.slope = s.side * lean;
      cone.radius = c * s.radius;
      cone.center = x - (cone.radius * s.side / c) * (n - up * cone.axis);
      offer(cone);
      for (int profile = 0; profile < 2; ++profile) {
        const double tube = bend[profile], turn = bend[1 - profile];
        if (!(std::abs(tube) > least && std::abs(turn) > least)) continue;
        Primitive torus;
        torus.kind = PrimitiveKind::kTorus;
        torus.side = tube < 0 ? -1 : 1;
        torus.axis = c * along[profile] + up * n;
        torus.radius = 1 / std::abs(tube);
        const Vec3 middle = x - (1 / tube) * n;
        const Vec3 on_axis = x - (1 / turn) * (n - up * torus.axis);
        torus.center = on_axis + Dot(middle - on_axis, torus.axis) * torus.axis;
        torus.ring = Norm(middle - torus.center);
        offer(torus);
      }
    }
    std::stable_sort(round.begin(), round.end(),
                     [](const auto& i, const auto& j) { return i.first < j.first; });
    const auto best = [&](PrimitiveKind kind) {
      int taken = 0;
      for (const auto& [worst, guess] : round) {
        if (guess.kind == kind && taken++ < 3) guesses.push_back(guess);
      }
    };
    best(PrimitiveKind::kCone);
    best(PrimitiveKind::kTorus);
    return guesses;
  }

  // from vertex to vertex as far as the surface holds them, fitted anew each time
  bool Grow(int from, Primitive& s, std::vector<int>& members) const {
    for (int k = 0; k < kMaxGrowths; ++k) {
      std::vector<char> seen(mesh_.vertex.size(), 0);
      std::vector<int> grown;
      const auto visit = [&](int v) {
        Vec3 g;
        if (seen[v]) return;
        seen[v] = 1;
        if (std::abs(DistanceOf(s, mesh_.vertex[v], g)) > kExact * extent_) return;
        if (Dot(g, normal_[v]) > kAligned) grown.push_back(v);
      };
      visit(from);
      for (size_t i = 0; i < grown.size(); ++i) {
        for (int v : next_[grown[i]]) visit(v);
      }
      if (grown.empty()) return false;
      const bool same = grown.size() == members.size();
      members = grown;
      if (same && k > 0) break;
      Primitive fitted = s;
      const double worst = FitPrimitive(Points(Trimmed(s, members)), fitted);
      if (!(worst >= 0 && worst < kExact * extent_)) return false;
      s = fitted;
    }
    for (int k = 0; k < 2; ++k) {
      members = Trimmed(s, members);
      FitPrimitive(Points(members), s);
    }
    return true;
  }

  // without those beyond a seam that are only nearly on it
  std::vector<int> Trimmed(const Primitive& s, const std::vector<int>& members) const {
    std::vector<double> apart;
    Vec3 g;
    for (int v : members) apart.push_back(std::abs(DistanceOf(s, mesh_.vertex[v], g)));
    std::vector<double> sorted = apart;
    const auto typical = sorted.begin() + 3 * sorted.size() / 4;
    std::nth_element(sorted.begin(), typical, sorted.end());
    const double most = std::max(kOutlier * *typical, 1e-12 * extent_);
    std::vector<int> kept;
    for (size_t i = 0; i < members.size(); ++i) {
      if (apart[i] <= most) kept.push_back(members[i]);
    }
    return kept;
  }

  bool Holds(int v, int patch) const {
    return std::find(holds_[v].begin(), holds_[v].end(), patch) != holds_[v].end();
  }

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
      if (!(std::abs(differ) > 1e-6 / extent_)) return false;
      x += (-off / differ) * across;
      if (Norm(x - start) > within) return false;
      still = std::abs(off / differ) < 1e-13 * extent_;
      // along the seam they do not differ; else they touch in a point
      const Vec3 along = twist(Cross(p.g, across));
      if (still && Norm(along) > 0.01 * std::abs(differ)) return false;
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
        for (int a : holds_[v]) {
          for (int b : holds_[w]) {
            if (a == b) continue;
            const std::array<int, 2> pair = {std::min(a, b), std::max(a, b)};
            // both ends on one of them: the seam is at an end, if anywhere
            const int one = Holds(v, b) ? v : w, two = Holds(w, a) ? w : v;
            const std::array<int, 2> edge = {std::min(one, two), std::max(one, two)};
            Seam& seam = seam_[pair];
            const auto [at, fresh] =
                known[pair].try_emplace(edge, static_cast<int>(seam.start.size()));
            if (fresh) {
              seam.start.push_back(0.5 * (mesh_.vertex[one] + mesh_.vertex[two]));
              seam.within.push_back(Norm(mesh_.vertex[v] - mesh_.vertex[w]));
            }
            std::vector<int>& list = here[pair];
            if (std::find(list.begin(), list.end(), at->second) == list.end()) {
              list.push_back(at->second);
            }
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
    for (int round = 0; round < 6; ++round) {
      a.assign(size_t(n) * n, 0);
      b.assign(n, 0);
      const auto scale = [&](int i) {
        const int k = i % kFree;
        const bool cone = found_.primitive[i / kFree].kind == PrimitiveKind::kCone;
        return (k >= 3 && k < 6) || (k == 7 && cone) ? extent_ : 1.0;
      };
      const auto add = [&](const std::vector<std::pair<int, double>>& terms, double left,
                           double weight) {
        for (const auto& [i, x] : terms) {
          b[i] -= weight * x * left;
          for (const auto& [j, y] : terms) a[size_t(n) * i + j] += weight * x * y;
        }
      };
      std::vector<std::pair<int, double>> terms;
      const auto append = [&](int patch, const Vec3& x, double sign) {
        Sensitivity(found_.primitive[patch], x, row);
        for (int k = 0; k < kFree; ++k) {
          const int i = kFree * patch + k;
          if (row[k] != 0) terms.emplace_back(i, sign * row[k] / scale(i));
        }
      };
      Vec3 g;
      for (size_t p = 0; p < found_.primitive.size(); ++p) {
        const double weight = 1.0 / found_.vertex[p].size();
        for (int v : found_.vertex[p]) {
          terms.clear();
          append(static_cast<int>(p), mesh_.vertex[v], 1);
          add(terms, DistanceOf(found_.primitive[p], mesh_.vertex[v], g), weight);
        }
      }
      for (const auto& [pair, seam] : seam_) {
        for (size_t i = 0; i < seam.start.size(); ++i) {
          Vec3 x = seam.start[i];
          if (!Touch(pair[0], pair[1], x, 2 * seam.within[i])) continue;
          terms.clear();
          append(pair[0], x, 1);
          append(pair[1], x, -1);
          const double left = DistanceOf(found_.primitive[pair[0]], x, g) -
                              DistanceOf(found_.primitive[pair[1]], x, g);
          add(terms, left, kSeamWeight / seam.start.size());
        }
      }
      // along what nothing depends on (a cylinder along its axis) nothing moves
      for (int i = 0; i < n; ++i) a[size_t(n + 1) * i] += 1e-9;
      if (!SolveDense(a.data(), b.data(), n, 0)) return;
      for (int i = 0; i < n; ++i) b[i] /= scale(i);
      for (size_t p = 0; p < found_.primitive.size(); ++p) {
        Change(b.data() + kFree * p, found_.primitive[p]);
      }
    }
  }

  bool MakeJoins() {
    for (const auto& [pair, seam] : seam_) {
      std::vector<Vec3> at;
      std::vector<char> touches;
      for (size_t i = 0; i < seam.start.size(); ++i) {
        Vec3 x = seam.start[i];
        touches.push_back(Touch(pair[0], pair[1], x, 2 * seam.within[i]));
        at.push_back(x);
      }
      Join join;
      join.patch[0] = pair[0], join.patch[1] = pair[1];
      std::vector<Vec3> points;
      for (size_t i = 0; i < at.size(); ++i) {
        if (touches[i]) points.push_back(at[i]);
      }
      if (!Through(points, join)) continue;
      // the first patch is where its own vertices are
      double sides = 0;
      std::vector<std::array<Vec3, 2>> pieces;
      for (size_t i = 0; i < seam.piece.size(); ++i) {
        const auto [one, two] = seam.piece[i];
        if (!touches[one] || !touches[two]) continue;
        pieces.push_back({at[one], at[two]});
        for (int v : mesh_.face[seam.face[i]]) {
          const bool first = Holds(v, pair[0]), second = Holds(v, pair[1]);
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
    return true;
  }

  // the line or circle through the points of a seam; false where they are no such curve
  bool Through(const std::vector<Vec3>& points, Join& join) const {
    if (points.size() < 2) return false;
    const auto farthest = [&](const auto& how) {
      return *std::max_element(points.begin(), points.end(),
                               [&](const Vec3& a, const Vec3& b) { return how(a) < how(b); });
    };
    const Vec3 x = points[0];
    const Vec3 y = farthest([&](const Vec3& p) { return Norm(p - x); });
    if (Norm(y - x) < 1e-3 * extent_) return false;  // they touch in a point
    const Vec3 along = Unit(y - x);
    const auto aside = [&](const Vec3& p) { return Norm(Cross(along, p - x)); };
    const Vec3 z = farthest(aside);
    const auto normal = [&](const Vec3& p) {
      Vec3 n;
      DistanceOf(found_.primitive[join.patch[0]], p, n);
      return n;
    };
    const double exact = 1e-7 * extent_;
    if (aside(z) < exact) {
      join.center = x;
      join.axis = Unit(Cross(along, normal(x)));
    } else {
      const Vec3 p = y - x, q = z - x, n = Cross(p, q);
      const Vec3 middle = (0.5 / Dot(n, n)) * (Dot(p, p) * Cross(q, n) + Dot(q, q) * Cross(n, p));
      join.round = 1;
      join.center = x + middle;
      join.axis = Unit(n);
      join.ring = Norm(middle);
      const Vec3 away = normal(x);
      join.across = -Dot(away, join.axis);
      join.up = -Dot(away, middle) / join.ring;
    }
    for (const Vec3& p : points) {
      Vec3 n, m, across;
      const double one = DistanceOf(found_.primitive[join.patch[0]], p, n);
      const double two = DistanceOf(found_.primitive[join.patch[1]], p, m);
      if (std::abs(one - two) > kSeamExact * extent_) return false;
      if (std::abs(Beyond(join, p, across)) > exact) return false;
      if (std::abs(Dot(across, n)) > 1e-6) return false;
    }
    return true;
  }

  const MeshShape& shape_;
  const TriangleMesh& mesh_;
  Patches& found_;
  std::vector<std::vector<int>> next_;   // neighbors of each vertex
  std::vector<Vec3> normal_;             // of each vertex
  std::vector<std::vector<int>> holds_;  // patches of each vertex
  std::map<std::array<int, 2>, Seam> seam_;
  double extent_ = 0;
};

}  // namespace

bool FindPatches(const MeshShape& shape, Patches& found) {
  found = {};
  return shape.Creases() == 0 && Finder(shape, found).Find();
}

}  // namespace mujocable
