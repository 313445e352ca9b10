#include "core/mesh/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_set>

#include "core/math/angle.h"
#include "core/mesh/mesh.h"
#include "core/mesh/tolerance.h"
#include "core/mesh/tree.h"

namespace mujocable {
namespace {

// a curved patch over one face: cubic, its borders as round as the normals at their ends say
class Patch {
 public:
  Patch(const Vec3 x[3], const Vec3 n[3]) {
    Vec3 edges, corners;
    for (int i = 0; i < 3; ++i) {
      corner_[i] = x[i];
      for (int side = 0; side < 2; ++side) {
        const int j = (i + 1 + side) % 3;
        const Vec3 chord = x[j] - x[i], along = chord - Dot(chord, n[i]) * n[i];
        const double length = Norm(chord), flat = Norm(along);
        // exact for a circle
        const double handle = flat > 0 ? 2 * length * length / (3 * (length + flat) * flat) : 0;
        handle_[i][side] = x[i] + handle * along;
        edges += (1.0 / 6) * handle_[i][side];
      }
      corners += (1.0 / 3) * x[i];
    }
    middle_ = edges + 0.5 * (edges - corners);
  }

  // point and normal at barycentric coordinates
  Vec3 At(const double* b, Vec3& n) const {
    // the last triangle of de Casteljau: it lies in the tangent plane
    Vec3 last[3], x;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;  // where handle_[i][0] and [1] point to
      last[i] = b[i] * b[i] * corner_[i] + 2 * b[i] * b[j] * handle_[i][0] +
                2 * b[i] * b[k] * handle_[i][1] + b[j] * b[j] * handle_[j][1] +
                b[k] * b[k] * handle_[k][0] + 2 * b[j] * b[k] * middle_;
      x += b[i] * last[i];
    }
    n = Unit(Cross(last[1] - last[0], last[2] - last[0]));
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

MeshShape::MeshShape(const TriangleMesh& of) : mesh(of), edge(EdgesOf(of)) {
  MeasureFaces();
  FindCreases();
  FindNormals();
  FindCurvature();
}

void MeshShape::MeasureFaces() {
  vertex_area.assign(mesh.vertex.size(), 0);
  std::vector<std::pair<double, double>> widths;
  for (size_t f = 0; f < mesh.face.size(); ++f) {
    const Vec3 a = mesh.At(f, 0), b = mesh.At(f, 1), c = mesh.At(f, 2);
    const Vec3 cross = Cross(b - a, c - a);
    face_normal.push_back(Unit(cross));
    const double area = 0.5 * Norm(cross);
    for (int v : mesh.face[f]) vertex_area[v] += area / 3;
    const double longest = std::max({Norm(b - a), Norm(c - b), Norm(a - c)});
    widths.emplace_back(2 / std::sqrt(3.0) * 2 * area / longest, area);
  }
  width = Quantile(widths, kSmallShare);

  Box box;
  for (const Vec3& x : mesh.vertex) box.Add(x);
  narrowest = std::min({box.Side(0), box.Side(1), box.Side(2)});
  widest = std::max({box.Side(0), box.Side(1), box.Side(2)});
  extent = box.HalfDiagonal();
}

void MeshShape::FindCreases() {
  for (MeshEdge& e : edge) {
    const Vec3 n0 = face_normal[e.face[0]], n1 = face_normal[e.face[1]];
    e.crease = AngleOf(Norm(Cross(n0, n1)), Dot(n0, n1)) > kCrease;
    // the second face lies below the plane of the first
    e.sharp = e.crease && Dot(Cross(n0, n1), mesh.vertex[e.to] - mesh.vertex[e.from]) > 0;
    creases += e.crease;
    sharp += e.sharp;
  }
}

// normals at the corners: over the faces around the vertex up to the next creases, weighted so that
// they are exact on a sphere
void MeshShape::FindNormals() {
  const auto pair = [](int a, int b) { return std::array{std::min(a, b), std::max(a, b)}; };
  std::set<std::array<int, 2>> smooth;  // faces that an edge without a crease joins
  for (const MeshEdge& e : edge) {
    if (!e.crease) smooth.insert(pair(e.face[0], e.face[1]));
  }
  normal.resize(mesh.face.size());
  int v = 0;
  for (const std::vector<int>& faces : FacesAround(mesh)) {
    std::vector<char> grouped(faces.size(), 0);
    for (size_t i = 0; i < faces.size(); ++i) {
      if (grouped[i]) continue;
      Vec3 sum;
      const auto beside = [&](int at, const auto& go) {
        for (size_t j = 0; j < faces.size(); ++j) {
          if (smooth.count(pair(faces[at], faces[j]))) go(static_cast<int>(j));
        }
      };
      const std::vector<int> fan = Reached(static_cast<int>(i), faces.size(), beside);
      for (int m : fan) {
        const int f = faces[m], k = mesh.CornerOf(f, v);
        const Vec3 p = mesh.At(f, (k + 1) % 3) - mesh.vertex[v],
                   q = mesh.At(f, (k + 2) % 3) - mesh.vertex[v];
        const double weight = Dot(p, p) * Dot(q, q);
        if (weight > 0) sum += (1 / weight) * Cross(p, q);
        grouped[m] = 1;
      }
      const Vec3 n = Unit(sum, face_normal[faces[i]]);
      for (int m : fan) normal[faces[m]][mesh.CornerOf(faces[m], v)] = n;
    }
    ++v;
  }
}

// across smooth edges
void MeshShape::FindCurvature() {
  std::vector<std::pair<double, double>> radii;
  for (const MeshEdge& e : edge) {
    if (e.crease) continue;
    const int f = e.face[0], g = e.face[1];
    const Vec3 along = Unit(mesh.vertex[e.to] - mesh.vertex[e.from]);
    const Vec3 apart = mesh.Middle(g) - mesh.Middle(f);
    const double turn = Norm(face_normal[g] - face_normal[f]);
    const double across = Norm(apart - Dot(apart, along) * along);
    if (turn > kNoTurn) radii.emplace_back(across / turn, across);
    // middles of faces are apart by two thirds of two chords of the circle they stand for
    sag = std::max(sag, 1.5 * across * turn / 8);
  }
  least_radius = radii.empty() ? widest : Quantile(radii, kSharpShare);
}

// Whether x lies no deeper than a dent under a plane that no vertex is beyond: one that faces about
// the way out, turned by whichever vertex is furthest beyond it until none is. outermost: vertices
// that turned another plane, and are asked first.
bool MeshShape::IsDent(const Vec3& x, const Vec3& out, std::vector<Vec3>& outermost) const {
  const double depth = kDentDepth * widest;
  Vec3 n = out;
  for (int k = 0; k < kDentTurns; ++k) {
    double most = depth;  // beyond the plane
    Vec3 far;
    const auto look = [&](const std::vector<Vec3>& points) {
      for (const Vec3& v : points) {
        if (Dot(n, v - x) > most) most = Dot(n, v - x), far = v;
      }
    };
    look(outermost);
    if (!(most > depth)) {
      look(mesh.vertex);
      if (!(most > depth)) return true;
      outermost.push_back(far);
    }
    const Vec3 w = far - x;
    n = Unit(n - ((Dot(n, w) - 0.5 * depth) / Dot(w, w)) * w);
    if (Dot(n, out) < kDentFacing) return false;
  }
  return false;
}

std::vector<Vec3> MeshShape::Hollows(double spacing, double offset) const {
  std::vector<Vec3> points, outermost;
  for (const MeshEdge& e : edge) {
    const Vec3 a = mesh.vertex[e.from], b = mesh.vertex[e.to];
    const Vec3 n0 = face_normal[e.face[0]], n1 = face_normal[e.face[1]];
    // flat to the rounding of its vertices counts as flat
    const double inward = -Dot(Cross(n0, n1), Unit(b - a));
    const Vec3 out = Unit(n0 + n1);
    if (!(inward > kFlatEdge) ||
        (inward < std::sin(kCrease) && IsDent(0.5 * (a + b), out, outermost)))
      continue;
    const int pieces = std::max(1, static_cast<int>(std::ceil(Norm(b - a) / spacing)));
    for (int i = 0; i <= pieces; ++i)
      points.push_back(a + (double(i) / pieces) * (b - a) + offset * out);
  }
  return points;
}

// the samples of a shape: vertices, large faces, rounded edges and their corners
class Sampler {
 public:
  Sampler(const MeshShape& shape, double spacing, double rounding, double offset)
      : shape_(shape),
        mesh_(shape.mesh),
        spacing_(spacing),
        rounding_(rounding),
        offset_(offset),
        rounds_(rounding > 0 && shape.sharp > 0),
        tree_(mesh_) {}

