// Meshes of known shapes.

#ifndef MUJOCABLE_TESTS_SOLIDS_H_
#define MUJOCABLE_TESTS_SOLIDS_H_

#include <cmath>

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
