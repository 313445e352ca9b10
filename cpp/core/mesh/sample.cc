#include "core/mesh/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_set>

#include "core/math/angle.h"
#include "core/mesh/tolerance.h"
#include "core/mesh/tree.h"

namespace mujocable {
namespace {

// a curved patch over one face: cubic, its borders as round as the normals at their ends say
class Patch {
 public:
  Patch(const Vec3 x[3], const Vec3 n[3]) {
    for (int i = 0; i < 3; ++i) {
      corner_[i] = x[i];
      for (int side = 0; side < 2; ++side) {
        const int j = (i + 1 + side) % 3;
        const Vec3 chord = x[j] - x[i], along = chord - Dot(chord, n[i]) * n[i];
        const double length = Norm(chord), flat = Norm(along);
        // exact for a circle
        const double handle = flat > 0 ? 2 * length * length / (3 * (length + flat) * flat) : 0;
        handle_[i][side] = x[i] + handle * along;
      }
    }
    Vec3 edges, corners;
    for (int i = 0; i < 3; ++i) {
      corners += (1.0 / 3) * x[i];
      for (int side = 0; side < 2; ++side) edges += (1.0 / 6) * handle_[i][side];
    }
    middle_ = edges + 0.5 * (edges - corners);
  }

  // point and normal at barycentric coordinates
  Vec3 At(const double* b, Vec3& n) const {
    const double u = b[0], v = b[1], w = b[2];
    // handle_[i][0] points to corner i + 1, [1] to i + 2
    const Vec3 x = u * u * u * corner_[0] + v * v * v * corner_[1] + w * w * w * corner_[2] +
                   3 * u * u * v * handle_[0][0] + 3 * u * u * w * handle_[0][1] +
                   3 * v * v * w * handle_[1][0] + 3 * v * v * u * handle_[1][1] +
                   3 * w * w * u * handle_[2][0] + 3 * w * w * v * handle_[2][1] +
                   6 * u * v * w * middle_;
    const Vec3 du = u * u * corner_[0] + 2 * u * v * handle_[0][0] + 2 * u * w * handle_[0][1] +
                    v * v * handle_[1][1] + w * w * handle_[2][0] + 2 * v * w * middle_;
    const Vec3 dv = v * v * corner_[1] + 2 * v * w * handle_[1][0] + 2 * v * u * handle_[1][1] +
                    u * u * handle_[0][0] + w * w * handle_[2][1] + 2 * u * w * middle_;
    const Vec3 dw = w * w * corner_[2] + 2 * w * u * handle_[2][0] + 2 * w * v * handle_[2][1] +
                    u * u * handle_[0][1] + v * v * handle_[1][0] + 2 * u * v * middle_;
    n = Unit(Cross(dv - du, dw - du));
    return x;
  }

 private:
  Vec3 corner_[3], handle_[3][2], middle_;
};

// spherical interpolation of unit vectors
Vec3 Between(const Vec3& a, const Vec3& b, double u) {
  const double angle = AngleOf(Norm(Cross(a, b)), Dot(a, b));
  if (angle < kOneNormal) return a;
  return (1 / std::sin(angle)) * (std::sin((1 - u) * angle) * a + std::sin(u * angle) * b);
}

}  // namespace

double Quantile(std::vector<std::pair<double, double>>& values, double share) {
  std::sort(values.begin(), values.end());
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values) {
    sum += weight;
    if (sum >= share * total) return value;
  }
  return values.empty() ? 0 : values.back().first;
}

