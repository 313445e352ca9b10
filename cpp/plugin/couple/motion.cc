#include "plugin/couple/motion.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/math/dense.h"
#include "plugin/ask.h"
#include "plugin/couple/tree_matrix.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

// how the force of a built-in actuator changes with its length and velocity
struct Slopes {
  double length, velocity;  //                                                   [N/m], [N s/m]
};

Slopes ActuatorSlopes(const mjModel* m, const mjData* d, int a) {
  Slopes slopes{0, 0};
  const auto add = [&](const mjtNum* prm, double scale) {
    slopes.length += scale * prm[1];
    slopes.velocity += scale * prm[2];
  };
  if (m->actuator_biastype[a] == mjBIAS_AFFINE) add(m->actuator_biasprm + mjNBIAS * a, 1);
  if (m->actuator_gaintype[a] == mjGAIN_AFFINE) {
    const int actnum = m->actuator_actnum[a];
    const double input = actnum > 0 ? d->act[m->actuator_actadr[a] + actnum - 1] : Control(m, d, a);
    add(m->actuator_gainprm + mjNGAIN * a, input);
  }
  return slopes;
}

// What of it the integrator treats as implicit: nothing where the limit of its force holds that,
// the length only under "discrete", whose metric has no place for what pushes on.
Slopes ImplicitSlopes(const mjModel* m, const mjData* d, int a) {
  const double force = d->actuator_force[m->actuator_outadr[a]];
  const mjtNum* range = m->actuator_forcerange + 2 * a;
  const bool held = m->actuator_forcelimited[a] && (force <= range[0] || force >= range[1]);
  if (m->opt.integrator == mjINT_EULER || held || ActuatorDisabled(m, a)) return {0, 0};
  Slopes slopes = ActuatorSlopes(m, d, a);
  if (!IsDiscrete(m)) return {0, slopes.velocity};
  if (!ActuatorsInMetric(d)) return {0, 0};
  return {std::min(slopes.length, 0.0), std::min(slopes.velocity, 0.0)};
}

// what the integrator treats as implicit beyond the joints
void FindDampers(const mjModel* m, const mjData* d, Stage stage, Scratch& scratch, Groups& g) {
  g.damper = scratch.Take<Damper>(m->nout + m->ntendon);
  const double h = m->opt.timestep;
  for (int a = 0; stage == Stage::kActuation && a < m->nactuator; ++a) {
    const Slopes slopes = ImplicitSlopes(m, d, a);
    const double scale = -h * (slopes.velocity + h * slopes.length);
    if (scale == 0) continue;
    for (int out = m->actuator_outadr[a]; out < m->actuator_outadr[a] + m->actuator_outnum[a];
         ++out) {
      const int adr = d->moment_rowadr[out];
      g.damper[g.ndamper++] = {scale, d->actuator_moment + adr, d->moment_colind + adr,
                               d->moment_rownnz[out]};
    }
  }
  const auto add_tendon = [&](int id, double scale) {
    const int adr = m->ten_J_rowadr[id];
    g.damper[g.ndamper++] = {scale, d->ten_J + adr, m->ten_J_colind + adr, m->ten_J_rownnz[id]};
  };
  for (int t = 0; t < m->ntendon && !IsDiscrete(m); ++t) {
    const double scale = h * ImplicitTendonDamping(m, d, t);
    if (scale != 0) add_tendon(t, scale);
  }
  if (IsDiscrete(m) && d->efm_active) ForMetricTendons(d, add_tendon);
}

