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
    int k = c + 1;
    for (; k < n && k % kLanes != 0; ++k) sum -= row[k] * b[k];
    Lanes four = All<Lanes>(0);
    for (; k + kLanes <= n; k += kLanes) four = four + LoadLanes(row + k) * LoadLanes(b + k);
    for (; k < n; ++k) sum -= row[k] * b[k];
    b[c] = (sum - Sum(four)) / row[c];
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
    // two rows at a time: half as many loads
    int i = c + 1;
    for (; i + 1 < n; i += 2) {
      double *one = a + i * width, *two = one + width;
      const double f = one[c] * inverse, g = two[c] * inverse;
      if (f == 0 && g == 0) continue;
      for (int k = begin; k < width; k += kLanes) {
        const Lanes from = LoadLanes(top + k);
        StoreLanes(one + k, LoadLanes(one + k) - f * from);
        StoreLanes(two + k, LoadLanes(two + k) - g * from);
      }
      b[i] -= f * b[c];
      b[i + 1] -= g * b[c];
    }
    if (i < n) {
      const double f = a[i * width + c] * inverse;
      AddScaled(-f, top + begin, width - begin, a + i * width + begin);
      b[i] -= f * b[c];
    }
  }
  SubstituteBack(a, b, n);
  return true;
}

}  // namespace mujocable
