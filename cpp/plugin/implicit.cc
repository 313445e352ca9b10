#include "implicit.h"

#include <algorithm>

#include "motion_constraints.h"
#include "motion_slip.h"
#include "motion_solve.h"
#include "slip.h"
#include "stages.h"

namespace mujocable {
namespace {

// where the other passive forces are kept from the passive to the actuation stage: memory of a
// factorization that this integrator does not use
double* PassiveStore(const mjModel* m, mjData* d) {
  return m->opt.integrator == mjINT_IMPLICIT ? d->qH : d->qLU;
}

// friction of the present slip, where there is no other
void KeepSlips(const Member& member, double* slips, double* ratios, Scratch& scratch) {
  ImplicitSlip present = member.slip;
  present.weight = 0;
  double* slope = scratch.Take<double>(present.n);
  EndRatios(present, 0, member.growth, slips, ratios, slope);
}

// what a cable does with its solution; slips, ratios: of the contacts that rub, if any does
void Apply(const mjModel* m, mjData* d, Member& member, double tension, double* slips,
           double* ratios) {
  const CableConfig& c = *member.config;
  const int rubbing = member.slip.n;
  RoomyScratch scratch(d);
  if (!std::all_of(slips, slips + rubbing, [](double v) { return std::isfinite(v); })) {
    KeepSlips(member, slips, ratios, scratch);
  }
  if (!std::isfinite(tension)) tension = member.law.explicit_tension;
  const double* load = Settle(member, tension, slips, ratios, scratch);
  if (c.actuator >= 0) {
    d->actuator_force[c.out] = tension;
    if (rubbing > 0) WriteMoment(d, c, load);
  } else if (tension > 0) {
    AddPassive(m, d, c, tension, load);
  }
  CableStage(m, d, member.instance, c, scratch, CableStage::Use::kRead).Show(true);
}

bool Slides(const Motion& p) {
  return std::any_of(p.members, p.members + p.n, [](const Member& m) { return m.slip.n > 0; });
}

void SolveAndApply(const mjModel* m, mjData* d, Member* members, int n, Stage stage,
                   Scratch& outer) {
  const Groups groups = FindGroups(m, d, members, n, outer);
  double* force = outer.Take<double>(m->nv);
  SumForces(m, d, members, n, stage, outer, force);
  if (std::any_of(groups.bonds, groups.bonds + groups.n,
                  [](Bonds b) { return b != Bonds::kNone; })) {
    PrepareConstraints(m, d, stage, outer);
  }
  for (int g = 0; g < groups.n; ++g) {
    RoomyScratch scratch(d);
    Motion p = MakeMotion(m, d, members, groups, g, stage, scratch);
    p.force = scratch.Take<double>(p.size);
    for (int i = 0; i < p.size; ++i) p.force[i] = force[p.dof[i]];
    if (Slides(p)) {
      SlidingCables cables(p, scratch);
      SolveSlip(p, scratch, cables);
      for (int i = 0; i < p.n; ++i) {
        Apply(m, d, p.members[i], cables.tension(i), cables.slips(i), cables.ratios(i));
      }
      continue;
    }
    double* tension = scratch.Take<double>(p.n);
    SolveMotion(p, scratch, tension);
    for (int i = 0; i < p.n; ++i) Apply(m, d, p.members[i], tension[i], nullptr, nullptr);
  }
}

// tensions and slips that the acceleration in `d` calls for
void FollowAcceleration(const mjModel* m, mjData* d, Member* members, int n, Scratch& outer) {
  const double* change = ChangeOfVelocity(m, d, outer);
  const double h = m->opt.timestep;
  for (int i = 0; i < n; ++i) {
    RoomyScratch scratch(d);
    Member& member = members[i];
    const CableConfig& c = *member.config;
    const int ndof = static_cast<int>(c.dofs.size()), contacts = member.slip.n;
    double* z = scratch.Take<double>(ndof);
    for (int k = 0; k < ndof; ++k) z[k] = change[c.dofs[k]];
    double rate = member.rate + h * Product(member.gradient, z, ndof);
    if (c.joint_dof >= 0) rate += h * c.take_up.Gain() * change[c.joint_dof];
    double slope;
    const double tension = ImplicitTension(member.law, rate, slope);
    double* growth = scratch.Take<double>(contacts);
    double* slips = scratch.Take<double>(contacts);
    double* ratios = scratch.Take<double>(contacts);
    double* slopes = scratch.Take<double>(contacts);
    double beyond = 0;
    for (int j = contacts - 1; j >= 0; --j) {
      const Range range = member.pieces.range[j];
      const double* row = member.pieces.row + j * ndof;
      for (int k = range.begin; k < range.end; ++k) beyond += row[k] * z[k];
      growth[j] = member.growth[j] + h * beyond;
    }
    EndRatios(member.slip, rate, growth, slips, ratios, slopes);
    Apply(m, d, member, tension, slips, ratios);
  }
}

bool ActuationFollows(const mjModel* m) {
  return m->nactuator > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION);
}

}  // namespace

void CouplePassive(const mjModel* m, mjData* d, int slot) {
  const int n = CountMembers(m, d, slot, true);
  if (n == 0) return;
  RoomyScratch scratch(d);
  Member* members = scratch.Take<Member>(n);
  GatherMembers(m, d, slot, true, scratch, members);
  if (!ActuationFollows(m)) {
    SolveAndApply(m, d, members, n, Stage::kPassive, scratch);
    return;
  }
  std::copy(d->qfrc_passive, d->qfrc_passive + m->nv, PassiveStore(m, d));
  FollowAcceleration(m, d, members, n, scratch);
}

void CoupleActuation(const mjModel* m, mjData* d, int slot) {
  const int n = CountMembers(m, d, slot, false);
  if (n == 0) return;
  RoomyScratch scratch(d);
  Member* members = scratch.Take<Member>(n);
  GatherMembers(m, d, slot, false, scratch, members);
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
