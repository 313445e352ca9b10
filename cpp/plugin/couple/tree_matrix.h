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

// Solves for the dofs dof[n], ascending, with all that they hang on; x: [n], place[dof] into it, of
// one number each, or of several that are solved for at a time.
template <typename Number = double>
void SolveTree(const mjModel* m, const double* factor, const double* inverse, const int* dof, int n,
               const int* place, double* x) {
  const auto at = [&](int i) { return x + i * static_cast<int>(sizeof(Number) / sizeof(double)); };
  const auto set = [&](int i, const Number& value) { std::memcpy(at(i), &value, sizeof value); };
  for (int i = n - 1; i >= 0; --i) {
    const Number here = Read<Number>(at(i));
    if (AllZero(here)) continue;
    const int adr = m->M_rowadr[dof[i]], end = adr + m->M_rownnz[dof[i]] - 1;
    for (int k = adr; k < end; ++k) {
      const int above = place[m->M_colind[k]];
      set(above, Read<Number>(at(above)) - factor[k] * here);
    }
  }
  for (int i = 0; i < n; ++i) {
    const int adr = m->M_rowadr[dof[i]], end = adr + m->M_rownnz[dof[i]] - 1;
    Number sum = inverse[dof[i]] * Read<Number>(at(i));
    for (int k = adr; k < end; ++k) {
      sum = sum - factor[k] * Read<Number>(at(place[m->M_colind[k]]));
    }
    set(i, sum);
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_TREE_MATRIX_H_
