#include "dense.h"

#include <algorithm>
#include <cmath>

namespace mujocable {

bool SolveDense(double* a, double* b, int n, double least) {
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c + 1; i < n; ++i) {
      if (std::abs(a[i * n + c]) > std::abs(a[pivot * n + c])) pivot = i;
    }
    if (!(std::abs(a[pivot * n + c]) > least)) return false;
    if (pivot != c) {
      std::swap_ranges(a + c * n, a + (c + 1) * n, a + pivot * n);
      std::swap(b[c], b[pivot]);
    }
    for (int i = c + 1; i < n; ++i) {
      const double factor = a[i * n + c] / a[c * n + c];
      if (factor == 0) continue;
      for (int k = c; k < n; ++k) a[i * n + k] -= factor * a[c * n + k];
      b[i] -= factor * b[c];
    }
  }
  for (int c = n - 1; c >= 0; --c) {
    for (int k = c + 1; k < n; ++k) b[c] -= a[c * n + k] * b[k];
    b[c] /= a[c * n + c];
  }
  return true;
}

}  // namespace mujocable
