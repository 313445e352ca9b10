#include "band.h"

#include <algorithm>
#include <cmath>

namespace mujocable {

BandSystem::BandSystem(int blocks) : size_(kBlock * blocks) {
  for (int i = 0; i < size_; ++i) {
    row_[i].base = kBlock * (i / kBlock - 1);
    std::fill(row_[i].value, row_[i].value + kWidth, 0.0);
    row_[i].rhs = 0;
  }
}

bool BandSystem::Solve(double* x) {
  // eliminate column by column; below the diagonal only this block and the next have entries
  for (int c = 0; c < size_; ++c) {
    const int last_row = std::min(size_, kBlock * (c / kBlock + 2));
    int pivot = c;
    for (int i = c + 1; i < last_row; ++i) {
      if (std::abs(row_[i].Get(c)) > std::abs(row_[pivot].Get(c))) pivot = i;
    }
    if (pivot != c) std::swap(row_[pivot], row_[c]);
    const Row& top = row_[c];
    const double diagonal = top.Get(c);
    if (!(std::abs(diagonal) > 1e-14)) return false;  // entries are scaled to order one
    const int last_column = std::min(size_, kBlock * (c / kBlock + 3));
    for (int i = c + 1; i < last_row; ++i) {
      Row& row = row_[i];
      const double factor = row.Get(c) / diagonal;
      if (factor == 0) continue;
      for (int k = c; k < last_column; ++k) row.value[k - row.base] -= factor * top.Get(k);
      row.rhs -= factor * top.rhs;
    }
  }

  // back substitution
  for (int c = size_ - 1; c >= 0; --c) {
    const int last_column = std::min(size_, kBlock * (c / kBlock + 3));
    double sum = row_[c].rhs;
    for (int k = c + 1; k < last_column; ++k) sum -= row_[c].Get(k) * x[k];
    x[c] = sum / row_[c].Get(c);
  }
  return true;
}

}  // namespace mujocable
