// Fitted meshes against the shapes they were sampled from, and against themselves: derivatives of
// the field by differences, distances by sampling, geodesics in one piece and in many.

#include <algorithm>

#include "core/math/angle.h"
#include "core/surface/shapes.h"
#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"

namespace mujocable {
namespace {

using test::Fitted;
using test::Random;
using test::Splined;
using test::SurfaceOf;

TEST(DerivativesOfTheFieldMatchDifferences) {
  Random random(1);
  const MeshField field = Fitted(test::Ellipsoid({1, 0.8, 0.6}, 8));
  const double h = 1e-5;
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = random.InBox(0.8);
    const Jet jet = Evaluate(field, x);
    CHECK_NEAR(Value(field, x), jet.f, 1e-14);
    const Vec3 axis[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    Vec3 g[3];
    for (int k = 0; k < 3; ++k) {
      const Jet above = Evaluate(field, x + axis[k]), below = Evaluate(field, x - axis[k]);
      const double slope = (above.f - below.f) / (2 * h);
      CHECK_NEAR(k == 0 ? jet.g.x : k == 1 ? jet.g.y : jet.g.z, slope, 1e-7);
      g[k] = (1 / (2 * h)) * (above.g - below.g);
    }
    CHECK_NEAR(Norm(g[0] - jet.Times({1, 0, 0})), 0, 1e-6);
    CHECK_NEAR(Norm(g[1] - jet.Times({0, 1, 0})), 0, 1e-6);
    CHECK_NEAR(Norm(g[2] - jet.Times({0, 0, 1})), 0, 1e-6);
  }
}

// Distances between the two surfaces fall with the fourth power of the spacing at least: 80 to 300
// times below the facets' own h^2/8R is what a fit to vertices and normals reaches.
TEST(TheFitIsFarCloserToTheShapeThanTheFacetsAre) {
  Random random(2);
  const Vec3 size = {1, 0.8, 0.7};
  for (int splits : {12, 25}) {
    for (double offset : {0.0, 0.05}) {
      const MeshField field = Fitted(test::Ellipsoid(size, splits), offset);
      const Surface s = SurfaceOf(field);
      Surface truth;
      truth.kind = SurfaceKind::kEllipsoid;
      truth.size[0] = size.x, truth.size[1] = size.y, truth.size[2] = size.z;
      truth.offset = offset;
      truth.radius = 0.7 + offset;
      double worst = 0;
      for (int i = 0; i < 300; ++i) {
        const Vec3 x = Shoot(truth, 2 * random.Direction(), random.Direction(), 0).p;
        worst = std::max(worst, std::abs(Distance(s, x)));
      }
      CHECK(worst < field.deviation.facet / 40);
      CHECK(worst < (splits == 12 ? 1e-4 : 1e-5));
      CHECK(field.deviation.most < 5 * worst);
    }
  }
}

TEST(GeodesicsComposeAndRunBackward) {
  Random random(3);
  const MeshField field = Splined(test::Torus(1, 0.4, 60, 36));
  const Surface s = SurfaceOf(field);
  // A tangent errs by 1e-8 in a step (kReachError); there are at most 20 steps in pieces and 1 /
  // cell in one, give or take a half, and neighbors part by exp(sqrt(-K) length), K = -1 / (0.4
  // 0.6) inside the ring.
  const double steps = 20 + 1.5 / field.cell,
               allowed = steps * 1e-8 * std::exp(1 / std::sqrt(0.24));
  for (int i = 0; i < 100; ++i) {
    const double length = random.Uniform(0, 1);
    const Geodesic g = Shoot(s, random.InBox(1.5), random.Direction(), length);
    CHECK_NEAR(Distance(s, g.p), 0, 1e-12);
    CHECK_NEAR(Distance(s, g.q), 0, 1e-12);
    CHECK_NEAR(Dot(g.t_q, g.n_q), 0, 1e-14);
    Vec3 x = g.p, t = g.t_p;
    double turn = 0;
    for (int k = 0; k < 20; ++k) {
      const Geodesic piece = Shoot(s, x, t, length / 20);
      x = piece.q, t = piece.t_q, turn += piece.turn;
    }
    CHECK_NEAR(Norm(x - g.q), 0, allowed);
    CHECK_NEAR(Norm(t - g.t_q), 0, allowed);
    // also where the bending changes its sign
    CHECK_NEAR(turn, g.turn, allowed);
    const Geodesic back = Shoot(s, g.q, -g.t_q, length);
    CHECK_NEAR(Norm(back.q - g.p), 0, allowed);
  }
}

TEST(GeodesicsMatchThoseOfTheShape) {
  Random random(4);
  const MeshField field = Splined(test::Torus(1, 0.4, 90, 54));
  const Surface s = SurfaceOf(field);
  Surface truth;
  truth.kind = SurfaceKind::kTorus;
  truth.size[0] = 1;
  truth.radius = 0.4;
  for (int i = 0; i < 100; ++i) {
    const Geodesic g = Shoot(truth, random.InBox(1.5), random.Direction(), 0.4);
    const Geodesic h = Shoot(s, g.p, g.t_p, 0.4);
    CHECK_NEAR(Norm(g.q - h.q), 0, 1e-4);
    if (g.least_bending >= 0) CHECK_NEAR(g.turn, h.turn, 1e-3);
    CHECK_NEAR(g.a, h.a, 1e-2);
    CHECK_NEAR(g.r, h.r, 1e-3);
  }
}

TEST(DistancesMatchTheShapeNearAndFar) {
  Random random(5);
  const MeshField field = Splined(test::Torus(1, 0.4, 90, 54));
  const Surface s = SurfaceOf(field);
  Surface truth;
  truth.kind = SurfaceKind::kTorus;
  truth.size[0] = 1;
  truth.radius = 0.4;
  for (double reach : {1.5, 4.0, 50.0}) {
    for (int i = 0; i < 200; ++i) {
      const Vec3 x = random.InBox(reach);
      // on the axis many points are nearest
      if (std::sqrt(x.x * x.x + x.y * x.y) < 0.1) continue;
      const double d = Distance(truth, x);
      if (d < -0.3) continue;  // and deep inside
      const double found = Distance(s, x);
      // beyond the band it is that of a sample: they are less than a cell apart, and so are nodes
      CHECK_NEAR(found, d, std::abs(d) < 2 * field.cell ? 1e-4 : field.cell);
    }
  }
}

TEST(DeepestPointsOfSegmentsMatchTheShape) {
  Random random(6);
  const MeshField field = Splined(test::Torus(1, 0.4, 90, 54));
  const Surface s = SurfaceOf(field);
  Surface truth;
  truth.kind = SurfaceKind::kTorus;
  truth.size[0] = 1;
  truth.radius = 0.4;
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random.InBox(2), b = random.InBox(2);
    const double depth = SegmentDepth(truth, a, b);
    // deeper than the spline reaches it is only known that it is deep
    const double known = std::min(depth, 2 * field.cell);
    const double found = SegmentDepth(s, a, b);
    CHECK_NEAR(std::min(found, 2 * field.cell), known, 2e-4);
    // a far end hides nothing
    CHECK(SegmentDepth(s, a, b + 100 * Unit(b - a)) > known - 2e-4);
  }
}

TEST(SharpEdgesAreRoundedInside) {
  Random random(7);
  for (double offset : {0.0, 0.03}) {
    const MeshField field = Fitted(test::Box({0.5, 0.4, 0.3}), offset, 0.1);
    CHECK_EQ(field.rounding, 0.1);
    const Surface s = SurfaceOf(field);
    Surface truth;
    truth.kind = SurfaceKind::kBox;
    truth.radius = 0.1 + offset;
    truth.size[0] = 0.4, truth.size[1] = 0.3, truth.size[2] = 0.2;
    for (int i = 0; i < 200; ++i) {
      const Vec3 x = Shoot(truth, 2 * random.Direction(), random.Direction(), 0).p;
      // where flat and round meet the curvature jumps by 1 / radius: a spline of that cell keeps
      // within a fixed share of the jump times cell^2
      CHECK_NEAR(Distance(s, x), 0, 0.05 * field.cell * field.cell / truth.radius);
    }
    // the corners of the mesh itself are where the rounding left them
    CHECK_NEAR(field.deviation.edge, (std::sqrt(3.0) - 1) * 0.1, 0.01);
  }
}

// A spline smears a jump of curvature over its cell: it errs by a fixed share of jump times cell^2.
TEST(AJumpOfCurvatureIsSmearedOverACell) {
  Random random(8);
  Surface truth;
  truth.kind = SurfaceKind::kCapsule;
  truth.radius = 0.3;
  truth.size[2] = 0.4;
  for (int rows : {30, 60}) {
    const MeshField field = Splined(test::Capsule(0.3, 0.4, rows, rows + 2));
    for (int i = 0; i < 300; ++i) {
      const Vec3 x = Shoot(truth, random.InBox(2), random.Direction(), 0).p;
      CHECK_NEAR(Distance(SurfaceOf(field), x), 0, 0.05 * field.cell * field.cell / truth.radius);
    }
  }
}

TEST(EdgesTooSharpForTheGridAreRefused) {
  FitOptions options;
  options.rounding = 1e-4;
  MeshField field;
  const std::string error = FitField(test::Box({1, 1, 1}), options, field);
  CHECK(error.find("the least that can be resolved is") != std::string::npos);
}

// A bar whose side bends with radius 6, then 3: the curvature jumps, and so does what a fit makes
// of it within a few cells.
TriangleMesh CompoundBar() {
  std::vector<Vec3> outline;
  for (int i = 0; i <= 45; ++i) {
    const double a = -kPi / 2 + i * kPi / 90;
    outline.push_back({0, 3 * std::sin(a), 3 + 3 * std::cos(a)});
  }
  for (int i = 1; i <= 42; ++i) {
    const double a = i * kPi / 90;
    outline.push_back({0, 6 * std::sin(a), 6 * std::cos(a)});
  }
  outline.push_back({0, outline.back().y, -9});
  outline.push_back({0, outline.front().y, -9});
  const int n = static_cast<int>(outline.size());
  TriangleMesh mesh;
  for (double x : {-4.0, 4.0}) {
    for (const Vec3& v : outline) mesh.vertex.push_back({x, v.y, v.z});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.face.push_back({i, i + n, j});
    mesh.face.push_back({j, i + n, j + n});
    if (i == 0 || j == 0) continue;
    mesh.face.push_back({0, i, j});
    mesh.face.push_back({n, n + j, n + i});
  }
  return mesh;
}

// Newton on a string needs geodesics that move with their start and their length, without jumps:
// by the length they grow, and by second differences that shrink with the square of the step.
TEST(GeodesicsMoveSmoothlyWhereTheCurvatureJumps) {
  const MeshField field = Fitted(CompoundBar(), 0.25);
  const Surface s = SurfaceOf(field);
  const double radius = 6.25, h = 1e-4;
  for (double start : {0.9, 0.5, 0.2}) {
    const Vec3 p = {-0.9, radius * std::sin(start), radius * std::cos(start)};
    const Vec3 t = {1e-3, -std::cos(start), std::sin(start)};
    Geodesic before, last;
    for (int i = 0; i < 400; ++i) {
      const Geodesic g = Shoot(s, p, t, 4 + i * h);
      if (i >= 1) CHECK_NEAR(Norm(g.q - last.q), h, 1e-3 * h);
      if (i >= 2) CHECK_NEAR(Norm(g.t_q - 2.0 * last.t_q + before.t_q), 0, 1e-8);
      before = last;
      last = g;
    }
  }
}

}  // namespace
}  // namespace mujocable
