#include <algorithm>
#include <numeric>

#include "core/law/cell.h"
#include "core/law/kinematics.h"
#include "core/law/material.h"
#include "core/math/inline.h"
#include "core/math/simd.h"

namespace mujocable {
namespace {

// of the whole cable, the motor's part included                                        [m/s]
double StretchRate(const AxialStep& step, const Record& record) {
  return step.commanded ? 0 : record.length_rate() + step.motor / step.step;
}

// Moves material as the tensions ask, from the distal end: blocks of cells whose contacts slip
// together share theirs. Writes what the record says of each contact.
void PassContacts(const AxialStep& step, State state, Material& m, Record record) {
  const int contacts = record.ncontact;
  const double *rubbing = record.rubbing(), *total_before = state.slip_total();
  double *tension = record.tension(), *slip_rate = record.slip_rate();
  double *dissipation = record.dissipation(), *slip = record.slip(), *stuck = record.stuck();
  double *cone = record.cone(), *slip_total = record.slip_total();
  const double h = step.step, per_second = 1 / h;
  const bool keeps = step.rigid && step.most_hold == 0 && Rigidity(step) > 0;
  const double softness = keeps ? 1 / Rigidity(step) : 0;
  int j = m.n - 1;
  double passed = 0;  // material that came across the boundary before this cell
  int behind = 0;     // how the boundary behind it slips
  const auto take = [&](int slips) MUJOCABLE_INLINE {
    if ((slips | behind) != 0) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      passed += taken;
      m.rest[j] += taken;
    }
    behind = slips;
  };
  for (int i = contacts - 1; i >= 0; --i) {
    const int count = static_cast<int>(rubbing[i]), end = j - count;
    tension[i + 1] = m.tension[j];
    double moved = 0, lost = 0, held = 0, most = 1;
    for (; j > end; --j) {
      const int slips = m.slip[j - 1];
      most *= m.ratio[j - 1];
      if (m.moved) lost += m.divided[j - 1] * per_second;
      take(slips);
      if (slips == 0) {
        passed = 0;
        held = 1;
        continue;
      }
      moved += passed * kParts[count];  // each sub-contact has its part
      const double behind_it = WorthOfMaterial(m.tension[j], softness);
      const double before_it = WorthOfMaterial(m.tension[j - 1], softness);
      lost += std::max(0.0, (behind_it - before_it) * passed) * per_second;
    }
    // what rubs says itself how much of it has passed
    const double rate = count != 0 ? moved * per_second : slip_rate[i];
    if (count == 0) moved = rate * h;
    slip_rate[i] = rate;
    dissipation[i] = lost;
    slip[i] = moved;
    stuck[i] = held;
    cone[i] = most;  // the largest ratio of tensions, until all of these are known
    slip_total[i] = total_before[i] + moved;
  }
  tension[0] = record.source_tension() = m.tension[0];
  take(step.commanded || m.tension[0] >= step.axial.max_tension);
  // how much of their friction they use, several at a time
  int i = 0;
  for (; i + kLanes <= contacts; i += kLanes) {
    StoreLanes(cone + i,
               ConeOf(LoadLanes(tension + i), LoadLanes(tension + i + 1), LoadLanes(cone + i)));
  }
  for (; i < contacts; ++i) cone[i] = ConeOf(tension[i], tension[i + 1], cone[i]);
}

// The material of cells and segments. It is divided in the middle of each contact: at its middle
// mark, or, where it does not rub, evenly between two marks.
void ShowMaterial(const Material& m, Record record) {
  const int contacts = record.ncontact;
  const double *rubbing = record.rubbing(), *arc = record.arc(), *segment = record.segment();
  const double *mark = record.mark(), *rest = m.rest;
  double *segment_rest = record.segment_rest(), *cell = record.cell();
  int rubbed = -1;                           // the contact behind which this cell begins
  std::ptrdiff_t j = 0;                      // this cell
  double before = 0, here = 0, divided = 0;  // material of the cells passed; place in this one
  for (int i = 0; i < contacts; ++i) {
    double middle = before;
    const unsigned count = static_cast<int>(rubbing[i]);
    if (count != 0) {
      const std::ptrdiff_t half = j + count / 2, end = j + count;
      do {
        before += cell[j] = rest[j];
        if (j == half) middle = before;
      } while (++j < end);
      rubbed = i;
    } else {
      if (rubbed >= 0) {
        here = arc[rubbed] * kParts[static_cast<int>(rubbing[rubbed])] / 2 - mark[j - 1];
        rubbed = -1;
      }
      here += segment[i];
      if (m.length[j] > 0) middle += rest[j] * std::min(1.0, (here + arc[i] / 2) / m.length[j]);
      here += arc[i];
    }
    segment_rest[i] = middle - divided;
    divided = middle;
  }
  cell[j] = rest[j];
  segment_rest[contacts] = before + rest[j] - divided;
}

// elastic energy where the tensions are evaluated, so that both belong together
double EnergyOf(const AxialStep& step, const Material& m) {
  const Lanes shortest = All<Lanes>(kShortestCell * step.length);
  const Elastic<Lanes> elastic = ElasticOf<Lanes>(step);
  Lanes energy = All<Lanes>(0);
  for (int j = 0; j < m.n; j += kLanes) {
    const Lanes length = LoadLanes(m.length + j);
    const Lanes stretch = (length - LoadLanes(m.rest + j)) + LoadLanes(m.longer + j);
    energy += StoredEnergy(elastic, Most(length, shortest), stretch);
  }
  return Sum(energy);
}

// Of one cell: material lies evenly, and what the path asks for passes every contact.
void ShowOneCell(const AxialStep& step, State state, double tension, Record record) {
  const int n = record.ncontact;
  record.source_tension() = record.tension()[0] = tension;
  const double share = record.length() > 0 ? step.total / record.length() : 0;
  SlipRates(StretchRate(step, record), record);
  double half = 0;  // of the arc before
  for (int i = 0; i < n; ++i) {
    record.tension()[i + 1] = tension;
    record.slip()[i] = step.step * record.slip_rate()[i];
    record.segment_rest()[i] = share * (half + record.segment()[i] + record.arc()[i] / 2);
    half = record.arc()[i] / 2;
    record.slip_total()[i] = state.slip_total()[i] + record.slip()[i];
    record.dissipation()[i] = record.stuck()[i] = record.cone()[i] = 0;
  }
  record.segment_rest()[n] = share * (half + record.segment()[n]);
  // all that is remembered is set, so that a state has the same bits however it came about
  std::fill(record.rubbing(), record.memory(), 0.0);
  record.cell()[0] = step.total;
}

}  // namespace