MeshShape::MeshShape(const TriangleMesh& mesh) : mesh_(mesh), edge_(EdgesOf(mesh)) {
  const size_t faces = mesh.face.size();
  face_normal_.resize(faces);
  vertex_area_.assign(mesh.vertex.size(), 0);
  on_crease_.assign(mesh.vertex.size(), 0);
  std::vector<std::pair<double, double>> widths;
  for (size_t f = 0; f < faces; ++f) {
    const Vec3 a = Vertex(f, 0), b = Vertex(f, 1), c = Vertex(f, 2);
    const Vec3 cross = Cross(b - a, c - a);
    face_normal_[f] = Unit(cross);
    const double area = 0.5 * Norm(cross);
    for (int v : mesh.face[f]) vertex_area_[v] += area / 3;
    const double longest = std::max({Norm(b - a), Norm(c - b), Norm(a - c)});
    widths.emplace_back(2 / std::sqrt(3.0) * 2 * area / longest, area);
  }
  width_ = Quantile(widths, kSmallShare);

  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  for (const Vec3& v : mesh.vertex) {
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  narrow_ = std::min({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  wide_ = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});

  // creases
  crease_.resize(edge_.size());
  for (size_t e = 0; e < edge_.size(); ++e) {
    const MeshEdge& edge = edge_[e];
    const Vec3 n0 = face_normal_[edge.face[0]], n1 = face_normal_[edge.face[1]];
    crease_[e] = AngleOf(Norm(Cross(n0, n1)), Dot(n0, n1)) > kCrease;
    if (!crease_[e]) continue;
    ++creases_;
    on_crease_[edge.from] = on_crease_[edge.to] = 1;
    // the second face lies below the plane of the first
    const Vec3 along = mesh.vertex[edge.to] - mesh.vertex[edge.from];
    sharp_ += Dot(Cross(n0, n1), along) > 0;
  }

  // normals at the corners: over the faces around the vertex up to the next creases, weighted so
  // that they are exact on a sphere
  std::vector<std::vector<std::pair<int, int>>> around(mesh.vertex.size());  // face, corner
  for (size_t f = 0; f < faces; ++f) {
    for (int k = 0; k < 3; ++k) around[mesh.face[f][k]].emplace_back(static_cast<int>(f), k);
  }
  std::map<std::array<int, 2>, int> smooth;  // joins two faces
  for (size_t e = 0; e < edge_.size(); ++e) {
    const int a = edge_[e].face[0], b = edge_[e].face[1];
    if (!crease_[e]) smooth[{std::min(a, b), std::max(a, b)}] = 1;
  }
  normal_.resize(faces);
  for (size_t v = 0; v < around.size(); ++v) {
    const auto& corners = around[v];
    std::vector<int> group(corners.size(), -1);
    for (size_t i = 0; i < corners.size(); ++i) {
      if (group[i] >= 0) continue;
      std::vector<size_t> members = {i};
      group[i] = static_cast<int>(i);
      for (size_t at = 0; at < members.size(); ++at) {
        for (size_t j = 0; j < corners.size(); ++j) {
          if (group[j] >= 0) continue;
          const int a = corners[members[at]].first, b = corners[j].first;
          if (!smooth.count({std::min(a, b), std::max(a, b)})) continue;
          group[j] = static_cast<int>(i);
          members.push_back(j);
        }
      }
      Vec3 sum;
      for (size_t m : members) {
        const auto [f, k] = corners[m];
        const Vec3 p = Vertex(f, (k + 1) % 3) - Vertex(f, k),
                   q = Vertex(f, (k + 2) % 3) - Vertex(f, k);
        const double weight = Dot(p, p) * Dot(q, q);
        if (weight > 0) sum += (1 / weight) * Cross(p, q);
      }
      const Vec3 n = Unit(sum, face_normal_[corners[i].first]);
      for (size_t m : members) normal_[corners[m].first][corners[m].second] = n;
    }
  }

  // curvature across smooth edges
  std::vector<std::pair<double, double>> radii;
  for (size_t e = 0; e < edge_.size(); ++e) {
    if (crease_[e]) continue;
    const int f = edge_[e].face[0], g = edge_[e].face[1];
    const auto middle = [&](int i) {
      return (1.0 / 3) * (Vertex(i, 0) + Vertex(i, 1) + Vertex(i, 2));
    };
    const Vec3 along = Unit(mesh.vertex[edge_[e].to] - mesh.vertex[edge_[e].from]);
    const Vec3 apart = middle(g) - middle(f);
    const double turn = Norm(face_normal_[g] - face_normal_[f]);
    const double across = Norm(apart - Dot(apart, along) * along);
    if (turn > kNoTurn) radii.emplace_back(across / turn, across);
    // middles of faces are apart by two thirds of two chords of the circle they stand for
    sag_ = std::max(sag_, 1.5 * across * turn / 8);
  }
  radius_ = radii.empty() ? wide_ : Quantile(radii, kSharpShare);
}

std::vector<Vec3> MeshShape::Hollows(double spacing, double offset) const {
  std::vector<Vec3> points;
  for (const MeshEdge& edge : edge_) {
    const Vec3 a = mesh_.vertex[edge.from], b = mesh_.vertex[edge.to];
    const Vec3 n0 = face_normal_[edge.face[0]], n1 = face_normal_[edge.face[1]];
    // flat to the rounding of its vertices counts as flat
    if (!(Dot(Cross(n0, n1), Unit(b - a)) < -kFlatEdge)) continue;
    const Vec3 out = offset * Unit(n0 + n1);
    const int pieces = std::max(1, static_cast<int>(std::ceil(Norm(b - a) / spacing)));
    for (int i = 0; i <= pieces; ++i) points.push_back(a + (double(i) / pieces) * (b - a) + out);
  }
  return points;
}

std::vector<Sample> MeshShape::Samples(double spacing, double rounding, double offset) const {
  std::vector<Sample> samples;
  const bool rounds = rounding > 0 && sharp_ > 0;
  const MeshTree tree(mesh_);
  // points that fill up faces: no denser than they need be, however narrow the faces are
  std::unordered_set<std::uint64_t> taken;
  const auto fresh = [&](const Vec3& x) {
    std::uint64_t key = 0;
    for (double c : {x.x, x.y, x.z}) {
      key = key * 2097152 +
            static_cast<std::uint64_t>(std::floor(c / (kFillApart * spacing)) + 1048576);
    }
    return taken.insert(key).second;
  };
  // a ball of the rounding's size must fit inside, one of the cable's outside; facets lie a little
  // inside the surface they stand for
  const auto add = [&](const Vec3& x, const Vec3& n, double area, bool on_mesh, bool fills) {
    const auto least = [&](double ball) {
      return ball - std::min(kBallShare * ball, 2 * sag_ + kBallRounding * ball);
    };
    if (rounds && tree.Distance(x - rounding * n, rounding) < least(rounding)) return;
    // a rounded edge lies inside the mesh: the cable's ball may reach into what was cut off
    if (on_mesh && offset > 0 && tree.Distance(x + offset * n, offset) < least(offset)) return;
    // the corners of faces count too, rounded edges do not: they would crowd out their corners
    if ((fills || on_mesh) && !fresh(x) && fills) return;
    samples.push_back({x + offset * n, n, area});
  };

  std::vector<char> done(mesh_.vertex.size(), 0);
  for (size_t f = 0; f < mesh_.face.size(); ++f) {
    const Vec3 x[3] = {Vertex(f, 0), Vertex(f, 1), Vertex(f, 2)};
    const Vec3* n = normal_[f].data();
    for (int k = 0; k < 3; ++k) {
      const int v = mesh_.face[f][k];
      if (done[v] || on_crease_[v]) continue;
      done[v] = 1;
      add(x[k], n[k], vertex_area_[v], true, false);
    }
  }
  for (size_t f = 0; f < mesh_.face.size(); ++f) {
    // a large face: points of its patch
    const Vec3 x[3] = {Vertex(f, 0), Vertex(f, 1), Vertex(f, 2)};
    const Vec3* n = normal_[f].data();
    const double longest = std::max({Norm(x[1] - x[0]), Norm(x[2] - x[1]), Norm(x[0] - x[2])});
    const int pieces =
        longest > kFillAbove * spacing ? static_cast<int>(std::ceil(longest / spacing)) : 1;
    if (pieces < 2) continue;
    const Patch patch(x, n);
    for (int i = 0; i <= pieces; ++i) {
      for (int j = 0; i + j <= pieces; ++j) {
        const double b[3] = {double(i) / pieces, double(j) / pieces,
                             double(pieces - i - j) / pieces};
        if (b[0] == 1 || b[1] == 1 || b[2] == 1) continue;
        Vec3 m;
        const Vec3 at = patch.At(b, m);
        add(at, m, 0.5 * spacing * spacing, true, true);
      }
    }
  }
  if (!rounds) return samples;

  // arcs over edges that turn outward, patches of balls at their corners
  const double bend = rounding + offset;
  std::map<int, std::vector<Vec3>> corner;  // normals that meet at a vertex
  for (size_t e = 0; e < edge_.size(); ++e) {
    if (!crease_[e]) continue;
    const MeshEdge& edge = edge_[e];
    const auto normal = [&](int face, int vertex) {
      for (int k = 0; k < 3; ++k) {
        if (mesh_.face[face][k] == vertex) return normal_[face][k];
      }
      return face_normal_[face];
    };
    const Vec3 a = mesh_.vertex[edge.from], b = mesh_.vertex[edge.to];
    if (!(Dot(Cross(face_normal_[edge.face[0]], face_normal_[edge.face[1]]), b - a) > 0)) continue;
    const int along = std::max(1, static_cast<int>(std::ceil(Norm(b - a) / spacing)));
    for (int i = 0; i <= along; ++i) {
      const double u = double(i) / along;
      Vec3 n[2];
      for (int k = 0; k < 2; ++k) {
        n[k] = Between(normal(edge.face[k], edge.from), normal(edge.face[k], edge.to), u);
      }
      if (i == 0 || i == along) {
        for (const Vec3& m : n) corner[i == 0 ? edge.from : edge.to].push_back(m);
      }
      const double angle = AngleOf(Norm(Cross(n[0], n[1])), Dot(n[0], n[1]));
      const Vec3 center = a + u * (b - a) - (rounding / (1 + Dot(n[0], n[1]))) * (n[0] + n[1]);
      const int around = std::max(2, static_cast<int>(std::ceil(angle * bend / (0.5 * spacing))));
      for (int j = 0; j <= around; ++j) {
        const Vec3 m = Between(n[0], n[1], double(j) / around);
        const double area = (angle * bend / around) * (Norm(b - a) / along);
        add(center + rounding * m, m, i == 0 || i == along ? 0.5 * area : area, false, false);
      }
    }
  }
  for (const auto& [v, normals] : corner) {
    // the center keeps its distance from all planes that meet, as well as they let it
    Vec3 mean;
    for (const Vec3& m : normals) mean += m;
    mean = Unit(mean);
    Vec3 center = mesh_.vertex[v] - rounding * mean;
    for (int sweep = 0; sweep < kCornerSweeps; ++sweep) {
      for (const Vec3& m : normals) {
        center += -(Dot(center - mesh_.vertex[v], m) + rounding) * m;
      }
    }
    const int pieces = 2 + static_cast<int>(std::ceil(bend / spacing));
    for (const Vec3& m : normals) {
      for (const Vec3& k : normals) {
        if (Norm(m - k) < kOneFace) continue;
        for (int i = 0; i <= pieces; ++i) {
          for (int j = 0; i + j <= pieces; ++j) {
            const Vec3 n = Unit(double(i) * m + double(j) * k + double(pieces - i - j) * mean);
            add(center + rounding * n, n, 0.5 * spacing * spacing, false, true);
          }
        }
      }
    }
  }
  return samples;
}

}  // namespace mujocable
