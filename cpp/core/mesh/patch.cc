#include "core/mesh/patch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

class Finder {
 public:
  Finder(const MeshShape& shape, Patches& found)
      : shape_(shape), mesh_(shape.mesh), exact_(kExact * shape.extent), found_(found) {
    const size_t vertices = mesh_.vertex.size();
    next_.resize(vertices);
    normal_.resize(vertices);
    found.holds.of.resize(vertices);
    for (const MeshEdge& edge : shape.edge) {
      next_[edge.from].push_back(edge.to);
      next_[edge.to].push_back(edge.from);
    }
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      for (int k = 0; k < 3; ++k) normal_[mesh_.face[f][k]] = shape.normal[f][k];
    }
  }

  bool Find() {
    // All over the mesh, in an order that comes back to no place soon. A vertex near a seam tells
    // nothing; where hardly any other does, the mesh is of another kind.
    const size_t vertices = mesh_.vertex.size();
    size_t stride = static_cast<size_t>(0.618 * vertices) | 1, failed = 0, covered = 0;
    while (std::gcd(stride, vertices) != 1) stride += 2;
    for (size_t i = 0, v = 0; i < vertices; ++i, v = (v + stride) % vertices) {
      if (!holds_.of[v].empty()) continue;
      if (Seed(static_cast<int>(v))) {
        covered = 0;
        for (const auto& holds : holds_.of) covered += !holds.empty();
      } else if (++failed > kMaxFailures + kFailureShare * covered) {
        return false;
      }
      if (found_.primitive.size() > kMaxPatches) return false;
    }
    if (covered < vertices) return false;
    Prune();
    Fill();
    if (!FacesFollow()) return false;
    JoinPatches(shape_, found_);
    return true;
  }

 private:
  // vertices at most `rings` edges away
  std::vector<int> Around(int v, int rings) const {
    std::vector<int> all = {v};
    for (size_t first = 0; rings > 0; --rings) {
      for (const size_t last = all.size(); first < last; ++first) {
        for (int w : next_[all[first]]) {
          if (std::ranges::count(all, w) == 0) all.push_back(w);
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
      std::vector<Vec3> normals;
      for (int w : around) normals.push_back(normal_[w]);
      for (const Primitive& guess : GuessPrimitives(points, normals, shape_.extent)) {
        const size_t numbers = ParametersOf(guess.kind);
        if (points.size() < numbers + 2 || (rings == 1 && numbers > 5)) continue;
        Primitive s = guess;
        if (!(FitPrimitive(points, s) < exact_)) continue;
        std::vector<int> vertices = around;
        if (!Grow(v, s, vertices)) continue;
        // what holds few may do so by chance
        if (vertices.size() < 2 * numbers + 3) continue;
        Keep(s, vertices);
        return true;
      }
    }
    return false;
  }

  // a new patch, or more of one that is known
  void Keep(const Primitive& s, const std::vector<int>& vertices) {
    for (size_t p = 0; p < found_.primitive.size(); ++p) {
      const Primitive& known = found_.primitive[p];
      if (known.kind != s.kind || known.side != s.side) continue;
      const auto holds = [&](int v) { return holds_.Holds(v, static_cast<int>(p)); };
      if (std::none_of(vertices.begin(), vertices.end(), holds)) continue;
      if (!(Worst(Points(vertices), known) < exact_)) continue;
      for (int v : vertices) {
        if (holds(v)) continue;
        holds_.of[v].push_back(static_cast<int>(p));
        found_.vertex[p].push_back(v);
      }
      return;
    }
    for (int v : vertices) holds_.of[v].push_back(static_cast<int>(found_.primitive.size()));
    found_.primitive.push_back(s);
    found_.vertex.push_back(vertices);
  }

  // Three rows of vertices across a seam may lie on a surface too, by chance: what holds no vertex
  // of its own is dropped, the smallest first.
  void Prune() {
    const auto needs = [&](int v) { return holds_.of[v].size() == 1; };
    while (true) {
      int least = -1;
      for (size_t p = 0; p < found_.primitive.size(); ++p) {
        const auto& vertices = found_.vertex[p];
        if (least >= 0 && vertices.size() >= found_.vertex[least].size()) continue;
        if (std::ranges::none_of(vertices, needs)) least = static_cast<int>(p);
      }
      if (least < 0) return;
      found_.primitive.erase(found_.primitive.begin() + least);
      found_.vertex.erase(found_.vertex.begin() + least);
      for (auto& holds : holds_.of) {
        std::erase(holds, least);
        for (int& p : holds) p -= p > least;
      }
    }
  }

  // the normal of a vertex, as the first of its patches has it: those of others are the same, or
  // there is a corner
  Vec3 NormalBy(int v) const {
    return NormalOf(found_.primitive[holds_.of[v][0]], mesh_.vertex[v]);
  }

  // Flats and cylinders without a vertex of their own: all of theirs are on seams, as drawing
  // programs like to put them. Their faces span several patches; the normals of those at the
  // corners tell the surface between them, and must be its own.
  void Fill() {
    const size_t faces = mesh_.face.size();
    std::vector<std::vector<int>> beside(faces);
    for (const MeshEdge& edge : shape_.edge) {
      beside[edge.face[0]].push_back(edge.face[1]);
      beside[edge.face[1]].push_back(edge.face[0]);
    }
    for (size_t f = 0; f < faces && found_.primitive.size() <= kMaxPatches; ++f) {
      if (holds_.OfFace(mesh_.face[f]) >= 0) continue;
      Primitive s = Between(static_cast<int>(f));
      const auto on = [&](int v) {
        Vec3 g;
        const double d = DistanceOf(s, mesh_.vertex[v], g);
        return std::abs(d) < exact_ && Norm(g - NormalBy(v)) < kTangent;
      };
      const std::vector<int> grown = Reached(static_cast<int>(f), beside, [&](int at) {
        return std::ranges::all_of(mesh_.face[at], on) && holds_.OfFace(mesh_.face[at]) < 0;
      });
      if (grown.size() < 2) continue;
      std::set<int> vertices;
      for (int at : grown) vertices.insert(mesh_.face[at].begin(), mesh_.face[at].end());
      const std::vector<int> all(vertices.begin(), vertices.end());
      if (FitPrimitive(Points(all), s) < exact_) Keep(s, all);
    }
  }

  // the plane or cylinder with the normals of a face's corners
  Primitive Between(int f) const {
    const auto& face = mesh_.face[f];
    Vec3 at[3];
    for (int k = 0; k < 3; ++k) at[k] = NormalBy(face[k]);
    int k = 0;
    for (int i = 1; i < 3; ++i) {
      if (Norm(at[(i + 1) % 3] - at[i]) > Norm(at[(k + 1) % 3] - at[k])) k = i;
    }
    const Vec3 x = mesh_.vertex[face[k]], apart = mesh_.vertex[face[(k + 1) % 3]] - x;
    const Vec3 turn = at[(k + 1) % 3] - at[k];
    if (Norm(turn) < kTangent) return {.center = x, .axis = at[k]};
    const double radius = Dot(apart, turn) / Dot(turn, turn);
    const Vec3 axis = Unit(Cross(at[k], at[(k + 1) % 3]), Perpendicular(at[k]));
    return {PrimitiveKind::kCylinder, radius < 0 ? -1 : 1, x - radius * at[k], axis,
            std::abs(radius)};
  }

  // Whether the faces are the patches' own: a flat cut into a cylinder has its vertices on it too,
  // but leans from it far more than what stands for the cylinder.
  bool FacesFollow() const {
    const size_t faces = mesh_.face.size();
    std::vector<double> lean(faces, 0);
    std::vector<std::vector<double>> leans(found_.primitive.size());
    for (size_t f = 0; f < faces; ++f) {
      const Vec3 n = shape_.face_normal[f];
      for (int v : mesh_.face[f]) {
        double least = 2;
        for (int p : holds_.of[v]) {
          least = std::min(least, Norm(NormalOf(found_.primitive[p], mesh_.vertex[v]) - n));
        }
        lean[f] = std::max(lean[f], least);
      }
      for (int p : holds_.of[mesh_.face[f][0]]) leans[p].push_back(lean[f]);
    }
    for (auto& all : leans) {
      if (!all.empty()) std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    }
    for (size_t f = 0; f < faces; ++f) {
      double typical = 0;
      for (int v : mesh_.face[f]) {
        for (int p : holds_.of[v]) {
          if (!leans[p].empty()) typical = std::max(typical, leans[p][leans[p].size() / 2]);
        }
      }
      if (lean[f] > std::max(kLean, kLeans * typical)) return false;
    }
    return true;
  }

  // from vertex to vertex as far as the surface holds them, fitted anew each time
  bool Grow(int from, Primitive& s, std::vector<int>& vertices) const {
    for (int k = 0; k < kMaxGrowths; ++k) {
      const std::vector<int> grown = Reached(from, next_, [&](int v) {
        Vec3 g;
        return std::abs(DistanceOf(s, mesh_.vertex[v], g)) <= exact_ &&
               Dot(g, normal_[v]) > kAligned;
      });
      if (grown.empty()) return false;
      const bool same = grown.size() == vertices.size();
      vertices = grown;
      if (same && k > 0) break;
      if (!(FitPrimitive(Points(vertices), s) < exact_)) return false;
    }
    return true;
  }

  const MeshShape& shape_;
  const TriangleMesh& mesh_;
  const double exact_;  // how far a vertex may lie from the surface it is a point of  [m]
  Patches& found_;
  Holders& holds_ = found_.holds;
  std::vector<std::vector<int>> next_;  // neighbors of each vertex
  std::vector<Vec3> normal_;            // of each vertex
};

}  // namespace

bool FindPatches(const MeshShape& shape, Patches& found) {
  found = {};
  return shape.creases == 0 && Finder(shape, found).Find();
}

}  // namespace mujocable
