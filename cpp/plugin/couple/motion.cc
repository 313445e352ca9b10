#include "plugin/couple/motion.h"

#include <algorithm>
#include <numeric>

#include "core/math/dense.h"
#include "plugin/ask.h"
#include "plugin/couple/tree_matrix.h"
#include "plugin/engine.h"

namespace mujocable {
namespace {

// adds scale * row' row to a dense matrix, for columns that are here
void AddOuter(const Motion& p, double* matrix, double scale, const double* value, const int* column,
              int nnz) {
  for (int a = 0; a < nnz; ++a) {
    const int i = p.Local(column[a]);
    if (i < 0 || value[a] == 0) continue;
    for (int b = 0; b < nnz; ++b) {
      const int j = p.Local(column[b]);
      if (j >= 0) matrix[i * p.width + j] += scale * value[a] * value[b];
    }
  }
}

// velocity gain of a built-in actuator
double ActuatorSlope(const mjModel* m, const mjData* d, int a) {
  double slope = 0;
  if (m->actuator_biastype[a] == mjBIAS_AFFINE) slope += m->actuator_biasprm[mjNBIAS * a + 2];
  if (m->actuator_gaintype[a] == mjGAIN_AFFINE) {
    const int actnum = m->actuator_actnum[a];
    const double input = actnum > 0 ? d->act[m->actuator_actadr[a] + actnum - 1]
                                    : Control(m, d, m->actuator_ctrladr[a]);
    slope += m->actuator_gainprm[mjNGAIN * a + 2] * input;
  }
  return slope;
}

// what the integrator treats implicitly; under "discrete" the constraint solver sees it too
void AddDamping(Motion& p, Phase phase, Scratch& scratch) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  const int n = p.size, width = p.width;
  const double h = m->opt.timestep;
  const int integrator = m->opt.integrator;
  const bool discrete = IsDiscrete(m);
  bool any = discrete;
  for (int i = 0; i < n && !any; ++i) any = ImplicitDamping(m, d, p.dof[i]) > 0;
  const bool actuators = integrator != mjINT_EULER && phase == Phase::kActuation;
  for (int a = 0; actuators && a < m->nactuator && !any; ++a) any = ActuatorSlope(m, d, a) < 0;
  if (!any) return;
  p.damps = !discrete;
  if (p.damps && p.bonds != Bonds::kNone) {
    p.damped = scratch.Take<double>(n * width);
    std::copy(p.inertia, p.inertia + n * width, p.damped);
  }
  for (int i = 0; i < n; ++i) {
    p.damped[i * width + i] += h * ImplicitDamping(m, d, p.dof[i]);
    if (discrete && d->efm_active) p.damped[i * width + i] += h * MetricStiffness(d, p.dof[i]);
  }
  if (!actuators) return;
  for (int a = 0; a < m->nactuator; ++a) {
    const double slope = ActuatorSlope(m, d, a);
    if (!(slope < 0)) continue;
    for (int out = m->actuator_outadr[a]; out < m->actuator_outadr[a] + m->actuator_outnum[a];
         ++out) {
      const int adr = d->moment_rowadr[out];
      AddOuter(p, p.damped, -h * slope, d->actuator_moment + adr, d->moment_colind + adr,
               d->moment_rownnz[out]);
    }
  }
  if (!discrete || !d->efm_active) return;
  ForMetricTendons(d, [&](int id, double scale) {
    const int adr = m->ten_J_rowadr[id];
    AddOuter(p, p.damped, scale, d->ten_J + adr, m->ten_J_colind + adr, m->ten_J_rownnz[id]);
  });
}

// trees that were found to move together: a forest of pointers to one of their own
int Root(int* tie, int tree) {
  while (tie[tree] != tree) tree = tie[tree] = tie[tie[tree]];
  return tree;
}

// ties the trees of a cable; returns one of them, -1: it loads none
int TieCable(const mjModel* m, const CableConfig& c, int* tie) {
  int one = c.joint_dof >= 0 ? m->dof_treeid[c.joint_dof] : -1;
  int last = one;
  for (int dof : c.dofs) {
    const int tree = m->dof_treeid[dof];
    if (tree == last) continue;
    last = tree;
    if (one < 0) one = tree;
    tie[Root(tie, tree)] = Root(tie, one);
  }
  return one;
}

// ties the trees of every row of the constraints; row_tree: one of them for each row, -1: none
void TieRows(const mjModel* m, const mjData* d, int* tie, int* row_tree) {
  const int nv = static_cast<int>(m->nv);
  const bool sparse = mj_isSparse(m);
  for (int r = 0; r < d->nefc; ++r) {
    const int nnz = sparse ? d->efc_J_rownnz[r] : nv;
    const mjtNum* value = d->efc_J + (sparse ? d->efc_J_rowadr[r] : r * nv);
    const int* column = sparse ? d->efc_J_colind + d->efc_J_rowadr[r] : nullptr;
    int one = -1;
    for (int k = 0; k < nnz; ++k) {
      while (k + kLanes < nnz && AllZero(LoadLanes(value + k))) k += kLanes;
      if (value[k] == 0) continue;
      const int tree = m->dof_treeid[column ? column[k] : k];
      if (one < 0) one = tree;
      if (tree != one) tie[Root(tie, tree)] = Root(tie, one);
    }
    row_tree[r] = one;
  }
}

}  // namespace

