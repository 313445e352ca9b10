// The end of a stage: cables that are stiff for the step are solved together with the motion.

#include <algorithm>
#include <optional>

#include "core/math/dense.h"
#include "plugin/ask.h"
#include "plugin/couple/motion_constraints.h"
#include "plugin/couple/swing.h"
#include "plugin/engine.h"
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
void Apply(const mjModel* m, mjData* d, WaitingCable& one) {
  const CableConfig& c = *one.config;
  Scratch scratch(d);
  const double* load = Settle(one, scratch);
  const double tension = one.record.source_tension();
  if (c.actuator >= 0) {
    d->actuator_force[c.out] = tension;
    WriteMoment(d, c, load);
  } else if (tension > 0) {
    AddPassive(m, d, one.driver->cable(), c, tension, load);
  }
  one.driver->Show();
}

// the columns of a cable on the dofs of a group; those that sleep are zero, wherever they are put
void PlaceColumns(const Motion& p, WaitingCable& one, Scratch& scratch) {
  CoupledCable& cable = one.cable;
  int* place = scratch.Take<int>(cable.columns);
  for (int k = 0; k < cable.columns; ++k) place[k] = std::max(0, p.Local(DofOf(*one.config, k)));
  cable.place = place;
  if (!one.pull) return;
  double* pull = p.Vector(scratch);
  for (int k = 0; k < cable.columns; ++k) pull[place[k]] += one.pull[k];
  cable.pull = pull;
}

// What the damped inertia makes of an acceleration: the matrix of the change of velocity.
const double* Turned(const Motion& p, Scratch& scratch) {
  const int n = p.size, width = p.width;
  double* factor = scratch.Take<double>(n * n);
  for (int i = 0; i < n; ++i) {
    std::copy(p.damped + i * width, p.damped + i * width + n, factor + i * n);
  }
  mju_cholFactor(factor, n, mjMINVAL);
  double* solved = scratch.Take<double>(n);
  double* turned = scratch.Take<double>(n * width);
  std::fill(turned, turned + n * width, 0.0);
  for (int j = 0; j < n; ++j) {
    mju_cholSolve(solved, factor, p.inertia + j * width, n);
    for (int i = 0; i < n; ++i) turned[i * width + j] = solved[i];
  }
  return turned;
}

double* Velocity(const Motion& p, Scratch& scratch) {
  double* velocity = p.Vector(scratch);
  for (int i = 0; i < p.size; ++i) velocity[i] = p.d->qvel[p.dof[i]];
  return velocity;
}

bool FindSwings(const Motion& p, Scratch& scratch) {
  bool any = false;
  for (int i = 0; i < p.n; ++i) any |= FindSwings(p.m, p.d, p.Cable(i), scratch);
  return any;
}

// Finds the segments of a group that swing, with the tensions that the cables have without what
// they gain in the step.
void BeginSwings(const Motion& p, CoupledMotion& motion, Scratch& scratch) {
  double* load = p.Vector(scratch);
  EvaluateCables(motion, nullptr, load);
  motion.at_rest = load;
  bool any = FindSwings(p, scratch);
  if (any && EvaluateOlder(motion)) any = FindSwings(p, scratch);
  if (!any) return;
  motion.at_rest = nullptr;
  motion.velocity = Velocity(p, scratch);
}

// Takes those of cables that ended slack out of the motion: such a cable exerts no force, across
// its segments neither. Returns whether there are any.
bool DropSlackSwings(const Motion& p) {
  bool any = false;
  for (int i = 0; i < p.n; ++i) {
    CoupledCable& cable = p.Cable(i).cable;
    if (cable.nswing == 0 || cable.material.tension[0] > 0) continue;
    cable.nswing = 0;
    any = true;
  }
  return any;
}

// their loads, where the motion ended
void SettleSwings(const Motion& p, const CoupledMotion& motion, Scratch& scratch) {
  double *velocity = Velocity(p, scratch), *change = motion.start;
  if (motion.turned) {
    change = p.Vector(scratch);
    Multiply(motion.turned, motion.start, p.size, p.width, change);
  }
  AddScaled(motion.step, change, p.width, velocity);
  for (int i = 0; i < p.n; ++i) SettleSwings(motion.step, velocity, scratch, p.Cable(i));
}

