// Block-tridiagonal systems against dense Gaussian elimination in long double.

#include "core/math/band.h"

#include <algorithm>
#include <limits>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

constexpr int kMaxSize = kBlock * kMaxBlocks;

struct Dense {
  int size = 0;
  double a[kMaxSize][kMaxSize] = {};
  double b[kMaxSize] = {};
};

// random entries inside the band; `dominant` is added to the diagonal
Dense RandomSystem(Random& random, int blocks, double dominant) {
  Dense dense;
  dense.size = kBlock * blocks;
  for (int i = 0; i < dense.size; ++i) {
    for (int j = 0; j < dense.size; ++j) {
      if (std::abs(i / kBlock - j / kBlock) <= 1) dense.a[i][j] = random.Uniform(-1, 1);
    }
    dense.a[i][i] += dominant;
    dense.b[i] = random.Uniform(-1, 1);
  }
  return dense;
}

bool SolveBand(const Dense& dense, double* x) {
  const int blocks = dense.size / kBlock;
  BandSystem band(blocks);
  for (int i = 0; i < dense.size; ++i) {
    const int block = i / kBlock;
    for (int other = std::max(0, block - 1); other <= std::min(blocks - 1, block + 1); ++other) {
      for (int j = 0; j < kBlock; ++j) {
        band.At(block, i % kBlock, other, j) = dense.a[i][kBlock * other + j];
      }
    }
    band.Rhs(block, i % kBlock) = dense.b[i];
  }
  return band.Solve(x);
}

void SolveDense(const Dense& dense, double* x) {
  const int n = dense.size;
  static long double a[kMaxSize][kMaxSize + 1];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] = dense.a[i][j];
    a[i][n] = dense.b[i];
  }
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c; i < n; ++i) {
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    }
    for (int k = 0; k <= n; ++k) std::swap(a[c][k], a[pivot][k]);
    for (int i = c + 1; i < n; ++i) {
      const long double factor = a[i][c] / a[c][c];
      for (int k = c; k <= n; ++k) a[i][k] -= factor * a[c][k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    long double sum = a[i][n];
    for (int k = i + 1; k < n; ++k) sum -= a[i][k] * x[k];
    x[i] = static_cast<double>(sum / a[i][i]);
  }
}

TEST(WellConditionedSystemsMatchDenseElimination) {
  Random random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const int blocks = 1 + trial % kMaxBlocks;
    // diagonal 8 against at most 12 entries of mean square 1/3: condition about 10
    const Dense dense = RandomSystem(random, blocks, 8);
    double x[kMaxSize], expected[kMaxSize];
    CHECK(SolveBand(dense, x));
    SolveDense(dense, expected);
    // condition times rounding: 10 * 64 * 2.2e-16
    for (int i = 0; i < dense.size; ++i) CHECK_NEAR(x[i], expected[i], 2e-13);
  }
}

TEST(SystemsThatNeedPivotingAreSolvedToRounding) {
  Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const int blocks = 1 + trial % kMaxBlocks;
    Dense dense = RandomSystem(random, blocks, 0);
    // a zero diagonal: without a row from the next block some of these cannot be eliminated
    for (int i = 0; i < dense.size; ++i) dense.a[i][i] = 0;
    double x[kMaxSize];
    if (!SolveBand(dense, x)) {
      CHECK(!"a random matrix was called singular");
      continue;
    }
    // backward error: elimination with row pivoting leaves a residual of growth * rounding, with a
    // growth below 4 for random matrices: 4 * 12 entries * 2.2e-16 = 1e-14, ten times that allowed
    for (int i = 0; i < dense.size; ++i) {
      double residual = -dense.b[i], scale = std::abs(dense.b[i]), largest = 0;
      for (int j = 0; j < dense.size; ++j) {
        residual += dense.a[i][j] * x[j];
        largest = std::max(largest, std::abs(x[j]));
      }
      CHECK_NEAR(residual, 0, 1e-13 * (scale + 12 * largest));
    }
  }
}

TEST(DecoupledBlocksAreSolvedOneByOne) {
  Random random(3);
  Dense whole = RandomSystem(random, 3, 4);
  for (int i = 0; i < whole.size; ++i) {
    for (int j = 0; j < whole.size; ++j) {
      if (i / kBlock != j / kBlock) whole.a[i][j] = 0;
    }
  }
  double x[kMaxSize];
  CHECK(SolveBand(whole, x));
  for (int block = 0; block < 3; ++block) {
    Dense one;
    one.size = kBlock;
    for (int i = 0; i < kBlock; ++i) {
      for (int j = 0; j < kBlock; ++j)
        one.a[i][j] = whole.a[kBlock * block + i][kBlock * block + j];
      one.b[i] = whole.b[kBlock * block + i];
    }
    double y[kMaxSize];
    SolveDense(one, y);
    for (int i = 0; i < kBlock; ++i) CHECK_NEAR(x[kBlock * block + i], y[i], 1e-14);
  }
}

TEST(SingularSystemsAreRefused) {
  Random random(4);
  double x[kMaxSize];
  for (int blocks : {1, 2, 5, kMaxBlocks}) {
    const Dense regular = RandomSystem(random, blocks, 0);
    CHECK(SolveBand(regular, x));
    for (int trial = 0; trial < 20; ++trial) {
      const int i = random.Index(regular.size);
      const int j = kBlock * (i / kBlock) + (i + 1) % kBlock;

      // an empty column, an empty row
      Dense column = regular, row = regular;
      for (int k = 0; k < regular.size; ++k) column.a[k][i] = row.a[i][k] = 0;
      CHECK(!SolveBand(column, x));
      CHECK(!SolveBand(row, x));

      // two equal columns, two proportional rows: singular to rounding
      Dense columns = regular, rows = regular;
      for (int k = 0; k < regular.size; ++k) {
        columns.a[k][j] = columns.a[k][i];
        rows.a[j][k] = 0.5 * rows.a[i][k];
      }
      CHECK(!SolveBand(columns, x));
      CHECK(!SolveBand(rows, x));
    }
  }
}

TEST(NotANumberIsRefused) {
  Random random(5);
  double x[kMaxSize];
  for (int trial = 0; trial < 50; ++trial) {
    Dense dense = RandomSystem(random, 3, 4);
    const int i = random.Index(dense.size);
    dense.a[i][i] = std::numeric_limits<double>::quiet_NaN();
    // either refused, or it shows in the result; never a plausible answer
    if (SolveBand(dense, x)) {
      bool seen = false;
      for (int k = 0; k < dense.size; ++k) seen = seen || !std::isfinite(x[k]);
      CHECK(seen);
    }
  }
}

}  // namespace
}  // namespace mujocable
