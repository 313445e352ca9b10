// Pull-only axial law (11).

#include "core/law/axial.h"

#include <limits>

#include "core/law/cell.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

TEST(OnsetIsSlackParabolaLine) {
  const double a = 0.003;
  for (double e : {-1.0, -1e-9, 0.0}) CHECK_EQ(Onset(e, a), 0.0);
  CHECK_NEAR(Onset(a / 2, a), a / 8, 1e-18);
  CHECK_NEAR(Onset(a, a), a / 2, 1e-18);
  CHECK_NEAR(Onset(1, a), 1 - a / 2, 1e-15);
  // value and slope are continuous at both joints
  for (double joint : {0.0, a}) {
    const double h = 1e-9;
    CHECK_NEAR(Onset(joint + h, a), Onset(joint - h, a), 2 * h);
    const double right = (Onset(joint + 2 * h, a) - Onset(joint + h, a)) / h;
    const double left = (Onset(joint - h, a) - Onset(joint - 2 * h, a)) / h;
    // slope of the parabola over 3 h: 3e-9 / a; cancellation 1e-19 / h
    CHECK_NEAR(right, left, 4 * h / a + 1e-9);
  }
}

TEST(WithoutTransitionItIsASpringThatOnlyPulls) {
  CHECK_EQ(Onset(0.25, 0), 0.25);
  CHECK_EQ(Onset(-0.25, 0), 0.0);
  CHECK_EQ(Onset(0, 0), 0.0);
  CHECK_EQ(OnsetEnergy(0.25, 0.0), 0.03125);
  CHECK_EQ(DampingGate(1e-300, 0), 1.0);
  CHECK_EQ(DampingGate(0, 0), 0.0);
}

TEST(EnergyIsTheIntegralOfTheTension) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double a = trial % 4 ? random.Logarithmic(1e-6, 1) : 0;
    const double end = random.Uniform(-0.5, 3) * (a > 0 ? a : 1);
    // Simpson's rule is exact for the parabola and for the line; split at the joints
    double sum = 0, from = 0;
    for (double to : {std::min(a, end), end}) {
      if (to <= from) continue;
      sum += (to - from) / 6 * (Onset(from, a) + 4 * Onset(0.5 * (from + to), a) + Onset(to, a));
      from = to;
    }
    CHECK_NEAR(OnsetEnergy(end, a), sum, 1e-14 * (sum + end * end));
  }
}

// A piece whose material stays grows from where it is slack: the work is what it stores.
TEST(EnergyOfAPieceIsTheWorkOfItsGrowth) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    AxialStep step;
    step.axial.stiffness = 100;
    step.length = 2;
    step.rigid = true;
    step.axial.transition = trial % 4 ? step.length * random.Logarithmic(1e-4, 0.5) : 0;
    const double onset = step.axial.transition / step.length;
    const double rest = random.Uniform(0.1, 1), strain = random.Uniform(0, 0.3);
    const auto tension = [&](double length) { return 200 * Onset(1 - rest / length, onset); };
    const double set_in = rest / (1 - std::min(onset, strain)), end = rest / (1 - strain);
    double work = 0, from = rest;
    for (double to : {set_in, end}) {
      const int parts = 40;
      const double part = (to - from) / parts;
      for (int k = 0; k < parts; ++k, from += part) {
        work += part / 6 *
                (tension(from) + 4 * tension(from + part / 2) + tension(from + part));  // Simpson
      }
      from = to;
    }
    const double stored = StoredEnergy(ElasticOf<double>(step), end, end - rest);
    // the series lack terms in the fifth power of the strain and above
    const double tail = 0.11 * std::pow(strain, 5) / (1 - strain);
    CHECK_NEAR(stored, work, (1e-7 + tail) * work);
  }
}

TEST(GateRisesFromZeroToOne) {
  const double a = 0.01;
  CHECK_EQ(DampingGate(-1, a), 0.0);
  CHECK_EQ(DampingGate(0, a), 0.0);
  CHECK_NEAR(DampingGate(a / 4, a), 0.25, 1e-15);
  CHECK_EQ(DampingGate(a, a), 1.0);
  CHECK_EQ(DampingGate(5, a), 1.0);
}

TEST(StretchForInvertsTheTension) {
  Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = trial % 4 ? random.Logarithmic(1e-9, 1) : 0;
    const double stiffness = random.Logarithmic(1e-3, 1e9);
    const double tension = trial % 7 ? random.Logarithmic(1e-9, 1e6) : 0;
    const double stretch = StretchFor(tension, stiffness, a);
    CHECK(stretch >= 0);
    // subtracting a / 2 costs a / psi digits where psi is small against it, but there the parabola
    // is used: at worst psi = a / 2, a factor of two
    CHECK_NEAR(stiffness * Onset(stretch, a), tension, 1e-14 * tension);
  }
}

TEST(SpringAndDamperWherePulled) {
  AxialParameters p;
  p.stiffness = 1000;
  p.damping = 20;
  p.transition = 0.001;
  p.max_tension = 1e9;
  CHECK_NEAR(AxialTension(p, 0.144, 0.5), 1000 * (0.144 - 0.0005) + 20 * 0.5, 1e-12);
  CHECK_NEAR(AxialTension(p, 0.0005, 0.5), 1000 * 0.000125 + 20 * 0.5 * 0.5, 1e-12);
}

TEST(SlackPullsExactlyNothing) {
  AxialParameters p;
  p.stiffness = 1e6;
  p.damping = 1e3;
  p.max_tension = 1e9;
  for (double transition : {0.0, 0.01}) {
    p.transition = transition;
    // slack, however fast it tightens
    for (double rate : {-10.0, 0.0, 10.0}) CHECK_EQ(AxialTension(p, -0.1, rate), 0.0);
  }
}

TEST(NeverPushesNeverExceedsTheLimit) {
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    AxialParameters p;
    p.stiffness = random.Logarithmic(1, 1e8);
    p.damping = random.Chance(0.5) ? random.Logarithmic(1e-3, 1e5) : 0;
    p.transition = random.Chance(0.5) ? random.Logarithmic(1e-6, 0.1) : 0;
    p.max_tension =
        random.Chance(0.5) ? random.Logarithmic(1, 1e4) : std::numeric_limits<double>::infinity();
    const double e = random.Uniform(-0.5, 0.5);
    const double tension = AxialTension(p, e, random.Uniform(-100, 100));
    CHECK(tension >= 0);
    CHECK(tension <= p.max_tension);
    CHECK(std::isfinite(tension));
    if (e <= 0) CHECK_EQ(tension, 0.0);
  }
}

}  // namespace
}  // namespace mujocable
