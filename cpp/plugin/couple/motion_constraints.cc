#include "plugin/couple/motion_constraints.h"

#include <algorithm>
#include <cmath>

#include "core/math/dense.h"
#include "plugin/couple/tree_matrix.h"
#include "plugin/engine.h"

namespace mujocable {

void PrepareConstraints(const mjModel* m, mjData* d, Stage stage, Scratch& scratch) {
  if (!IsDiscrete(m)) {
    if (stage == Stage::kPassive) mj_referenceConstraint(m, d);
    return;
  }
  // MuJoCo does so after the actuation stage, and inverse dynamics is the one way to ask for it
  double* kept = scratch.Take<double>(m->nv);
  std::copy(d->qfrc_inverse, d->qfrc_inverse + m->nv, kept);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  std::copy(kept, kept + m->nv, d->qfrc_inverse);
}

namespace {

constexpr int kMostRows = 6;  // of a contact: a normal, two slides, a twist and two rolls

// a row of the constraints on the dofs of a group
void Read(const Motion& p, int r, double* row) {
  const mjData* d = p.d;
  if (!p.groups->sparse) {
    const mjtNum* value = d->efc_J + r * static_cast<int>(p.m->nv);
    for (int i = 0; i < p.size; ++i) row[i] = value[p.dof[i]];
    return;
  }
  std::fill(row, row + p.size, 0.0);
  const int adr = d->efc_J_rowadr[r];
  p.Spread(d->efc_J + adr, d->efc_J_colind + adr, d->efc_J_rownnz[r], row);
}

}  // namespace

GroupConstraints::GroupConstraints(const Motion& p, Scratch& scratch)
    : d_(p.d), size_(p.size), width_(p.width), n_(p.nrow), row_(p.row) {
  jacobian_ = scratch.Take<double>(n_ * width_);
  std::fill(jacobian_, jacobian_ + n_ * width_, 0.0);
  for (int k = 0; k < n_; ++k) Read(p, row_[k], jacobian_ + k * width_);
  residual_ = scratch.Take<double>(n_);
  force_ = scratch.Take<double>(n_);
  slope_ = scratch.Take<double>(n_ * kMostRows);
  together_ = scratch.Take<int>(n_);
}

void GroupConstraints::Evaluate(const double* a, double* force) {
  for (int k = 0; k < n_; ++k) residual_[k] = Dot(Row(k), a, width_) - d_->efc_aref[row_[k]];
  for (int k = 0; k < n_;) k += Apply(k);
  std::fill(force, force + width_, 0.0);
  for (int k = 0; k < n_; ++k) {
    if (force_[k] != 0) AddScaled(force_[k], Row(k), width_, force);
  }
}

int GroupConstraints::Apply(int k) {
  const int r = row_[k];
  if (d_->efc_type[r] == mjCNSTR_CONTACT_ELLIPTIC) {
    const mjContact& contact = d_->contact[d_->efc_id[r]];
    ApplyCone(k, contact);
    return contact.dim;
  }
  Spring(k);
  if (r < d_->ne) return 1;  // an equality holds both ways
  const double most = r < d_->ne + d_->nf ? d_->efc_frictionloss[r] : INFINITY;
  const double least = r < d_->ne + d_->nf ? -most : 0;
  if (force_[k] > least && force_[k] < most) return 1;
  force_[k] = force_[k] <= least ? least : most;
  together_[k] = 0;
  return 1;
}

void GroupConstraints::Spring(int k) {
  together_[k] = 1;
  slope_[k * kMostRows] = d_->efc_D[row_[k]];
  force_[k] = -slope_[k * kMostRows] * residual_[k];
}

// Normal and tangential residual, in the scale of the cone: within its dual the contact opens,
// within its polar every row is a spring of its own; between, the force lies on the cone.
void GroupConstraints::ApplyCone(int k, const mjContact& contact) {
  const int dim = contact.dim;
  const double mu = contact.mu;
  double scale[kMostRows], u[kMostRows], square = 0;
  for (int j = 0; j < dim; ++j) {
    scale[j] = j == 0 ? mu : contact.friction[j - 1];
    u[j] = scale[j] * residual_[k + j];
    if (j > 0) square += u[j] * u[j];
    together_[k + j] = 0;
    force_[k + j] = 0;
  }
  const double normal = u[0], tangential = std::sqrt(square);
  if (normal >= mu * tangential) return;
  if (mu * normal + tangential <= 0) {
    for (int j = 0; j < dim; ++j) Spring(k + j);
    return;
  }
  // the cost is weight / 2 (normal - mu tangential)^2
  const double weight = d_->efc_D[row_[k]] / (mu * mu * (1 + mu * mu));
  const double apart = normal - mu * tangential, steep = mu * normal / tangential;
  together_[k] = dim;
  double along[kMostRows];  // gradient of `apart`
  for (int j = 0; j < dim; ++j) along[j] = scale[j] * (j == 0 ? 1 : -mu * u[j] / tangential);
  for (int a = 0; a < dim; ++a) {
    force_[k + a] = -weight * apart * along[a];
    for (int b = 0; b < dim; ++b) {
      double curve = 0;  // of mu tangential
      if (a > 0 && b > 0) {
        curve = ((a == b) - u[a] * u[b] / square) * (mu * mu - steep) * scale[a] * scale[b];
      }
      slope_[(k + a) * kMostRows + b] = weight * (along[a] * along[b] + curve);
    }
  }
}

void GroupConstraints::AddSlopes(int width, double* matrix) {
  for (int k = 0; k < n_; ++k) {
    for (int a = 0; a < together_[k]; ++a) {
      for (int b = 0; b < together_[k]; ++b) {
        AddOuter(slope_[(k + a) * kMostRows + b], Row(k + a), Row(k + b), size_, width, matrix);
      }
    }
  }
}

namespace {

// what the change of velocity adds to a row, beyond J itself: from J / inertia, of four rows at a
// time, dof by dof
void Damp(const Motion& p, const double* x, double* damped) {
  for (int i = 0; i < p.size; ++i) {
    StoreLanes(damped + i * kLanes, p.damping[i] * LoadLanes(x + i * kLanes));
  }
  for (int k = 0; k < p.groups->ndamper; ++k) {
    p.OnBranches(k, [&](int i, int j, double value) {
      double *here = damped + i * kLanes, *there = damped + j * kLanes;
      StoreLanes(here, LoadLanes(here) + value * LoadLanes(x + j * kLanes));
      if (i != j) StoreLanes(there, LoadLanes(there) + value * LoadLanes(x + i * kLanes));
    });
  }
}

}  // namespace

// four rows at a time
void AddEqualities(const Motion& p, double* matrix, double* force) {
  Scratch scratch(p.d);
  const mjData* d = p.d;
  const int n = p.size, width = p.width;
  double* rows = scratch.Take<double>(2 * kLanes * width);
  double* turned = p.damps ? rows + kLanes * width : rows;
  double* x = scratch.Take<double>(n * kLanes);  // the same, dof by dof
  double* damped = scratch.Take<double>(n * kLanes);
  std::fill(rows, rows + 2 * kLanes * width, 0.0);
  for (int first = 0; first < p.nrow; first += kLanes) {
    const int count = std::min(kLanes, p.nrow - first), *row = p.row + first;
    for (int l = 0; l < count; ++l) {
      Read(p, row[l], rows + l * width);
      AddScaled(d->efc_D[row[l]] * d->efc_aref[row[l]], rows + l * width, width, force);
    }
    if (p.damps) {
      const double *a = rows, *b = a + width, *c = b + width, *e = c + width;
      for (int i = 0; i < n; ++i) StoreLanes(x + i * kLanes, Lanes{a[i], b[i], c[i], e[i]});
      SolveTree<Lanes>(p.m, d->qLD, d->qLDiagInv, p.dof, n, x);
      Damp(p, x, damped);
      for (int i = 0; i < n; ++i) {
        const double* more = damped + i * kLanes;
        for (int l = 0; l < kLanes; ++l) turned[l * width + i] = rows[l * width + i] + more[l];
      }
    }
    for (int l = 0; l < count; ++l) {
      AddOuter(d->efc_D[row[l]], rows + l * width, turned + l * width, n, width, matrix);
    }
  }
}

}  // namespace mujocable
