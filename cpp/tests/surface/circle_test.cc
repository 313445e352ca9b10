// The taut string around a circle in the plane.

#include "core/surface/circle.h"

#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/search.h"

namespace mujocable {
namespace {

using test::Random;

TEST(TangentOfAPoint) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double r = random.Logarithmic(1e-3, 1e3), d = r * random.Logarithmic(1.001, 1e4);
    const Tangents t = TangentLines(Both(d * d), r);
    const double angle = TangentAngle(d, r);
    CHECK_NEAR(t.length[0], std::sqrt(d * d - r * r), 1e-12 * d);
    CHECK_NEAR(t.distance[0], d, 1e-15 * d);
    CHECK_EQ(t.reach[0], r);
    CHECK_NEAR((t.reach * t.reach + t.length * t.length)[0] * t.inverse[0], 1, 1e-15);
    CHECK_EQ(t.length[0], t.length[1]);
    CHECK_NEAR(std::cos(angle), r / d, 1e-15 * 4);
    CHECK_NEAR(r * std::tan(angle), t.length[0], 1e-11 * d);
    // from point to tangent point it is perpendicular to the radius
    const double x = r * std::cos(angle), y = r * std::sin(angle);
    CHECK_NEAR((x * (x - d) + y * y) / (d * d), 0, 1e-15);
  }
}

TEST(PointsOnTheCircleTouchWhereTheyAre) {
  for (double d : {0.0, 0.5, 1.0, 1 + 0.5 * kOnSurface}) {
    const Tangents t = TangentLines(Both(d * d), 1);
    CHECK_EQ(t.length[0], 0.0);
    CHECK_NEAR(t.reach[0], d, 1e-149);  // the root of kNoDistance
    CHECK_EQ(TangentAngle(d, 1), 0.0);
  }
  const double outside = 1 + 2 * kOnSurface;
  CHECK(TangentLines(Both(outside * outside), 1).length[0] > 0);
}

TEST(ThreeAnglesAtOnce) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const double r = random.Logarithmic(1e-3, 1e3);
    const Pair d = {r * random.Logarithmic(1, 1e4), r * random.Logarithmic(1, 1e4)};
    const double angle = random.Uniform(0, kPi), size = random.Logarithmic(1e-6, 1e6);
    const Lanes found =
        AnglesOf(size * std::sin(angle), size * std::cos(angle), size, TangentLines(d * d, r));
    CHECK_NEAR(found[0], angle, 1e-15);
    CHECK_NEAR(found[1], TangentAngle(d[0], r), 1e-15);
    CHECK_NEAR(found[2], TangentAngle(d[1], r), 1e-15);
  }
}

TEST(UnwrapIsNearest) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double near = random.Uniform(-100, 100), angle = random.Uniform(-100, 100);
    const double u = Unwrap(angle, near);
    CHECK(std::abs(u - near) <= kPi * (1 + 1e-12));
    const double turns = (u - angle) / (2 * kPi);
    CHECK_NEAR(turns, std::round(turns), 1e-13);
  }
}

TEST(KeeperStandsWhereThePathIsShortest) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double r = random.Logarithmic(1e-3, 1e3);
    const double ra = r * random.Uniform(1.01, 5), rb = r * random.Uniform(1.01, 5);
    // the straight line clears the circle
    const double span = random.Uniform(0, 1) * (std::acos(r / ra) + std::acos(r / rb));
    const auto length = [&](double theta) {
      return std::sqrt(ra * ra + r * r - 2 * ra * r * std::cos(theta)) +
             std::sqrt(rb * rb + r * r - 2 * rb * r * std::cos(span - theta));
    };
    const double theta = KeeperAngle(ra, rb, r, span);
    CHECK(theta >= 0 && theta <= span);
    double shortest = length(test::GoldenSection(length, 0, span));
    for (int k = 0; k <= 200; ++k) shortest = std::min(shortest, length(span * k / 200));
    CHECK_NEAR(length(theta), shortest, 1e-14 * shortest);
  }
}

}  // namespace
}  // namespace mujocable
