// Questions asked from deep inside a fitted mesh, as far from one side as from the other, where its
// field has no slope: every answer is a number, and geodesics start on the surface.

#include <cmath>

#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"

namespace mujocable {
namespace {

using test::Random;

// a grid so coarse that the middle lies in the band where the spline is the field
MeshField Coarse(const TriangleMesh& mesh, double cell) {
  FitOptions options;
  options.cell = cell;
  options.patches = false;
  MeshField field;
  CHECK(FitField(mesh, options, field).empty());
  CHECK(InBand(field, {0.5 * cell, 0, 0}));
  return field;
}

bool IsNumber(const Geodesic& g) {
  const auto finite = [](const Curvature& k) {
    return std::isfinite(k.normal + k.across + k.torsion);
  };
  return Finite(g.p) && Finite(g.q) && Finite(g.t_p) && Finite(g.t_q) && Finite(g.n_p) &&
         Finite(g.n_q) && std::isfinite(g.a + g.da + g.r + g.dr + g.turn) && finite(g.at_p) &&
         finite(g.at_q);
}

TEST(EveryQuestionFromDeepInsideHasAnAnswer) {
  Random random(5);
  const MeshField fields[] = {
      Coarse(test::Ellipsoid({1, 1, 1}, 6), 0.3), Coarse(test::Ellipsoid({1, 1, 1}, 6), 0.5),
      Coarse(test::Ellipsoid({1, 1, 0.3}, 6), 0.2), Coarse(test::Capsule(0.3, 1, 4, 10), 0.15)};
  for (const MeshField& field : fields) {
    const Surface s = test::SurfaceOf(field);
    const auto any = [&] {
      return Vec3{random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)};
    };
    for (int i = 0; i < 1000; ++i) {
      Vec3 x = field.extent * any(), n;
      if (i % 4 == 0) x = 1e-3 * x;
      if (i % 4 == 1) x.z = 0;
      if (i % 4 == 2) x = {0, 0, x.z};
      if (i == 0) x = {};
      CHECK(std::isfinite(Distance(s, x)) && Finite(Normal(s, x)));
      CHECK(std::isfinite(DistanceSmooth(s, x, n)) && Finite(n));
      const Geodesic g = Shoot(s, x, any(), random.Uniform(-1, 1));
      CHECK(IsNumber(g));
      CHECK_NEAR(Value(field, g.p), 0, 1e-9);
      const Vec3 y = i % 3 ? x + any() : -x;
      double distance;
      CHECK(std::isfinite(SegmentDepth(s, x, y)));
      CHECK(Finite(NearestTo(s, x, y, distance)) && std::isfinite(distance));
    }
  }
}

}  // namespace
}  // namespace mujocable
