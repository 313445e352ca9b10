#include "core/math/dense.h"

#include <algorithm>
#include <cmath>

namespace mujocable {
namespace {

// of four numbers those behind place c, zero before
Lanes Behind(int c, const Lanes& a) { return Select(c - Lanes{0, 1, 2, 3}, a, All<Lanes>(0)); }

// the row, from c on, with the largest number in this column: mostly c itself
int Pivot(const double* column, int c, int n) {
  int i = c / kLanes * kLanes;
  Lanes most = Behind(c - i, Abs(LoadLanes(column + i)));
  for (i += kLanes; i < n; i += kLanes) {
    const Lanes size = Abs(LoadLanes(column + i));
    most = Select(most - size, size, most);
  }
  if (AllNegative(most - std::abs(column[c]))) return c;
  const auto smaller = [](double x, double y) { return std::abs(x) < std::abs(y); };
  return static_cast<int>(std::max_element(column + c, column + n, smaller) - column);
}

// Subtracts factor times a column from another one: of its first lanes `head`, then the others.
void TakeOut(double factor, const Lanes& head, const double* column, int first, int width,
             double* from) {
  StoreLanes(from + first, LoadLanes(from + first) - factor * head);
  for (int k = first + kLanes; k < width; k += kLanes) {
    StoreLanes(from + k, LoadLanes(from + k) - factor * LoadLanes(column + k));
  }
}

// the upper triangle, from the last unknown on
void SubstituteBack(const double* a, double* b, int n) {
  for (int c = n - 1; c >= 0; --c) {
    const double* column = a + c * Padded(n);
    const double x = b[c] *= column[c];
    int k = 0;
    for (; k + kLanes <= c; k += kLanes) {
      StoreLanes(b + k, LoadLanes(b + k) - x * LoadLanes(column + k));
    }
    for (; k < c; ++k) b[k] -= x * column[k];
  }
}

}  // namespace

bool SolveDense(double* a, double* b, int n, double least) {
  const int width = Padded(n);
  for (int c = 0; c < n; ++c) {
    double* column = a + c * width;
    const int pivot = Pivot(column, c, n);
    if (!(std::abs(column[pivot]) > least)) return false;
    if (pivot != c) {
      for (int j = c; j < n; ++j) std::swap(a[j * width + c], a[j * width + pivot]);
      std::swap(b[c], b[pivot]);
    }
    const double inverse = column[c] = 1 / column[c];
    const int first = (c + 1) / kLanes * kLanes;
    if (first >= width) continue;
    // of the lanes that hold the pivot too, those below it
    const Lanes head = Behind(c - first, inverse * LoadLanes(column + first));
    for (int k = first + kLanes; k < width; k += kLanes) {
      StoreLanes(column + k, inverse * LoadLanes(column + k));
    }
    for (int j = c + 1; j < n; ++j) {
      TakeOut(a[j * width + c], head, column, first, width, a + j * width);
    }
    TakeOut(b[c], head, column, first, width, b);
  }
  SubstituteBack(a, b, n);
  return true;
}

}  // namespace mujocable
