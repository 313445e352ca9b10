// Meshes of known shapes.

#ifndef MUJOCABLE_TESTS_SOLIDS_H_
#define MUJOCABLE_TESTS_SOLIDS_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mesh.h"
#include "core/mesh_field.h"
#include "core/surface.h"

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

#endif  // MUJOCABLE_TESTS_SOLIDS_H_
