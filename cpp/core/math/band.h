// Block-tridiagonal linear systems with 4x4 blocks: Gaussian elimination with row pivoting.

#ifndef MUJOCABLE_CORE_MATH_BAND_H_
#define MUJOCABLE_CORE_MATH_BAND_H_

namespace mujocable {

inline constexpr int kBlock = 4;       // variations of one arc, (4)
inline constexpr int kMaxBlocks = 16;  // contacts of one span: more are refused

class BandSystem {
 public:
  explicit BandSystem(int blocks);

  // entry of row (block, i) and column (column_block, j); |block - column_block| <= 1
  double& At(int block, int i, int column_block, int j) {
    return value_[kBlock * block + i][kBlock * column_block + j];
  }
  double& Rhs(int block, int i) { return rhs_[kBlock * block + i]; }

  // solves in place, x has 4 * blocks entries; false when the matrix is singular to rounding
  bool Solve(double* x);

  // sign of the determinant, after Solve
  double Sign() const { return sign_; }

 private:
  static constexpr int kMaxSize = kBlock * kMaxBlocks;  // unknowns
  // `fixed`: the size where it is known to the compiler, else 0
  template <int fixed>
  bool SolveSized(double* x);
  // A pivot row may come from the next block, whose entries end one block further to the right;
  // a row can be moved down block by block, so it is kept whole.
  int size_;
  double sign_ = 1;
  int row_[kMaxSize];  // order of the rows
  double rhs_[kMaxSize];
  double value_[kMaxSize][kMaxSize];
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_BAND_H_
