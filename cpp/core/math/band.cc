#include "core/math/band.h"

#include <algorithm>
#include <cmath>

namespace mujocable {

BandSystem::BandSystem(int blocks) : size_(kBlock * blocks) {
  for (int i = 0; i < size_; ++i) {
    row_[i] = i;
    rhs_[i] = 0;
    for (int k = 0; k < size_; k += kBlock) {
      for (int j = 0; j < kBlock; ++j) value_[i][k + j] = 0;
    }
  }
}

// a single smooth surface is one block: its loops have lengths that the compiler knows
bool BandSystem::Solve(double* x) {
  return size_ == kBlock ? SolveSized<kBlock>(x) : SolveSized<0>(x);
}

template <int fixed>
bool BandSystem::SolveSized(double* x) {
  const int size = fixed ? fixed : size_;
  // eliminate column by column; below the diagonal only this block and the next have entries
  for (int c = 0; c < size; ++c) {
    const int last_row = std::min(size, kBlock * (c / kBlock + 2));
    const int last_column = std::min(size, kBlock * (c / kBlock + 3));
    int pivot = c;
    for (int i = c + 1; i < last_row; ++i) {
      if (std::abs(value_[row_[i]][c]) > std::abs(value_[row_[pivot]][c])) pivot = i;
    }
    if (pivot != c) sign_ = -sign_;
    std::swap(row_[pivot], row_[c]);
    const int top = row_[c];
    const double diagonal = value_[top][c];
    if (!(std::abs(diagonal) > 1e-14)) return false;  // entries are scaled to order one
    if (diagonal < 0) sign_ = -sign_;
    for (int i = c + 1; i < last_row; ++i) {
      const int row = row_[i];
      const double factor = value_[row][c] / diagonal;
      if (factor == 0) continue;
      for (int k = c; k < last_column; ++k) value_[row][k] -= factor * value_[top][k];
      rhs_[row] -= factor * rhs_[top];
    }
  }

  // back substitution
  for (int c = size - 1; c >= 0; --c) {
    const int last_column = std::min(size, kBlock * (c / kBlock + 3));
    const int row = row_[c];
    double sum = rhs_[row];
    for (int k = c + 1; k < last_column; ++k) sum -= value_[row][k] * x[k];
    x[c] = sum / value_[row][c];
  }
  return true;
}

}  // namespace mujocable
