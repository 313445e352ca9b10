#include <algorithm>
#include <cmath>

#include "core/law/cell.h"
#include "core/law/coulomb.h"
#include "core/law/material.h"
#include "core/math/exp.h"
#include "core/math/simd.h"

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
  const double most = std::max(e, 0.0);
  return step.looks_ahead && growth > most ? most / growth : 1;
}

// one cell: the axial law (11) as it stands
void FindTension(const AxialStep& step, Material& m) {
  const AxialParameters& p = step.axial;
  const double e = (m.length[0] - m.rest[0]) + m.longer[0], gate = DampingGate(e, p.transition);
  const double growth = m.grown[0] + m.motor, part = DampedPart(step, e, growth);
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

// Ratios of the contacts from their exponents.
void FillRatios(Material& m) {
  for (int j = 0; j + 1 < m.n; j += kLanes) {
    const Lanes ratio = Exp(m.exponents * LoadLanes(m.ratio + j));
    StoreLanes(m.ratio + j, ratio);
    StoreLanes(m.inverse + j, 1 / ratio);
  }
  m.exponents = 0;
}

// Tensions of the cells if nothing moved between them. slope, begin: of the line that the onset is
// taken for; nullptr: it has none.
void FreeTensions(const AxialStep& step, double damping, const double* slope, const double* begin,
                  const Material& m) {
  const Lanes one = All<Lanes>(1), zero = All<Lanes>(0);
  const Lanes shortest = All<Lanes>(kShortestCell * step.length);
  const Lanes most = All<Lanes>(step.most_hold > 0 ? step.most_hold : INFINITY);
  const double rigidity = Rigidity(step), still = step.most_hold > 0 ? kHoldDamping : 0;
  Lanes motor{m.motor, 0, 0, 0};  // it takes from the first cell
  for (int j = 0; j < m.n; j += kLanes) {
    const Lanes length = LoadLanes(m.length + j), rest = LoadLanes(m.rest + j);
    const Lanes size = Most(length, shortest), inverse = 1 / size;
    const Lanes own = rigidity * inverse;
    const Lanes hold = (slope ? LoadLanes(slope + j) : one) * Least(most, own);
    const Lanes drag = damping * inverse + still * hold;
    const Lanes at =
        ((length - rest) + LoadLanes(m.longer + j)) - (begin ? LoadLanes(begin + j) : zero) * size;
    const Lanes grown = LoadLanes(m.grown + j) + motor;
    motor = zero;
    StoreLanes(m.hold + j, hold);
    StoreLanes(m.drag + j, drag);
    StoreLanes(m.give + j, 1 / (hold + drag));
    StoreLanes(m.free + j, hold * at + drag * grown);
  }
}

}  // namespace

void FindTensions(const AxialStep& step, Material& m) {
  if (m.n == 1) return FindTension(step, m);
  const AxialParameters& p = step.axial;
  const int n = m.n;
  Lanes stretches = All<Lanes>(0), growths{m.motor, 0, 0, 0};
  for (int j = 0; j < n; j += kLanes) {
    stretches += (LoadLanes(m.length + j) - LoadLanes(m.rest + j)) + LoadLanes(m.longer + j);
    growths += LoadLanes(m.grown + j);
  }
  const double e = Sum(stretches), growth = Sum(growths);
  if (!step.commanded && !(e > 0)) {
    for (int j = 0; j < n; ++j) m.tension[j] = m.hold[j] = m.drag[j] = 0, m.give[j] = 1;
    std::fill(m.slip, m.slip + n - 1, 0);
    return;
  }
  if (m.exponents != 0) FillRatios(m);
  const double onset = step.commanded ? 0 : p.transition / step.length;  // of the strain
  const double part = DampedPart(step, e, growth);
  const double damper =
      step.commanded ? 0 : p.damping * DampingGate(e, p.transition) * step.length / step.step;
  CoulombString s{n,         m.free,         m.give,       m.ratio,
                  m.inverse, step.commanded, step.command, p.max_tension};
  const auto solve = [&] { SolveCoulomb(s, m.work, m.tension, m.slip); };
  if (onset == 0) {
    FreeTensions(step, part * damper, nullptr, nullptr, m);
    return solve();
  }
  // strains about which the onset is taken as a line: its slope there, and its strain at no tension
  double* strain = m.work + CoulombScratch(n);
  double *slope = strain + CellRoom(n), *onset_begin = slope + CellRoom(n);
  std::fill(strain, strain + Padded(n), onset);
  for (int round = 0; round < kOnsetRounds; ++round) {
    for (int j = 0; j < Padded(n); ++j) {
      slope[j] = std::max(std::min(strain[j] / onset, 1.0), kSoftest);
      onset_begin[j] = strain[j] - Onset(strain[j], onset) / slope[j];
    }
    FreeTensions(step, part * damper, slope, onset_begin, m);
    solve();
    // strains that these tensions mean, and whether the line was right there
    bool right = true;
    for (int j = 0; j < n; ++j) {
      const double taken = m.give[j] * (m.free[j] - m.tension[j]);
      const double stretch = (m.length[j] - m.rest[j]) + m.longer[j] - taken;
      const double found = std::min(std::max(stretch / Size(step, m, j), 0.0), onset);
      right = right && std::abs(found - strain[j]) <= 1e-12 * onset;
      strain[j] = found;
    }
    if (right) return;
  }
}

}  // namespace mujocable
