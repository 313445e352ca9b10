#include "motion_constraints.h"

#include <algorithm>

// of MuJoCo, exported but in no header: the velocity-dependent part of the effective metric
extern "C" void mj_effShift(const mjModel* m, mjData* d);

namespace mujocable {

void PrepareConstraints(const mjModel* m, mjData* d, Stage stage, Scratch& scratch) {
  if (m->opt.integrator != mjINT_DISCRETE) {
    if (stage == Stage::kPassive) mj_referenceConstraint(m, d);
    return;
  }
  // MuJoCo does so after the actuation stage, and inverse dynamics is the one way to ask for it
  double* kept = scratch.Take<double>(m->nv);
  std::copy(d->qfrc_inverse, d->qfrc_inverse + m->nv, kept);
  if (stage == Stage::kPassive) mj_effShift(m, d);
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

void AddConstraints(const Motion& p, double* matrix) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  const int nv = static_cast<int>(m->nv), n = p.size;
  const bool sparse = mj_isSparse(m);
  const auto entry = [&](int r, int k, int& i) {
    if (!sparse) {
      i = p.Local(k);
      return d->efc_J[r * nv + k];
    }
    i = p.Local(d->efc_J_colind[d->efc_J_rowadr[r] + k]);
    return d->efc_J[d->efc_J_rowadr[r] + k];
  };
  const auto add = [&](int r, int s, double scale) {
    const int nr = sparse ? d->efc_J_rownnz[r] : nv, ns = sparse ? d->efc_J_rownnz[s] : nv;
    for (int a = 0; a < nr; ++a) {
      int i;
      const double x = scale * entry(r, a, i);
      if (i < 0 || x == 0) continue;
      for (int b = 0; b < ns; ++b) {
        int j;
        const double y = entry(s, b, j);
        if (j >= 0) matrix[i * n + j] += x * y;
      }
    }
  };
  for (int r = 0; r < d->nefc; ++r) {
    if (d->efc_state[r] == mjCNSTRSTATE_QUADRATIC) add(r, r, d->efc_D[r]);
    if (d->efc_state[r] != mjCNSTRSTATE_CONE) continue;
    const mjContact& contact = d->contact[d->efc_id[r]];
    for (int a = 0; a < contact.dim; ++a) {
      for (int b = 0; b < contact.dim; ++b) add(r + a, r + b, contact.H[a * contact.dim + b]);
    }
    r += contact.dim - 1;
  }
}

}  // namespace mujocable