// what the integrator treats as implicit; under "discrete" the constraint solver sees it too
void AddDamping(Motion& p, Scratch& scratch) {
  const int n = p.size, width = p.width;
  const double h = p.m->opt.timestep;
  const Groups& g = *p.groups;
  const bool discrete = IsDiscrete(p.m);
  bool any = discrete || g.ndamper > 0;
  double* damping = p.damping = p.Vector(scratch);
  for (int i = 0; i < n; ++i) {
    damping[i] = h * ImplicitDamping(p.m, p.d, p.dof[i]);
    any = any || damping[i] > 0;
  }
  if (!any) return;
  p.damps = !discrete;
  if (p.damps && p.bound) {
    p.damped = scratch.Take<double>(n * width);
    std::copy(p.inertia, p.inertia + n * width, p.damped);
  }
  for (int i = 0; i < n; ++i) {
    double& diagonal = p.damped[i * width + i];
    diagonal += damping[i];
    if (discrete && p.d->efm_active) diagonal += h * MetricStiffness(p.d, p.dof[i]);
  }
  p.damper = scratch.Take<double>(g.ndamper * width);
  std::fill(p.damper, p.damper + g.ndamper * width, 0.0);
  for (int k = 0; k < g.ndamper; ++k) {
    const Damper& one = g.damper[k];
    double* row = p.damper + k * width;
    p.Spread(one.value, one.column, one.nnz, row);
    if (discrete) {
      AddOuter(one.scale, row, row, n, width, p.damped);
      continue;
    }
    p.OnBranches(k, [&](int i, int j, double value) {
      p.damped[i * width + j] += value;
      if (i != j) p.damped[j * width + i] += value;
    });
  }
}

// inertia, with and without what the integrator treats as implicit
void FillInertia(Motion& p, Scratch& scratch) {
  const mjModel* m = p.m;
  const int n = p.size;
  const std::ptrdiff_t width = p.width = Padded(n);
  double* inertia = p.inertia = p.damped = scratch.Take<double>(n * width);
  std::fill(inertia, inertia + n * width, 0.0);
  for (int i = 0; i < n; ++i) {
    const int dof = p.dof[i], adr = m->M_rowadr[dof], nnz = m->M_rownnz[dof];
    const int* at = m->M_colind + adr;
    const double* value = p.d->M + adr;
    // by the dofs of the same tree, which follow each other
    double *row = inertia + i * width + i - dof, *column = inertia + i + (i - dof) * width;
    for (int k = 0; k < nnz; ++k) row[at[k]] = column[at[k] * width] = value[k];
  }
  AddDamping(p, scratch);
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

// ties the trees of a row of the constraints to `one` of them, which it returns, -1: there is none
int TieRow(const mjModel* m, const mjData* d, bool sparse, int r, int* tie, int one) {
  const int nnz = sparse ? d->efc_J_rownnz[r] : static_cast<int>(m->nv);
  const int adr = sparse ? d->efc_J_rowadr[r] : r * nnz;
  const mjtNum* value = d->efc_J + adr;
  for (int k = 0; k < nnz; ++k) {
    while (k + 2 * kLanes <= nnz &&
           AllZero(BitsOf(LoadLanes(value + k)) | BitsOf(LoadLanes(value + k + kLanes)))) {
      k += 2 * kLanes;
    }
    while (k < nnz && value[k] == 0) ++k;
    if (k == nnz) break;
    const int tree = m->dof_treeid[sparse ? d->efc_J_colind[adr + k] : k];
    if (one < 0) one = tree;
    if (tree != one) tie[Root(tie, tree)] = Root(tie, one);
    // its dofs follow each other
    if (!sparse) k = m->tree_dofadr[tree] + m->tree_dofnum[tree] - 1;
  }
  return one;
}

// ties the trees that a damper acts between
void TieDamper(const mjModel* m, const Damper& damper, int* tie) {
  int one = -1;
  for (int k = 0; k < damper.nnz; ++k) {
    if (damper.value[k] == 0) continue;
    const int tree = m->dof_treeid[damper.column[k]];
    if (one < 0) one = tree;
    tie[Root(tie, tree)] = Root(tie, one);
  }
}

// Sorts what has one of n groups, -1: it has none.
Sorted Sort(const int* group, int count, int n, Scratch& scratch) {
  const Sorted sorted{scratch.Take<int>(n + 2), scratch.Take<int>(count)};
  int *first = sorted.first, *at = sorted.at;
  std::fill(first, first + n + 2, 0);
  for (int i = 0; i < count; ++i) {
    if (group[i] >= 0) ++first[group[i] + 2];
  }
  for (int g = 2; g < n + 2; ++g) first[g] += first[g - 1];
  for (int i = 0; i < count; ++i) {
    if (group[i] >= 0) at[first[group[i] + 1]++] = i;
  }
  return sorted;
}

}  // namespace

