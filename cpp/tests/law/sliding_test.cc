// Capstan friction without memory (8)-(10).

#include "core/law/sliding.h"

#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::Random;
using test::Rig;

constexpr FrictionMode kModes[] = {FrictionMode::kVelocity, FrictionMode::kForward,
                                   FrictionMode::kReverse};

// a record of n contacts with numbers of its own, no geometry behind it
Rig RandomRecord(Random& random, int n) {
  std::vector<test::Node> nodes = {test::AnchorAt({})};
  for (int i = 0; i < n; ++i) nodes.push_back(test::EyeletAt({}));
  nodes.push_back(test::AnchorAt({}));
  Rig rig(nodes);
  Record& r = rig.record;
  double length = 0;
  for (int i = 0; i <= n; ++i) length += r.segment()[i] = random.Uniform(0, 1);
  for (int i = 0; i < n; ++i) {
    const bool touching = random.Chance(0.8);
    r.touching()[i] = touching;
    r.wrap_angle()[i] = touching ? random.Uniform(0, 8) : 0;
    r.arc()[i] = touching && random.Chance(0.7) ? random.Uniform(0, 1) : 0;
    r.growth()[i] = random.Uniform(-0.1, 0.1);
    length += r.arc()[i];
  }
  r.length() = length;
  return rig;
}

std::vector<double> RandomFriction(Random& random, int n) {
  std::vector<double> mu(n);
  for (double& value : mu) value = random.Chance(0.2) ? 0 : random.Uniform(0, 0.6);
  return mu;
}

TEST(EveryContactHasItsCapstanRatio) {
  Random random(1);
  for (FrictionMode mode : kModes) {
    for (int trial = 0; trial < 500; ++trial) {
      const int n = 1 + trial % 9;
      Rig rig = RandomRecord(random, n);
      const std::vector<double> mu = RandomFriction(random, n);
      const FrictionLaw law{mode, random.Logarithmic(1e-4, 0.1)};
      const double stretch_rate = random.Uniform(-0.1, 0.1);
      TensionRatios(law, mu.data(), stretch_rate, rig.record);
      const double source = random.Logarithmic(1e-3, 1e4);
      ScaleTensions(source, rig.record);
      const Record& r = rig.record;
      CHECK_EQ(r.tension()[0], source);
      CHECK_EQ(r.source_tension(), source);
      for (int i = 0; i < n; ++i) {
        const double direction = mode == FrictionMode::kForward ? -1
                                 : mode == FrictionMode::kReverse
                                     ? 1
                                     : std::tanh(r.slip_rate()[i] / law.slip_speed);
        // products of n factors, each rounded: 1e-15 n; the theory asks for 1e-12
        CHECK_NEAR(r.tension()[i + 1] / r.tension()[i],
                   std::exp(direction * mu[i] * r.wrap_angle()[i]),
                   1e-13 * r.tension()[i + 1] / r.tension()[i]);
      }
    }
  }
}

TEST(SlipIsGrowthLessTheSharedStretch) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 9;
    Rig rig = RandomRecord(random, n);
    const std::vector<double> mu(n, 0.0);
    const double stretch_rate = random.Uniform(-0.1, 0.1);
    TensionRatios({}, mu.data(), stretch_rate, rig.record);
    const Record& r = rig.record;
    for (int i = 0; i < n; ++i) {
      // (9): l_i runs from the middle of the contact to the distal end
      double beyond = r.arc()[i] / 2 + r.segment()[n];
      for (int k = i + 1; k < n; ++k) beyond += r.segment()[k] + r.arc()[k];
      const double slip = r.growth()[i] - beyond / r.length() * stretch_rate;
      CHECK_NEAR(r.slip_rate()[i], r.Touching(i) ? slip : 0, 1e-15);
    }
  }
}

TEST(WithoutFrictionAllTensionsAreEqualToTheLastBit) {
  Random random(3);
  for (FrictionMode mode : kModes) {
    for (int trial = 0; trial < 200; ++trial) {
      const int n = 1 + trial % 9;
      Rig rig = RandomRecord(random, n);
      const std::vector<double> mu(n, 0.0);
      TensionRatios({mode, 0.01}, mu.data(), random.Uniform(-1, 1), rig.record);
      for (int i = 0; i <= n; ++i) CHECK_EQ(rig.record.tension()[i], 1.0);
      const double source = random.Logarithmic(1e-9, 1e9);
      ScaleTensions(source, rig.record);
      for (int i = 0; i <= n; ++i) CHECK_EQ(rig.record.tension()[i], source);
      for (int i = 0; i < n; ++i) CHECK_EQ(rig.record.dissipation()[i], 0.0);
    }
  }
}

