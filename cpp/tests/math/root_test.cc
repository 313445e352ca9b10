// Roots and minima of one number, against those that are known.

#include "core/math/root.h"

#include <cmath>

#include "tests/kit/check.h"

namespace mujocable {
namespace {

TEST(RootsOfFunctionsThatAreHardForFalsePositions) {
  for (const int power : {1, 3, 9}) {
    const auto f = [&](double x) { return std::pow(x, power) - 0.001; };
    const double root = std::pow(0.001, 1.0 / power);
    CHECK_NEAR(RootBetween(0, 1, f(0), f(1), 1e-13, f), root, 1e-12);
    const auto falls = [&](double x) { return -f(x); };
    CHECK_NEAR(RootBetween(0, 1, falls(0), falls(1), 1e-13, falls), root, 1e-12);
  }
  // a step has no root, but a place where the sign changes
  const auto step = [](double x) { return x < 0.3 ? -1.0 : 1e6; };
  CHECK_NEAR(RootBetween(0, 1, -1, 1e6, 1e-9, step), 0.3, 1e-8);
}

TEST(TheLeastOfAConvexFunctionIsInsideOrAtAnEnd) {
  for (const double at : {-1.0, 0.0, 0.2, 0.7, 1.0, 3.0}) {
    const auto slope = [&](double x) { return std::sinh(5 * (x - at)); };
    for (const double guess : {0.0, 0.5, 1.0}) {
      CHECK_NEAR(LeastAt(guess, 1e-12, slope), std::fmin(1, std::fmax(0, at)), 1e-11);
    }
  }
}

}  // namespace
}  // namespace mujocable
