#include "implicit.h"

#include <algorithm>
#include <cstring>

#include "core/cable.h"
#include "core/implicit.h"
#include "frames.h"
#include "scratch.h"
#include "stages.h"

// of MuJoCo, exported but in no header: the velocity-dependent part of the effective metric
extern "C" void mj_effShift(const mjModel* m, mjData* d);

namespace mujocable {
namespace {

constexpr int kConstraintSteps = 100;

enum class Stage { kPassive, kActuation };

// one cable in the coupled solve
struct Member {
  int instance;
  const CableConfig* config;
  Record record;
  ImplicitCable law;
  double rate;       // of the stretch, now
  double* load;      // per unit of source tension, per dof of the cable: -w of (15)
  double* gradient;  // of the stretch: G of (5), the spool's part included
};

// where the other passive forces are kept from the passive to the actuation stage: memory of a
// factorization that this integrator does not use
double* PassiveStore(const mjModel* m, mjData* d) {
  return m->opt.integrator == mjINT_IMPLICIT ? d->qH : d->qLU;
}

// The cables whose record asks for an implicit tension: passive ones, then commanded ones, since
// MuJoCo keeps the order within each kind when it copies a model, but not between them.
int Gather(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch* scratch,
           Member* members) {
  int n = 0;
  const int total = static_cast<int>(m->nplugin), kinds = passive_only ? 1 : 2;
  for (int turn = 0; turn < kinds * total; ++turn) {
    const int i = turn % total;
    if (m->plugin[i] != slot) continue;
    const CableConfig* c = FindConfig(m, d, i, /*compared=*/true);
    if (!c || !c->implicit || c->record_adr < 0 || (c->actuator >= 0) != (turn >= total)) continue;
    double* block = d->sensordata + c->record_adr;
    if (block[c->layout.Offset<&Record::implicit>()] == 0) continue;
    if (!members) {
      ++n;
      continue;
    }
    Member& member = members[n++];
    member.instance = i;
    member.config = c;
    member.record = RecordAt(block, c->layout);
    Record& record = member.record;
    State state = StateAt(StateBlock(m, d, i), c->ncontact);
    if (*state.fingerprint != c->fingerprint) {
      double* own = scratch->Take<double>(StateSize(c->ncontact, c->nwrap));
      ResetState(*c, own);
      state = StateAt(own, c->ncontact);
    }
    ImplicitCable& law = member.law;
    law.axial = AxialOf(*c, state);
    law.stretch = *record.stretch;
    law.motor_rate = law.axial.length_rate_only ? *record.take_up_rate : 0;
    law.step = m->opt.timestep;
    law.explicit_tension = AxialTension(law.axial, record);
    law.weight = *record.implicit;
    member.rate = *record.length_rate + *record.take_up_rate;

    const int ndof = static_cast<int>(c->dofs.size());
    member.load = scratch->Take<double>(ndof);
    member.gradient = scratch->Take<double>(ndof);
    std::fill(record.tension, record.tension + c->ncontact + 1, 1.0);
    GeneralizedLoad(m, d, *c, record, *scratch, member.gradient);
    for (int k = 0; k < ndof; ++k) member.gradient[k] = -member.gradient[k];
    TensionRatios(c->friction, state.friction, member.rate, record);
    GeneralizedLoad(m, d, *c, record, *scratch, member.load);
  }
  return n;
}

// ---- the motion that the tensions take part in --------------------------------------------------

// A dense model of the step over the dofs that the implicit cables reach, directly or through
// constraints: inertia a = force - W T + J' f(J a - aref), and the velocity that follows from it.
struct Motion {
  const mjModel* m;
  mjData* d;
  const Member* members;
  int n;            // cables
  int size;         // dofs
  int* dof;         // of the model, ascending
  int* local;       // place of a dof of the model, -1: not here
  bool bound;       // constraints act on these dofs
  double* inertia;  // [size, size]
  double* damped;   // the same with what the integrator treats implicitly
  double* force;    // [size]
  double* pull;     // W': load per unit of tension, sign of a retarding force   [n, size]
  double* measure;  // G of the velocity that the integrator makes of a          [n, size]
};

// derivative of joint damping, as integrators with implicit damping use it
double DampingSlope(const mjModel* m, const mjData* d, int dof) {
  const double v = std::abs(d->qvel[dof]);
  const mjtNum* poly = m->dof_dampingpoly + mjNPOLY * dof;
  double slope = m->dof_damping[dof], power = v;
  for (int i = 0; i < mjNPOLY; ++i, power *= v) slope += (i + 2) * poly[i] * power;
  return std::max(slope, 0.0);
}

// adds scale * row' row to a dense matrix, for columns that are here
void AddOuter(const Motion& p, double* matrix, double scale, const double* value, const int* column,
              int nnz) {
  for (int a = 0; a < nnz; ++a) {
    const int i = p.local[column[a]];
    if (i < 0 || value[a] == 0) continue;
    for (int b = 0; b < nnz; ++b) {
      const int j = p.local[column[b]];
      if (j >= 0) matrix[i * p.size + j] += scale * value[a] * value[b];
    }
  }
}

// trees that cables load, and those that constraints tie to them
void FindDofs(Motion& p, Scratch& scratch) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  const int nv = static_cast<int>(m->nv), nefc = d->nefc;
  bool* tree = scratch.Take<bool>(m->ntree);
  std::fill(tree, tree + m->ntree, false);
  for (int i = 0; i < p.n; ++i) {
    const CableConfig& c = *p.members[i].config;
    for (int dof : c.dofs) tree[m->dof_treeid[dof]] = true;
    if (c.joint_dof >= 0) tree[m->dof_treeid[c.joint_dof]] = true;
  }
  const bool sparse = mj_isSparse(m);
  p.bound = false;
  for (bool grown = true; grown;) {
    grown = false;
    for (int r = 0; r < nefc; ++r) {
      const int nnz = sparse ? d->efc_J_rownnz[r] : nv;
      const mjtNum* value = d->efc_J + (sparse ? d->efc_J_rowadr[r] : r * nv);
      const int* column = sparse ? d->efc_J_colind + d->efc_J_rowadr[r] : nullptr;
      bool in = false, out = false;
      for (int k = 0; k < nnz; ++k) {
        if (value[k] == 0) continue;
        (tree[m->dof_treeid[column ? column[k] : k]] ? in : out) = true;
      }
      p.bound = p.bound || in;
      if (!in || !out) continue;
      for (int k = 0; k < nnz; ++k) {
        if (value[k] != 0) tree[m->dof_treeid[column ? column[k] : k]] = true;
      }
      grown = true;
    }
  }
  p.local = scratch.Take<int>(nv);
  p.dof = scratch.Take<int>(nv);
  p.size = 0;
  for (int k = 0; k < nv; ++k) {
    p.local[k] = tree[m->dof_treeid[k]] && Awake(m, d, k) ? p.size : -1;
    if (p.local[k] >= 0) p.dof[p.size++] = k;
  }
}

// velocity gain of a built-in actuator
double ActuatorSlope(const mjModel* m, const mjData* d, int a) {
  double slope = 0;
  if (m->actuator_biastype[a] == mjBIAS_AFFINE) slope += m->actuator_biasprm[mjNBIAS * a + 2];
  if (m->actuator_gaintype[a] == mjGAIN_AFFINE) {
    const int actnum = m->actuator_actnum[a];
    const double input = actnum > 0 ? d->act[m->actuator_actadr[a] + actnum - 1] : Control(m, d, a);
    slope += m->actuator_gainprm[mjNGAIN * a + 2] * input;
  }
  return slope;
}

void FillInertia(Motion& p, Stage stage, Scratch& scratch) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  const int n = p.size;
  const double h = m->opt.timestep;
  p.inertia = scratch.Take<double>(n * n);
  std::fill(p.inertia, p.inertia + n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    const int row = p.dof[i];
    for (int k = m->M_rowadr[row]; k < m->M_rowadr[row] + m->M_rownnz[row]; ++k) {
      const int j = p.local[m->M_colind[k]];
      p.inertia[i * n + j] = p.inertia[j * n + i] = d->M[k];
    }
  }

