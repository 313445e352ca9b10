// Implicit tension (19)-(21): judged by the axial law itself, by a closed form and by bisection.

#include "core/implicit.h"

#include <cmath>
#include <limits>
#include <vector>

#include "check.h"
#include "random.h"

namespace mujocable {
namespace {

using test::Random;

ImplicitCable Spring(double stiffness, double damping, double stretch, double step) {
  ImplicitCable c;
  c.axial.stiffness = stiffness;
  c.axial.damping = damping;
  c.axial.max_tension = std::numeric_limits<double>::infinity();
  c.stretch = stretch;
  c.step = step;
  return c;
}

TEST(TheLawIsTheAxialLawAtTheEndOfTheStep) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    ImplicitCable c = Spring(random.Uniform(1, 1e6), random.Uniform(0, 1e3),
                             random.Uniform(-1e-3, 1e-2), random.Uniform(1e-4, 1e-2));
    c.axial.transition = trial % 2 ? random.Uniform(0, 1e-3) : 0;
    c.axial.max_tension = trial % 3 ? 1e9 : 50;
    const double rate = random.Uniform(-2, 2);
    const double e = c.stretch + c.step * rate;
    const double pull = c.axial.stiffness * Onset(e, c.axial.transition) +
                        c.axial.damping * DampingGate(c.stretch, c.axial.transition) * rate;
    double slope, ahead, behind;
    const double t = ImplicitTension(c, rate, slope);
    CHECK_NEAR(t, std::clamp(pull, 0.0, c.axial.max_tension), 1e-9 * (1 + std::abs(pull)));
    // slope against central differences, away from the kinks
    const double h = 1e-7;
    const double up = ImplicitTension(c, rate + h, ahead);
    const double down = ImplicitTension(c, rate - h, behind);
    if (ahead != 0 && behind != 0 && slope != 0) {
      CHECK_NEAR((up - down) / (2 * h), slope, 1e-4 * slope + 1e-3);
    }
    CHECK(slope >= 0 && t >= 0);
  }
}

TEST(OneStiffCableOnAMassIsTheClosedForm) {
  // m a = -m g - T downward pull; rate = v + h a: T (1 + (h^2 k + h d) / m) = k e + (h k + d)(v - h
  // g)
  for (double k : {1e3, 1e5, 1e7}) {
    const double m = 1e-3, h = 5e-3, d = 0.3, e = 1e-4, v = 0.02, g = 9.81;
    const ImplicitCable c = Spring(k, d, e, h);
    const double free_rate = v + h * g, response = h / m;
    std::vector<double> scratch(ImplicitScratch(1));
    double rate, tension;
    CHECK(SolveTensions(&c, 1, &free_rate, &response, scratch.data(), &rate, &tension));
    const double want = (k * e + (h * k + d) * free_rate) / (1 + (h * h * k + h * d) / m);
    // the stretch at the end is rounded to some 1e-17 m
    CHECK_NEAR(tension, want, 1e-12 * want + 1e-16 * k * h * free_rate);
  }
}

TEST(CoupledCablesSatisfyEveryLawAtOnce) {
  Random random(3);
  int slack = 0, limited = 0, taut = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 2 + trial % 6, dofs = 1 + trial % 4;  // often more cables than dofs
    std::vector<double> g(n * dofs), response(n * n), free_rate(n), rate(n), tension(n);
    for (double& x : g) x = random.Uniform(-1, 1);
    const double h = 2e-3, mass = random.Uniform(1e-3, 1e-1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < dofs; ++k) sum += g[i * dofs + k] * g[j * dofs + k];
        response[i * n + j] = h * sum / mass;
      }
    }
    std::vector<ImplicitCable> cables;
    for (int i = 0; i < n; ++i) {
      cables.push_back(Spring(std::pow(10, random.Uniform(3, 7)), random.Uniform(0, 10),
                              random.Uniform(-1e-3, 1e-3), h));
      cables[i].axial.max_tension = trial % 5 ? 1e6 : 5;
      free_rate[i] = random.Uniform(-1, 1);
    }
    std::vector<double> scratch(ImplicitScratch(n));
    CHECK(SolveTensions(cables.data(), n, free_rate.data(), response.data(), scratch.data(),
                        rate.data(), tension.data()));
    for (int i = 0; i < n; ++i) {
      double slope, sum = free_rate[i];
      for (int j = 0; j < n; ++j) sum -= response[i * n + j] * tension[j];
      // the rate that these tensions make is the rate that makes these tensions
      CHECK_NEAR(sum, rate[i], 1e-8);
      CHECK_NEAR(tension[i], ImplicitTension(cables[i], rate[i], slope), 1e-9 * (1 + tension[i]));
      slack += tension[i] == 0;
      limited += tension[i] == cables[i].axial.max_tension;
      taut += slope > 0;
    }
  }
  CHECK(slack > 100 && limited > 10 && taut > 100);
}

TEST(TheWeightRisesWithoutAJump) {
  CHECK_EQ(ImplicitWeight(0), 0.0);
  CHECK_EQ(ImplicitWeight(kSoft), 0.0);
  CHECK_EQ(ImplicitWeight(2 * kSoft), 1.0);
  CHECK_EQ(ImplicitWeight(1e9), 1.0);
  double before = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double now = ImplicitWeight(kSoft * (1 + i / 1000.0));
    CHECK(now >= before && now - before < 2e-3);  // steepest 1.5 / 1000
    before = now;
  }
}

}  // namespace
}  // namespace mujocable
