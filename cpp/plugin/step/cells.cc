#include "plugin/step/cells.h"

#include <algorithm>

#include "core/cable.h"
#include "plugin/engine.h"
#include "plugin/step/loads.h"
#include "plugin/step/path_gradients.h"

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

double MobilityOf(const mjModel* m, const CableConfig& c, const double* row, const Range& range) {
  double sum = 0;
  for (int k = range.begin; k < range.end; ++k) {
    sum += row[k] * row[k] * m->dof_invweight0[c.dofs[k]];
  }
  return sum;
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

}  // namespace mujocable
