// The driver: path, rates, tension and losses of a whole cable, one after the other.

#include "core/cable.h"

#include <limits>

#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Chain;
using test::CylinderAt;
using test::Motion;
using test::Random;
using test::Rig;
using test::WrapOn;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// locates the rig with these motions, from its memory
void LocateRig(Rig& rig, const std::vector<Motion>& motions) {
  rig.Pose();
  const test::Twists twists(motions);
  Locate(rig.elements.data(), rig.count(), twists.data(), rig.memory.data(), Start::kWarm,
         rig.limits, rig.record);
}

AxialParameters Spring(double stiffness, double home_length) {
  AxialParameters p;
  p.stiffness = stiffness;
  p.home_length = home_length;
  p.max_tension = kInfinity;
  return p;
}

Rig Sheave() {
  Rig rig({AnchorAt({-1, -0.5, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.2), {0, 0.5, 0}),
           AnchorAt({1, -0.5, 0})});
  rig.Cold();
  return rig;
}

TEST(EveryNumberOfTheRecordIsWritten) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    Rig rig = RandomChain(random, 1 + trial % 4, {}).MakeRig();
    rig.Cold();
    std::vector<Motion> motions;
    for (int i = 0; i < rig.count(); ++i) motions.push_back(RandomMotion(random, 1));
    LocateRig(rig, motions);
    rig.record.take_up() = 0.01;
    rig.record.take_up_rate() = 0.1;
    const std::vector<double> mu(rig.ncontact, 0.2);
    const double tension = Pull(Spring(1e3, rig.length() - 0.1), {}, mu.data(), rig.record);
    ScaleTensions(SafeTension(tension, rig.record), rig.record);
    ShowSliding(1e-3, std::vector<double>(rig.ncontact).data(), rig.record);
    rig.record.coupled() = rig.record.solves() = 0;
    // the rig starts with a record of NaN: what was forgotten still is
    for (double x : rig.block()) CHECK(std::isfinite(x));
  }
}

TEST(MotorIsPartOfTheStretchRate) {
  // a winch at constant speed that lifts at the same speed feels no phantom drag
  Rig rig = Sheave();
  const std::vector<Motion> motions = {{}, {}, {{}, {0, 1, 0}, {}}};
  LocateRig(rig, motions);
  rig.record.take_up() = 0;
  rig.record.take_up_rate() = -rig.record.length_rate();
  AxialParameters p = Spring(1000, rig.length() - 0.01);
  p.damping = 100;
  const double mu = 0;
  CHECK_NEAR(Pull(p, {}, &mu, rig.record), 10, 1e-10);
  // the paper's form feels it
  p.length_rate_only = true;
  CHECK_NEAR(Pull(p, {}, &mu, rig.record), std::max(0.0, 10 + 100 * rig.record.length_rate()),
             1e-10);
}

TEST(PowerBalances) {
  // at any instant the motor's power goes into the bodies, into stretch (which the cable spreads
  // evenly over its length) and into friction:  T_0 cdot = Q.v + sum T_i edot l_i / L + sum P_i
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    test::ChainOptions options;
    options.sphere_share = 0;
    Rig rig = RandomChain(random, 1 + trial % 4, options).MakeRig();
    rig.Cold();
    std::vector<Motion> motions;
    for (int i = 0; i < rig.count(); ++i) motions.push_back(RandomMotion(random, 0.2));
    LocateRig(rig, motions);
    const Record& r = rig.record;
    const double cdot = random.Uniform(-0.1, 0.1), edot = r.length_rate() + cdot;
    r.take_up() = 0;
    r.take_up_rate() = cdot;
    const std::vector<double> mu(rig.ncontact, 0.15);
    const double tension = Pull(Spring(1e3, rig.length() - 0.05), {}, mu.data(), rig.record);
    ScaleTensions(tension, rig.record);
    double loads = 0, rate = r.length_rate(), losses = 0, stored = 0, along = 0;
    for (int i = 0; i <= rig.ncontact; ++i) {
      const double beyond = i < rig.ncontact ? r.growth()[i] : 0;
      loads -= r.tension()[i] * (rate - beyond);
      rate = beyond;
      if (i < rig.ncontact) losses += r.dissipation()[i];
      // stretch is spread evenly: each piece stores its share at its own tension, half of an arc
      // at either
      const double piece =
          r.segment()[i] + (i ? r.arc()[i - 1] / 2 : 0) + (i < rig.ncontact ? r.arc()[i] / 2 : 0);
      stored += r.tension()[i] * piece / r.length() * edot;
      along += piece;
    }
    CHECK_NEAR(along, r.length(), 1e-13 * along);
    CHECK_NEAR(tension * cdot, loads + stored + losses,
               1e-13 * (std::abs(loads) + std::abs(stored) + std::abs(losses) + tension));
  }
}

TEST(CommandedTension) {
  Rig rig = Sheave();
  LocateRig(rig, {{}, {}, {}});
  rig.record.take_up() = rig.record.take_up_rate() = 0;
  const double mu = 0.1;
  CHECK_EQ(PullCommanded(12, 50, {}, &mu, rig.record), 12.0);
  CHECK_EQ(PullCommanded(120, 50, {}, &mu, rig.record), 50.0);
  CHECK_EQ(PullCommanded(-3, 50, {}, &mu, rig.record), 0.0);
  CHECK_EQ(rig.record.slack(), 0.0);
  CHECK_EQ(rig.record.stretch(), 0.0);
  CHECK_EQ(rig.record.energy(), 0.0);
  CHECK_EQ(rig.record.rest_length(), rig.record.length());
}

TEST(EveryPathPullsButOneOfBadNumbers) {
  Rig rig = Sheave();
  LocateRig(rig, {{}, {}, {}});
  rig.record.take_up() = rig.record.take_up_rate() = 0;
  const double mu = 0.1;
  const double tension = Pull(Spring(1000, 1), {}, &mu, rig.record);
  CHECK(tension > 0);
  CHECK_EQ(SafeTension(tension, rig.record), tension);
  for (SolveStatus status :
       {SolveStatus::kKept, SolveStatus::kLetGo, SolveStatus::kSlipped, SolveStatus::kDerailed}) {
    rig.record.status() = static_cast<double>(status);
    CHECK_EQ(SafeTension(tension, rig.record), tension);
  }
  rig.record.status() = static_cast<double>(SolveStatus::kInvalid);
  CHECK_EQ(SafeTension(tension, rig.record), 0.0);
  rig.record.status() = 0;
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    CHECK_EQ(SafeTension(bad, rig.record), 0.0);
    const double rate = rig.record.length_rate(), last = rig.record.tension()[1];
    rig.record.length_rate() = bad;
    CHECK_EQ(SafeTension(tension, rig.record), 0.0);
    rig.record.length_rate() = rate;
    rig.record.tension()[1] = bad;
    CHECK_EQ(SafeTension(tension, rig.record), 0.0);
    rig.record.tension()[1] = last;
  }
  CHECK_EQ(SafeTension(tension, rig.record), tension);
}

TEST(BadVelocitiesDoNotPull) {
  for (double bad : {kNaN, kInfinity}) {
    Rig rig = Sheave();
    LocateRig(rig, {{}, {{}, {bad, 0, 0}, {}}, {}});
    rig.record.take_up() = rig.record.take_up_rate() = 0;
    const double mu = 0.1;
    const double tension = Pull(Spring(1000, 1), {}, &mu, rig.record);
    CHECK_EQ(SafeTension(tension, rig.record), 0.0);
  }
}

}  // namespace
}  // namespace mujocable
