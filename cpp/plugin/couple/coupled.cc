#include "plugin/couple/coupled.h"

#include <algorithm>
#include <new>

#include "plugin/configure/find.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

// calls visit(instance, config, record) for the cables that wait, in the order of the model
template <typename Visit>
void Scan(const mjModel* m, mjData* d, int slot, const Visit& visit) {
  const int total = static_cast<int>(m->nplugin);
  for (int i = 0; i < total; ++i) {
    if (m->plugin[i] != slot) continue;
    const CableConfig* c = FindConfig(m, d, i, /*compared=*/true);
    if (!c || !c->implicit || c->record_adr < 0) continue;
    const Record record = RecordOf(d, *c);
    if (record.Coupled()) visit(i, *c, record);
  }
}

// The same, passive cables, then commanded ones, since MuJoCo keeps the order within each kind when
// it copies a model, but not between them.
template <typename Visit>
void ForEachCoupled(const mjModel* m, mjData* d, int slot, bool passive_only, const Visit& visit) {
  for (int kind = 0; kind < (passive_only ? 1 : 2); ++kind) {
    Scan(m, d, slot, [&](int i, const CableConfig& c, const Record& record) {
      if ((c.actuator >= 0) == (kind > 0)) visit(i, c, record);
    });
  }
}

// what the step sees of the motion (19)-(20), by the whole length as one mode
void LookAt(const mjModel* m, CoupledMember& member, Scratch& scratch) {
  CoupledCable& cable = member.cable;
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
    const double h = cable.step.step, length = member.record.length();
    const double mobility = MobilityAlong(m, *member.config, whole, {0, columns});
    cable.ahead =
        LookAhead(h * h * cable.step.axial.stiffness * mobility, length - cable.step.total,
                  h * member.record.length_rate() + cable.step.motor);
  }
  cable.average = Average(cable.ahead);
}

// all that a coupled solve asks of a cable
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
  cable.piece = scratch.Take<int>(n);
  CellPieces(cable.material, cable.piece);
  int pieces;
  const Piece* piece = member.driver->cable().Pieces(pieces);
  member.pieces = PathPieces(d, c, record, piece, pieces, scratch);
  cable.pieces = member.pieces.n;
  cable.columns = member.pieces.columns;
  cable.row = member.pieces.row;
  cable.range = member.pieces.range;
  LookAt(m, member, scratch);
  if (!member.driver->cable().Slides()) return;
  member.pull = scratch.Take<double>(cable.columns);
  GeneralizedLoad(d, c, record, scratch, member.pull);
  for (size_t k = 0; k < c.dofs.size(); ++k) member.pull[k] = -member.pull[k];
  if (c.joint_dof >= 0) member.pull[c.dofs.size()] = c.take_up.Gain();
}

}  // namespace

int CountCoupled(const mjModel* m, mjData* d, int slot, bool passive_only) {
  int n = 0;
  Scan(m, d, slot,
       [&](int, const CableConfig& c, const Record&) { n += !passive_only || c.actuator < 0; });
  return n;
}

void GatherCoupled(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch& scratch,
                   CoupledMember* members) {
  int n = 0;
  ForEachCoupled(m, d, slot, passive_only, [&](int i, const CableConfig& c, const Record& record) {
    Fill(m, d, i, c, record, scratch, members[n++]);
  });
}

const double* Settle(CoupledMember& member, Scratch& scratch) {
  CoupledCable& cable = member.cable;
  Material& material = cable.material;
  const Record& record = member.record;
  const int ndof = static_cast<int>(member.config->dofs.size());
  double* load = scratch.Take<double>(ndof);
  member.driver->cable().Settle(cable.step, material);
  if (member.pull) {
    for (int k = 0; k < ndof; ++k) load[k] = -member.pull[k];
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
  return load;
}

}  // namespace mujocable
