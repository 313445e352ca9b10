#include "dense.h"

#include <algorithm>
#include <cmath>

namespace mujocable {
namespace {

// the upper triangle, from the last unknown on
void SubstituteBack(const double* a, double* b, int n) {
  for (int c = n - 1; c >= 0; --c) {
    for (int k = c + 1; k < n; ++k) b[c] -= a[c * n + k] * b[k];
    b[c] /= a[c * n + c];
  }
}

}  // namespace

bool SolveDense(double* a, double* b, int n, double least, int* order) {
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c + 1; i < n; ++i) {
      if (std::abs(a[i * n + c]) > std::abs(a[pivot * n + c])) pivot = i;
    }
    if (!(std::abs(a[pivot * n + c]) > least)) return false;
    if (order) order[c] = pivot;
    if (pivot != c) {
      std::swap_ranges(a + c * n, a + (c + 1) * n, a + pivot * n);
      std::swap(b[c], b[pivot]);
    }
    const double inverse = 1 / a[c * n + c];
    for (int i = c + 1; i < n; ++i) {
      const double factor = a[i * n + c] *= inverse;
      if (factor == 0) continue;
      for (int k = c + 1; k < n; ++k) a[i * n + k] -= factor * a[c * n + k];
      b[i] -= factor * b[c];
    }
  }
  SubstituteBack(a, b, n);
  return true;
}

void SolveAgain(const double* factors, const int* order, double* b, int n) {
  // rows were exchanged whole, with the multipliers in them: all exchanges come first
  for (int c = 0; c < n; ++c) std::swap(b[c], b[order[c]]);
  for (int c = 0; c < n; ++c) {
    for (int i = c + 1; i < n; ++i) b[i] -= factors[i * n + c] * b[c];
  }
  SubstituteBack(factors, b, n);
}

}  // namespace mujocable
