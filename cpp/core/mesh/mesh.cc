#include "core/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "core/mesh/tolerance.h"
#include "core/mesh/tree.h"

namespace mujocable {
namespace {

constexpr size_t kShown = 3;  // places that a message names

std::string Text(const Vec3& x) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.4g, %.4g, %.4g)", x.x, x.y, x.z);
  return text;
}

bool Has(const std::array<int, 3>& face, int v) { return std::ranges::find(face, v) != face.end(); }

std::string Count(size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

// the first few of some places, for a message
template <typename TextOf>
std::string Shown(size_t count, const TextOf& text_of) {
  std::string text;
  for (size_t i = 0; i < std::min(count, kShown); ++i) text += (i ? ", " : "") + text_of(i);
  return count > kShown ? text + ", ..." : text;
}

// what an edge must not be, most telling first
struct EdgeFault {
  bool (*has)(const MeshEdge& edge);
  const char *before, *one, *many, *after;  // around their number
};
constexpr EdgeFault kEdgeFaults[] = {
    {[](const MeshEdge& edge) { return edge.uses > 2; }, "is not manifold: ", "edge belongs",
     "edges belong", " to more than two faces"},
    {[](const MeshEdge& edge) { return edge.uses == 1; }, "is open: ", "edge belongs",
     "edges belong", " to one face only"},
    {[](const MeshEdge& edge) { return edge.turned; },
     "is not oriented: its faces disagree about outside at ", "edge", "edges", ""}};

// vertices where two or more fans of faces meet at their tips only
std::vector<int> Pinched(const TriangleMesh& mesh) {
  std::vector<int> pinched;
  int v = 0;
  for (const std::vector<int>& faces : FacesAround(mesh)) {
    const auto beside = [&](int i, const auto& go) {
      for (size_t j = 0; j < faces.size(); ++j) {
        int shared = 0;
        for (int x : mesh.face[faces[j]]) shared += Has(mesh.face[faces[i]], x);
        if (shared > 1) go(static_cast<int>(j));
      }
    };
    if (!faces.empty() && Reached(0, faces.size(), beside).size() < faces.size()) {
      pinched.push_back(v);
    }
    ++v;
  }
  return pinched;
}

double Volume(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& f : mesh.face) {
    volume += Dot(mesh.vertex[f[0]], Cross(mesh.vertex[f[1]], mesh.vertex[f[2]])) / 6;
  }
  return volume;
}

// whether the segment p-q passes through the inside of a triangle
bool Pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = Cross(b - a, c - a);
  const double above = Dot(p - a, n), below = Dot(q - a, n);
  // touching is no cut: what lies in the plane to rounding counts as beside it
  const double least = kBesideFace * Dot(n, n) / std::max(Norm(b - a), Norm(c - a));
  if (!(std::min(above, below) < -least && std::max(above, below) > least)) return false;
  const Vec3 x = p + (above / (above - below)) * (q - p);
  const double nn = Dot(n, n), margin = kBesideFace * nn;
  return Dot(Cross(b - a, x - a), n) > margin && Dot(Cross(c - b, x - b), n) > margin &&
         Dot(Cross(a - c, x - c), n) > margin;
}

bool Cut(const TriangleMesh& mesh, int i, int j) {
  for (int x : mesh.face[i]) {
    if (Has(mesh.face[j], x)) return false;
  }
  const auto pierces = [&](int f, int k, int g) {
    return Pierces(mesh.At(f, k), mesh.At(f, (k + 1) % 3), mesh.At(g, 0), mesh.At(g, 1),
                   mesh.At(g, 2));
  };
  for (int k = 0; k < 3; ++k) {
    if (pierces(i, k, j) || pierces(j, k, i)) return true;
  }
  return false;
}

