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

// Subtracts factor times a column from another one: of its first lanes `head`, then `tail` more.
// kTail: how many, where the compiler shall unroll it, as for small systems; else -1.
template <int kTail>
void TakeOut(double factor, const Lanes& head, const double* column, int tail, double* from) {
  StoreLanes(from, LoadLanes(from) - factor * head);
  for (int k = 1; k <= (kTail < 0 ? tail : kTail); ++k) {
    const int at = k * kLanes;
    StoreLanes(from + at, LoadLanes(from + at) - factor * LoadLanes(column + at));
  }
}

// Takes column c out of the rows below its pivot: of the other columns, and of b.
template <int kTail>
void Eliminate(double* a, double* b, int c, int n, int begin, int tail) {
  const int width = Padded(n);
  double* column = a + c * width;
  const double inverse = column[c];
  // of the lanes that hold the pivot too, those below it
  const Lanes head = Behind(c - begin, inverse * LoadLanes(column + begin));
  for (int k = begin + kLanes; k < width; k += kLanes) {
    StoreLanes(column + k, inverse * LoadLanes(column + k));
  }
  for (int j = c + 1; j < n; ++j) {
    double* other = a + j * width;
    TakeOut<kTail>(other[c], head, column + begin, tail, other + begin);
  }
  TakeOut<kTail>(b[c], head, column + begin, tail, b + begin);
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
    const int begin = (c + 1) / kLanes * kLanes, tail = (width - begin) / kLanes - 1;
    switch (tail) {
      case -1:
        break;
      case 0:
        Eliminate<0>(a, b, c, n, begin, tail);
        break;
      case 1:
        Eliminate<1>(a, b, c, n, begin, tail);
        break;
      case 2:
        Eliminate<2>(a, b, c, n, begin, tail);
        break;
      case 3:
        Eliminate<3>(a, b, c, n, begin, tail);
        break;
      case 4:
        Eliminate<4>(a, b, c, n, begin, tail);
        break;
      case 5:
        Eliminate<5>(a, b, c, n, begin, tail);
        break;
      case 6:
        Eliminate<6>(a, b, c, n, begin, tail);
        break;
      case 7:
        Eliminate<7>(a, b, c, n, begin, tail);
        break;
      default:
        Eliminate<-1>(a, b, c, n, begin, tail);
    }
  }
  SubstituteBack(a, b, n);
  return true;
}

}  // namespace mujocable
