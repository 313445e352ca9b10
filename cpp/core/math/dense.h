// Small dense linear algebra, four numbers at a time: rows are as wide as the next multiple of
// four, and zero there.

#ifndef MUJOCABLE_CORE_MATH_DENSE_H_
#define MUJOCABLE_CORE_MATH_DENSE_H_

#include "core/math/simd.h"

namespace mujocable {

// width of a row of n numbers
constexpr int Padded(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

// x'y, of that width
inline double PaddedProduct(const double* x, const double* y, int width) {
  Lanes sum = All<Lanes>(0);
  for (int k = 0; k < width; k += kLanes) sum = sum + LoadLanes(x + k) * LoadLanes(y + k);
  return Sum(sum);
}

// y += scale x
inline void AddScaled(double scale, const double* x, int width, double* y) {
  for (int k = 0; k < width; k += kLanes) {
    StoreLanes(y + k, LoadLanes(y + k) + scale * LoadLanes(x + k));
  }
}

// Solves A x = b in place: `b` becomes x, rows of `a` [n, Padded(n)] its upper factor. Rows are
// exchanged. False where no pivot of a column is above `least`.
bool SolveDense(double* a, double* b, int n, double least);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_DENSE_H_
