// Geodesics over meshes of exact surfaces against those of the surfaces, over every seam.

#include "core/mesh/field.h"
#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"

namespace mujocable {
namespace {

using test::BoxOf;
using test::CapsuleOf;
using test::Fitted;
using test::Random;
using test::SurfaceOf;

// exact: patches meet to 1e-11 of the size, a step of the judge errs by as much, and an arc crosses
// a few seams in some ten steps; curvatures are of order ten
void CheckGeodesics(const Surface& mesh, const Surface& truth, double longest, double exact) {
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const double length = random.Uniform(-longest, longest);
    const Geodesic g = Shoot(truth, random.InBox(1.5), random.Direction(), length);
    const Geodesic h = Shoot(mesh, g.p, g.t_p, length);
    CHECK_NEAR(Norm(g.p - h.p), 0, exact);
    CHECK_NEAR(Norm(g.q - h.q), 0, exact);
    CHECK_NEAR(Norm(g.t_q - h.t_q), 0, exact);
    CHECK_NEAR(Norm(g.n_q - h.n_q), 0, exact);
    CHECK_NEAR(g.turn, h.turn, exact);
    CHECK_NEAR(g.a, h.a, exact);
    CHECK_NEAR(g.r, h.r, exact);
    CHECK_NEAR(g.da, h.da, 10 * exact);
    CHECK_NEAR(g.dr, h.dr, 10 * exact);
    CHECK_NEAR(g.at_q.normal, h.at_q.normal, 10 * exact);
    CHECK_NEAR(g.at_q.across, h.at_q.across, 10 * exact);
    CHECK_NEAR(g.at_q.torsion, h.at_q.torsion, 10 * exact);
    CHECK_NEAR(g.at_p.normal, h.at_p.normal, 10 * exact);
  }
}

TEST(OverACapsuleTheyAreItsGeodesics) {
  for (double offset : {0.0, 0.05}) {
    const Surface truth = CapsuleOf(0.3 + offset, 0.4);
    const MeshField rows = Fitted(test::Capsule(0.3, 0.4, 30, 32), offset);
    CheckGeodesics(SurfaceOf(rows), truth, 2, 1e-10);
    // its cylinder one row of long faces, from seam to seam
    const MeshField drawn = Fitted(test::DrawnDrum(0.3, 0.7, 0.3, 10, 36), offset);
    CheckGeodesics(SurfaceOf(drawn), truth, 2, 1e-10);
  }
}

TEST(OverARoundedBoxTheyAreItsGeodesics) {
  for (bool drawn : {false, true}) {
    const double offset = drawn ? 0.05 : 0;
    const MeshField field =
        Fitted(test::RoundedBox({0.3, 0.2, 0.4}, 0.2, drawn ? 8 : 24, drawn), offset);
    CheckGeodesics(SurfaceOf(field), BoxOf({0.3, 0.2, 0.4}, 0.2 + offset), 2, 1e-9);
  }
}

// from the mirror image of a geodesic's end, across y = 0, over its start to its end
Geodesic Mirrored(const Surface& s, const Geodesic& half) {
  const Vec3 start = {half.q.x, -half.q.y, half.q.z}, t = {-half.t_q.x, half.t_q.y, -half.t_q.z};
  return Shoot(s, start, t, 2 * half.length);
}

// A geodesic that grazes the rim of a flat runs straight over it for less than a step: seen from
// its middle, both halves are mirror images, and so is the whole.
TEST(AShortWayOverAnotherPatchIsSeen) {
  const MeshField field = Fitted(test::DrawnDrum(0.5, 0.6, 0.2, 8, 40));  // a flat of 0.3
  const Surface s = SurfaceOf(field);
  for (double dip : {1e-5, 1e-4, 1e-3}) {
    const double reach = 0.6 * std::sqrt(2 * dip);
    const Geodesic half = Shoot(s, {0.3 * (1 - dip), 0, 0.6}, {0, 1, 0}, reach);
    const Geodesic whole = Mirrored(s, half);
    CHECK_NEAR(Norm(whole.q - half.q), 0, 1e-11);
    CHECK_NEAR(whole.turn, 2 * half.turn, 1e-11);
  }
  // the rim itself: rounding says where it is, and the geodesic may be a step on the wrong patch
  for (int i = 1; i < 100; ++i) {
    const Geodesic half = Shoot(s, {0.3 * (1 - 1e-13 * i), 0, 0.6}, {0, 1, 0}, 0.1);
    CHECK_NEAR(Norm(Mirrored(s, half).q - half.q), 0, 1e-4);
  }
}

// on a seam it bends as the patch does over which it runs: here along a capsule
TEST(AGeodesicFromASeamBendsAsWhereItGoes) {
  const MeshField field = Fitted(test::DrawnDrum(0.3, 0.7, 0.3, 10, 36));
  for (double side : {-1.0, 1.0}) {
    for (double length : {-0.1, 0.1}) {
      const Geodesic g = Shoot(SurfaceOf(field), {0.3, 0, 0.4 * side}, {0, 0, 1}, length);
      CHECK_NEAR(g.at_p.normal, side * length > 0 ? -1 / 0.3 : 0, 1e-8);
    }
  }
}

// Newton on a string needs geodesics that move with their start and their length without jumps;
// their second differences shrink with the square of the step, over seams too but for the jump of
// curvature itself.
TEST(GeodesicsMoveWithoutJumpsOverSeams) {
  const MeshField field = Fitted(test::Single(test::Capsule(0.3, 0.4, 30, 32)));
  const Surface s = SurfaceOf(field);
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = random.InBox(0.8), t = random.Direction();
    const double h = 1e-4;
    Geodesic last;
    for (int k = 0; k < 200; ++k) {
      const Geodesic g = Shoot(s, p, t, 0.3 + k * h);
      // by the length they grow; the tangent turns by no more than the sharpest curvature
      if (k > 0) CHECK_NEAR(Norm(g.q - last.q), h, 1e-7 * h);
      if (k > 0) CHECK(Norm(g.t_q - last.t_q) < 1.001 * h / 0.3 + 1e-12);
      if (k > 0) CHECK_NEAR(g.r - last.r, h * last.dr, 10 * h * h);
      last = g;
    }
  }
}

}  // namespace
}  // namespace mujocable
