// Symmetric matrices with the sparsity of MuJoCo's inertia: a row holds the dofs that a dof hangs
// on, and itself last, so that the rows of those are the beginning of its own.

#ifndef MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_
#define MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_

#include <mujoco/mujoco.h>

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

// Solves for the dofs dof[n], ascending, with all that they hang on; x: [n], place[dof] into it.
inline void SolveTree(const mjModel* m, const double* factor, const double* inverse, const int* dof,
                      int n, const int* place, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    if (x[i] == 0) continue;
    const int adr = m->M_rowadr[dof[i]], end = adr + m->M_rownnz[dof[i]] - 1;
    for (int k = adr; k < end; ++k) x[place[m->M_colind[k]]] -= factor[k] * x[i];
  }
  for (int i = 0; i < n; ++i) {
    const int adr = m->M_rowadr[dof[i]], end = adr + m->M_rownnz[dof[i]] - 1;
    double sum = x[i] * inverse[dof[i]];
    for (int k = adr; k < end; ++k) sum -= factor[k] * x[place[m->M_colind[k]]];
    x[i] = sum;
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_
