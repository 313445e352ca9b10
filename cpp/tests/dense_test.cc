// Dense linear systems: the solution satisfies them, and singular ones are refused.

#include "core/dense.h"

#include <vector>

#include "check.h"
#include "random.h"

namespace mujocable {
namespace {

using test::Random;

TEST(TheSolutionSatisfiesTheSystem) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 12;
    std::vector<double> a(n * n), b(n);
    for (double& x : a) x = random.Uniform(-1, 1);
    for (double& x : b) x = random.Uniform(-1, 1);
    if (trial % 3 == 0) a[0] = 0;  // rows must be exchanged
    if (n == 1) a[0] = 0.5;
    std::vector<double> used = a, x = b;
    std::vector<int> order(n);
    CHECK(SolveDense(used.data(), x.data(), n, 1e-14, order.data()));
    double size = 1;
    for (double value : x) size = std::max(size, std::abs(value));
    for (int i = 0; i < n; ++i) {
      double sum = -b[i];
      for (int j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
      // backward stable: rounding of n products of that size, with the growth of random pivots
      CHECK_NEAR(sum, 0, 100 * n * 2.3e-16 * size);
    }
    std::vector<double> again = b;
    SolveAgain(used.data(), order.data(), again.data(), n);
    CHECK(again == x);  // the same operations in the same order
  }
}

TEST(SingularSystemsAreRefused) {
  std::vector<double> a = {1, 2, 2, 4}, b = {1, 2};
  CHECK(!SolveDense(a.data(), b.data(), 2, 1e-12));
  std::vector<double> zero = {0}, c = {1};
  CHECK(!SolveDense(zero.data(), c.data(), 1, 1e-12));
}

}  // namespace
}  // namespace mujocable
