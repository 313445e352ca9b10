#include "plugin/couple/coupled.h"

#include <algorithm>
#include <new>

#include "core/law/cell.h"
#include "plugin/ask.h"
#include "plugin/configure/registry.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

// calls visit(member) for the cables that wait for the end of the stage, in the order of the model
template <typename Visit>
void Scan(const mjModel* m, mjData* d, int plugin, Stage stage, const Visit& visit) {
  const int total = static_cast<int>(m->nplugin);
  for (int i = 0; i < total; ++i) {
    if (m->plugin[i] != plugin) continue;
    const Instance* instance = FindInstance(m, d, i, /*compared=*/true);
    if (!instance) continue;
    for (const CableConfig& c : instance->cables) {
      if (!c.may_couple || c.record_adr < 0) continue;
      if (c.actuator >= 0 && stage == Stage::kPassive) continue;
      if (RecordOf(d, c).Coupled()) visit(Member{i, &c});
    }
  }
}

// what the step sees of the motion (19)-(20), by the whole length as one mode
void LookAt(const mjModel* m, WaitingCable& one, Scratch& scratch) {
  CoupledCable& cable = one.cable;
  cable.step.looks_ahead = true;
  cable.ahead = 1;
  // that integrator takes every spring at the end of the step, MuJoCo's own tendons too
  if (!IsDiscrete(m)) {
    const int columns = cable.columns;
    double* whole = scratch.Take<double>(columns);
    std::fill(whole, whole + columns, 0.0);
    for (int p = 0; p < cable.pieces; ++p) {
      const double* row = cable.row + p * columns;
      for (int k = cable.range[p].begin; k < cable.range[p].end; ++k) whole[k] += row[k];
    }
    // a spool whose joint moves an end as well is one dof
    const std::vector<int>& dofs = one.config->dofs;
    const int spool = one.config->joint_dof, end = static_cast<int>(dofs.size());
    const auto own = std::lower_bound(dofs.begin(), dofs.end(), spool);
    if (own != dofs.end() && *own == spool) {
      whole[own - dofs.begin()] += whole[end];
      whole[end] = 0;
    }
    const double h = cable.step.step, length = one.record.length();
    const double mobility = MobilityAlong(m, *one.config, whole, {0, columns});
    cable.ahead =
        LookAhead(h * h * cable.step.axial.stiffness * mobility, length - cable.step.total,
                  h * one.record.length_rate() + cable.step.motor);
  }
  cable.average = Average(cable.ahead);
}

// all that a coupled solve asks of a cable
void Fill(const World& world, const Member& member, Scratch& scratch, WaitingCable& one) {
  const CableConfig& c = *member.config;
  const mjModel* m = world.m;
  mjData* d = world.d;
  one = {};
  one.config = &c;
  one.record = RecordOf(d, c);
  one.driver = new (scratch.Take<MujocoCable>(1))
      MujocoCable(world, member, scratch, MujocoCable::Use::kRead);
  CoupledCable& cable = one.cable;
  cable.step = one.driver->cable().Reopen(cable.material);
  cable.piece = scratch.Take<int>(cable.material.n);
  CellPieces(one.record, cable.piece);
  one.piece = one.driver->cable().Pieces(cable.pieces);
  const Pieces pieces = PathPieces(d, c, one.record, one.piece, cable.pieces, scratch);
  cable.columns = pieces.columns;
  if (c.joint_dof >= 0 && cable.step.rigid) {
    const double strain = 1 - cable.material.rest[0] / cable.material.length[0];
    const double taut =
        Rigidity(cable.step) * Onset(strain, cable.step.axial.transition / cable.step.length);
    pieces.row[c.dofs.size()] = one.driver->cable().SpoolGain(taut);
  }
  cable.row = pieces.row;
  cable.range = pieces.range;
  if (c.joint_dof >= 0 && cable.step.axial.length_rate_only) cable.undamped = pieces.columns - 1;
  LookAt(m, one, scratch);
  if (one.driver->cable().Slides()) {
    one.pull = scratch.Take<double>(cable.columns);
    GeneralizedLoad(d, c, one.record, scratch, one.pull);
    for (size_t k = 0; k < c.dofs.size(); ++k) one.pull[k] = -one.pull[k];
    if (c.joint_dof >= 0) one.pull[c.dofs.size()] = c.take_up.Gain();
  }
  // of dofs that sleep nothing is asked
  const bool sleeping = m->opt.enableflags & mjENBL_SLEEP;
  for (int k = 0; sleeping && k < cable.columns; ++k) {
    if (Awake(m, d, DofOf(c, k))) continue;
    for (int j = 0; j < cable.pieces; ++j) pieces.row[j * cable.columns + k] = 0;
    if (one.pull) one.pull[k] = 0;
  }
}

}  // namespace

WaitingCable* GatherCoupled(const mjModel* m, mjData* d, int plugin, Stage stage, Scratch& scratch,
                            int& n) {
  int passive = n = 0;
  Scan(m, d, plugin, stage, [&](const Member& member) {
    passive += member.config->actuator < 0;
    ++n;
  });
  if (n == 0) return nullptr;
  WaitingCable* waiting = scratch.Take<WaitingCable>(n);
  WaitingCable *next = waiting, *commanded = waiting + passive;
  const World& world = *new (scratch.Take<World>(1)) World(m, d);
  Scan(m, d, plugin, stage, [&](const Member& member) {
    Fill(world, member, scratch, *(member.config->actuator < 0 ? next : commanded)++);
  });
  return waiting;
}

const double* Settle(WaitingCable& one, Scratch& scratch) {
  CoupledCable& cable = one.cable;
  Material& material = cable.material;
  const int ndof = static_cast<int>(one.config->dofs.size());
  double* load = scratch.Take<double>(ndof);
  one.driver->cable().Settle(cable.step, material);
  const double tension = one.record.source_tension();
  for (int k = 0; k < ndof; ++k) load[k] = one.pull ? -one.pull[k] : 0;
  if (!(tension > 0)) return load;
  // virtual work (6): what makes a piece longer does so against its tension
  for (int j = 0; j < material.n && !one.pull; ++j) {
    if (cable.piece[j] < 0) continue;
    const double* row = cable.row + cable.piece[j] * cable.columns;
    const Range range = cable.range[cable.piece[j]];
    const double ratio = material.tension[j] / tension;
    for (int k = range.begin; k < std::min(range.end, ndof); ++k) load[k] -= ratio * row[k];
  }
  for (int k = 0; one.swing && k < ndof; ++k) load[k] -= one.swing[k] / tension;
  return load;
}

}  // namespace mujocable
