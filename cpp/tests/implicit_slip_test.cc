// Friction at the end of a step (22): judged by the friction of an instant (8)-(13), by differences
// and by the sign of the loss.

#include "core/implicit_slip.h"

#include <vector>

#include "check.h"
#include "core/friction.h"
#include "scene.h"

namespace mujocable {
namespace {

using test::Random;
using test::Rig;

// contacts that rub, with numbers of their own
struct Contacts {
  explicit Contacts(Random& random, int n, double weight)
      : exponent(n), fraction(n), now(n), growth(n), slip(n), ratio(n), slope(n) {
    for (int i = 0; i < n; ++i) {
      exponent[i] = random.Uniform(0, 2);
      fraction[i] = 1 - (i + 0.5) / n;
      now[i] = random.Uniform(-0.03, 0.03);
      growth[i] = random.Uniform(-0.03, 0.03);
    }
    law = {n, exponent.data(), fraction.data(), now.data(), 0.01, weight};
  }
  void Evaluate(double rate) {
    EndRatios(law, rate, growth.data(), slip.data(), ratio.data(), slope.data());
  }
  std::vector<double> exponent, fraction, now, growth, slip, ratio, slope;
  ImplicitSlip law;
};

TEST(AtTheEndOfTheStepItIsTheFrictionOfThatInstant) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 7;
    Contacts contacts(random, n, 1);
    std::vector<test::Node> nodes = {test::AnchorAt({})};
    for (int i = 0; i < n; ++i) nodes.push_back(test::EyeletAt({}));
    nodes.push_back(test::AnchorAt({}));
    Rig rig(nodes);
    Record& r = rig.record;
    const std::vector<double> mu(n, 0.5);
    r.length() = 0;
    for (int i = 0; i <= n; ++i) r.length() += r.segment()[i] = random.Uniform(0, 1);
    double beyond = r.length();
    for (int i = 0; i < n; ++i) {
      r.touching()[i] = 1;
      r.wrap_angle()[i] = contacts.exponent[i] / mu[i];
      r.arc()[i] = 0;
      r.growth()[i] = contacts.growth[i];
      contacts.fraction[i] = (beyond -= r.segment()[i]) / r.length();
    }
    const double rate = random.Uniform(-0.05, 0.05);
    contacts.Evaluate(rate);
    TensionRatios({FrictionMode::kVelocity, 0.01}, mu.data(), rate, r);
    for (int i = 0; i < n; ++i) {
      CHECK_NEAR(contacts.slip[i], r.slip_rate()[i], 1e-15);
      CHECK_NEAR(contacts.ratio[i], r.tension()[i + 1], 1e-12 * r.tension()[i + 1]);
    }
  }
}

TEST(WithoutWeightItIsThePresentSlip) {
  Random random(2);
  Contacts contacts(random, 5, 0);
  contacts.Evaluate(0.02);
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(contacts.slip[i], contacts.now[i]);
    CHECK_EQ(contacts.slope[i], 0.0);
  }
}

TEST(SlopesMatchDifferences) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 6, k = trial % n;
    Contacts here(random, n, random.Uniform(0, 1));
    const double rate = random.Uniform(-0.02, 0.02), h = 1e-7;
    Contacts up = here, down = here;
    for (Contacts* c : {&up, &down}) {
      c->law.exponent = c->exponent.data();
      c->law.fraction = c->fraction.data();
      c->law.now = c->now.data();
    }
    up.growth[k] += h;
    down.growth[k] -= h;
    here.Evaluate(rate);
    up.Evaluate(rate);
    down.Evaluate(rate);
    for (int i = 0; i < n; ++i) {
      // the tension beyond a contact follows the slip of all contacts before it
      const double want = i < k ? 0 : here.ratio[i] * here.slope[k];
      // truncation (h / v_s)^2 = 1e-10 of the slope, rounding 1e-16 / h
      CHECK_NEAR((up.ratio[i] - down.ratio[i]) / (2 * h), want, 1e-7 * (1 + std::abs(want)));
    }
  }
}

TEST(FrictionTakesEnergyAndNeverGivesIt) {
  Random random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 6;
    Contacts contacts(random, n, random.Uniform(0, 1));
    contacts.Evaluate(random.Uniform(-0.05, 0.05));
    double before = 1;
    for (int i = 0; i < n; ++i) {
      CHECK((contacts.ratio[i] - before) * contacts.slip[i] >= 0);
      CHECK(contacts.slope[i] >= 0);
      // never beyond what full slip would give
      CHECK(std::abs(std::log(contacts.ratio[i] / before)) <= contacts.exponent[i] * (1 + 1e-14));
      before = contacts.ratio[i];
    }
  }
}

}  // namespace
}  // namespace mujocable