double TensionOfOneCell(const AxialStep& step, Record record) {
  ShowEnergyOfOneCell(step, 0, record);
  if (step.commanded) return std::min(std::max(step.command, 0.0), step.axial.max_tension);
  const double rate = record.length_rate() + DampedMotor(step) / step.step;
  return AxialTension(step.axial, record.length() - step.total, rate);
}

void ShowEnergyOfOneCell(const AxialStep& step, double longer, Record record) {
  const double stretch = (record.length() - step.total) + longer;
  record.energy() =
      step.most_hold == 0 ? StoredEnergy(ElasticOf<double>(step), record.length(), stretch) : 0;
}

void TightenOneCell(const AxialStep& step, State state, Record record) {
  ShowOneCell(step, state, TensionOfOneCell(step, record), record);
}

void MoveMaterial(const AxialStep& step, State state, Material& m, Record record) {
  // no tension, no friction: slack lies evenly
  if (m.n == 1 || !(m.tension[0] > 0)) {
    ShowEnergyOfOneCell(step, std::accumulate(m.longer, m.longer + m.n, 0.0), record);
    return ShowOneCell(step, state, m.tension[0], record);
  }
  if (m.passes) SlipRates(StretchRate(step, record), record);
  PassContacts(step, state, m, record);
  record.energy() = step.most_hold == 0 ? EnergyOf(step, m) : 0;
  ShowMaterial(m, record);
}

void ShowNoForce(State state, Record record) {
  const int n = record.ncontact;
  record.source_tension() = record.coupled() = record.solves() = record.energy() = 0;
  std::fill(record.tension(), record.touching(), 0.0);
  std::fill(record.slip_rate(), record.overrun(), 0.0);  // to segment_rest
  std::copy(state.slip_total(), state.slip_total() + n, record.slip_total());
}

void Slacken(State state, Record record) {
  ShowNoForce(state, record);
  std::copy(state.rubbing(), state.memory(), record.rubbing());
}

}  // namespace mujocable