Groups FindGroups(const mjModel* m, const mjData* d, const WaitingCable* waiting, int n,
                  Stage stage, Scratch& scratch) {
  const int nv = static_cast<int>(m->nv), ntree = static_cast<int>(m->ntree);
  int *tie = scratch.Take<int>(ntree), *of_tree = scratch.Take<int>(ntree);
  int *of_cable = scratch.Take<int>(n), *of_row = scratch.Take<int>(d->nefc);
  // trees of each cable and of each constraint
  Groups g{};
  g.sparse = mj_isSparse(m);
  std::iota(tie, tie + ntree, 0);
  for (int i = 0; i < n; ++i) of_cable[i] = TieCable(m, *waiting[i].config, tie);
  for (int r = 0, end; r < d->nefc; r = end) {
    end = r + RowsOf(d, r);
    int one = -1;
    for (int k = r; k < end; ++k) one = TieRow(m, d, g.sparse, k, tie, one);
    std::fill(of_row + r, of_row + end, one);
  }
  FindDampers(m, d, stage, scratch, g);
  for (int k = 0; k < g.ndamper && IsDiscrete(m); ++k) TieDamper(m, g.damper[k], tie);

  // groups in the order of their first cable
  std::fill(of_tree, of_tree + ntree, -1);
  for (int i = 0; i < n; ++i) {
    int alone = -1;  // a cable that loads nothing stays so
    int& group = of_cable[i] < 0 ? alone : of_tree[Root(tie, of_cable[i])];
    if (group < 0) group = g.n++;
    of_cable[i] = group;
  }
  g.of_dof = scratch.Take<int>(nv);
  g.local = scratch.Take<int>(nv);
  for (int t = 0; t < ntree; ++t) {
    of_tree[t] = of_tree[Root(tie, t)];
    const int first = m->tree_dofadr[t], end = first + m->tree_dofnum[t];
    for (int k = first; k < end; ++k) g.of_dof[k] = Awake(m, d, first) ? of_tree[t] : -1;
  }
  for (int r = 0; r < d->nefc; ++r) of_row[r] = of_row[r] < 0 ? -1 : of_tree[of_row[r]];

  g.cables = Sort(of_cable, n, g.n, scratch);
  g.dofs = Sort(g.of_dof, nv, g.n, scratch);
  g.rows = Sort(of_row, d->nefc, g.n, scratch);
  for (int i = 0; i < g.n; ++i) {
    const int first = g.dofs.first[i], end = g.dofs.first[i + 1];
    for (int k = first; k < end; ++k) g.local[g.dofs.at[k]] = k - first;
  }
  return g;
}

Motion MakeMotion(const mjModel* m, mjData* d, WaitingCable* waiting, const Groups& groups,
                  int group, Scratch& scratch) {
  Motion p{};
  p.m = m;
  p.d = d;
  p.waiting = waiting;
  p.group = group;
  p.groups = &groups;
  p.cable = groups.cables.Of(group, p.n);
  p.dof = groups.dofs.Of(group, p.size);
  p.row = groups.rows.Of(group, p.nrow);
  p.bound = p.nrow > 0 && p.row[p.nrow - 1] >= d->ne;  // equalities come first

  FillInertia(p, scratch);
  return p;
}

const double* ChangeOfVelocity(const mjModel* m, mjData* d, Scratch& scratch) {
  const int nv = static_cast<int>(m->nv);
  double* change = scratch.Take<double>(nv);
  double* damping = scratch.Take<double>(nv);
  bool damped = false;
  for (int k = 0; k < nv; ++k) {
    change[k] = Awake(m, d, k) ? d->qacc[k] : 0;
    damping[k] = ImplicitDamping(m, d, k);
    damped = damped || damping[k] > 0;
  }
  if (IsDiscrete(m) || (m->opt.enableflags & mjENBL_INVDISCRETE)) return change;
  Groups g{};
  FindDampers(m, d, Stage::kPassive, scratch, g);
  if (!damped && g.ndamper == 0) return change;
  // damped change = inertia qacc
  double* impulse = scratch.Take<double>(nv);
  int* all = scratch.Take<int>(nv);
  std::iota(all, all + nv, 0);
  mj_mulM(m, d, impulse, change);
  if (g.ndamper > 0) {  // not within the places that the inertia has
    Motion p{};
    p.m = m;
    p.d = d;
    p.groups = &g;
    p.dof = g.local = all;
    p.size = nv;
    g.of_dof = scratch.Take<int>(nv);
    std::fill(g.of_dof, g.of_dof + nv, p.group);
    FillInertia(p, scratch);
    SolveDense(p.damped, impulse, nv, 0);
    return impulse;
  }
  double* matrix = scratch.Take<double>(m->nC);
  double* inverse = scratch.Take<double>(nv);
  std::copy(d->M, d->M + m->nC, matrix);
  for (int k = 0; k < nv; ++k) {
    matrix[m->M_rowadr[k] + m->M_rownnz[k] - 1] += m->opt.timestep * damping[k];
  }
  FactorTree(m, matrix, inverse);
  SolveTree(m, matrix, inverse, all, nv, impulse);
  return impulse;
}