Groups FindGroups(const mjModel* m, const mjData* d, WaitingCable* waiting, int n,
                  Scratch& scratch) {
  const int nv = static_cast<int>(m->nv), ntree = static_cast<int>(m->ntree);
  int* tie = scratch.Take<int>(ntree);
  std::iota(tie, tie + ntree, 0);
  int* tree_of = scratch.Take<int>(n);
  for (int i = 0; i < n; ++i) tree_of[i] = TieCable(m, *waiting[i].config, tie);
  int* row = scratch.Take<int>(d->nefc);  // its tree, then its group
  TieRows(m, d, tie, row);

  // groups in the order of their first cable
  Groups g;
  g.n = 0;
  g.of_tree = scratch.Take<int>(ntree);
  g.bonds = scratch.Take<Bonds>(n);
  g.first = scratch.Take<int>(n + 2);
  g.first_dof = scratch.Take<int>(n + 2);
  g.dof = scratch.Take<int>(nv);
  g.local = scratch.Take<int>(nv);
  int* group = scratch.Take<int>(n);
  std::fill(g.of_tree, g.of_tree + ntree, -1);
  for (int i = 0; i < n; ++i) {
    const int root = tree_of[i] < 0 ? -1 : Root(tie, tree_of[i]);
    if (root >= 0 && g.of_tree[root] >= 0) {
      group[i] = g.of_tree[root];
      continue;
    }
    group[i] = g.n++;  // (a cable that loads nothing stays alone)
    if (root >= 0) g.of_tree[root] = group[i];
  }
  for (int t = 0; t < ntree; ++t) g.of_tree[t] = g.of_tree[Root(tie, t)];
  std::fill(g.bonds, g.bonds + g.n, Bonds::kNone);
  for (int r = 0; r < d->nefc; ++r) {
    row[r] = row[r] < 0 ? -1 : g.of_tree[row[r]];
    if (row[r] >= 0) g.bonds[row[r]] = r < d->ne ? Bonds::kEqualities : Bonds::kAny;  // these first
  }
  g.of_row = row;

  // cables and dofs, group by group
  std::fill(g.first, g.first + g.n + 2, 0);
  std::fill(g.first_dof, g.first_dof + g.n + 2, 0);
  for (int i = 0; i < n; ++i) ++g.first[group[i] + 2];
  for (int k = 0; k < nv; ++k) {
    g.local[k] = Awake(m, d, k) ? g.of_tree[m->dof_treeid[k]] : -1;  // its group, for now
    if (g.local[k] >= 0) ++g.first_dof[g.local[k] + 2];
  }
  for (int i = 2; i < g.n + 2; ++i) {
    g.first[i] += g.first[i - 1];
    g.first_dof[i] += g.first_dof[i - 1];
  }
  g.cable = scratch.Take<WaitingCable*>(n);
  for (int i = 0; i < n; ++i) g.cable[g.first[group[i] + 1]++] = waiting + i;
  for (int k = 0; k < nv; ++k) {
    if (g.local[k] >= 0) g.dof[g.first_dof[g.local[k] + 1]++] = k;
  }
  for (int i = 0; i < g.n; ++i) {
    for (int k = g.first_dof[i]; k < g.first_dof[i + 1]; ++k)
      g.local[g.dof[k]] = k - g.first_dof[i];
  }
  return g;
}

