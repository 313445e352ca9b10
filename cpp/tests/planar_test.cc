// The taut string around a circle in the plane.

#include "core/planar.h"

#include "check.h"
#include "random.h"
#include "search.h"

namespace mujocable {
namespace {

using test::Random;

TEST(TangentOfAPoint) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double r = random.Logarithmic(1e-3, 1e3), d = r * random.Logarithmic(1.001, 1e4);
    const Tangent t = TangentTo(d, r);
    CHECK_NEAR(t.length, std::sqrt(d * d - r * r), 1e-12 * d);
    CHECK_NEAR(std::cos(t.angle), r / d, 1e-15 * 4);
    CHECK_NEAR(r * std::tan(t.angle), t.length, 1e-11 * d);
    // from point to tangent point it is perpendicular to the radius
    const double x = r * std::cos(t.angle), y = r * std::sin(t.angle);
    CHECK_NEAR((x * (x - d) + y * y) / (d * d), 0, 1e-15);
  }
}

TEST(PointsOnTheCircleHaveNoTangent) {
  for (double d : {0.0, 0.5, 1.0, 1 + 0.5 * kOnSurface}) {
    CHECK_EQ(TangentTo(d, 1).length, 0.0);
    CHECK_EQ(TangentTo(d, 1).angle, 0.0);
  }
  CHECK(TangentTo(1 + 2 * kOnSurface, 1).length > 0);
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