namespace {

// What actuators push, but for the cables that wait, within the limits of the joints, into
// `pushed`; what the metric of "discrete" foresees of their way in the step is added to `ahead`.
void SumActuators(const mjModel* m, const mjData* d, const WaitingCable* waiting, int n,
                  Scratch& scratch, double* pushed, double* ahead) {
  const int nv = static_cast<int>(m->nv);
  std::fill(pushed, pushed + nv, 0.0);
  bool* own = scratch.Take<bool>(m->nactuator);
  std::fill(own, own + m->nactuator, false);
  for (int i = 0; i < n; ++i) {
    if (waiting[i].config->actuator >= 0) own[waiting[i].config->actuator] = true;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    if (own[a]) continue;
    const double stiffness = m->opt.timestep * ImplicitSlopes(m, d, a).length;
    for (int out = m->actuator_outadr[a]; out < m->actuator_outadr[a] + m->actuator_outnum[a];
         ++out) {
      double force = d->actuator_force[out];
      if (m->actuator_forcelimited[a]) {
        const mjtNum* range = m->actuator_forcerange + 2 * a;
        force = std::clamp(force, range[0], range[1]);
      }
      const double more = stiffness == 0 ? 0 : stiffness * d->actuator_velocity[out];
      if (force == 0 && more == 0) continue;
      const int adr = d->moment_rowadr[out];
      for (int k = adr; k < adr + d->moment_rownnz[out]; ++k) {
        pushed[d->moment_colind[k]] += force * d->actuator_moment[k];
        ahead[d->moment_colind[k]] += more * d->actuator_moment[k];
      }
    }
  }
  const bool compensated = m->ngravcomp && !(m->opt.disableflags & mjDSBL_GRAVITY);
  for (int j = 0; j < m->njnt; ++j) {
    const int first = m->jnt_dofadr[j], end = j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : nv;
    for (int k = first; k < end && compensated && m->jnt_actgravcomp[j]; ++k) {
      pushed[k] += d->qfrc_gravcomp[k];
    }
    if (!m->jnt_actfrclimited[j]) continue;
    const mjtNum* range = m->jnt_actfrcrange + 2 * j;
    pushed[first] = std::clamp(pushed[first], range[0], range[1]);
  }
}

}  // namespace

void SumForces(const mjModel* m, mjData* d, const WaitingCable* waiting, int n, Stage stage,
               Scratch& scratch, double* all) {
  const int nv = static_cast<int>(m->nv);
  const double* bias = d->qfrc_bias;
  if (stage == Stage::kPassive) {  // MuJoCo computes it only after this stage
    double* own = scratch.Take<double>(nv);
    mj_rne(m, d, 0, own);
    mj_tendonBias(m, d, own);
    bias = own;
  }
  for (int k = 0; k < nv; ++k) all[k] = d->qfrc_passive[k] - bias[k] + d->qfrc_applied[k];
  for (int b = FirstPushed(m, d); b < m->nbody; ++b) {
    const mjtNum* x = d->xfrc_applied + 6 * b;
    if (std::all_of(x, x + 6, [](double f) { return f == 0; })) continue;
    mj_applyFT(m, d, x, x + 3, d->xipos + 3 * b, b, all);
  }
  const bool discrete = IsDiscrete(m) && d->efm_active;
  for (int k = 0; discrete && k < nv; ++k) all[k] += d->efm_c[k];
  if (stage == Stage::kPassive) return;
  double* actuated = scratch.Take<double>(nv);
  SumActuators(m, d, waiting, n, scratch, actuated, all);
  for (int k = 0; k < nv; ++k) all[k] += actuated[k];
}

}  // namespace mujocable
