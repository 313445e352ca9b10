// Vectors and rotations.

#include "core/math/vec.h"

#include <limits>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

TEST(ProductsOfVectors) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random.InBox(3), b = random.InBox(3), c = Cross(a, b);
    CHECK_NEAR(Dot(c, a), 0, 1e-14);
    CHECK_NEAR(Dot(c, b), 0, 1e-14);
    // Lagrange's identity
    CHECK_NEAR(Dot(c, c), Dot(a, a) * Dot(b, b) - Dot(a, b) * Dot(a, b), 1e-12);
    CHECK_NEAR(Norm(a - b), Norm(b - a), 0);
    CHECK_NEAR(Norm(2 * a + b - (a + b) - a), 0, 1e-14);
  }
  CHECK_EQ(Cross({1, 0, 0}, {0, 1, 0}).z, 1.0);
}

TEST(UnitAndPerpendicular) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Vec3 u = random.Direction(), v = Perpendicular(u);
    CHECK_NEAR(Norm(Unit(random.Logarithmic(1e-100, 1e100) * u) - u), 0, 1e-15 * 4);
    CHECK_NEAR(Norm(v), 1, 1e-15 * 4);
    CHECK_NEAR(Dot(u, v), 0, 1e-15 * 4);
  }
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}}) {
    CHECK_NEAR(Norm(Perpendicular(axis)), 1, 0);
  }
  CHECK_EQ(Unit({0, 0, 0}, {0, 0, 1}).z, 1.0);
  CHECK_EQ(Norm(Unit({0, 0, 0})), 0.0);
}

TEST(RotationsAndBack) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Mat3 r = random.Rotation();
    const Vec3 v = random.InBox(1);
    CHECK_NEAR(Norm(Unrotate(r, Rotate(r, v)) - v), 0, 1e-15 * 8);
    CHECK_NEAR(Norm(Rotate(r, {0, 0, 1}) - r.Column(2)), 0, 0);
    CHECK_NEAR(Norm(Rotate(r, v)), Norm(v), 1e-15 * 8);
    CHECK_NEAR(Dot(Cross(r.Column(0), r.Column(1)), r.Column(2)), 1, 1e-15 * 8);
  }
}

TEST(FiniteSeesEveryComponent) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
  CHECK(Finite({1e308, -1e308, 0}));
  for (double x : bad) {
    CHECK(!Finite({x, 0, 0}));
    CHECK(!Finite({0, x, 0}));
    CHECK(!Finite({0, 0, x}));
  }
}

TEST(LoadAndStore) {
  double p[4] = {1, 2, 3, 4};
  const Vec3 v = Load(p);
  CHECK_EQ(v.y, 2.0);
  Store(p, {7, 8, 9});
  CHECK_EQ(p[2], 9.0);
  CHECK_EQ(p[3], 4.0);
}

}  // namespace
}  // namespace mujocable
