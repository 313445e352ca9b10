#include "members.h"

#include <algorithm>

#include "core/cable.h"
#include "loads.h"
#include "stages.h"

namespace mujocable {
namespace {

// Calls visit(instance, config, record block): passive cables, then commanded ones, since MuJoCo
// keeps the order within each kind when it copies a model, but not between them.
template <typename Visit>
void ForEachMember(const mjModel* m, mjData* d, int slot, bool passive_only, const Visit& visit) {
  const int total = static_cast<int>(m->nplugin), kinds = passive_only ? 1 : 2;
  for (int kind = 0; kind < kinds; ++kind) {
    for (int i = 0; i < total; ++i) {
      if (m->plugin[i] != slot) continue;
      const CableConfig* c = FindConfig(m, d, i, /*compared=*/true);
      if (!c || !c->implicit || c->record_adr < 0 || (c->actuator >= 0) != (kind > 0)) continue;
      double* block = d->sensordata + c->record_adr;
      if (!Record{block, c->ncontact, c->nwrap}.Coupled()) continue;
      visit(i, *c, block);
    }
  }
}

// gradient of the length; contacts that rub, with the pieces of the path between them
void FillSlip(mjData* d, const State& state, Scratch& scratch, Member& member) {
  const CableConfig& c = *member.config;
  const Record& record = member.record;
  member.slip = {};
  const int n = record.implicit_slip() != 0 ? record.ncontact : 0;
  double* exponent = scratch.Take<double>(n);
  double* fraction = scratch.Take<double>(n);
  double* now = scratch.Take<double>(n);
  member.contact = scratch.Take<int>(n);
  member.growth = scratch.Take<double>(n);
  const double length = record.length();
  const bool stretches = !c.take_up.Tension() && length > 0;
  double passed = 0;  // cable between the source and the contact
  int count = 0;
  for (int i = 0; i < n; ++i) {
    passed += record.segment()[i] + record.arc()[i];
    if (!record.Touching(i) || !(state.friction()[i] * record.wrap_angle()[i] > 0)) continue;
    member.contact[count] = i;
    member.growth[count] = record.growth()[i];
    exponent[count] = std::min(state.friction()[i] * record.wrap_angle()[i], kMaxExponent);
    fraction[count] = stretches ? 1 - (passed - record.arc()[i] / 2) / length : 0;
    now[count++] = record.slip_rate()[i];
  }
  member.slip = {count, exponent, fraction, now, c.friction.slip_speed, record.implicit_slip()};
  member.pieces = PathPieces(d, c, record, member.contact, count, scratch, member.gradient);
}

void Fill(const mjModel* m, mjData* d, int instance, const CableConfig& c, double* block,
          Scratch& scratch, Member& member) {
  member.instance = instance;
  member.config = &c;
  member.record = Record{block, c.ncontact, c.nwrap};
  Record& record = member.record;
  State state = State{StateBlock(m, d, instance), c.ncontact};
  if (state.fingerprint() != c.fingerprint) {
    double* own = scratch.Take<double>(StateSize(c.ncontact, c.nwrap));
    ResetState(c, own);
    state = State{own, c.ncontact};
  }
  const bool commanded = c.take_up.Tension();
  ImplicitCable& law = member.law;
  law = {};
  law.axial = AxialOf(c, state);
  law.step = m->opt.timestep;
  law.weight = record.implicit();
  law.explicit_tension = commanded ? record.source_tension() : AxialTension(law.axial, record);
  law.stretch = record.stretch();
  law.motor_rate = law.axial.length_rate_only ? record.take_up_rate() : 0;
  member.rate = commanded ? 0 : record.length_rate() + record.take_up_rate();

  member.gradient = scratch.Take<double>(c.dofs.size());
  TensionRatios(c.friction, state.friction(), member.rate, record);
  FillSlip(d, state, scratch, member);
  if (member.slip.n > 0) return;
  member.load = scratch.Take<double>(c.dofs.size());
  GeneralizedLoad(d, c, record, scratch, member.load);
}

}  // namespace

AxialParameters AxialOf(const CableConfig& c, const State& state) {
  AxialParameters axial = c.axial;
  axial.stiffness = state.stiffness();
  axial.damping = state.damping();
  axial.home_length = state.home_length();
  axial.max_tension = state.max_tension();
  axial.pretension = state.pretension();
  return axial;
}

int CountMembers(const mjModel* m, mjData* d, int slot, bool passive_only) {
  int n = 0;
  ForEachMember(m, d, slot, passive_only, [&](int, const CableConfig&, double*) { ++n; });
  return n;
}

void GatherMembers(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch& scratch,
                   Member* members) {
  ForEachMember(m, d, slot, passive_only, [&](int i, const CableConfig& c, double* block) {
    Fill(m, d, i, c, block, scratch, *members++);
  });
}

const double* Settle(Member& member, double tension, const double* slips, const double* ratios,
                     Scratch& scratch) {
  Record& record = member.record;
  const double* load = member.load;
  if (member.slip.n > 0) {
    const int ndof = static_cast<int>(member.config->dofs.size());
    double* changed = scratch.Take<double>(ndof);
    for (int k = 0; k < ndof; ++k) changed[k] = -member.gradient[k];
    double ratio = 1;
    for (int i = 0, j = 0; i < record.ncontact; ++i) {
      if (j < member.slip.n && member.contact[j] == i) {
        record.slip_rate()[i] = slips[j];
        const double* row = member.pieces.row + j * ndof;
        const Range range = member.pieces.range[j];
        ratio = ratios[j++];
        for (int k = range.begin; k < range.end; ++k) changed[k] -= (ratio - 1) * row[k];
      }
      record.tension()[i + 1] = ratio;
    }
    load = changed;
  }
  ScaleTensions(tension, record);
  return load;
}

}  // namespace mujocable
