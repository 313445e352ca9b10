// Symmetric matrices with the sparsity of MuJoCo's inertia: a row holds the dofs that a dof hangs
// on, and itself last, so that the rows of those are the beginning of its own.

#ifndef MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_
#define MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_

#include <mujoco/mujoco.h>

#include <cstring>

#include "core/math/simd.h"

namespace mujocable {

// Factors L' D L in place; inverse: 1 / D [nv]. The matrix is positive definite.
inline void FactorTree(const mjModel* m, double* matrix, double* inverse) {
  for (int k = static_cast<int>(m->nv) - 1; k >= 0; --k) {
    double* row = matrix + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    const int above = m->M_rownnz[k] - 1;
    inverse[k] = 1 / row[above];
    for (int i = above - 1; i >= 0; --i) {
      double* to = matrix + m->M_rowadr[column[i]];
      const double factor = row[i] * inverse[k];
      for (int j = 0; j <= i; ++j) to[j] -= factor * row[j];
      row[i] = factor;
    }
  }
}

// Solves for the dofs dof[n], ascending, of whole trees; x: [n], of one number each, or of several
// that are solved for at a time.
template <typename Number = double>
void SolveTree(const mjModel* m, const double* factor, const double* inverse, const int* dof, int n,
               double* x) {
  constexpr int kNumbers = sizeof(Number) / sizeof(double);  // that are solved for at a time
  const auto set = [](double* to, const Number& value) { std::memcpy(to, &value, sizeof value); };
  for (int i = n - 1; i >= 0; --i) {
    const Number here = Read<Number>(x + i * kNumbers);
    if (AllZero(here)) continue;
    double* tree = x + (i - dof[i]) * kNumbers;  // its dofs follow each other
    const int adr = m->M_rowadr[dof[i]], above = m->M_rownnz[dof[i]] - 1;
    const int* column = m->M_colind + adr;
    for (int k = 0; k < above; ++k) {
      double* to = tree + column[k] * kNumbers;
      set(to, Read<Number>(to) - factor[adr + k] * here);
    }
  }
  for (int i = 0; i < n; ++i) {
    const double* tree = x + (i - dof[i]) * kNumbers;
    const int adr = m->M_rowadr[dof[i]], above = m->M_rownnz[dof[i]] - 1;
    const int* column = m->M_colind + adr;
    Number sum = inverse[dof[i]] * Read<Number>(x + i * kNumbers);
    for (int k = 0; k < above; ++k) {
      sum = sum - factor[adr + k] * Read<Number>(tree + column[k] * kNumbers);
    }
    set(x + i * kNumbers, sum);
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_
