// Fitted meshes of shapes to wrap, made once for a test.

#ifndef MUJOCABLE_TESTS_KIT_MESH_SHAPES_H_
#define MUJOCABLE_TESTS_KIT_MESH_SHAPES_H_

#include <string>
#include <vector>

#include "core/mesh/fit.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/solids.h"

namespace mujocable::test {

inline MeshField Fitted(const TriangleMesh& mesh, double offset = 0, double rounding = 0,
                        bool patches = true) {
  FitOptions options;
  options.patches = patches;
  options.offset = offset;
  options.rounding = rounding;
  MeshField field;
  const std::string why = FitField(mesh, options, field);
  if (!why.empty()) std::printf("refused: %s\n", why.c_str());
  CHECK(why.empty());
  return field;
}

// a spline, also of a mesh that consists of exact surfaces
inline MeshField Splined(const TriangleMesh& mesh) { return Fitted(mesh, 0, 0, false); }

// convex: an egg, a pill, a block (sharp edges), a drum; not: a ring, a dumbbell, a spool. Pill,
// drum, ring and spool consist of exact surfaces.
inline constexpr int kConvexMeshes = 4, kMeshes = 7;

inline const MeshField& FieldOf(int which) {
  static const std::vector<MeshField> fields = [] {
    std::vector<Vec3> dumbbell;
    for (int i = 0; i <= 40; ++i) {
      const double u = std::acos(-1.0) * i / 40, c = std::cos(u);
      dumbbell.push_back({(0.12 + 0.2 * c * c) * std::pow(std::sin(u), 0.6), 0, -0.6 * c});
    }
    std::vector<MeshField> made;
    made.push_back(Fitted(Ellipsoid({0.6, 0.45, 0.35}, 12), 0.02));
    made.push_back(Fitted(Capsule(0.3, 0.4, 30, 32)));
    made.push_back(Fitted(Box({0.4, 0.3, 0.5}), 0.03, 0.1));
    made.push_back(Fitted(DrawnDrum(0.4, 0.5, 0.12, 6, 40), 0.02));
    made.push_back(Fitted(Torus(0.5, 0.2, 48, 24)));
    made.push_back(Fitted(Lathe(dumbbell, 36)));
    made.push_back(Fitted(Spool(0.02, 60)));
    return made;
  }();
  return fields[which];
}

inline Surface RandomMesh(Random& random, int kinds) {
  Surface s = SurfaceOf(FieldOf(random.Index(kinds)));
  s.rot = random.Rotation();
  return s;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_MESH_SHAPES_H_
