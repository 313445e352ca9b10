// Meshes of known shapes.

#ifndef MUJOCABLE_TESTS_KIT_SOLIDS_H_
#define MUJOCABLE_TESTS_KIT_SOLIDS_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mesh/field.h"
#include "core/mesh/mesh.h"
#include "core/surface/surface.h"

namespace mujocable::test {

// an octahedron with every edge split `splits` times, blown up to an ellipsoid: 8 splits^2 faces
inline TriangleMesh Ellipsoid(const Vec3& size, int splits) {
  TriangleMesh mesh;
  for (int octant = 0; octant < 8; ++octant) {
    const double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
    const auto at = [&](int i, int j) {
      const Vec3 x = Unit(Vec3{sx * i, sy * j, sz * (splits - i - j)});
      mesh.vertex.push_back({size.x * x.x + 0.0, size.y * x.y + 0.0, size.z * x.z + 0.0});
      return static_cast<int>(mesh.vertex.size()) - 1;
    };
    const auto add = [&](int a, int b, int c) {
      if (sx * sy * sz > 0) {
        mesh.face.push_back({a, b, c});
      } else {
        mesh.face.push_back({a, c, b});
      }
    };
    for (int i = 0; i < splits; ++i) {
      for (int j = 0; i + j < splits; ++j) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j < splits - 1) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  return Weld(mesh);
}

// rings of a tube about the z axis
inline TriangleMesh Torus(double ring, double tube, int around, int across) {
  TriangleMesh mesh;
  const double pi = std::acos(-1.0);
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2 * pi * i / around, v = 2 * pi * j / across;
      const double r = ring + tube * std::cos(v);
      mesh.vertex.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
    }
  }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      mesh.face.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.face.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

// a body of revolution about z: profile (radius, 0, height) from pole to pole
inline TriangleMesh Lathe(const std::vector<Vec3>& profile, int around) {
  TriangleMesh mesh;
  const double pi = std::acos(-1.0);
  const int rings = static_cast<int>(profile.size()) - 2;
  for (int i = 1; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double a = 2 * pi * j / around, r = profile[i].x;
      mesh.vertex.push_back({r * std::cos(a), r * std::sin(a), profile[i].z});
    }
  }
  const int low = rings * around, high = low + 1, last = (rings - 1) * around;
  mesh.vertex.push_back({0, 0, profile.front().z});
  mesh.vertex.push_back({0, 0, profile.back().z});
  for (int j = 0; j < around; ++j) {
    const int k = (j + 1) % around;
    mesh.face.push_back({low, k, j});
    mesh.face.push_back({high, last + j, last + k});
    for (int i = 0; i < last; i += around) {
      mesh.face.push_back({i + j, i + k, i + around + k});
      mesh.face.push_back({i + j, i + around + k, i + around + j});
    }
  }
  return mesh;
}

// a capsule about z, rows of vertices evenly along its profile
inline TriangleMesh Capsule(double radius, double half, int rows, int around) {
  std::vector<Vec3> profile;
  const double pi = std::acos(-1.0), quarter = radius * pi / 2, whole = 2 * (quarter + half);
  for (int i = 0; i < rows; ++i) {
    const double s = whole * i / (rows - 1), rest = std::min(s, whole - s) / radius;
    const double side = 2 * s < whole ? -1 : 1;
    if (rest * radius < quarter) {
      profile.push_back({radius * std::sin(rest), 0, side * (half + radius * std::cos(rest))});
    } else {
      profile.push_back({radius, 0, s - 0.5 * whole});
    }
  }
  return Lathe(profile, around);
}

