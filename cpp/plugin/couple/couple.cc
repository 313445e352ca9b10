#include "plugin/couple/couple.h"

#include <algorithm>

#include "core/math/dense.h"
#include "plugin/couple/motion_constraints.h"
#include "plugin/step/loads.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {
namespace {

// where the other passive forces are kept from the passive to the actuation stage: memory of a
// factorization that this integrator does not use
double* PassiveStore(const mjModel* m, mjData* d) {
  return m->opt.integrator == mjINT_IMPLICIT ? d->qH : d->qLU;
}

// applies what a solved cable pulls with
void Apply(const mjModel* m, mjData* d, CoupledMember& member) {
  const CableConfig& c = *member.config;
  Scratch scratch(d);
  const double* load = Settle(d, member, scratch);
  const double tension = member.record.source_tension();
  if (c.actuator >= 0) {
    d->actuator_force[c.out] = tension;
    WriteMoment(d, c, load);
  } else if (tension > 0) {
    AddPassive(m, d, c, tension, load);
  }
  member.driver->Show(true);
}

// the rows of a cable on the dofs of a group
void PlaceRows(const Motion& p, CoupledMember& member, int width, Scratch& scratch) {
  const CableConfig& c = *member.config;
  CoupledCable& cable = member.cable;
  const int ndof = static_cast<int>(c.dofs.size());
  cable.row = scratch.Take<double>(cable.pieces * width);
  cable.range = scratch.Take<Range>(cable.pieces);
  int* place = scratch.Take<int>(ndof);
  for (int k = 0; k < ndof; ++k) place[k] = p.Local(c.dofs[k]);
  const int spool = c.joint_dof >= 0 ? p.Local(c.joint_dof) : -1;
  for (int j = 0; j < cable.pieces; ++j) {
    const Range from = member.pieces.range[j];
    const double* value = member.pieces.row + j * ndof;
    double* row = cable.row + j * width;
    Range& to = cable.range[j] = {p.size, 0};
    std::fill(row, row + width, 0.0);
    const auto add = [&](int at, double x) {
      if (at < 0) return;
      row[at] += x;
      to = {std::min(to.begin, at), std::max(to.end, at + 1)};
    };
    for (int k = from.begin; k < from.end; ++k) add(place[k], value[k]);
    if (j == 0) add(spool, c.take_up.Gain());
    if (to.end < to.begin) to = {0, 0};
  }
  if (!member.pull) return;
  double* pull = scratch.Take<double>(width);
  std::fill(pull, pull + width, 0.0);
  for (int k = 0; k < ndof; ++k) {
    if (place[k] >= 0) pull[place[k]] += member.pull[k];
  }
  if (spool >= 0) pull[spool] += c.take_up.Gain();
  cable.pull = pull;
}

// MuJoCo's constraints as the solver asks for them
class ConstraintForces final : public OtherForces {
 public:
  ConstraintForces(const Motion& p, Scratch& scratch)
      : p_(p), full_(scratch.Take<double>(p.m->nv)), jar_(scratch.Take<double>(p.d->nefc)) {
    std::copy(p.d->qacc_warmstart, p.d->qacc_warmstart + p.m->nv, full_);
  }
  void Evaluate(const double* a, double* force) override {
    EvaluateConstraints(p_, a, full_, jar_, true, force);
  }
  void AddSlopes(int width, double* matrix) override { AddConstraints(p_, width, matrix); }