Motion MakeMotion(const mjModel* m, mjData* d, const Groups& groups, int group, Phase phase,
                  Scratch& scratch) {
  Motion p{};
  p.m = m;
  p.d = d;
  p.waiting = groups.cable + groups.first[group];
  p.n = groups.first[group + 1] - groups.first[group];
  p.dof = groups.dof + groups.first_dof[group];
  p.size = groups.first_dof[group + 1] - groups.first_dof[group];
  p.local = groups.local;
  p.group = group;
  p.groups = &groups;
  p.bonds = groups.bonds[group];

  const int n = p.size, width = p.width = Padded(n);
  p.inertia = p.damped = scratch.Take<double>(n * width);
  std::fill(p.inertia, p.inertia + n * width, 0.0);
  for (int i = 0; i < n; ++i) {
    const int adr = m->M_rowadr[p.dof[i]], nnz = m->M_rownnz[p.dof[i]];
    double *column = p.inertia + i * width, *row = p.inertia + i;
    for (int k = adr; k < adr + nnz; ++k) {
      const int j = p.local[m->M_colind[k]];  // of the same tree
      column[j] = row[j * width] = d->M[k];
    }
  }
  AddDamping(p, phase, scratch);
  return p;
}

const double* ChangeOfVelocity(const mjModel* m, const mjData* d, Scratch& scratch) {
  const int nv = static_cast<int>(m->nv);
  double* change = scratch.Take<double>(nv);
  double* damping = scratch.Take<double>(nv);
  bool damped = false;
  for (int k = 0; k < nv; ++k) {
    change[k] = Awake(m, d, k) ? d->qacc[k] : 0;
    damping[k] = ImplicitDamping(m, d, k);
    damped = damped || damping[k] > 0;
  }
  if (!damped || IsDiscrete(m) || (m->opt.enableflags & mjENBL_INVDISCRETE)) return change;
  // damped change = inertia qacc
  double* matrix = scratch.Take<double>(m->nC);
  double* inverse = scratch.Take<double>(nv);
  double* impulse = scratch.Take<double>(nv);
  int* all = scratch.Take<int>(nv);
  std::iota(all, all + nv, 0);
  mj_mulM(m, d, impulse, change);
  std::copy(d->M, d->M + m->nC, matrix);
  for (int k = 0; k < nv; ++k) {
    matrix[m->M_rowadr[k] + m->M_rownnz[k] - 1] += m->opt.timestep * damping[k];
  }
  FactorTree(m, matrix, inverse);
  SolveTree(m, matrix, inverse, all, nv, all, impulse);
  return impulse;
}

void SumForces(const mjModel* m, mjData* d, const WaitingCable* waiting, int n, Phase phase,
               Scratch& scratch, double* all) {
  const int nv = static_cast<int>(m->nv);
  const double* bias = d->qfrc_bias;
  if (phase == Phase::kPassive) {  // MuJoCo computes it only after this stage
    double* own = scratch.Take<double>(nv);
    mj_rne(m, d, 0, own);
    bias = own;
  }
  for (int k = 0; k < nv; ++k) all[k] = d->qfrc_passive[k] - bias[k] + d->qfrc_applied[k];
  for (int b = 1; b < m->nbody; ++b) {
    const mjtNum* x = d->xfrc_applied + 6 * b;
    if (std::all_of(x, x + 6, [](double f) { return f == 0; })) continue;
    mj_applyFT(m, d, x, x + 3, d->xipos + 3 * b, b, all);
  }
  const bool discrete = IsDiscrete(m) && d->efm_active;
  if (phase == Phase::kPassive) {
    for (int k = 0; discrete && k < nv; ++k) all[k] -= MetricStiffness(d, k) * d->qvel[k];
    return;
  }
  bool* own = scratch.Take<bool>(m->nactuator);
  std::fill(own, own + m->nactuator, false);
  for (int i = 0; i < n; ++i) {
    if (waiting[i].config->actuator >= 0) own[waiting[i].config->actuator] = true;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    if (own[a]) continue;
    for (int out = m->actuator_outadr[a]; out < m->actuator_outadr[a] + m->actuator_outnum[a];
         ++out) {
      double force = d->actuator_force[out];
      if (m->actuator_forcelimited[a]) {
        const mjtNum* range = m->actuator_forcerange + 2 * a;
        force = std::clamp(force, range[0], range[1]);
      }
      if (force == 0) continue;
      const int adr = d->moment_rowadr[out];
      for (int k = adr; k < adr + d->moment_rownnz[out]; ++k) {
        all[d->moment_colind[k]] += force * d->actuator_moment[k];
      }
    }
  }
  if (m->ngravcomp && !(m->opt.disableflags & mjDSBL_GRAVITY)) {
    for (int k = 0; k < nv; ++k) {
      if (m->jnt_actgravcomp[m->dof_jntid[k]]) all[k] += d->qfrc_gravcomp[k];
    }
  }
  for (int k = 0; discrete && k < nv; ++k) all[k] += d->efm_c[k];
}

}  // namespace mujocable
