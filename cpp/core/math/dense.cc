#include "core/math/dense.h"

#include <algorithm>
#include <cmath>

namespace mujocable {
namespace {

// the row, from c on, with the largest number in this column
int Pivot(const double* column, int c, int n) {
  int pivot = c;
  double most = std::abs(column[c]);
  for (int i = c + 1; i < n; ++i) {
    if (std::abs(column[i]) > most) most = std::abs(column[pivot = i]);
  }
  return pivot;
}

// Takes column c out of the rows below it: of the other columns, and of b. Its pivot is inverse.
void Eliminate(double* a, double* b, int c, int n) {
  const int width = Padded(n), begin = (c + 1) / kLanes * kLanes;
  double* column = a + c * width;
  const double inverse = column[c];
  // of the lanes that hold the pivot too, those below it
  Lanes head = All<Lanes>(0);
  for (int k = 0; k < kLanes && begin < width; ++k) {
    if (begin + k > c) head[k] = inverse * column[begin + k];
  }
  for (int k = begin + kLanes; k < width; k += kLanes) {
    StoreLanes(column + k, inverse * LoadLanes(column + k));
  }
  if (begin >= width) return;
  // two columns at a time: half as many loads of this one
  const auto take = [&](double* one, double* two) {
    const double f = one[c], g = two[c];
    StoreLanes(one + begin, LoadLanes(one + begin) - f * head);
    StoreLanes(two + begin, LoadLanes(two + begin) - g * head);
    for (int k = begin + kLanes; k < width; k += kLanes) {
      const Lanes part = LoadLanes(column + k);
      StoreLanes(one + k, LoadLanes(one + k) - f * part);
      StoreLanes(two + k, LoadLanes(two + k) - g * part);
    }
  };
  int j = c + 1;
  for (; j + 1 < n; j += 2) take(a + j * width, a + (j + 1) * width);
  if (j < n) return take(a + j * width, b);
  for (int k = begin + kLanes; k < width; k += kLanes) {
    StoreLanes(b + k, LoadLanes(b + k) - b[c] * LoadLanes(column + k));
  }
  StoreLanes(b + begin, LoadLanes(b + begin) - b[c] * head);
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
    column[c] = 1 / column[c];
    Eliminate(a, b, c, n);
  }
  SubstituteBack(a, b, n);
  return true;
}

}  // namespace mujocable
