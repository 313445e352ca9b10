#include "core/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
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

std::string Count(size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string TextOf(const TriangleMesh& mesh, std::vector<std::array<int, 2>> edges) {
  std::sort(edges.begin(), edges.end());
  std::string text;
  for (size_t i = 0; i < std::min(edges.size(), kShown); ++i) {
    if (i > 0) text += ", ";
    text += Text(mesh.vertex[edges[i][0]]);
    text += " to ";
    text += Text(mesh.vertex[edges[i][1]]);
  }
  return edges.size() > kShown ? text + ", ..." : text;
}

// vertices where two or more fans of faces meet at their tips only
std::vector<int> Pinched(const TriangleMesh& mesh) {
  std::vector<std::vector<int>> around(mesh.vertex.size());
  for (size_t i = 0; i < mesh.face.size(); ++i) {
    for (int v : mesh.face[i]) around[v].push_back(static_cast<int>(i));
  }
  std::vector<int> pinched;
  for (size_t v = 0; v < around.size(); ++v) {
    const std::vector<int>& faces = around[v];
    if (faces.empty()) continue;
    std::vector<char> seen(faces.size(), 0);
    std::vector<size_t> fan = {0};
    seen[0] = 1;
    for (size_t i = 0; i < fan.size(); ++i) {
      const auto& f = mesh.face[faces[fan[i]]];
      for (size_t j = 0; j < faces.size(); ++j) {
        int shared = 0;
        for (int x : mesh.face[faces[j]]) shared += x == f[0] || x == f[1] || x == f[2];
        if (seen[j] || shared < 2) continue;
        seen[j] = 1;
        fan.push_back(j);
      }
    }
    if (fan.size() < faces.size()) pinched.push_back(static_cast<int>(v));
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
  const auto &f = mesh.face[i], &g = mesh.face[j];
  for (int x : f) {
    if (x == g[0] || x == g[1] || x == g[2]) return false;
  }
  const auto v = [&](int k) -> const Vec3& { return mesh.vertex[k]; };
  for (int k = 0; k < 3; ++k) {
    if (Pierces(v(f[k]), v(f[(k + 1) % 3]), v(g[0]), v(g[1]), v(g[2]))) return true;
    if (Pierces(v(g[k]), v(g[(k + 1) % 3]), v(f[0]), v(f[1]), v(f[2]))) return true;
  }
  return false;
}

std::string SelfCuts(const TriangleMesh& mesh) {
  const MeshTree tree(mesh);
  size_t count = 0;
  std::string where;
  tree.Pairs([&](int i, int j) {
    if (!Cut(mesh, i, j)) return;
    if (count < kShown) {
      where += (count ? ", " : "") + std::string("faces ") + std::to_string(i) + " and " +
               std::to_string(j) + " near " + Text(mesh.vertex[mesh.face[i][0]]);
    }
    ++count;
  });
  if (count == 0) return "";
  return "cuts itself: " + Count(count, "pair", "pairs") + " of faces intersect, " + where +
         (count > kShown ? ", ..." : "");
}

}  // namespace

TriangleMesh Weld(const TriangleMesh& mesh) {
  TriangleMesh out;
  std::map<std::tuple<double, double, double>, int> at;
  std::vector<int> index(mesh.vertex.size());
  for (size_t i = 0; i < mesh.vertex.size(); ++i) {
    const Vec3& x = mesh.vertex[i];
    const auto [found, fresh] =
        at.try_emplace({x.x, x.y, x.z}, static_cast<int>(out.vertex.size()));
    if (fresh) out.vertex.push_back(x);
    index[i] = found->second;
  }
  for (const auto& f : mesh.face) {
    const std::array<int, 3> g = {index[f[0]], index[f[1]], index[f[2]]};
    if (g[0] != g[1] && g[1] != g[2] && g[2] != g[0]) out.face.push_back(g);
  }
  // vertices of no face
  std::vector<int> kept(out.vertex.size(), -1);
  std::vector<Vec3> used;
  for (auto& f : out.face) {
    for (int& v : f) {
      if (kept[v] < 0) {
        kept[v] = static_cast<int>(used.size());
        used.push_back(out.vertex[v]);
      }
      v = kept[v];
    }
  }
  out.vertex = std::move(used);
  return out;
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
  std::vector<std::array<int, 2>> open, many, turned;
  for (const MeshEdge& edge : EdgesOf(mesh)) {
    const std::array<int, 2> ends = {std::min(edge.from, edge.to), std::max(edge.from, edge.to)};
    if (edge.uses == 1) open.push_back(ends);
    if (edge.uses > 2) many.push_back(ends);
    if (edge.uses == 2 && edge.turned) turned.push_back(ends);
  }
  if (!many.empty()) {
    return "is not manifold: " + Count(many.size(), "edge belongs", "edges belong") +
           " to more than two faces, " + TextOf(mesh, many);
  }
  if (!open.empty()) {
    return "is open: " + Count(open.size(), "edge belongs", "edges belong") +
           " to one face only, " + TextOf(mesh, open);
  }
  if (!turned.empty()) {
    return "is not oriented: its faces disagree about outside at " +
           Count(turned.size(), "edge", "edges") + ", " + TextOf(mesh, turned);
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
