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

void EvaluateConstraints(const Motion& p, const double* a, double* full, double* jar, double* out) {
  mjData* d = p.d;
  for (int i = 0; i < p.size; ++i) full[p.dof[i]] = a[i];
  mj_mulJacVec(p.m, d, jar, full);
  for (int r = 0; r < d->nefc; ++r) jar[r] -= d->efc_aref[r];
  mj_constraintUpdate(p.m, d, jar, nullptr, /*flg_coneHessian=*/1);
  for (int i = 0; i < p.size; ++i) out[i] = d->qfrc_constraint[p.dof[i]];
}

namespace {

// a row of the constraints on the dofs of a group
void Read(const Motion& p, int r, double* row) {
  const mjData* d = p.d;
  if (!mj_isSparse(p.m)) {
    const mjtNum* value = d->efc_J + r * static_cast<int>(p.m->nv);
    for (int i = 0; i < p.size; ++i) row[i] = value[p.dof[i]];
    return;
  }
  std::fill(row, row + p.size, 0.0);
  const int adr = d->efc_J_rowadr[r];
  for (int k = adr; k < adr + d->efc_J_rownnz[r]; ++k) {
    const int at = p.Local(d->efc_J_colind[k]);
    if (at >= 0) row[at] = d->efc_J[k];
  }
}

// matrix += column row
void AddOuter(const Motion& p, const double* column, const double* row, int width, double* matrix) {
  for (int i = 0; i < p.size; ++i) {
    if (row[i] != 0) AddScaled(row[i], column, width, matrix + i * width);
  }
}

}  // namespace

void AddConstraints(const Motion& p, int width, double* matrix) {
  Scratch scratch(p.d);
  const mjData* d = p.d;
  double *first = p.Vector(scratch), *second = p.Vector(scratch), *scaled = p.Vector(scratch);
  const auto add = [&](double scale, const double* row) {
    for (int i = 0; i < p.size; ++i) scaled[i] = scale * first[i];
    AddOuter(p, row, scaled, width, matrix);
  };
  for (int r = 0; r < d->nefc; ++r) {
    if (p.groups->of_row[r] != p.group) continue;
    if (d->efc_state[r] == mjCNSTRSTATE_QUADRATIC) {
      Read(p, r, first);
      add(d->efc_D[r], first);
    }
    if (d->efc_state[r] != mjCNSTRSTATE_CONE) continue;
    const mjContact& contact = d->contact[d->efc_id[r]];
    for (int a = 0; a < contact.dim; ++a) {
      Read(p, r + a, first);
      for (int b = 0; b < contact.dim; ++b) {
        Read(p, r + b, second);
        add(contact.H[a * contact.dim + b], second);
      }
    }
    r += contact.dim - 1;
  }
}

// four rows at a time
void AddEqualities(const Motion& p, bool turned, double* matrix, double* force) {
  Scratch scratch(p.d);
  const mjData* d = p.d;
  const int n = p.size, width = p.width;
  double* rows = scratch.Take<double>(kLanes * width);
  double* x = scratch.Take<double>(n * kLanes);  // the same, dof by dof
  std::fill(rows, rows + kLanes * width, 0.0);
  for (int r = 0; r < d->ne;) {
    int count = 0;
    std::fill(x, x + n * kLanes, 0.0);
    for (; r < d->ne && count < kLanes; ++r) {
      if (p.groups->of_row[r] != p.group) continue;
      double* row = rows + count * width;
      Read(p, r, row);
      for (int i = 0; i < n; ++i) {
        x[i * kLanes + count] = row[i];
        row[i] *= d->efc_D[r];
      }
      AddScaled(d->efc_aref[r], row, width, force);
      ++count;
    }
    if (turned) SolveTree<Lanes>(p.m, d->qLD, d->qLDiagInv, p.dof, n, p.local, x);
    for (int j = 0; j < n; ++j) {
      Lanes factor = LoadLanes(x + j * kLanes);
      if (turned) {
        factor = All<Lanes>(0);
        for (int i = 0; i < n; ++i) {
          factor = factor + p.damped[i * width + j] * LoadLanes(x + i * kLanes);
        }
      }
      for (int k = 0; k < width; k += kLanes) {
        double* column = matrix + j * width + k;
        Lanes sum = LoadLanes(column);
        for (int l = 0; l < kLanes; ++l) sum = sum + factor[l] * LoadLanes(rows + l * width + k);
        StoreLanes(column, sum);
      }
    }
  }
}

}  // namespace mujocable
