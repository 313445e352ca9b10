// Small dense linear systems without symmetry.

#ifndef MUJOCABLE_CORE_DENSE_H_
#define MUJOCABLE_CORE_DENSE_H_

namespace mujocable {

// Solves A x = b, row-major, in place: `b` becomes x, `a` is used up. Rows are exchanged. False
// where no pivot of a column is above `least`.
bool SolveDense(double* a, double* b, int n, double least);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_DENSE_H_
