#include "core/math/dense.h"

#include <algorithm>
#include <cmath>

namespace mujocable {
namespace {

// the upper triangle, from the last unknown on
void SubstituteBack(const double* a, double* b, int n) {
  const int width = Padded(n);
  for (int c = n - 1; c >= 0; --c) {
    const double* row = a + c * width;
    double sum = b[c];
    for (int k = c + 1; k < n; ++k) sum -= row[k] * b[k];
    b[c] = sum / row[c];
  }
}

}  // namespace

bool SolveDense(double* a, double* b, int n, double least) {
  const int width = Padded(n);
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c + 1; i < n; ++i) {
      if (std::abs(a[i * width + c]) > std::abs(a[pivot * width + c])) pivot = i;
    }
    double* top = a + c * width;
    if (pivot != c) {
      std::swap_ranges(top, top + width, a + pivot * width);
      std::swap(b[c], b[pivot]);
    }
    if (!(std::abs(top[c]) > least)) return false;
    const double inverse = 1 / top[c];
    // what is left of the diagonal is not asked for again, whatever it becomes
    const int begin = (c + 1) / kLanes * kLanes;
    for (int i = c + 1; i < n; ++i) {
      double* row = a + i * width;
      const double factor = row[c] * inverse;
      if (factor == 0) continue;
      AddScaled(-factor, top + begin, width - begin, row + begin);
      b[i] -= factor * b[c];
    }
  }
  SubstituteBack(a, b, n);
  return true;
}

}  // namespace mujocable
