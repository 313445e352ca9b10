// Dense linear systems: the solution satisfies them, and singular ones are refused.

#include "core/math/dense.h"

#include <vector>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

TEST(TheSolutionSatisfiesTheSystem) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 12;
    const int width = Padded(n);
    std::vector<double> a(n * width), b(width);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) a[i * width + j] = random.Uniform(-1, 1);
    }
    for (int i = 0; i < n; ++i) b[i] = random.Uniform(-1, 1);
    if (trial % 3 == 0) a[0] = 0;  // rows must be exchanged
    if (n == 1) a[0] = 0.5;
    std::vector<double> used = a, x = b;
    CHECK(SolveDense(used.data(), x.data(), n, 1e-14));
    double size = 1;
    for (double value : x) size = std::max(size, std::abs(value));
    for (int i = 0; i < n; ++i) {
      double sum = -b[i];
      for (int j = 0; j < n; ++j) sum += a[i * width + j] * x[j];
      // backward stable: rounding of n products of that size, with the growth of random pivots
      CHECK_NEAR(sum, 0, 100 * n * 2.3e-16 * size);
    }
  }
}

TEST(ProductsAndSumsFourAtATime) {
  std::vector<double> x(12), y(12);
  for (int i = 0; i < 10; ++i) x[i] = i - 3, y[i] = 2 * i;
  CHECK_EQ(Padded(10), 12);
  CHECK_EQ(Padded(12), 12);
  AddScaled(2, x.data(), 12, y.data());
  for (int i = 0; i < 10; ++i) CHECK_EQ(y[i], 2 * i + 2 * (i - 3));
  // rows of a product
  const std::vector<double> a = {1, 2, 3, 0, 4, 5, 6, 0}, z = {10, 100, 1000, 0};
  Multiply(a.data(), z.data(), 2, 4, y.data());
  CHECK_EQ(y[0], 3210);
  CHECK_EQ(y[1], 6540);
}

TEST(SingularSystemsAreRefused) {
  std::vector<double> a = {1, 2, 0, 0, 2, 4, 0, 0}, b = {1, 2, 0, 0};
  CHECK(!SolveDense(a.data(), b.data(), 2, 1e-12));
  std::vector<double> zero = {0, 0, 0, 0}, c = {1, 0, 0, 0};
  CHECK(!SolveDense(zero.data(), c.data(), 1, 1e-12));
}

}  // namespace
}  // namespace mujocable
