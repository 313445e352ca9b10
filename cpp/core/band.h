// Block-tridiagonal linear systems with 4x4 blocks: Gaussian elimination with row pivoting.

#ifndef MUJOCABLE_CORE_BAND_H_
#define MUJOCABLE_CORE_BAND_H_

namespace mujocable {

inline constexpr int kBlock = 4;
inline constexpr int kMaxBlocks = 16;

class BandSystem {
 public:
  explicit BandSystem(int blocks);

  // entry of row (block, i) and column (column_block, j); |block - column_block| <= 1
  double& At(int block, int i, int column_block, int j) {
    return row_[kBlock * block + i].value[kBlock * (column_block - block + 1) + j];
  }
  double& Rhs(int block, int i) { return row_[kBlock * block + i].rhs; }

  // solves in place, x has 4 * blocks entries; false when the matrix is singular to rounding
  bool Solve(double* x);

 private:
  // fill-in from a pivot row of the next block reaches one block further than the band
  static constexpr int kWidth = 5 * kBlock;
  struct Row {
    int base;  // column of value[0]
    double value[kWidth];
    double rhs;
    double Get(int column) const { return value[column - base]; }
  };
  int size_;
  Row row_[kBlock * kMaxBlocks];
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BAND_H_
