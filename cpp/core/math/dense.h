// Small dense linear algebra, four numbers at a time. Matrices are stored by rows. A row is as long
// as the next multiple of four, and zero there; so is a vector.

#ifndef MUJOCABLE_CORE_MATH_DENSE_H_
#define MUJOCABLE_CORE_MATH_DENSE_H_

#include "core/math/simd.h"

namespace mujocable {

// numbers that a row of n takes
constexpr int Padded(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

// y += scale x
inline void AddScaled(double scale, const double* x, int width, double* y) {
  for (int k = 0; k < width; k += kLanes) {
    StoreLanes(y + k, LoadLanes(y + k) + scale * LoadLanes(x + k));
  }
}

// matrix += scale column row, of n rows
inline void AddOuter(double scale, const double* column, const double* row, int n, int width,
                     double* matrix) {
  for (int i = 0; i < n; ++i) {
    if (column[i] != 0) AddScaled(scale * column[i], row, width, matrix + i * width);
  }
}

// x y
inline double Dot(const double* x, const double* y, int width) {
  Lanes sum = All<Lanes>(0);
  for (int k = 0; k < width; k += kLanes) sum += LoadLanes(x + k) * LoadLanes(y + k);
  return Sum(sum);
}

// y = A x, of n rows
inline void Multiply(const double* a, const double* x, int n, int width, double* y) {
  for (int i = 0; i < n; ++i) y[i] = Dot(a + i * width, x, width);
}

// Solves A x = b in place: `b` becomes x, `a` [n, Padded(n)] is used up. Rows are exchanged, by
// what is left of them in the scale of each. False where no pivot of a column is above `least`, in
// the scale of both. scale: [n], nullptr: one.
bool SolveDense(double* a, double* b, int n, double least, const double* scale = nullptr);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_DENSE_H_
