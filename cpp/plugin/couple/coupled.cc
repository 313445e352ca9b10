#include "plugin/couple/coupled.h"

#include <algorithm>
#include <new>

#include "plugin/configure/registry.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

// calls visit(member, record) for the cables that wait, in the order of the model
template <typename Visit>
void Scan(const mjModel* m, mjData* d, int plugin, const Visit& visit) {
  const int total = static_cast<int>(m->nplugin);
  for (int i = 0; i < total; ++i) {
    if (m->plugin[i] != plugin) continue;
    const Instance* instance = FindInstance(m, d, i, /*compared=*/true);
    if (!instance) continue;
    for (const CableConfig& c : instance->cables) {
      if (!c.may_couple || c.record_adr < 0) continue;
      const Record record = RecordOf(d, c);
      if (record.Coupled()) visit(Member{i, &c}, record);
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
    const double h = cable.step.step, length = one.record.length();
    const double mobility = MobilityAlong(m, *one.config, whole, {0, columns});
    cable.ahead =
        LookAhead(h * h * cable.step.axial.stiffness * mobility, length - cable.step.total,
                  h * one.record.length_rate() + cable.step.motor);
  }
  cable.average = Average(cable.ahead);
}

// all that a coupled solve asks of a cable
void Fill(const World& world, const Member& member, const Record& record, Scratch& scratch,
          WaitingCable& one) {
  const CableConfig& c = *member.config;
  const mjModel* m = world.m;
  mjData* d = world.d;
  one = {};
  one.config = &c;
  one.record = record;
  one.driver = new (scratch.Take<MujocoCable>(1))
      MujocoCable(world, member, scratch, MujocoCable::Use::kRead);
  CoupledCable& cable = one.cable;
  cable.step = one.driver->cable().Reopen(cable.material);
  const int n = cable.material.n;
  cable.piece = scratch.Take<int>(n);
  CellPieces(record, cable.piece);
  int pieces;
  one.piece = one.driver->cable().Pieces(pieces);
  one.pieces = PathPieces(d, c, record, one.piece, pieces, scratch);
  cable.pieces = one.pieces.n;
  cable.columns = one.pieces.columns;
  cable.row = one.pieces.row;
  cable.range = one.pieces.range;
  LookAt(m, one, scratch);
  if (!one.driver->cable().Slides()) return;
  one.pull = scratch.Take<double>(cable.columns);
  GeneralizedLoad(d, c, record, scratch, one.pull);
  for (size_t k = 0; k < c.dofs.size(); ++k) one.pull[k] = -one.pull[k];
  if (c.joint_dof >= 0) one.pull[c.dofs.size()] = c.take_up.Gain();
}

// what its segments that swing add to the load per unit of source tension
void AddSwing(const WaitingCable& one, double* load) {
  const double tension = one.record.source_tension();
  if (!one.swing || !(tension > 0)) return;
  for (size_t k = 0; k < one.config->dofs.size(); ++k) load[k] -= one.swing[k] / tension;
}

}  // namespace

WaitingCount CountCoupled(const mjModel* m, mjData* d, int plugin) {
  WaitingCount count;
  Scan(m, d, plugin, [&](const Member& member, const Record&) {
    ++(member.config->actuator < 0 ? count.passive : count.commanded);
  });
  return count;
}

void GatherCoupled(const mjModel* m, mjData* d, int plugin, const WaitingCount& count,
                   Scratch& scratch, WaitingCable* waiting) {
  const World& world = *new (scratch.Take<World>(1)) World(m, d);
  WaitingCable *passive = waiting, *commanded = waiting + count.passive;
  Scan(m, d, plugin, [&](const Member& member, const Record& record) {
    if (member.config->actuator < 0) return Fill(world, member, record, scratch, *passive++);
    if (count.commanded > 0) Fill(world, member, record, scratch, *commanded++);
  });
}

const double* Settle(WaitingCable& one, Scratch& scratch) {
  CoupledCable& cable = one.cable;
  Material& material = cable.material;
  const Record& record = one.record;
  const int ndof = static_cast<int>(one.config->dofs.size());
  double* load = scratch.Take<double>(ndof);
  one.driver->cable().Settle(cable.step, material);
  if (one.pull) {
    for (int k = 0; k < ndof; ++k) load[k] = -one.pull[k];
    AddSwing(one, load);
    return load;
  }
  std::fill(load, load + ndof, 0.0);
  if (!(record.source_tension() > 0)) return load;
  // virtual work (6): what makes a piece longer does so against its tension
  for (int j = 0; j < material.n; ++j) {
    if (cable.piece[j] < 0) continue;
    const double* row = cable.row + cable.piece[j] * cable.columns;
    const Range range = cable.range[cable.piece[j]];
    const double ratio = material.tension[j] / record.source_tension();
    for (int k = range.begin; k < std::min(range.end, ndof); ++k) load[k] -= ratio * row[k];
  }
  AddSwing(one, load);
  return load;
}

}  // namespace mujocable
