// Length rate (6) and growth (9) against differences of solved lengths.

#include "core/law/kinematics.h"

#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Chain;
using test::EyeletAt;
using test::Motion;
using test::Node;
using test::Random;
using test::Rig;

// two chains joined at an eyelet: wraps, a hard guide, every node on a body of its own
Rig RandomRoute(Random& random, int first, int second) {
  test::ChainOptions options;
  options.sphere_share = 0.3;
  options.min_turn = 0.2;
  options.max_turn = 1;
  options.min_straight = 0.2;
  options.max_straight = 0.8;
  while (true) {
    const Chain one = RandomChain(random, first, options),
                two = RandomChain(random, second, options);
    // clearly shortest paths: where a string is nearly out of balance, differences mean nothing
    if (!IsMinimum(Built(one), 0.05) || !IsMinimum(Built(two), 0.05)) continue;
    std::vector<Node> nodes = one.MakeRig().nodes;
    nodes.back() = EyeletAt(one.b);
    const std::vector<Node> more = two.MakeRig().nodes;
    for (size_t i = 1; i < more.size(); ++i) {
      nodes.push_back(more[i]);
      nodes.back().pos += one.b - two.a;
      nodes.back().surface.pos += one.b - two.a;
      nodes.back().hint += one.b - two.a;
    }
    Rig rig(nodes);
    rig.Cold();
    if (rig.valid() && rig.length() < (one.length + two.length) * (1 + 1e-12)) return rig;
  }
}

std::vector<Motion> RandomMotions(Random& random, const Rig& rig) {
  std::vector<Motion> motions;
  for (int i = 0; i < rig.count(); ++i) motions.push_back(RandomMotion(random, 1));
  return motions;
}

// length after the bodies moved on for a time
double LengthAt(const Rig& rig, const std::vector<Motion>& motions, double time) {
  Rig moved(rig);
  for (int i = 0; i < rig.count(); ++i) moved.nodes[i] = Moved(rig.nodes[i], motions[i], time);
  moved.Warm();
  return moved.length();
}

// slope at zero by central differences of fourth order: cancellation 5e-15 m / h = 2e-10 m/s; the
// truncation h^4 / 30 times a fifth derivative, which small radii and short segments raise to 1e9
constexpr double kStep = 2e-5, kTolerance = 1e-8;
template <typename F>
double Slope(const F& f) {
  return (8 * (f(kStep) - f(-kStep)) - (f(2 * kStep) - f(-2 * kStep))) / (12 * kStep);
}

TEST(LengthRateIsTheSlopeOfTheLength) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Rig rig = RandomRoute(random, 1 + trial % 3, 1 + trial % 2);
    const std::vector<Motion> motions = RandomMotions(random, rig);
    const test::Twists twists(motions);
    Rates(twists.data(), rig.record);
    const double slope = Slope([&](double t) { return LengthAt(rig, motions, t); });
    CHECK_NEAR(rig.record.length_rate(), slope, kTolerance);
  }
}

TEST(GrowthIsTheSlopeOfTheLengthBeyond) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    Rig rig = RandomRoute(random, 1 + trial % 3, 1 + trial % 2);
    const std::vector<Motion> motions = RandomMotions(random, rig);
    const test::Twists twists(motions);
    Rates(twists.data(), rig.record);
    for (int i = 0; i < rig.ncontact; ++i) {
      if (!rig.record.Touching(i)) continue;
      // the rest of the route from a point fixed to the body of contact i: the eyelet itself, or a
      // pin in the middle of the arc
      std::vector<Node> nodes(rig.nodes.begin() + i + 1, rig.nodes.end());
      std::vector<Motion> rest(motions.begin() + i + 1, motions.end());
      if (rig.wraps(i)) {
        const Surface& s = rig.surface(i);
        const Geodesic g =
            Shoot(s, rig.record.Entry(i), rig.record.Direction(i), 0.5 * rig.record.arc()[i]);
        Node pin = AnchorAt(g.q);
        pin.clamp_after = true;
        nodes[0].hint = rig.record.Exit(i) + 0.1 * s.radius * Normal(s, rig.record.Exit(i));
        nodes.insert(nodes.begin(), pin);
        rest.insert(rest.begin(), motions[i + 1]);
      } else {
        nodes[0] = AnchorAt(nodes[0].pos);
      }
      Rig beyond(nodes);
      beyond.Cold();
      CHECK(beyond.valid());
      const double slope = Slope([&](double t) { return LengthAt(beyond, rest, t); });
      CHECK_NEAR(rig.record.growth()[i], slope, kTolerance);
    }
  }
}

TEST(RigidMotionOfTheWholeChangesNothing) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Rig rig = RandomRoute(random, 2, 2);
    const std::vector<Motion> motions(rig.count(), RandomMotion(random, 5));
    const test::Twists twists(motions);
    Rates(twists.data(), rig.record);
    // velocities of some 50 m/s cancel: 50 * 2e-16 * 10 terms; path error 1e-12 times velocity
    CHECK_NEAR(rig.record.length_rate(), 0, 1e-11);
    for (int i = 0; i < rig.ncontact; ++i) CHECK_NEAR(rig.record.growth()[i], 0, 1e-11);
  }
}

TEST(TwistMayBeGivenAboutAnyPoint) {
  Random random(4);
  Rig rig = RandomRoute(random, 2, 1);
  std::vector<Motion> motions = RandomMotions(random, rig);
  Rates(test::Twists(motions).data(), rig.record);
  const double rate = rig.record.length_rate();
  for (Motion& m : motions) {
    const Vec3 other = random.InBox(10);
    m.linear += Cross(m.angular, other - m.about);
    m.about = other;
  }
  Rates(test::Twists(motions).data(), rig.record);
  CHECK_NEAR(rig.record.length_rate(), rate, 1e-13);
}

TEST(TurningSheaveMovesNoLength) {
  // a cylinder that turns about its own axis: the length stays, the cable slips past it
  Rig rig({AnchorAt({-1, -0.5, 0}), test::WrapOn(test::CylinderAt({0, 0, 0}, 0.2), {0, 0.5, 0}),
           AnchorAt({1, -0.5, 0})});
  rig.Cold();
  const std::vector<Motion> motions = {{}, {{0, 0, 3}, {}, {}}, {}};
  Rates(test::Twists(motions).data(), rig.record);
  CHECK_NEAR(rig.record.length_rate(), 0, 1e-15);
  // counterclockwise, against the string: the surface runs at 0.6 m/s toward the source, so the
  // path beyond a point of it grows at that rate
  CHECK_NEAR(rig.record.growth()[0], 0.6, 1e-14);
}

TEST(SlingshotLengthRate) {
  // Simbody's TestCableSpan_LengthDot: 8 cos 45 for a sphere that moves with 4 m/s
  const double x = std::tan(std::atan(1.0) / 2);
  Rig rig({AnchorAt({x, 1, 0}), test::WrapOn(test::SphereAt({0, 0, 0}, 1), {1.1, 0, 0}),
           AnchorAt({x, -1, 0})});
  rig.Cold();
  const std::vector<Motion> motions = {{}, {{}, {4, 0, 0}, {}}, {}};
  Rates(test::Twists(motions).data(), rig.record);
  CHECK_NEAR(rig.record.length_rate(), 8 * std::sqrt(0.5), 1e-13);
}

}  // namespace
}  // namespace mujocable
