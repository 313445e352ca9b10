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
  for (int j = 0; j < cable.material.n; ++j) {
    const int p = cable.piece[j];
    if (p < 0) continue;
    const int end = p + 1 < cable.pieces ? one.piece[p + 1].contact : n;
    std::fill(tension + one.piece[p].contact + 1, tension + end + 1, cable.material.tension[j]);
  }
}

}  // namespace

Swings::Swings(const mjModel* m, const mjData* d, const WaitingCable& one, Scratch& scratch)
    : columns_(one.cable.columns), step_(m->opt.timestep) {
  if (IsDiscrete(m)) return;  // there a cable moves as MuJoCo's own tendons do
  const Record& record = one.record;
  const int n = record.ncontact;
  double* tension = scratch.Take<double>(n + 1);
  SegmentTensions(one, tension);
  segment_ = scratch.Take<Segment>(n + 1);
  for (int i = 0; i <= n; ++i) {
    if (!one.driver->cable().MaySwing(i, tension[i])) continue;
    const Sideways sideways = SidewaysOf(m, d, *one.config, record, i, scratch);
    const double swung = SwungBy(m, d, *one.config, sideways, tension[i]);
    if (!(swung > kMostSwing)) continue;
    // the rest of it is left to the beginning of the step, which resolves that much
    const double part = (1 - kMostSwing / swung) * std::min(1.0, kStiffestSwing / swung);
    segment_[n_++] = {part * tension[i], sideways};
  }
}

void Swings::AddStiffness(const int* place, int width, double* matrix) const {
  for (const Segment* s = segment_; s < segment_ + n_; ++s) {
    const Sideways& by = s->sideways;
    const double spring = s->tension / by.length;
    for (int k = by.range.begin; k < by.range.end; ++k) {
      double* column = matrix + place[k] * width;
      for (int l = by.range.begin; l < by.range.end; ++l) {
        column[place[l]] += spring * (by.row[0][k] * by.row[0][l] + by.row[1][k] * by.row[1][l]);
      }
      column[place[k]] += s->tension * by.turn[k];
    }
  }
}

double* Swings::Loads(const double* velocity, const int* place, Scratch& scratch) const {
  double* load = scratch.Take<double>(columns_);
  std::fill(load, load + columns_, 0.0);
  for (const Segment* s = segment_; s < segment_ + n_; ++s) {
    const Sideways& by = s->sideways;
    const double spring = s->tension / by.length;
    double apart[2] = {0, 0};
    for (int k = by.range.begin; k < by.range.end; ++k) {
      for (int i = 0; i < 2; ++i) apart[i] += by.row[i][k] * velocity[place[k]];
    }
    for (int k = by.range.begin; k < by.range.end; ++k) {
      load[k] += step_ * (spring * (by.row[0][k] * apart[0] + by.row[1][k] * apart[1]) +
                          s->tension * by.turn[k] * velocity[place[k]]);
    }
  }
  return load;
}

}  // namespace mujocable
