// Small dense linear systems without symmetry.

#ifndef MUJOCABLE_CORE_DENSE_H_
#define MUJOCABLE_CORE_DENSE_H_

namespace mujocable {

// Solves A x = b, row-major, in place: `b` becomes x, `a` its factors. Rows are exchanged. False
// where no pivot of a column is above `least`. order, if given: of the rows [n], for SolveAgain.
bool SolveDense(double* a, double* b, int n, double least, int* order = nullptr);

// the same system with another right side
void SolveAgain(const double* factors, const int* order, double* b, int n);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_DENSE_H_
