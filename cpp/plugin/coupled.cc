#include "coupled.h"

#include <algorithm>

#include "core/cable.h"
#include "engine.h"
#include "loads.h"
#include "stages.h"

namespace mujocable {
namespace {

// where the arcs that rub lie on their bodies
void PlaceFootings(const mjData* d, const CableConfig& c, const State& state,
                   const Record& record) {
  std::fill(record.footing(), record.memory(), 0.0);
  for (int i = 0; i < c.ncontact; ++i) {
    if (c.cuts[i].slot < 0 || !(state.friction()[i] > 0) || !record.Touching(i)) continue;
    const int body = c.nodes[i + 1].body;
    const Vec3 origin = Load(d->xpos + 3 * body);
    Mat3 frame;
    std::copy_n(d->xmat + 9 * body, 9, frame.m);
    StoreFooting(record.footing() + kFooting * c.cuts[i].slot, record.arc()[i],
                 Unrotate(frame, record.Entry(i) - origin), Unrotate(frame, record.Direction(i)),
                 Unrotate(frame, record.Exit(i) - origin),
                 Unrotate(frame, record.Direction(i + 1)));
  }
}

bool Rough(const CableConfig& c, const State& state) {
  const double* mu = state.friction();
  return std::any_of(mu, mu + c.ncontact, [](double x) { return x > 0; });
}

// the contacts at which cells meet, ascending
int RubbingContacts(const Material& material, int* contact) {
  int count = 0;
  for (int j = 0; j + 1 < material.n; ++j) {
    if (count == 0 || contact[count - 1] != material.contact[j]) {
      contact[count++] = material.contact[j];
    }
  }
  return count;
}

// piece of the path that each cell lies in; -1: on the arc of one contact
void CellPieces(const Material& material, int* piece) {
  int at = 0;
  piece[0] = 0;
  for (int j = 1; j < material.n; ++j) {
    const bool inner = j + 1 < material.n && material.contact[j] == material.contact[j - 1];
    piece[j] = inner ? -1 : ++at;
  }
}

double SpoolMobility(const mjModel* m, const CableConfig& c) {
  if (c.joint_dof < 0) return 0;
  return c.take_up.Gain() * c.take_up.Gain() * m->dof_invweight0[c.joint_dof];
}

// sum over the dofs of value^2 times their mobility at qpos0
double MobilityOf(const mjModel* m, const CableConfig& c, const double* row, const Range& range) {
  double sum = 0;
  for (int k = range.begin; k < range.end; ++k) {
    sum += row[k] * row[k] * m->dof_invweight0[c.dofs[k]];
  }
  return sum;
}

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
  member.instance = instance;
  member.config = &c;
  member.record = record;
  member.state = State{StateBlock(m, d, instance), c.ncontact, c.nwrap};
  if (member.state.fingerprint() != c.fingerprint) {
    double* own = scratch.Take<double>(StateSize(c.ncontact, c.nwrap));
    ResetState(c, own);
    member.state = State{own, c.ncontact, c.nwrap};
  }
  CoupledCable& cable = member.cable;
  cable.step = StepOf(m, c, member.state, record, record.source_tension());
  cable.material = TakeMaterial(c, scratch);
  if (Rubs(c, member.state)) {
    Lay(d, c, member.state, cable.step, record, cable.material);
  } else {
    LayOneCell(cable.step, record, cable.material);
  }
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
  if (!Slides(c, member.state)) return;
  // ratios to the source tension, as the slip is now
  TensionRatios(c.friction, member.state.friction(), record.length_rate() + record.take_up_rate(),
                record);
  member.pull = scratch.Take<double>(ndof);
  GeneralizedLoad(d, c, record, scratch, member.pull);
  for (int k = 0; k < ndof; ++k) member.pull[k] = -member.pull[k];
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

AxialStep StepOf(const mjModel* m, const CableConfig& c, const State& state, const Record& record,
                 double command) {
  AxialStep step;
  step.axial = AxialOf(c, state);
  step.step = m->opt.timestep;
  step.length = record.length();
  step.commanded = c.take_up.Tension();
  step.command = command;
  if (step.commanded) {
    // between the contacts it is as stiff as it is said to be, or as an explicit step can follow
    const double mobility = state.mobility() * c.sharing;
    if (c.tendon >= 0 || step.axial.stiffness == 0) {
      step.most_hold = mobility > 0 ? 1 / (step.step * step.step * mobility) : 1;
    }
    step.total = record.length();
    return step;
  }
  const AxialParameters& p = step.axial;
  step.total = p.home_length - record.take_up() - p.pretension + p.reserve;
  step.motor = p.length_rate_only ? 0 : step.step * record.take_up_rate();
  return step;
}

bool Rubs(const CableConfig& c, const State& state) { return !c.sliding && Rough(c, state); }

bool Slides(const CableConfig& c, const State& state) { return c.sliding && Rough(c, state); }

Material TakeMaterial(const CableConfig& c, Scratch& scratch) {
  const int cells = MostCells(c.ncontact, c.nwrap);
  return TakeMaterial(scratch.Take<double>(MaterialRoom(cells)), cells);
}

void Lay(const mjData* d, const CableConfig& c, const State& state, const AxialStep& step,
         const Record& record, Material& material) {
  PlaceFootings(d, c, state, record);
  LayMaterial(step, state, c.cuts.data(), state.steps() == 0, record, material);
}

bool Resolved(const mjModel* m, const mjData* d, const CableConfig& c, const AxialStep& step,
              double lever_mobility, const Material& material, const Record& record,
              const double* load, Scratch& scratch) {
  const double h = step.step, spool = SpoolMobility(m, c);
  const AxialParameters& p = step.axial;
  // an explicit step is stable where it undoes no more than 4 times the tension of a spring and 2
  // of a damper: half of that, since the mobility is the one at qpos0
  if (IsDiscrete(m)) return false;
  const double undone = c.sharing * h * (h * p.stiffness + 2 * p.damping);
  const int n = material.n;
  if (n <= 1) return undone * (MobilityAlong(m, c, load) + spool) <= 2;

  // cells are stiffer than the cable by as much as they are shorter
  int* piece = scratch.Take<int>(n);
  CellPieces(material, piece);
  double shortest = step.length;
  for (int j = 0; j < n; ++j) {
    if (piece[j] >= 0) shortest = std::min(shortest, material.length[j]);
  }
  if (undone * (lever_mobility + spool) * step.length <= 2 * shortest) return true;
  int* contact = scratch.Take<int>(n);
  const Pieces pieces =
      PathPieces(d, c, record, contact, RubbingContacts(material, contact), scratch);
  const int ndof = static_cast<int>(c.dofs.size());
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    if (piece[j] < 0) continue;
    double mobility = MobilityOf(m, c, pieces.row + piece[j] * ndof, pieces.range[piece[j]]);
    if (piece[j] == 0) mobility += spool;
    sum += mobility * step.length / std::max(material.length[j], 1e-9 * step.length);
  }
  return undone * sum <= 2;
}

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
  if (member.pull) {
    ScaleTensions(material.tension[0], record);
    ShowSliding(member.cable.step.step, member.state.slip_total(), record);
    for (int k = 0; k < ndof; ++k) load[k] = -member.pull[k];
    return load;
  }
  MoveMaterial(member.cable.step, member.state, material, record);
  if (!(record.source_tension() > 0)) {
    std::fill(load, load + ndof, 0.0);
    return load;
  }
  GeneralizedLoad(d, c, record, scratch, load);
  for (int k = 0; k < ndof; ++k) load[k] /= record.source_tension();
  return load;
}

}  // namespace mujocable