  // what the integrator treats implicitly; under "discrete" the constraint solver sees it too
  const int integrator = m->opt.integrator;
  const bool discrete = integrator == mjINT_DISCRETE;
  const bool damper = !(m->opt.disableflags & mjDSBL_DAMPER) &&
                      !(integrator == mjINT_EULER && (m->opt.disableflags & mjDSBL_EULERDAMP));
  p.damped = p.inertia;
  bool any = discrete;
  for (int i = 0; damper && i < n && !any; ++i) any = DampingSlope(m, d, p.dof[i]) > 0;
  const bool actuators = integrator != mjINT_EULER && stage == Stage::kActuation;
  for (int a = 0; actuators && a < m->nactuator && !any; ++a) any = ActuatorSlope(m, d, a) < 0;
  if (!any) return;
  if (!discrete) {
    p.damped = scratch.Take<double>(n * n);
    std::copy(p.inertia, p.inertia + n * n, p.damped);
  }
  for (int i = 0; i < n; ++i) {
    if (damper) p.damped[i * n + i] += h * DampingSlope(m, d, p.dof[i]);
    if (discrete && d->efm_active) p.damped[i * n + i] += h * d->efm_ck[p.dof[i]];
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
  for (int t = 0; t < d->nefmT; ++t) {
    const int id = d->efm_tid[t], adr = m->ten_J_rowadr[id];
    AddOuter(p, p.damped, d->efm_ts[t], d->ten_J + adr, m->ten_J_colind + adr, m->ten_J_rownnz[id]);
  }
}

// everything that pushes except constraints and the implicit cables themselves
void FillForce(Motion& p, Stage stage, Scratch& scratch) {
  const mjModel* m = p.m;
  mjData* d = p.d;
  const int nv = static_cast<int>(m->nv);
  double* all = scratch.Take<double>(nv);
  const double* bias = d->qfrc_bias;
  if (stage == Stage::kPassive) {  // MuJoCo computes it only after this stage
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
  const bool discrete = m->opt.integrator == mjINT_DISCRETE && d->efm_active;
  if (stage == Stage::kActuation) {
    for (int a = 0; a < m->nactuator; ++a) {
      bool own = false;
      for (int i = 0; i < p.n; ++i) own = own || p.members[i].config->actuator == a;
      if (own) continue;
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
  } else {
    for (int k = 0; discrete && k < nv; ++k) all[k] -= d->efm_ck[k] * d->qvel[k];
  }
  p.force = scratch.Take<double>(p.size);
  for (int i = 0; i < p.size; ++i) p.force[i] = all[p.dof[i]];
}

// vector of a cable on the dofs that are here
void Place(const Motion& p, const CableConfig& c, const double* value, double scale, double spool,
           double* to) {
  std::fill(to, to + p.size, 0.0);
  for (size_t k = 0; k < c.dofs.size(); ++k) {
    const int i = p.local[c.dofs[k]];
    if (i >= 0) to[i] += scale * value[k];
  }
  if (c.joint_dof >= 0 && p.local[c.joint_dof] >= 0) to[p.local[c.joint_dof]] += spool;
}

void Multiply(const double* matrix, const double* x, int n, double* y) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += matrix[i * n + j] * x[j];
    y[i] = sum;
  }
}

double Product(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

void FillCables(Motion& p, Scratch& scratch) {
  const int n = p.size;
  p.pull = scratch.Take<double>(p.n * n);
  p.measure = scratch.Take<double>(p.n * n);
  double *factor = nullptr, *y = nullptr;
  if (p.damped != p.inertia) {
    factor = scratch.Take<double>(n * n);
    y = scratch.Take<double>(n);
    std::copy(p.damped, p.damped + n * n, factor);
    mju_cholFactor(factor, n, mjMINVAL);
  }
  for (int i = 0; i < p.n; ++i) {
    const CableConfig& c = *p.members[i].config;
    const double gain = c.joint_dof >= 0 ? c.take_up.Gain() : 0;
    Place(p, c, p.members[i].load, -1, gain, p.pull + i * n);
    double* g = p.measure + i * n;
    Place(p, c, p.members[i].gradient, 1, gain, g);
    if (!factor) continue;
    // the integrator turns inertia a into a change of velocity by its damped inertia
    mju_cholSolve(y, factor, g, n);
    Multiply(p.inertia, y, n, g);
  }
}

// ---- tensions and motion together ---------------------------------------------------------------

// Reference and impedance of the constraints, where MuJoCo has not computed them yet. Under
// "discrete" it does so after the actuation stage, and inverse dynamics is the one way to ask for
// it.
void PrepareConstraints(const Motion& p, Stage stage, Scratch& scratch) {
  mjData* d = p.d;
  if (p.m->opt.integrator != mjINT_DISCRETE) {
    if (stage == Stage::kPassive) mj_referenceConstraint(p.m, d);
    return;
  }
  double* kept = scratch.Take<double>(p.m->nv);
  std::copy(d->qfrc_inverse, d->qfrc_inverse + p.m->nv, kept);
  if (stage == Stage::kPassive) mj_effShift(p.m, d);
  mj_inverseSkip(p.m, d, mjSTAGE_VEL, 1);
  std::copy(kept, kept + p.m->nv, d->qfrc_inverse);
}

// state of MuJoCo's constraints at an acceleration: their force on the dofs here
void EvaluateConstraints(const Motion& p, const double* a, double* full, double* jar, bool hessian,
                         double* out) {
  mjData* d = p.d;
  for (int i = 0; i < p.size; ++i) full[p.dof[i]] = a[i];
  mj_mulJacVec(p.m, d, jar, full);
  for (int r = 0; r < d->nefc; ++r) jar[r] -= d->efc_aref[r];
  mj_constraintUpdate(p.m, d, jar, nullptr, hessian);
  for (int i = 0; i < p.size; ++i) out[i] = d->qfrc_constraint[p.dof[i]];
}

// adds the curvature of the constraints, in the state that was evaluated last
void AddConstraints(const Motion& p, double* matrix) {
  const mjModel* m = p.m;
  const mjData* d = p.d;
  const int nv = static_cast<int>(m->nv), n = p.size;
  const bool sparse = mj_isSparse(m);
  const auto entry = [&](int r, int k, int& i) {
    if (!sparse) {
      i = p.local[k];
      return d->efc_J[r * nv + k];
    }
    i = p.local[d->efc_J_colind[d->efc_J_rowadr[r] + k]];
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

// Tensions of the step. The constraints are those of MuJoCo's own solver, found by Newton's method
// with an exact line search; inside each Newton step the cables are solved exactly.
void SolveMotion(const Motion& p, Scratch& scratch, double* tension) {
  const mjData* d = p.d;
  const int n = p.size, count = p.n, nv = static_cast<int>(p.m->nv);
  const double h = p.m->opt.timestep;
  double* matrix = scratch.Take<double>(n * n);
  double* response = scratch.Take<double>(count * count);
  double* column = scratch.Take<double>(n);
  double* free_rate = scratch.Take<double>(count);
  double* rate = scratch.Take<double>(count);
  double* work = scratch.Take<double>(ImplicitScratch(count));
  double* reply = scratch.Take<double>(count * n);  // rows: H^-1 w
  ImplicitCable* laws = scratch.Take<ImplicitCable>(count);
  for (int i = 0; i < count; ++i) laws[i] = p.members[i].law;

  // factors `matrix`, then solves for the cables given the force `b`; leaves the acceleration in
  // `a`
  const auto solve = [&](const double* b, double* a) {
    mju_cholFactor(matrix, n, mjMINVAL);
    for (int i = 0; i < count; ++i) mju_cholSolve(reply + i * n, matrix, p.pull + i * n, n);
    mju_cholSolve(a, matrix, b, n);
    for (int i = 0; i < count; ++i) {
      const double* g = p.measure + i * n;
      free_rate[i] = p.members[i].rate + h * Product(g, a, n);
      for (int j = 0; j < count; ++j) response[i * count + j] = h * Product(g, reply + j * n, n);
    }
    SolveTensions(laws, count, free_rate, response, work, rate, tension);
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < n; ++k) a[k] -= tension[i] * reply[i * n + k];
    }
  };
  std::copy(p.inertia, p.inertia + n * n, matrix);
  if (!p.bound) {
    solve(p.force, column);
    return;
  }

  double* a = scratch.Take<double>(n);
  double* next = scratch.Take<double>(n);
  double* step = scratch.Take<double>(n);
  double* trial = scratch.Take<double>(n);
  double* constraint = scratch.Take<double>(n);
  double* b = scratch.Take<double>(n);
  double* full = scratch.Take<double>(nv);
  double* jar = scratch.Take<double>(d->nefc);
  std::copy(d->qacc_warmstart, d->qacc_warmstart + nv, full);
  for (int i = 0; i < n; ++i) a[i] = full[p.dof[i]];

  // what the acceleration leaves unbalanced
  const auto residual = [&](const double* x, bool hessian, double* out) {
    EvaluateConstraints(p, x, full, jar, hessian, constraint);
    Multiply(p.inertia, x, n, out);
    for (int k = 0; k < n; ++k) out[k] -= p.force[k] + constraint[k];
    for (int i = 0; i < count; ++i) {
      double slope;
      const double u = p.members[i].rate + h * Product(p.measure + i * n, x, n);
      const double t = ImplicitTension(laws[i], u, slope);
      for (int k = 0; k < n; ++k) out[k] += t * p.pull[i * n + k];
    }
  };
  for (int k = 0; k < kConstraintSteps; ++k) {
    residual(a, true, column);
    std::copy(p.inertia, p.inertia + n * n, matrix);
    AddConstraints(p, matrix);
    // force of the constraints, taken as linear about `a`
    Multiply(matrix, a, n, b);
    Multiply(p.inertia, a, n, trial);
    for (int i = 0; i < n; ++i) b[i] += p.force[i] + constraint[i] - trial[i];
    solve(b, next);

    double size = 0, change = 0;
    for (int i = 0; i < n; ++i) {
      step[i] = next[i] - a[i];
      size = std::max(size, std::abs(next[i]));
      change = std::max(change, std::abs(step[i]));
    }
    if (change <= 1e-12 * size) return;
    const double start = Product(step, column, n);
    residual(next, false, trial);
    double end = Product(step, trial, n), length = 1;
    if (std::abs(end) > 1e-3 * std::abs(start) && start < 0 && end > 0) {
      // beyond the balance along this step: search it
      double low = 0, high = 1;
      for (int j = 0; j < 30; ++j) {
        length = (low + high) / 2;
        for (int i = 0; i < n; ++i) next[i] = a[i] + length * step[i];
        residual(next, false, trial);
        end = Product(step, trial, n);
        if (std::abs(end) <= 1e-2 * std::abs(start)) break;
        (end > 0 ? high : low) = length;
      }
    }
    for (int i = 0; i < n; ++i) a[i] += length * step[i];
  }
}

// ---- what the cables do with it -----------------------------------------------------------------

void Apply(const mjModel* m, mjData* d, Member& member, double tension) {
  const CableConfig& c = *member.config;
  if (!std::isfinite(tension)) tension = member.law.explicit_tension;
  if (c.actuator >= 0) {
    d->actuator_force[m->actuator_outadr[c.actuator]] = tension;
  } else if (tension > 0) {
    AddPassive(m, d, c, tension, member.load);
  }
  ScaleTensions(tension, member.record);
  CableStage(m, d, member.instance, c, CableStage::Use::kRead).Show(true);
}

Motion Model(const mjModel* m, mjData* d, const Member* members, int n, Stage stage,
             Scratch& scratch) {
  Motion p{};
  p.m = m;
  p.d = d;
  p.members = members;
  p.n = n;
  FindDofs(p, scratch);
  FillInertia(p, stage, scratch);
  FillCables(p, scratch);
  return p;
}

void SolveAndApply(const mjModel* m, mjData* d, Member* members, int n, Stage stage,
                   Scratch& scratch) {
  Motion p = Model(m, d, members, n, stage, scratch);
  FillForce(p, stage, scratch);
  if (p.bound) PrepareConstraints(p, stage, scratch);
  double* tension = scratch.Take<double>(n);
  SolveMotion(p, scratch, tension);
  for (int i = 0; i < n; ++i) Apply(m, d, members[i], tension[i]);
}

bool ActuationFollows(const mjModel* m) {
  return m->nactuator > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
}

}  // namespace

AxialParameters AxialOf(const CableConfig& c, const State& state) {
  AxialParameters axial = c.axial;
  axial.stiffness = *state.stiffness;
  axial.damping = *state.damping;
  axial.home_length = *state.home_length;
  axial.max_tension = *state.max_tension;
  axial.pretension = *state.pretension;
  return axial;
}

double StepWeight(const mjModel* m, const CableConfig& c, const AxialParameters& axial,
                  const double* unit_load) {
  double mobility = 0;
  for (size_t i = 0; i < c.dofs.size(); ++i) {
    mobility += unit_load[i] * unit_load[i] * m->dof_invweight0[c.dofs[i]];
  }
  if (c.joint_dof >= 0) {
    const double gain = c.take_up.Gain();
    mobility += gain * gain * m->dof_invweight0[c.joint_dof];
  }
  const double h = m->opt.timestep;
  return ImplicitWeight(h * (h * axial.stiffness + axial.damping) * mobility);
}

void CouplePassive(const mjModel* m, mjData* d, int slot) {
  const int n = Gather(m, d, slot, true, nullptr, nullptr);
  if (n == 0) return;
  Scratch scratch(d);
  Member* members = scratch.Take<Member>(n);
  Gather(m, d, slot, true, &scratch, members);
  if (!ActuationFollows(m)) {
    SolveAndApply(m, d, members, n, Stage::kPassive, scratch);
    return;
  }
  std::copy(d->qfrc_passive, d->qfrc_passive + m->nv, PassiveStore(m, d));
  const Motion p = Model(m, d, members, n, Stage::kPassive, scratch);
  for (int i = 0; i < n; ++i) {
    double change = 0, slope;
    if (m->opt.enableflags & mjENBL_INVDISCRETE) {
      const CableConfig& c = *members[i].config;
      for (size_t k = 0; k < c.dofs.size(); ++k) {
        change += members[i].gradient[k] * d->qacc[c.dofs[k]];
      }
      if (c.joint_dof >= 0) change += c.take_up.Gain() * d->qacc[c.joint_dof];
    } else {
      for (int k = 0; k < p.size; ++k) change += p.measure[i * p.size + k] * d->qacc[p.dof[k]];
    }
    const double rate = members[i].rate + m->opt.timestep * change;
    Apply(m, d, members[i], ImplicitTension(members[i].law, rate, slope));
  }
}

void CoupleActuation(const mjModel* m, mjData* d, int slot) {
  const int n = Gather(m, d, slot, false, nullptr, nullptr);
  if (n == 0) return;
  Scratch scratch(d);
  Member* members = scratch.Take<Member>(n);
  Gather(m, d, slot, false, &scratch, members);
  const double* others = PassiveStore(m, d);
  for (int i = 0; i < n; ++i) {
    const CableConfig& c = *members[i].config;
    if (c.actuator >= 0) continue;
    for (int dof : c.dofs) d->qfrc_passive[dof] = others[dof];
    if (c.joint_dof >= 0) d->qfrc_passive[c.joint_dof] = others[c.joint_dof];
  }
  SolveAndApply(m, d, members, n, Stage::kActuation, scratch);
}

}  // namespace mujocable
