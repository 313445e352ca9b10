#include "core/math/dense.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mujocable {

bool SolveDense(double* a, double* b, int n, double least, const double* scale) {
  const std::ptrdiff_t width = Padded(n);
  double *row = a, most = 0;
  std::ptrdiff_t pivot = 0;
  // the row with the largest number in a column: mostly its own
  const auto look = [&](std::ptrdiff_t i, double number) {
    const double size = scale ? std::abs(number) * scale[i] : std::abs(number);
    if (size > most) most = size, pivot = i;
  };
  for (std::ptrdiff_t i = 0; i < n; ++i) look(i, a[i * width]);
  for (std::ptrdiff_t c = 0; c < n; ++c, row += width) {
    if (!(most * (scale ? scale[c] : 1) > least)) return false;
    if (pivot != c) {
      std::swap_ranges(row + c, row + n, a + pivot * width + c);
      std::swap(b[c], b[pivot]);
    }
    const double inverse = row[c] = 1 / row[c], right = b[c];
    const std::ptrdiff_t first = (c + 1) & -kLanes;  // what stands before is not asked for again
    double* other = row + width;
    most = 0;
    for (std::ptrdiff_t i = c + 1; i < n; ++i, other += width) {
      const double factor = inverse * other[c];
      b[i] -= right * factor;
      for (std::ptrdiff_t k = first; k < width; k += kLanes) {
        StoreLanes(other + k, LoadLanes(other + k) - factor * LoadLanes(row + k));
      }
      look(i, other[c + 1]);
    }
  }
  // the upper triangle, from the last unknown on
  for (std::ptrdiff_t c = n - 1; c >= 0; --c) {
    row -= width;
    double sum = b[c];
    for (std::ptrdiff_t k = n - 1; k > c; --k) sum -= b[k] * row[k];
    b[c] = sum * row[c];
  }
  return true;
}

}  // namespace mujocable