inline TriangleMesh Box(const Vec3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertex.push_back(
        {(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
  }
  const int side[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                          {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : side) {
    mesh.face.push_back({f[0], f[1], f[2]});
    mesh.face.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

// A box swept by a ball, about a core of these half sizes: the points nearest to those of a grid on
// the box around it. No row of them is where flat and round meet; or, where `drawn`, none is
// beyond.
inline TriangleMesh RoundedBox(const Vec3& core, double radius, int splits, bool drawn = false) {
  const double half[3] = {core.x, core.y, core.z};
  // of the grid's lines, the i-th along an axis
  const auto line = [&](int axis, int i) {
    if (!drawn) return (half[axis] + radius) * (2.0 * i / splits - 1);
    const int rows = splits / 2;
    const double angle =
        0.25 * std::acos(-1.0) * std::abs(i <= rows ? rows - i : i - rows - 1) / rows;
    return (i <= rows ? -1 : 1) * (half[axis] + radius * std::tan(angle));
  };
  if (drawn) splits = 2 * (splits / 2) + 1;
  TriangleMesh mesh;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double sign = side % 2 ? -1 : 1;
    const int first = static_cast<int>(mesh.vertex.size());
    for (int i = 0; i <= splits; ++i) {
      for (int j = 0; j <= splits; ++j) {
        double x[3], away[3];
        x[axis] = line(axis, sign > 0 ? splits : 0);
        x[u] = line(u, i);
        x[v] = line(v, j);
        for (int k = 0; k < 3; ++k) away[k] = x[k] - std::clamp(x[k], -half[k], half[k]);
        const Vec3 out = radius * Unit(Load(away));
        for (int k = 0; k < 3; ++k) x[k] = std::clamp(x[k], -half[k], half[k]);
        const Vec3 y = Load(x) + out;
        mesh.vertex.push_back({y.x + 0.0, y.y + 0.0, y.z + 0.0});
      }
    }
    for (int i = 0; i < splits; ++i) {
      for (int j = 0; j < splits; ++j) {
        const int a = first + i * (splits + 1) + j, b = a + splits + 1, c = b + 1, d = a + 1;
        if (sign > 0) {
          mesh.face.push_back({a, b, c});
          mesh.face.push_back({a, c, d});
        } else {
          mesh.face.push_back({a, c, b});
          mesh.face.push_back({a, d, c});
        }
      }
    }
  }
  return Weld(mesh);
}

// arcs of circles in the plane (radius, height), the straight lines between them, and poles
struct Arc {
  double rho, z, radius, from, to;  // angles from the plane of the circle, upward      [rad]
};

inline TriangleMesh Turned(const std::vector<Arc>& arcs, double spacing, int around) {
  std::vector<Vec3> corner, profile;
  std::vector<double> along = {0};
  const auto to = [&](const Vec3& x) {
    if (!corner.empty()) along.push_back(along.back() + Norm(x - corner.back()));
    corner.push_back(x);
  };
  for (const Arc& arc : arcs) {
    for (int i = 0; i <= 2000; ++i) {
      const double a = arc.from + (arc.to - arc.from) * i / 2000;
      to({arc.rho + arc.radius * std::cos(a), 0, arc.z + arc.radius * std::sin(a)});
    }
  }
  corner.front().x = corner.back().x = 0;
  // evenly along it, each exactly on its arc or line
  const int rows = static_cast<int>(along.back() / spacing);
  size_t k = 0;
  for (int i = 0; i <= rows; ++i) {
    const double at = along.back() * i / rows;
    while (k + 2 < along.size() && along[k + 1] <= at) ++k;
    const double piece = along[k + 1] - along[k], u = piece > 0 ? (at - along[k]) / piece : 0;
    Vec3 x = corner[k] + u * (corner[k + 1] - corner[k]);
    const size_t arc = k / 2001;
    if (k % 2001 != 2000 && arcs[arc].radius > 0) {
      const Vec3 center = {arcs[arc].rho, 0, arcs[arc].z};
      x = center + arcs[arc].radius * Unit(x - center);
    }
    if (i == 0 || i == rows) x.x = 0;
    profile.push_back(x);
  }
  return Lathe(profile, around);
}

// a drum with rounded rims; a ball and a smaller one with the cone that touches both
inline TriangleMesh Drum(double radius, double half, double rim, double spacing, int around) {
  const double quarter = std::acos(0.0), ring = radius - rim, high = half - rim;
  return Turned({{0, -half, 0, 0, 0},
                 {ring, -high, rim, -quarter, 0},
                 {ring, high, rim, 0, quarter},
                 {0, half, 0, 0, 0}},
                spacing, around);
}

inline TriangleMesh RoundedCone(double low, double high, double apart, double spacing, int around) {
  const double quarter = std::acos(0.0), lean = std::asin((low - high) / apart);
  return Turned({{0, 0, low, -quarter, lean}, {0, apart, high, lean, quarter}}, spacing, around);
}

// a waist between two flanges, hollow rims at the waist, round rims outside
inline std::vector<Arc> SpoolProfile() {
  const double q = std::acos(0.0);
  return {{0, -0.5, 0, 0, 0},          {0.45, -0.4, 0.1, -q, q}, {0.4, -0.15, 0.15, -q, -2 * q},
          {0.4, 0.15, 0.15, 2 * q, q}, {0.45, 0.4, 0.1, -q, q},  {0, 0.5, 0, 0, 0}};
}

inline TriangleMesh Spool(double spacing, int around) {
  return Turned(SpoolProfile(), spacing, around);
}

// As drawing programs write them: rows of vertices on the seams, none on cylinder and flats
// between.
inline TriangleMesh DrawnDrum(double radius, double half, double rim, int rows, int around) {
  std::vector<Vec3> profile = {{0, 0, -half}};
  const double quarter = std::acos(0.0);
  for (int side : {-1, 1}) {
    for (int i = 0; i <= rows; ++i) {
      const double a = quarter * (side < 0 ? i - rows : i) / rows;
      profile.push_back(
          {radius - rim + rim * std::cos(a), 0, side * (half - rim) + rim * std::sin(a)});
    }
    // a ball's rim ends in its pole
    if (rim == radius) profile.erase(side < 0 ? profile.begin() + 1 : profile.end() - 1);
  }
  profile.push_back({0, 0, half});
  return Lathe(profile, around);
}

// coordinates as a model keeps them
inline TriangleMesh Single(TriangleMesh mesh) {
  for (Vec3& x : mesh.vertex) {
    x = {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
  }
  return mesh;
}

// the surfaces of which meshes are made
inline Surface CapsuleOf(double radius, double half) {
  Surface s;
  s.kind = SurfaceKind::kCapsule;
  s.radius = radius;
  s.size[2] = half;
  return s;
}

inline Surface BoxOf(const Vec3& core, double rounding) {
  Surface s;
  s.kind = SurfaceKind::kBox;
  s.radius = rounding;
  Store(s.size, core);
  return s;
}

// a field where its mesh is
inline Surface SurfaceOf(const MeshField& field) {
  Surface s;
  s.kind = SurfaceKind::kMesh;
  s.mesh = &field;
  s.radius = field.radius;
  s.size[0] = field.extent;
  return s;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_SOLIDS_H_