TEST(LiftedContactsChangeNothing) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    Rig rig = RandomRecord(random, 6);
    const std::vector<double> mu(6, 0.4);
    TensionRatios({FrictionMode::kReverse, 0.01}, mu.data(), 0.3, rig.record);
    ScaleTensions(12.5, rig.record);
    for (int i = 0; i < 6; ++i) {
      if (rig.record.Touching(i)) continue;
      CHECK_EQ(rig.record.tension()[i + 1], rig.record.tension()[i]);
      CHECK_EQ(rig.record.slip_rate()[i], 0.0);
      CHECK_EQ(rig.record.dissipation()[i], 0.0);
    }
  }
}

TEST(VelocityFrictionNeverCreatesEnergy) {
  Random random(5);
  for (int trial = 0; trial < 5000; ++trial) {
    const int n = 1 + trial % 9;
    Rig rig = RandomRecord(random, n);
    for (int i = 0; i < n; ++i) {
      rig.record.growth()[i] = random.Uniform(-1, 1) * random.Logarithmic(1e-12, 10);
    }
    const std::vector<double> mu = RandomFriction(random, n);
    TensionRatios({FrictionMode::kVelocity, random.Logarithmic(1e-6, 1)}, mu.data(),
                  random.Uniform(-1, 1), rig.record);
    ScaleTensions(random.Logarithmic(1e-6, 1e6), rig.record);
    for (int i = 0; i < n; ++i) CHECK(rig.record.dissipation()[i] >= 0);
  }
}

TEST(DirectionsOfTheAuthor) {
  // pulling in: the source pulls harder than the rest; the tension falls along the cable
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    Rig rig = RandomRecord(random, 5);
    const std::vector<double> mu(5, 0.2);
    TensionRatios({FrictionMode::kForward, 0.01}, mu.data(), 0, rig.record);
    for (int i = 0; i < 5; ++i) CHECK(rig.record.tension()[i + 1] <= rig.record.tension()[i]);
    TensionRatios({FrictionMode::kReverse, 0.01}, mu.data(), 0, rig.record);
    for (int i = 0; i < 5; ++i) CHECK(rig.record.tension()[i + 1] >= rig.record.tension()[i]);
  }
}

TEST(RatiosDoNotDependOnTheTension) {
  // (18): the load is linear in the source tension
  Random random(7);
  Rig one = RandomRecord(random, 7), two(one);
  const std::vector<double> mu = RandomFriction(random, 7);
  TensionRatios({}, mu.data(), 0.1, one.record);
  TensionRatios({}, mu.data(), 0.1, two.record);
  ScaleTensions(1, one.record);
  ScaleTensions(1024, two.record);
  for (int i = 0; i <= 7; ++i) CHECK_EQ(two.record.tension()[i], 1024 * one.record.tension()[i]);
}

TEST(AbsurdFrictionStaysFinite) {
  Random random(8);
  Rig rig = RandomRecord(random, 1);
  rig.record.touching()[0] = 1;
  rig.record.wrap_angle()[0] = 1e6;
  const std::vector<double> mu(4, 1e6);  // GCC 12 warns of lanes that one number never fills
  for (FrictionMode mode : {FrictionMode::kForward, FrictionMode::kReverse}) {
    TensionRatios({mode, 0.01}, mu.data(), 0, rig.record);
    ScaleTensions(1e3, rig.record);
    CHECK(std::isfinite(rig.record.tension()[1]));
    CHECK(rig.record.tension()[1] >= 0);
  }
}

TEST(NoLengthNoStrain) {
  Random random(9);
  Rig rig = RandomRecord(random, 2);
  rig.record.length() = 0;
  const double mu[2] = {0.1, 0.1};
  TensionRatios({}, mu, 1.0, rig.record);
  for (int i = 0; i < 2; ++i) CHECK(std::isfinite(rig.record.slip_rate()[i]));
}

}  // namespace
}  // namespace mujocable
