// Loads (18): a cable acts on nothing outside itself, and its power is its length rate.

#include "core/law/wrench.h"

#include "core/law/sliding.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Chain;
using test::Motion;
using test::Random;
using test::Rig;

Rig RandomRoute(Random& random, int n) {
  test::ChainOptions options;
  options.sphere_share = 0.3;
  while (true) {
    Rig rig = RandomChain(random, n, options).MakeRig();
    rig.nodes.insert(rig.nodes.end() - 1, test::EyeletAt(rig.nodes.back().pos));
    rig.nodes.back().pos += random.InBox(1);
    Rig route(rig.nodes);
    route.Cold();
    if (route.valid()) return route;
  }
}

struct Loads {
  std::vector<Wrench> wrench;
  std::vector<Vec3> about;
};

// every node on a body of its own, moments about points of their own
Loads LoadsOf(Random& random, const Rig& rig, bool one_point) {
  Loads loads;
  std::vector<int> slot;
  const Vec3 common = random.InBox(1);
  for (int i = 0; i < rig.count(); ++i) {
    slot.push_back(i);
    loads.wrench.push_back({});
    loads.about.push_back(one_point ? common : random.InBox(1));
  }
  AddLoads(rig.record, slot.data(), [&](int k) { return loads.about[k]; }, loads.wrench.data());
  return loads;
}

void SetTensions(Random& random, Rig& rig, bool equal) {
  const double base = random.Logarithmic(0.1, 1e3);
  for (int i = 0; i <= rig.ncontact; ++i) {
    const bool same = equal || (i > 0 && !rig.record.Touching(i - 1));
    rig.record.tension()[i] = i == 0 ? base
                              : same ? rig.record.tension()[i - 1]
                                     : base * random.Uniform(0.2, 3);
  }
}

TEST(ForcesAndMomentsSumToZero) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    Rig rig = RandomRoute(random, 1 + trial % 4);
    // any tensions, with friction or not: every segment pulls its two ends toward each other
    SetTensions(random, rig, trial % 2);
    const Loads loads = LoadsOf(random, rig, true);
    Vec3 force, moment;
    double scale = 0;
    for (const Wrench& w : loads.wrench) {
      force += w.force;
      moment += w.moment;
      scale += Norm(w.force);
    }
    // lever arms of up to 10 m; directions of segments know their ends to 1e-15 / length
    CHECK_NEAR(Norm(force), 0, 1e-13 * scale);
    CHECK_NEAR(Norm(moment), 0, 1e-12 * scale);
  }
}

TEST(PowerIsTensionTimesLengthRate) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    Rig rig = RandomRoute(random, 1 + trial % 4);
    std::vector<Motion> motions;
    for (int i = 0; i < rig.count(); ++i) motions.push_back(RandomMotion(random, 1));
    Rates(test::Twists(motions).data(), rig.record);
    for (bool equal : {true, false}) {
      SetTensions(random, rig, equal);
      const Loads loads = LoadsOf(random, rig, false);
      double power = 0, scale = 0;
      for (int i = 0; i < rig.count(); ++i) {
        const Motion& m = motions[i];
        const Vec3 velocity = m.linear + Cross(m.angular, loads.about[i] - m.about);
        power += Dot(loads.wrench[i].force, velocity) + Dot(loads.wrench[i].moment, m.angular);
        scale += Norm(loads.wrench[i].force) * (1 + Norm(velocity)) +
                 Norm(loads.wrench[i].moment) * Norm(m.angular);
      }
      // each segment does work at its own tension; the path beyond contact i grows by growth[i]
      const Record& r = rig.record;
      double expected = 0, rate = r.length_rate();
      for (int i = 0; i <= rig.ncontact; ++i) {
        const double beyond = i < rig.ncontact ? r.growth()[i] : 0;
        expected -= r.tension()[i] * (rate - beyond);
        rate = beyond;
      }
      CHECK_NEAR(power, expected, 1e-13 * scale);
      // (18): with equal tensions Q.v = -T Ldot
      if (equal) CHECK_NEAR(power, -r.tension()[0] * r.length_rate(), 1e-13 * scale);
    }
  }
}

