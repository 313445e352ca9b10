#include "plugin/couple/swing.h"

#include <algorithm>

#include "plugin/engine.h"

namespace mujocable {
namespace {

// A swing that is this much stiffer than the step is at rest in it, and stiffer ones leave fewer
// digits to the rest of the motion (chosen: test_fuzz would notice a million times as much).
constexpr double kStiffestSwing = 1e4;

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

Swings::Swings(const mjModel* m, const mjData* d, const WaitingCable& one, Scratch& scratch)
    : step_(m->opt.timestep) {
  if (IsDiscrete(m)) return;  // there a cable moves as MuJoCo's own tendons do
  const Record& record = one.record;
  const int n = record.ncontact;
  double* tension = scratch.Take<double>(n + 1);
  SegmentTensions(one, tension);
  segment_ = scratch.Take<Segment>(n + 1);
  one.driver->cable().VisitSwings(tension, [&](int i) {
    if (MostSwungBy(m, d, *one.config, record, i, tension[i]) <= kMostSwing) return false;
    const Sideways sideways = SidewaysOf(m, d, *one.config, record, i, scratch);
    const double swung = sideways.Swung(step_, tension[i]);
    if (!(swung > kMostSwing)) return false;
    // the rest of it is left to the beginning of the step, which resolves that much
    const double part = (1 - kMostSwing / swung) * std::min(1.0, kStiffestSwing / swung);
    segment_[n_++] = {part * tension[i], sideways};
    return false;
  });
}

void Swings::AddStiffness(const int* place, int width, double* matrix) const {
  for (const Segment* s = segment_; s < segment_ + n_; ++s) {
    const Sway *begin = s->sideways.dofs, *end = begin + s->sideways.n;
    const double spring = s->tension / s->sideways.length;
    for (const Sway* a = begin; a < end; ++a) {
      double* column = matrix + place[a->column] * width;
      for (const Sway* b = begin; b < end; ++b) {
        column[place[b->column]] +=
            spring * (a->across[0] * b->across[0] + a->across[1] * b->across[1]);
      }
      column[place[a->column]] += s->tension * a->turn;
    }
  }
}

void Swings::Settle(const double* velocity, Scratch& scratch, WaitingCable& one) const {
  if (n_ == 0) return;
  const int* place = one.cable.place;
  double* load = one.swing = scratch.Take<double>(one.cable.columns);
  std::fill(load, load + one.cable.columns, 0.0);
  for (const Segment* s = segment_; s < segment_ + n_; ++s) {
    const Sway *begin = s->sideways.dofs, *end = begin + s->sideways.n;
    const double spring = s->tension / s->sideways.length;
    double apart[2] = {0, 0};
    for (const Sway* a = begin; a < end; ++a) {
      for (int i = 0; i < 2; ++i) apart[i] += a->across[i] * velocity[place[a->column]];
    }
    for (const Sway* a = begin; a < end; ++a) {
      load[a->column] += step_ * (spring * (a->across[0] * apart[0] + a->across[1] * apart[1]) +
                                  s->tension * a->turn * velocity[place[a->column]]);
    }
  }
}

}  // namespace mujocable