 private:
  const Motion& p_;
  double *full_, *jar_;
};

// a matrix in rows that are padded
double* Widened(const double* from, int n, Scratch& scratch) {
  const int width = Padded(n);
  double* to = scratch.Take<double>(n * width);
  for (int i = 0; i < n; ++i) {
    std::copy(from + i * n, from + (i + 1) * n, to + i * width);
    std::fill(to + i * width + n, to + (i + 1) * width, 0.0);
  }
  return to;
}

// Solves the cables of one group. Where constraints depend on it the unknown is the acceleration,
// else the change of velocity that the step makes of it; equalities are part of the matrix.
void SolveGroup(Motion& p, Scratch& scratch) {
  const int n = p.size, width = Padded(n);
  const bool bound = p.bonds == Bonds::kAny, damped = p.damped != p.inertia;
  const auto vector = [&] {
    double* v = scratch.Take<double>(width);
    std::fill(v, v + width, 0.0);
    return v;
  };
  CoupledMotion motion;
  motion.n = n;
  motion.width = width;
  motion.step = p.m->opt.timestep;
  double* base = Widened(bound ? p.inertia : p.damped, n, scratch);
  double* factor = nullptr;  // of the damped inertia
  if (damped) {
    factor = scratch.Take<double>(n * n);
    std::copy(p.damped, p.damped + n * n, factor);
    mju_cholFactor(factor, n, mjMINVAL);
  }
  if (bound && damped) {
    double* turned = Widened(p.inertia, n, scratch);
    double* solved = scratch.Take<double>(n);
    for (int j = 0; j < n; ++j) {
      mju_cholSolve(solved, factor, p.inertia + j * n, n);  // a column as well
      for (int i = 0; i < n; ++i) turned[i * width + j] = solved[i];
    }
    motion.turned = turned;
  }
  if (p.bonds == Bonds::kEqualities) AddEqualities(p, damped, width, base, p.force);
  motion.base = base;
  double* force = vector();
  std::copy(p.force, p.force + n, force);
  motion.force = force;
  // from where the last step left
  motion.start = vector();
  for (int i = 0; i < n; ++i) motion.start[i] = p.d->qacc_warmstart[p.dof[i]];
  if (!bound && damped) {
    double* impulse = scratch.Take<double>(n);
    Multiply(p.inertia, motion.start, n, impulse);
    mju_cholSolve(motion.start, factor, impulse, n);
  }
  motion.ncable = p.n;
  motion.cables = scratch.Take<CoupledCable>(p.n);
  for (int i = 0; i < p.n; ++i) {
    PlaceRows(p, p.members[i], width, scratch);
    motion.cables[i] = p.members[i].cable;
  }
  ConstraintForces constraints(p, scratch);
  if (bound) motion.others = &constraints;
  const int solves = SolveCoupled(motion, scratch.Take<double>(CoupledScratch(n)));
  for (int i = 0; i < p.n; ++i) {
    p.members[i].cable = motion.cables[i];
    p.members[i].record.solves() = solves;
  }
}

void SolveAndApply(const mjModel* m, mjData* d, CoupledMember* members, int n, Phase phase,
                   Scratch& outer) {
  const Groups groups = FindGroups(m, d, members, n, outer);
  double* force = outer.Take<double>(m->nv);
  SumForces(m, d, members, n, phase, outer, force);
  if (std::any_of(groups.bonds, groups.bonds + groups.n,
                  [](Bonds b) { return b != Bonds::kNone; })) {
    PrepareConstraints(m, d, phase, outer);
  }
  for (int g = 0; g < groups.n; ++g) {
    Scratch scratch(d);
    Motion p = MakeMotion(m, d, members, groups, g, phase, scratch);
    p.force = scratch.Take<double>(p.size);
    for (int i = 0; i < p.size; ++i) p.force[i] = force[p.dof[i]];
    SolveGroup(p, scratch);
    for (int i = 0; i < p.n; ++i) Apply(m, d, p.members[i]);
  }
}

// tensions that the acceleration in `d` calls for
void FollowAcceleration(const mjModel* m, mjData* d, CoupledMember* members, int n,
                        Scratch& outer) {
  const double* change = ChangeOfVelocity(m, d, outer);
  for (int i = 0; i < n; ++i) {
    Scratch scratch(d);
    CoupledMember& member = members[i];
    const CableConfig& c = *member.config;
    CoupledCable& cable = member.cable;
    // on the dofs of this cable alone, its spool last
    const int ndof = static_cast<int>(c.dofs.size()), width = Padded(ndof + 1);
    double* z = scratch.Take<double>(width);
    double* load = scratch.Take<double>(width);
    std::fill(z, z + width, 0.0);
    std::fill(load, load + width, 0.0);
    for (int k = 0; k < ndof; ++k) z[k] = change[c.dofs[k]];
    if (c.joint_dof >= 0) z[ndof] = change[c.joint_dof];
    cable.row = scratch.Take<double>(cable.pieces * width);
    cable.range = scratch.Take<Range>(cable.pieces);
    std::fill(cable.row, cable.row + cable.pieces * width, 0.0);
    for (int j = 0; j < cable.pieces; ++j) {
      const double* from = member.pieces.row + j * ndof;
      std::copy(from, from + ndof, cable.row + j * width);
      cable.range[j] = {0, ndof + 1};
    }
    if (c.joint_dof >= 0) cable.row[ndof] = c.take_up.Gain();
    cable.pull = nullptr;
    CoupledMotion motion;
    motion.n = ndof + 1;
    motion.width = width;
    motion.step = m->opt.timestep;
    motion.cables = &cable;
    motion.ncable = 1;
    EvaluateCables(motion, z, load);
    Apply(m, d, member);
  }
}

bool ActuationFollows(const mjModel* m) {
  return m->nactuator > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
}

}  // namespace

void CouplePassive(const mjModel* m, mjData* d, int slot) {
  const int n = CountCoupled(m, d, slot, true);
  if (n == 0) return;
  Scratch scratch(d);
  CoupledMember* members = scratch.Take<CoupledMember>(n);
  GatherCoupled(m, d, slot, true, scratch, members);
  if (!ActuationFollows(m)) {
    SolveAndApply(m, d, members, n, Phase::kPassive, scratch);
    return;
  }
  std::copy(d->qfrc_passive, d->qfrc_passive + m->nv, PassiveStore(m, d));
  FollowAcceleration(m, d, members, n, scratch);
}

void CoupleActuation(const mjModel* m, mjData* d, int slot) {
  const int n = CountCoupled(m, d, slot, false);
  if (n == 0) return;
  Scratch scratch(d);
  CoupledMember* members = scratch.Take<CoupledMember>(n);
  GatherCoupled(m, d, slot, false, scratch, members);
  const double* others = PassiveStore(m, d);
  for (int i = 0; i < n; ++i) {
    const CableConfig& c = *members[i].config;
    if (c.actuator >= 0) continue;
    for (int dof : c.dofs) d->qfrc_passive[dof] = others[dof];
    if (c.joint_dof >= 0) d->qfrc_passive[c.joint_dof] = others[c.joint_dof];
  }
  SolveAndApply(m, d, members, n, Phase::kActuation, scratch);
}

}  // namespace mujocable