  std::vector<Sample> Take() {
    TakeVertices();
    TakeFaces();
    if (rounds_) TakeCorners(TakeEdges());
    return std::move(samples_);
  }

 private:
  using Corners = std::map<int, std::vector<Vec3>>;  // normals that meet at a vertex

  // points that fill up faces: no denser than they need be, however narrow the faces are
  bool Fresh(const Vec3& x) {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
      const double cell = std::floor(x[k] / (kFillApart * spacing_));
      key = key * 2097152 + static_cast<std::uint64_t>(cell + 1048576);
    }
    return taken_.insert(key).second;
  }

  // a ball of the rounding's size must fit inside, one of the cable's outside; facets lie a little
  // inside the surface they stand for
  void Add(const Vec3& x, const Vec3& n, double area, bool on_mesh, bool fills) {
    const auto least = [&](double ball) {
      return ball - std::min(kBallShare * ball, 2 * shape_.sag + kBallRounding * ball);
    };
    if (rounds_ && tree_.Distance(x - rounding_ * n, rounding_) < least(rounding_)) return;
    // a rounded edge lies inside the mesh: the cable's ball may reach into what was cut off
    if (on_mesh && offset_ > 0 && tree_.Distance(x + offset_ * n, offset_) < least(offset_)) return;
    // the corners of faces count too, rounded edges do not: they would crowd out their corners
    if ((fills || on_mesh) && !Fresh(x) && fills) return;
    samples_.push_back({x + offset_ * n, n, area});
  }