TEST(EyeletBelowADrumLeavesNoMoment) {
  // an eyelet that rides on a drum may sit a little below its surface: both its segments must act
  // on one point, or the pair of them turns the world
  Rig rig({AnchorAt({-1, 0, 0}), test::WrapOn(test::CylinderAt({0, 0, 0}, 0.1), {0, 0.2, 0}),
           test::EyeletAt({0.097, 0, 0}), AnchorAt({1, 0.5, 0})});
  rig.nodes[2].clamp_before = true;
  rig.Cold();
  CHECK(rig.valid());
  for (int i = 0; i < 3; ++i) rig.record.tension()[i] = 1;
  Random random(5);
  Vec3 force, moment;
  for (const Wrench& w : LoadsOf(random, rig, true).wrench) {
    force += w.force;
    moment += w.moment;
  }
  CHECK_NEAR(Norm(force), 0, 1e-14);
  CHECK_NEAR(Norm(moment), 0, 1e-14);
}

TEST(SlotsGatherAndWorldIsSkipped) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Rig rig = RandomRoute(random, 3);
    SetTensions(random, rig, false);
    const Loads apart = LoadsOf(random, rig, true);
    // nodes 1 and 3 on one body, the last one fixed in the world, the others on a second
    std::vector<int> slot(rig.count(), 1);
    slot[1] = slot[3] = 0;
    slot.back() = -1;
    const Vec3 about[2] = {apart.about[0], apart.about[0]};
    Wrench wrench[3] = {};
    wrench[2].force = {7, 7, 7};
    AddLoads(rig.record, slot.data(), [&](int k) { return about[k]; }, wrench);
    Vec3 force = apart.wrench[1].force + apart.wrench[3].force;
    Vec3 moment = apart.wrench[1].moment + apart.wrench[3].moment;
    CHECK_NEAR(Norm(wrench[0].force - force), 0, 1e-12 * (1 + Norm(force)));
    CHECK_NEAR(Norm(wrench[0].moment - moment), 0, 1e-12 * (1 + Norm(moment)));
    // everything but the last node: minus what the last node feels
    force = wrench[0].force + wrench[1].force + apart.wrench.back().force;
    CHECK_NEAR(Norm(force), 0, 1e-12 * (1 + rig.record.tension()[0] * 10));
    CHECK_EQ(wrench[2].force.x, 7.0);
  }
}

TEST(LiftedWrapFeelsNothing) {
  Rig rig({AnchorAt({0, 0, 0}), test::WrapOn(test::SphereAt({1, -1, 0}, 0.2), {1, 0, 0}),
           AnchorAt({2, 0, 0})});
  rig.Cold();
  rig.record.tension()[0] = rig.record.tension()[1] = 5;
  Random random(4);
  const Loads loads = LoadsOf(random, rig, false);
  CHECK_EQ(Norm(loads.wrench[1].force), 0.0);
  CHECK_EQ(Norm(loads.wrench[1].moment), 0.0);
  CHECK_NEAR(Norm(loads.wrench[0].force - Vec3{5, 0, 0}), 0, 1e-15);
  CHECK_NEAR(Norm(loads.wrench[2].force - Vec3{-5, 0, 0}), 0, 1e-15);
}

TEST(SlingshotForce) {
  // Simbody's TestCableSpan_Forces: (-2 cos 45, 0, 0) on the sphere, moment 2 sin 45 at offset 1
  const double x = std::tan(std::atan(1.0) / 2);
  Rig rig({AnchorAt({x, 1, 0}), test::WrapOn(test::SphereAt({0, 0, 0}, 1), {1.1, 0, 0}),
           AnchorAt({x, -1, 0})});
  rig.Cold();
  rig.record.tension()[0] = rig.record.tension()[1] = 1;
  const int slot[3] = {-1, 0, -1};
  const Vec3 about{0, -1, 0};
  Wrench wrench;
  AddLoads(rig.record, slot, [&](int) { return about; }, &wrench);
  CHECK_NEAR(Norm(wrench.force - Vec3{-2 * std::sqrt(0.5), 0, 0}), 0, 1e-14);
  CHECK_NEAR(std::abs(wrench.moment.z), 2 * std::sqrt(0.5), 1e-14);
}

}  // namespace
}  // namespace mujocable