// Solves the cables of one group. Where constraints depend on it the unknown is the acceleration,
// else the change of velocity that the step makes of it; equalities are part of the matrix. It
// begins with the acceleration of the last step, or where nothing changes if that is another
// unknown; and at the other place if it finds no balance from there.
void SolveGroup(Motion& p, Scratch& scratch) {
  const int n = p.size, width = p.width;
  CoupledMotion motion;
  motion.n = n;
  motion.width = width;
  motion.step = p.m->opt.timestep;
  motion.force = p.force;
  motion.base = p.inertia;
  if (p.bound && p.damps) motion.turned = Turned(p, scratch);
  const bool from_last = p.bound || !p.damps;
  double* last = p.Vector(scratch);
  for (int i = 0; i < n; ++i) {
    last[i] = p.d->qacc_warmstart[p.dof[i]];
    // about what the step makes of it
    if (!from_last) last[i] *= 1 - p.damping[i] / p.damped[i * width + i];
  }
  if (p.nrow > 0 && !p.bound) AddEqualities(p, p.inertia, p.force);
  motion.start = from_last ? last : p.Vector(scratch);
  motion.ncable = p.n;
  motion.cables = scratch.Take<CoupledCable*>(p.n);
  for (int i = 0; i < p.n; ++i) {
    PlaceColumns(p, p.Cable(i), scratch);
    motion.cables[i] = &p.Cable(i).cable;
  }
  BeginSwings(p, motion, scratch);
  std::optional<GroupConstraints> constraints;
  if (p.bound) motion.others = &constraints.emplace(p, scratch);
  double* room = scratch.Take<double>(CoupledScratch(n));
  int solves = SolveCoupled(motion, room);
  motion.at_rest = nullptr;
  if (solves < 0) {
    motion.start = from_last ? p.Vector(scratch) : last;
    solves = SolveCoupled(motion, room);
  }
  while (motion.velocity && DropSlackSwings(p)) {
    const int more = SolveCoupled(motion, room);
    solves = more < 0 ? more : std::abs(solves) + more;
  }
  if (motion.velocity) SettleSwings(p, motion, scratch);
  for (int i = 0; i < p.n; ++i) p.Cable(i).record.solves() = solves;
}

void SolveAndApply(const mjModel* m, mjData* d, WaitingCable* waiting, int n, Stage stage,
                   Scratch& outer) {
  // MuJoCo does so between the two stages
  if (stage == Stage::kPassive && IsDiscrete(m)) ShiftMetric(m, d);
  const Groups groups = FindGroups(m, d, waiting, n, stage, outer);
  double* force = outer.Take<double>(m->nv);
  SumForces(m, d, waiting, n, stage, outer, force);
  if (groups.rows.first[groups.n] > 0) PrepareConstraints(m, d, stage, outer);
  for (int g = 0; g < groups.n; ++g) {
    Scratch scratch(d);
    Motion p = MakeMotion(m, d, waiting, groups, g, scratch);
    p.force = p.Vector(scratch);
    for (int i = 0; i < p.size; ++i) p.force[i] = force[p.dof[i]];
    SolveGroup(p, scratch);
    for (int i = 0; i < p.n; ++i) Apply(m, d, p.Cable(i));
  }
}

// tensions that the acceleration in `d` calls for
void FollowAcceleration(const mjModel* m, mjData* d, WaitingCable* waiting, int n, Scratch& outer) {
  const int nv = static_cast<int>(m->nv);
  CoupledMotion motion;  // of all dofs, one cable after the other
  motion.n = nv;
  motion.width = Padded(nv);
  motion.step = m->opt.timestep;
  motion.ncable = 1;
  const double* change = ChangeOfVelocity(m, d, outer);
  double* velocity = outer.Take<double>(nv);
  double* load = outer.Take<double>(motion.width);
  std::fill(load, load + motion.width, 0.0);
  for (int k = 0; k < nv; ++k) velocity[k] = d->qvel[k] + motion.step * change[k];
  for (WaitingCable* one = waiting; one < waiting + n; ++one) {
    Scratch scratch(d);
    CoupledCable* cable = &one->cable;
    int* place = scratch.Take<int>(cable->columns);
    for (int k = 0; k < cable->columns; ++k) place[k] = DofOf(*one->config, k);
    cable->place = place;
    motion.cables = &cable;
    EvaluateCables(motion, nullptr, load);
    if (FindSwings(m, d, *one, scratch) && EvaluateOlder(motion)) {
      FindSwings(m, d, *one, scratch);
    }
    EvaluateCables(motion, change, load);
    SettleSwings(motion.step, velocity, scratch, *one);
    Apply(m, d, *one);
  }
}

}  // namespace

void Couple(const mjModel* m, mjData* d, int plugin, Stage stage) {
  Scratch scratch(d);
  int n;
  WaitingCable* waiting = GatherCoupled(m, d, plugin, stage, scratch, n);
  if (n == 0) return;
  double* others = PassiveStore(m, d);
  if (stage == Stage::kPassive && ActuationEnabled(m)) {
    std::copy(d->qfrc_passive, d->qfrc_passive + m->nv, others);
    FollowAcceleration(m, d, waiting, n, scratch);
    return;
  }
  for (int i = 0; i < n && stage == Stage::kActuation; ++i) {
    const CableConfig& c = *waiting[i].config;
    if (c.actuator >= 0) continue;
    for (int dof : c.dofs) d->qfrc_passive[dof] = others[dof];
    if (c.joint_dof >= 0) d->qfrc_passive[c.joint_dof] = others[c.joint_dof];
  }
  SolveAndApply(m, d, waiting, n, stage, scratch);
}

}  // namespace mujocable
