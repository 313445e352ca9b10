#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/kinematics.h"
#include "core/law/material.h"
#include "core/math/simd.h"

namespace mujocable {
namespace {

// No tension anywhere: what a cell has too little of, it takes from those that have too much, or
// from a motor that gives it. Where there is not enough, each gets its part: dampers may keep a
// cable without tension that is stretched as a whole.
void RestSlack(bool commanded, Material& m) {
  double lacking = 0, extra = 0;
  for (int j = 0; j < m.n; ++j) {
    const double more = m.rest[j] - m.length[j];
    (more > 0 ? extra : lacking) += std::abs(more);
  }
  const double moved = std::min(lacking, extra);
  const double given = commanded || !(extra > 0) ? 0 : moved / extra;
  const double filled = commanded ? 1 : lacking > 0 ? moved / lacking : 0;
  for (int j = 0; j < m.n; ++j) {
    const double more = m.rest[j] - m.length[j];
    m.rest[j] -= (more > 0 ? given : filled) * more;
  }
}

// What the record says of segments and contacts, given the cells. Material is divided in the middle
// of each contact: at its middle mark, or, where it does not rub, evenly between two marks.
void ShowCells(const AxialStep& step, const State& state, const Material& m, const Record& record) {
  const int contacts = record.ncontact;
  const double *rubbing = record.rubbing(), *arc = record.arc(), *segment = record.segment();
  double *tension = record.tension(), *slip = record.slip(), *slip_rate = record.slip_rate();
  double *segment_rest = record.segment_rest(), *slip_total = record.slip_total();
  const double *total_before = state.slip_total(), *mark = record.mark();
  tension[0] = record.source_tension() = m.tension[0];
  // what rubs says itself how much of it has passed
  for (int i = 0; i < contacts; ++i) {
    if (rubbing[i] != 0) continue;
    SlipRates(step.commanded ? 0 : record.length_rate() + step.motor / step.step, record);
    break;
  }
  const double per_second = 1 / step.step;
  double* cone = record.cone();
  int j = 0;
  double before = 0, here = 0;  // material of the cells passed; place in this one
  double divided = 0;
  for (int i = 0; i < contacts; ++i) {
    here += segment[i];
    double middle = before, most = 1;
    if (rubbing[i] != 0) {
      const int count = static_cast<int>(rubbing[i]), half = j + count / 2, end = j + count;
      for (; j < end; ++j) {
        before += m.rest[j];
        most *= m.ratio[j];
        if (j == half) middle = before;
      }
      here = arc[i] * kParts[count] / 2 - mark[j - 1];
      slip_rate[i] = slip[i] * per_second;
    } else {
      if (m.length[j] > 0) middle += m.rest[j] * std::min(1.0, (here + arc[i] / 2) / m.length[j]);
      here += arc[i];
      slip[i] = slip_rate[i] * step.step;
    }
    segment_rest[i] = middle - divided;
    divided = middle;
    tension[i + 1] = m.tension[j];
    cone[i] = most;
    slip_total[i] = total_before[i] + slip[i];
  }
  segment_rest[contacts] = before + m.rest[m.n - 1] - divided;
  // from the largest ratios, several at a time
  int i = 0;
  for (; i + kLanes <= contacts; i += kLanes) {
    StoreLanes(cone + i,
               ConeOf(LoadLanes(tension + i), LoadLanes(tension + i + 1), LoadLanes(cone + i)));
  }
  for (; i < contacts; ++i) cone[i] = ConeOf(tension[i], tension[i + 1], cone[i]);
}

}  // namespace

double TightenOneCell(const AxialStep& step, const State& state, const Record& record) {
  const AxialParameters& p = step.axial;
  const int n = record.ncontact;
  const double e = record.length() - step.total;
  double tension = step.command;
  if (!step.commanded) {
    const double rate = record.length_rate() + step.motor / step.step;
    tension =
        p.stiffness * Onset(e, p.transition) + p.damping * DampingGate(e, p.transition) * rate;
  }
  tension = std::min(std::max(tension, 0.0), p.max_tension);
  record.energy() =
      step.most_hold == 0 ? StoredEnergy(ElasticOf<double>(step), record.length(), e) : 0;
  record.source_tension() = record.tension()[0] = tension;
  const double share = record.length() > 0 ? step.total / record.length() : 0;
  SlipRates(step.commanded ? 0 : record.length_rate() + step.motor / step.step, record);
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
  return tension;
}

void MoveMaterial(const AxialStep& step, const State& state, Material& m, const Record& record) {
  const int n = m.n;
  const AxialParameters& p = step.axial;
  double *dissipation = record.dissipation(), *slip = record.slip(), *stuck = record.stuck();
  std::fill(dissipation, record.cone(), 0.0);  // and slip, stuck
  // from the distal end: blocks of cells whose contacts slip together share their material
  const bool taut = m.tension[0] > 0;
  const int given = step.commanded || m.tension[0] >= p.max_tension;
  const double per_second = 1 / step.step;
  double passed = 0;  // material that came across the boundary before this cell
  int behind = 0;     // how the boundary behind it slips
  for (int j = n - 1; j >= 0 && taut && n > 1; --j) {
    const int slips = j > 0 ? m.slip[j - 1] : given;
    if ((slips | behind) != 0) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      passed += taken;
      m.rest[j] += taken;
    }
    if (j == 0) break;
    behind = slips;
    const int i = m.contact[j - 1];
    if (slips == 0) {
      passed = 0;
      stuck[i] = 1;
      continue;
    }
    // each sub-contact has its part
    slip[i] += passed * kParts[static_cast<int>(record.rubbing()[i])];
    const double lost = (m.tension[j] - m.tension[j - 1]) * passed;
    dissipation[i] += std::max(0.0, lost) * per_second;
  }
  if (!taut && n > 1) RestSlack(step.commanded, m);

  // where the tensions are evaluated, so that both belong together
  const Lanes shortest = All<Lanes>(kShortestCell * step.length);
  const Elastic<Lanes> elastic = ElasticOf<Lanes>(step);
  Lanes energy = All<Lanes>(0);
  for (int j = 0; j < n; j += kLanes) {
    const Lanes length = LoadLanes(m.length + j);
    const Lanes stretch = (length - LoadLanes(m.rest + j)) + LoadLanes(m.longer + j);
    energy += StoredEnergy(elastic, Select(length - shortest, shortest, length), stretch);
  }
  record.energy() = step.most_hold == 0 ? Sum(energy) : 0;
  CopyNumbers(m.rest, n, record.cell());
  std::fill(record.cell() + n, record.mark(), 0.0);
  ShowCells(step, state, m, record);
}

void ShowNoForce(const State& state, const Record& record) {
  const int n = record.ncontact;
  record.source_tension() = record.coupled() = record.solves() = record.energy() = 0;
  std::fill(record.tension(), record.touching(), 0.0);
  std::fill(record.slip_rate(), record.overrun(), 0.0);  // to segment_rest
  std::copy(state.slip_total(), state.slip_total() + n, record.slip_total());
}

void Slacken(const State& state, const Record& record) {
  ShowNoForce(state, record);
  std::copy(state.rubbing(), state.memory(), record.rubbing());
}

}  // namespace mujocable
