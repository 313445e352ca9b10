// Small dense linear algebra, four numbers at a time. Matrices are stored by columns. A column is
// as long as the next multiple of four, and zero there; so is a vector.

#ifndef MUJOCABLE_CORE_MATH_DENSE_H_
#define MUJOCABLE_CORE_MATH_DENSE_H_

#include "core/math/simd.h"

namespace mujocable {

// numbers that a column of n takes
constexpr int Padded(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

// y += scale x
inline void AddScaled(double scale, const double* x, int width, double* y) {
  for (int k = 0; k < width; k += kLanes) {
    StoreLanes(y + k, LoadLanes(y + k) + scale * LoadLanes(x + k));
  }
}

// y = A x, of n columns
inline void Multiply(const double* a, const double* x, int n, int width, double* y) {
  for (int k = 0; k < width; k += kLanes) {
    Lanes sum = All<Lanes>(0);
    for (int j = 0; j < n; ++j) sum = sum + x[j] * LoadLanes(a + j * width + k);
    StoreLanes(y + k, sum);
  }
}

// Solves A x = b in place: `b` becomes x, `a` [n, Padded(n)] its factors. Rows are exchanged. False
// where no pivot of a column is above `least`.
bool SolveDense(double* a, double* b, int n, double least);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_DENSE_H_
