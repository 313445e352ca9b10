#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/coulomb.h"
#include "core/law/material.h"

namespace mujocable {
namespace {

// slope of the onset below which a cell is not made softer, and rounds until it has converged
constexpr double kSoftest = 1e-6;
constexpr int kOnsetRounds = 40;

// Part of what a cable grows in a step that is damped: no more than its stretch.
// A cable that becomes taut in the step is damped while it is taut; and with the motion its tension
// is found where the stretch is looked for, so it must not jump where that is zero, or there would
// be no balance.
double DampedPart(const AxialStep& step, double e, double growth) {
  return step.looks_ahead && growth > e ? std::max(e, 0.0) / growth : 1;
}

// one cell: the axial law (11) as it stands
void FindTension(const AxialStep& step, double longer, double grown, Material& m) {
  const AxialParameters& p = step.axial;
  const double e = (m.length[0] - m.rest[0]) + longer, gate = DampingGate(e, p.transition);
  const double growth = grown + (m.before[0] - m.rest[0]), part = DampedPart(step, e, growth);
  const double damper = p.damping * gate / step.step;
  m.hold[0] = p.stiffness * gate + (part < 1 ? damper : 0);  // the slope of the onset as well
  m.drag[0] = part < 1 ? 0 : damper;
  m.give[0] = 1;
  const double pull = p.stiffness * Onset(e, p.transition) + damper * part * growth;
  m.tension[0] = std::min(std::max(pull, 0.0), p.max_tension);
  if (step.commanded) m.tension[0] = std::min(std::max(step.command, 0.0), p.max_tension);
  // where the tension is at a limit it does not change
  if (step.commanded || pull <= 0 || pull >= p.max_tension) m.hold[0] = m.drag[0] = 0;
}

// Tensions of the cells if nothing moved between them; several at a time.
void FreeTensions(const AxialStep& step, double damping, const double* __restrict longer,
                  const double* __restrict grown, const double* __restrict slope,
                  const double* __restrict begin, const Material& m) {
  const double* __restrict length = m.length, * __restrict rest = m.rest;
  const double* __restrict before = m.before;
  double* __restrict hold = m.hold, * __restrict drag = m.drag;
  double* __restrict give = m.give, * __restrict free = m.free;
  const double shortest = kShortestCell * step.length, rigidity = Rigidity(step);
  const double most = step.most_hold > 0 ? step.most_hold : kInfinity;
  const int n = m.n;
  for (int j = 0; j < n; ++j) {
    const double size = length[j] > shortest ? length[j] : shortest, inverse = 1 / size;
    const double own = rigidity * inverse, damper = damping * inverse;
    const double stiff = slope[j] * (own < most ? own : most);
    hold[j] = stiff;
    drag[j] = damper;
    give[j] = 1 / (stiff + damper);
    free[j] = stiff * (((length[j] - rest[j]) + longer[j]) - begin[j] * size) +
              damper * (grown[j] + (before[j] - rest[j]));
  }
}

}  // namespace

void FindTensions(const AxialStep& step, const double* longer, const double* grown, Material& m) {
  if (m.n == 1) return FindTension(step, longer[0], grown[0], m);
  const AxialParameters& p = step.axial;
  const int n = m.n;
  double e = 0, growth = 0;
  for (int j = 0; j < n; ++j) {
    e += (m.length[j] - m.rest[j]) + longer[j];
    growth += grown[j] + (m.before[j] - m.rest[j]);
  }
  if (!step.commanded && !(e > 0)) {
    for (int j = 0; j < n; ++j) m.tension[j] = m.hold[j] = m.drag[j] = 0, m.give[j] = 1;
    std::fill(m.slip, m.slip + n - 1, 0);
    return;
  }
  const double onset = step.commanded ? 0 : p.transition / step.length;  // of the strain
  const double part = DampedPart(step, e, growth);
  const double damper =
      step.commanded ? 0 : p.damping * DampingGate(e, p.transition) * step.length / step.step;
  CoulombString s{n,         m.free,         m.give,       m.ratio,
                  m.inverse, step.commanded, step.command, p.max_tension};
  // strains about which the onset is taken as a line: its slope there, and its strain at no tension
  double* strain = m.work + CoulombScratch(n);
  double *slope = strain + n, *onset_begin = slope + n;
  std::fill(strain, strain + n, onset);
  std::fill(slope, slope + n, 1.0);
  std::fill(onset_begin, onset_begin + n, 0.0);
  for (int round = 0; round < kOnsetRounds; ++round) {
    for (int j = 0; j < n && onset > 0; ++j) {
      slope[j] = std::max(std::min(strain[j] / onset, 1.0), kSoftest);
      onset_begin[j] = strain[j] - Onset(strain[j], onset) / slope[j];
    }
    FreeTensions(step, part * damper, longer, grown, slope, onset_begin, m);
    SolveCoulomb(s, m.work, m.tension, m.slip);
    if (onset == 0) return;
    // strains that these tensions mean, and whether the line was right there
    bool right = true;
    for (int j = 0; j < n; ++j) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      const double stretch = (m.length[j] - m.rest[j]) + longer[j] - taken;
      const double found = std::min(std::max(stretch / Size(step, m, j), 0.0), onset);
      right = right && std::abs(found - strain[j]) <= 1e-12 * onset;
      strain[j] = found;
    }
    if (right) return;
  }
}

}  // namespace mujocable
