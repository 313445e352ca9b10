#include "plugin/couple/motion_constraints.h"

#include <algorithm>

#include "core/math/dense.h"
#include "plugin/couple/tree_matrix.h"
#include "plugin/engine.h"

namespace mujocable {

void PrepareConstraints(const mjModel* m, mjData* d, Phase phase, Scratch& scratch) {
  if (!IsDiscrete(m)) {
    if (phase == Phase::kPassive) mj_referenceConstraint(m, d);
    return;
  }
  // MuJoCo does so after the actuation stage, and inverse dynamics is the one way to ask for it
  double* kept = scratch.Take<double>(m->nv);
  std::copy(d->qfrc_inverse, d->qfrc_inverse + m->nv, kept);
  if (phase == Phase::kPassive) ShiftMetric(m, d);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  std::copy(kept, kept + m->nv, d->qfrc_inverse);
}

void EvaluateConstraints(const Motion& p, const double* a, double* full, double* jar, bool hessian,
                         double* out) {
  mjData* d = p.d;
  for (int i = 0; i < p.size; ++i) full[p.dof[i]] = a[i];
  mj_mulJacVec(p.m, d, jar, full);
  for (int r = 0; r < d->nefc; ++r) jar[r] -= d->efc_aref[r];
  mj_constraintUpdate(p.m, d, jar, nullptr, hessian);
  for (int i = 0; i < p.size; ++i) out[i] = d->qfrc_constraint[p.dof[i]];
}

namespace {

// a row of the constraints on the dofs of a group: what is not zero
struct Row {
  int n = 0;
  int* at;  // place of the dof
  double* value;
};

Row TakeRow(const Motion& p, Scratch& scratch) {
  return {0, scratch.Take<int>(p.size), scratch.Take<double>(p.size)};
}

void Read(const Motion& p, int r, Row& row) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  row.n = 0;
  const auto add = [&](int at, double value) {
    if (at < 0 || value == 0) return;
    row.at[row.n] = at;
    row.value[row.n++] = value;
  };
  if (mj_isSparse(m)) {
    const int adr = d->efc_J_rowadr[r];
    for (int k = adr; k < adr + d->efc_J_rownnz[r]; ++k) {
      add(p.Local(d->efc_J_colind[k]), d->efc_J[k]);
    }
  } else {
    const mjtNum* value = d->efc_J + r * static_cast<int>(m->nv);
    for (int i = 0; i < p.size; ++i) add(i, value[p.dof[i]]);
  }
}

}  // namespace

void AddConstraints(const Motion& p, int width, double* matrix) {
  Scratch scratch(p.d);
  const mjData* d = p.d;
  Row first = TakeRow(p, scratch), second = TakeRow(p, scratch);
  const auto add = [&](const Row& a, const Row& b, double scale) {
    for (int i = 0; i < a.n; ++i) {
      const double x = scale * a.value[i];
      for (int j = 0; j < b.n; ++j) matrix[a.at[i] * width + b.at[j]] += x * b.value[j];
    }
  };
  for (int r = 0; r < d->nefc; ++r) {
    if (p.groups->of_row[r] != p.group) continue;
    if (d->efc_state[r] == mjCNSTRSTATE_QUADRATIC) {
      Read(p, r, first);
      add(first, first, d->efc_D[r]);
    }
    if (d->efc_state[r] != mjCNSTRSTATE_CONE) continue;
    const mjContact& contact = d->contact[d->efc_id[r]];
    for (int a = 0; a < contact.dim; ++a) {
      Read(p, r + a, first);
      for (int b = 0; first.n > 0 && b < contact.dim; ++b) {
        Read(p, r + b, second);
        add(first, second, contact.H[a * contact.dim + b]);
      }
    }
    r += contact.dim - 1;
  }
}

void AddEqualities(const Motion& p, bool turned, double* matrix, double* force) {
  Scratch scratch(p.d);
  const mjData* d = p.d;
  const int n = p.size, width = p.width;
  Row row = TakeRow(p, scratch);
  double* dense = p.Vector(scratch);
  double* answer = p.Vector(scratch);
  for (int r = 0; r < d->ne; ++r) {
    if (p.groups->of_row[r] != p.group) continue;
    Read(p, r, row);
    std::fill(dense, dense + n, 0.0);
    for (int i = 0; i < row.n; ++i) dense[row.at[i]] = row.value[i];
    if (turned) {
      std::copy(dense, dense + n, answer);
      SolveTree(p.m, d->qLD, d->qLDiagInv, p.dof, n, p.local, answer);
      Multiply(p.damped, answer, n, width, dense);
    }
    for (int i = 0; i < row.n; ++i) {
      const double x = d->efc_D[r] * row.value[i];
      for (int j = 0; j < n; ++j) matrix[j * width + row.at[i]] += x * dense[j];
      force[row.at[i]] += x * d->efc_aref[r];
    }
  }
}

}  // namespace mujocable
