#include "plugin/couple/coupled.h"

#include <algorithm>
#include <new>

#include "plugin/configure/find.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

// Calls visit(instance, config, record block): passive cables, then commanded ones, since MuJoCo
// keeps the order within each kind when it copies a model, but not between them.
template <typename Visit>
void ForEachCoupled(const mjModel* m, mjData* d, int slot, bool passive_only, const Visit& visit) {
  const int total = static_cast<int>(m->nplugin), kinds = passive_only ? 1 : 2;
  for (int kind = 0; kind < kinds; ++kind) {
    for (int i = 0; i < total; ++i) {
      if (m->plugin[i] != slot) continue;
      const CableConfig* c = FindConfig(m, d, i, /*compared=*/true);
      if (!c || !c->implicit || c->record_adr < 0 || (c->actuator >= 0) != (kind > 0)) continue;
      const Record record = RecordOf(d, *c);
      if (record.Coupled()) visit(i, *c, record);
    }
  }
}

void Fill(const mjModel* m, mjData* d, int instance, const CableConfig& c, const Record& record,
          Scratch& scratch, CoupledMember& member) {
  member = {};
  member.config = &c;
  member.record = record;
  member.driver = new (scratch.Take<MujocoCable>(1))
      MujocoCable(m, d, instance, c, scratch, MujocoCable::Use::kRead);
  CoupledCable& cable = member.cable;
  cable.step = member.driver->cable().Reopen(cable.material);
  const int n = cable.material.n;
  cable.longer = scratch.Take<double>(n);
  cable.grown = scratch.Take<double>(n);
  cable.piece = scratch.Take<int>(n);
  int* contact = scratch.Take<int>(n);
  CellPieces(cable.material, cable.piece);
  member.pieces =
      PathPieces(d, c, record, contact, RubbingContacts(cable.material, contact), scratch);
  cable.pieces = member.pieces.n;

  // the whole length, as one mode
  const int ndof = static_cast<int>(c.dofs.size());
  double* whole = scratch.Take<double>(ndof);
  std::fill(whole, whole + ndof, 0.0);
  for (int p = 0; p < member.pieces.n; ++p) {
    for (int k = member.pieces.range[p].begin; k < member.pieces.range[p].end; ++k) {
      whole[k] += member.pieces.row[p * ndof + k];
    }
  }
  const double h = m->opt.timestep;
  const double mobility = MobilityOf(m, c, whole, {0, ndof}) + SpoolMobility(m, c);
  cable.ahead =
      LookAhead(h * h * cable.step.axial.stiffness * mobility, record.length() - cable.step.total,
                h * record.length_rate() + cable.step.motor);
  // this integrator takes every spring at the end of the step, MuJoCo's own tendons too
  if (IsDiscrete(m)) cable.ahead = 1;
  cable.average = Average(cable.ahead);
  if (!member.driver->cable().Slides()) return;
  member.pull = scratch.Take<double>(ndof);
  GeneralizedLoad(d, c, record, scratch, member.pull);
  for (int k = 0; k < ndof; ++k) member.pull[k] = -member.pull[k];
}

}  // namespace

int CountCoupled(const mjModel* m, mjData* d, int slot, bool passive_only) {
  int n = 0;
  ForEachCoupled(m, d, slot, passive_only, [&](int, const CableConfig&, const Record&) { ++n; });
  return n;
}

void GatherCoupled(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch& scratch,
                   CoupledMember* members) {
  ForEachCoupled(m, d, slot, passive_only, [&](int i, const CableConfig& c, const Record& record) {
    Fill(m, d, i, c, record, scratch, *members++);
  });
}

const double* Settle(const mjData* d, CoupledMember& member, Scratch& scratch) {
  const CableConfig& c = *member.config;
  Material& material = member.cable.material;
  const Record& record = member.record;
  const int ndof = static_cast<int>(c.dofs.size());
  double* load = scratch.Take<double>(ndof);
  member.driver->cable().Settle(member.cable.step, member.cable.longer, material);
  if (member.pull) {
    for (int k = 0; k < ndof; ++k) load[k] = -member.pull[k];
    return load;
  }
  if (!(record.source_tension() > 0)) {
    std::fill(load, load + ndof, 0.0);
    return load;
  }
  GeneralizedLoad(d, c, record, scratch, load);
  for (int k = 0; k < ndof; ++k) load[k] /= record.source_tension();
  return load;
}

}  // namespace mujocable
