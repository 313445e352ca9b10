#include "plugin/couple/swing.h"

#include <algorithm>

#include "plugin/engine.h"

namespace mujocable {
namespace {

// Ends meet within this part of the length, or more where that would be stiffer than the step by
// this much: it would leave fewer digits to the rest of the motion (chosen: test_swing would notice
// twice as much of the one, ten times as much and a tenth of the other).
constexpr double kMeeting = 0.01, kStiffest = 1e5;

// tension of every segment, in the cells that were solved
void SegmentTensions(const WaitingCable& one, double* tension) {
  const CoupledCable& cable = one.cable;
  const int n = one.record.ncontact;
  if (one.pull) {  // their ratios are given
    for (int i = 0; i <= n; ++i) {
      tension[i] = one.record.tension()[i] * cable.material.tension[0];
    }
    return;
  }
  for (int i = 0, p = 0, j = 0; i <= n; ++i) {
    if (p + 1 < cable.pieces && one.piece[p + 1].contact < i) {
      ++p;
      while (cable.piece[j] != p) ++j;
    }
    tension[i] = cable.material.tension[j];
  }
}

}  // namespace

bool FindSwings(const mjModel* m, const mjData* d, WaitingCable& one, Scratch& scratch) {
  one.cable.nswing = 0;
  if (IsDiscrete(m)) return false;  // there a cable moves as MuJoCo's own tendons do
  const Record& record = one.record;
  const int n = record.ncontact;
  double* tension = scratch.Take<double>(n + 1);
  SegmentTensions(one, tension);
  Swinging* swings = scratch.Take<Swinging>(n + 1);
  one.cable.swings = swings;
  one.driver->cable().VisitSwings(tension, [&](int i) {
    if (MostSwungBy(m, d, *one.config, record, i, tension[i]) <= kMostSwing) return false;
    const Sideways sideways = SidewaysOf(m, d, *one.config, record, i, scratch);
    const double swung = sideways.Swung(m->opt.timestep, tension[i]);
    if (!(swung > kMostSwing)) return false;
    // the rest of it is left to the beginning of the step, which resolves that much
    const double part = 1 - kMostSwing / swung;
    swings[one.cable.nswing++] = {part * tension[i], record.segment()[i] * record.Direction(i),
                                  std::max(kMeeting, swung / kStiffest) * sideways.length,
                                  sideways.n, sideways.dofs};
    return false;
  });
  return one.cable.nswing > 0;
}

void SettleSwings(double step, const double* velocity, Scratch& scratch, WaitingCable& one) {
  const CoupledCable& cable = one.cable;
  if (cable.nswing == 0) return;
  double* loads = one.swing = scratch.Take<double>(cable.columns);
  std::fill(loads, loads + cable.columns, 0.0);
  for (const Swinging* s = cable.swings; s < cable.swings + cable.nswing; ++s) {
    VisitLoads(*s, cable.place, step, velocity,
               [&](int column, double load) { loads[column] += load; });
  }
}

}  // namespace mujocable