  void TakeVertices() {
    std::vector<char> done(mesh_.vertex.size(), 0);
    for (const MeshEdge& e : shape_.edge) {
      if (e.crease) done[e.from] = done[e.to] = 1;
    }
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const int v = mesh_.face[f][k];
        if (!done[v]) Add(mesh_.vertex[v], shape_.normal[f][k], shape_.vertex_area[v], true, false);
        done[v] = 1;
      }
    }
  }

  // of large faces: points of their patches
  void TakeFaces() {
    for (size_t f = 0; f < mesh_.face.size(); ++f) {
      const Vec3 x[3] = {mesh_.At(f, 0), mesh_.At(f, 1), mesh_.At(f, 2)};
      const double longest = std::max({Norm(x[1] - x[0]), Norm(x[2] - x[1]), Norm(x[0] - x[2])});
      if (!(longest > kFillAbove * spacing_)) continue;
      const int pieces = static_cast<int>(std::ceil(longest / spacing_));
      const Patch patch(x, shape_.normal[f].data());
      for (int i = 0; i <= pieces; ++i) {
        for (int j = 0; i + j <= pieces; ++j) {
          const double b[3] = {double(i) / pieces, double(j) / pieces,
                               double(pieces - i - j) / pieces};
          if (b[0] == 1 || b[1] == 1 || b[2] == 1) continue;
          Vec3 n;
          const Vec3 at = patch.At(b, n);
          Add(at, n, 0.5 * spacing_ * spacing_, true, true);
        }
      }
    }
  }

  // arcs over edges that turn outward
  Corners TakeEdges() {
    const double bend = rounding_ + offset_;
    Corners corner;
    for (const MeshEdge& edge : shape_.edge) {
      if (!edge.sharp) continue;
      const Vec3 a = mesh_.vertex[edge.from], b = mesh_.vertex[edge.to];
      const int along = std::max(1, static_cast<int>(std::ceil(Norm(b - a) / spacing_)));
      for (int i = 0; i <= along; ++i) {
        const double u = double(i) / along;
        Vec3 n[2];
        for (int k = 0; k < 2; ++k) {
          n[k] = Between(NormalAt(edge.face[k], edge.from), NormalAt(edge.face[k], edge.to), u);
          if (i == 0) corner[edge.from].push_back(n[k]);
          if (i == along) corner[edge.to].push_back(n[k]);
        }
        const double angle = AngleOf(Norm(Cross(n[0], n[1])), Dot(n[0], n[1]));
        const Vec3 center = a + u * (b - a) - (rounding_ / (1 + Dot(n[0], n[1]))) * (n[0] + n[1]);
        const int around =
            std::max(2, static_cast<int>(std::ceil(angle * bend / (0.5 * spacing_))));
        for (int j = 0; j <= around; ++j) {
          const Vec3 m = Between(n[0], n[1], double(j) / around);
          const double area = (angle * bend / around) * (Norm(b - a) / along);
          Add(center + rounding_ * m, m, i == 0 || i == along ? 0.5 * area : area, false, false);
        }
      }
    }
    return corner;
  }

  Vec3 NormalAt(int face, int vertex) const {
    return shape_.normal[face][mesh_.CornerOf(face, vertex)];
  }

  // patches of balls where such edges meet
  void TakeCorners(const Corners& corners) {
    for (const auto& [v, normals] : corners) {
      // the center keeps its distance from all planes that meet, as well as they let it
      Vec3 mean;
      for (const Vec3& m : normals) mean += m;
      mean = Unit(mean);
      Vec3 center = mesh_.vertex[v] - rounding_ * mean;
      for (int sweep = 0; sweep < kCornerSweeps; ++sweep) {
        for (const Vec3& m : normals) {
          center += -(Dot(center - mesh_.vertex[v], m) + rounding_) * m;
        }
      }
      const int pieces = 2 + static_cast<int>(std::ceil((rounding_ + offset_) / spacing_));
      for (const Vec3& m : normals) {
        for (const Vec3& k : normals) {
          if (Norm(m - k) < kOneFace) continue;
          for (int i = 0; i <= pieces; ++i) {
            for (int j = 0; i + j <= pieces; ++j) {
              const Vec3 n = Unit(double(i) * m + double(j) * k + double(pieces - i - j) * mean);
              Add(center + rounding_ * n, n, 0.5 * spacing_ * spacing_, false, true);
            }
          }
        }
      }
    }
  }

  const MeshShape& shape_;
  const TriangleMesh& mesh_;
  const double spacing_, rounding_, offset_;
  const bool rounds_;
  const MeshTree tree_;
  std::unordered_set<std::uint64_t> taken_;
  std::vector<Sample> samples_;
};

std::vector<Sample> MeshShape::Samples(double spacing, double rounding, double offset) const {
  return Sampler(*this, spacing, rounding, offset).Take();
}

}  // namespace mujocable