std::string SelfCuts(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> cuts;
  MeshTree(mesh).Pairs([&](int i, int j) {
    if (Cut(mesh, i, j)) cuts.push_back({i, j});
  });
  if (cuts.empty()) return "";
  return "cuts itself: " + Count(cuts.size(), "pair", "pairs") + " of faces intersect, " +
         Shown(cuts.size(), [&](size_t k) {
           const auto [i, j] = cuts[k];
           return "faces " + std::to_string(i) + " and " + std::to_string(j) + " near " +
                  Text(mesh.At(i, 0));
         });
}

}  // namespace

TriangleMesh Weld(const TriangleMesh& mesh) {
  std::map<std::tuple<double, double, double>, int> at;
  std::vector<int> first;  // vertex at the same place
  for (const Vec3& x : mesh.vertex) {
    const int own = static_cast<int>(first.size());
    first.push_back(at.try_emplace({x.x, x.y, x.z}, own).first->second);
  }
  TriangleMesh out;
  std::vector<int> kept(mesh.vertex.size(), -1);
  for (const auto& f : mesh.face) {
    const std::array<int, 3> g = {first[f[0]], first[f[1]], first[f[2]]};
    if (g[0] == g[1] || g[1] == g[2] || g[2] == g[0]) continue;
    for (int v : g) {
      if (kept[v] >= 0) continue;
      kept[v] = static_cast<int>(out.vertex.size());
      out.vertex.push_back(mesh.vertex[v]);
    }
    out.face.push_back({kept[g[0]], kept[g[1]], kept[g[2]]});
  }
  return out;
}

std::vector<std::vector<int>> FacesAround(const TriangleMesh& mesh) {
  std::vector<std::vector<int>> around(mesh.vertex.size());
  for (size_t f = 0; f < mesh.face.size(); ++f) {
    for (int v : mesh.face[f]) around[v].push_back(static_cast<int>(f));
  }
  return around;
}

std::vector<MeshEdge> EdgesOf(const TriangleMesh& mesh) {
  std::map<std::array<int, 2>, int> at;
  std::vector<MeshEdge> edges;
  for (size_t i = 0; i < mesh.face.size(); ++i) {
    const auto& f = mesh.face[i];
    for (int k = 0; k < 3; ++k) {
      const int a = f[k], b = f[(k + 1) % 3];
      const auto [found, fresh] =
          at.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(edges.size()));
      if (fresh) {
        edges.push_back({a, b, {static_cast<int>(i), -1}});
      } else {
        MeshEdge& edge = edges[found->second];
        edge.face[1] = static_cast<int>(i);
        ++edge.uses;
        edge.turned = edge.turned || edge.from == a;
      }
    }
  }
  return edges;
}

std::string FaultOf(const TriangleMesh& mesh) {
  if (mesh.face.empty()) return "has no faces";
  for (const Vec3& x : mesh.vertex) {
    if (!Finite(x)) return "has a vertex that is not a number";
  }
  const std::vector<MeshEdge> edges = EdgesOf(mesh);
  for (const EdgeFault& fault : kEdgeFaults) {
    std::vector<std::array<int, 2>> wrong;
    for (const MeshEdge& edge : edges) {
      if (fault.has(edge))
        wrong.push_back({std::min(edge.from, edge.to), std::max(edge.from, edge.to)});
    }
    if (wrong.empty()) continue;
    std::ranges::sort(wrong);
    return fault.before + Count(wrong.size(), fault.one, fault.many) + fault.after + ", " +
           Shown(wrong.size(), [&](size_t i) {
             return Text(mesh.vertex[wrong[i][0]]) + " to " + Text(mesh.vertex[wrong[i][1]]);
           });
  }
  const std::vector<int> pinched = Pinched(mesh);
  if (!pinched.empty()) {
    return "is not manifold: its faces touch only at a point at " +
           Count(pinched.size(), "vertex", "vertices") + ", " + Text(mesh.vertex[pinched[0]]);
  }
  const double volume = Volume(mesh);
  if (!(volume > 0)) {
    char text[48];
    std::snprintf(text, sizeof text, "%.4g m^3", volume);
    return std::string("is inside out: its faces enclose a volume of ") + text +
           "; turn the order of their vertices";
  }
  return SelfCuts(mesh);
}

}  // namespace mujocable
