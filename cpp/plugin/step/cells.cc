#include "plugin/step/cells.h"

#include <algorithm>

#include "core/cable.h"

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

// whether a cell reaches from one contact to another, or lies on the arc of one
bool InPiece(const Material& m, int j) {
  return j == 0 || j + 1 >= m.n || m.contact[j] != m.contact[j - 1];
}

bool Rough(const CableConfig& c, const State& state) {
  const double* mu = state.friction();
  return std::any_of(mu, mu + c.ncontact, [](double x) { return x > 0; });
}

}  // namespace

int RubbingContacts(const Material& material, int* contact) {
  int count = 0;
  for (int j = 0; j + 1 < material.n; ++j) {
    if (count == 0 || contact[count - 1] != material.contact[j]) {
      contact[count++] = material.contact[j];
    }
  }
  return count;
}

void CellPieces(const Material& material, int* piece) {
  int at = -1;
  for (int j = 0; j < material.n; ++j) piece[j] = InPiece(material, j) ? ++at : -1;
}

double SpoolMobility(const mjModel* m, const CableConfig& c) {
  if (c.joint_dof < 0) return 0;
  return c.take_up.Gain() * c.take_up.Gain() * m->dof_invweight0[c.joint_dof];
}

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
  if (Rubs(c, state)) KeepRigidity(step);
  step.commanded = c.take_up.Tension();
  step.command = command;
  if (step.commanded) {
    // between the contacts it is as stiff as it is said to be, or as an explicit step can follow
    const double mobility = state.mobility() * c.sharing;
    if (c.tendon >= 0 || step.axial.stiffness == 0) {
      step.most_hold = mobility > 0 ? 1 / (step.step * step.step * mobility) : 1;
    }
    const double hold = step.most_hold > 0 ? step.most_hold : step.axial.stiffness;
    step.total = step.length - std::min(std::max(command, 0.0), step.axial.max_tension) / hold;
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

double UndoneBy(const CableConfig& c, const AxialStep& step) {
  return c.sharing * step.step * (step.step * step.axial.stiffness + 2 * step.axial.damping);
}

int CountPieces(const CableConfig& c, const State& state, const Record& record) {
  int count = 1;
  for (int i = 0; i < c.ncontact && !c.sliding; ++i) {
    count += state.friction()[i] > 0 && record.Touching(i);
  }
  return count;
}

double ShortestCell(const AxialStep& step, const Material& material) {
  double shortest = step.length;
  for (int j = 0; j < material.n; ++j) {
    if (InPiece(material, j)) shortest = std::min(shortest, material.length[j]);
  }
  return shortest;
}

}  // namespace mujocable
