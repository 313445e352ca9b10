// Route -> path: spans, eyelets, lifted slots, drums and windings.

#include "core/path/route.h"

#include <cstring>
#include <numbers>

#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Chain;
using test::CylinderAt;
using test::EyeletAt;
using test::Node;
using test::PathError;
using test::Random;
using test::Rig;
using test::SphereAt;
using test::WrapOn;

constexpr double kPi = std::numbers::pi;

// ---- fixed nodes ----------------------------------------------------------------------------

TEST(TwoAnchorsAreAStraightLine) {
  Rig rig({AnchorAt({1, 2, 3}), AnchorAt({1, 2, 5})});
  CHECK_EQ(rig.Cold(), 2.0);
  CHECK(rig.valid());
  CHECK_EQ(rig.record.segment()[0], 2.0);
  CHECK_EQ(rig.record.direction()[2], 1.0);
  CHECK_EQ(rig.record.ends()[2], 3.0);
  CHECK_EQ(rig.record.ends()[5], 5.0);
  CHECK_EQ(rig.record.smoothness(), 0.0);
  CHECK_EQ(rig.record.iterations(), 0.0);
}

TEST(EyeletsAreFixedNodes) {
  // Simbody's via points: 1 + 2 + 4 + sqrt(5)
  Rig rig({AnchorAt({0, 0, 0}), EyeletAt({0, 1, 0}), EyeletAt({0, 1, 2}), EyeletAt({-4, 1, 2}),
           AnchorAt({-4, 0, 0})});
  CHECK_NEAR(rig.Cold(), 7 + std::sqrt(5.0), 1e-15 * 10);
  CHECK(rig.valid());
  CHECK_NEAR(rig.record.wrap_angle()[0], kPi / 2, 1e-15);
  CHECK_NEAR(rig.record.wrap_angle()[1], kPi / 2, 1e-15);
  CHECK_NEAR(rig.record.wrap_angle()[2], kPi / 2, 1e-15);
  for (int i = 0; i < 3; ++i) {
    CHECK(rig.record.Touching(i));
    CHECK_EQ(rig.record.arc()[i], 0.0);
    CHECK_EQ(rig.record.overrun()[i], 0.0);
    CHECK_EQ(Norm(rig.record.Entry(i) - rig.nodes[i + 1].pos), 0.0);
    CHECK_EQ(Norm(rig.record.Exit(i) - rig.nodes[i + 1].pos), 0.0);
  }
}

TEST(EyeletTurnsByTheAngleBetweenItsSegments) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = random.Direction(), u = Perpendicular(axis);
    const double angle = i == 0 ? 0 : i == 1 ? kPi : random.Uniform(0, kPi);
    const Vec3 at = random.InBox(1);
    Rig rig({AnchorAt(at - random.Uniform(0.1, 3) * u), EyeletAt(at),
             AnchorAt(at + random.Uniform(0.1, 3) * test::Turned(u, angle * axis))});
    rig.Cold();
    // the directions carry 1e-15 / 0.1 of rounding
    CHECK_NEAR(rig.record.wrap_angle()[0], angle, 2e-14);
  }
}

TEST(CoincidentNodesHaveNoDirectionButNoHarm) {
  Rig rig({AnchorAt({1, 1, 1}), EyeletAt({1, 1, 1}), EyeletAt({1, 1, 1}), AnchorAt({1, 1, 3})});
  CHECK_EQ(rig.Cold(), 2.0);
  CHECK(rig.valid());
  for (int i = 0; i < 2; ++i) {
    CHECK(Finite(rig.record.Direction(i)));
    CHECK(std::isfinite(rig.record.wrap_angle()[i]));
  }
  // a whole route in one point
  Rig point({AnchorAt({1, 1, 1}), AnchorAt({1, 1, 1})});
  CHECK_EQ(point.Cold(), 0.0);
  CHECK(Finite(point.record.Direction(0)));
}

TEST(SpansDoNotKnowEachOther) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    // two chains, joined at an eyelet, against each one alone
    const Chain first = RandomChain(random, 2, {}), second = RandomChain(random, 3, {});
    Chain shifted = second;
    for (Surface& s : shifted.surfaces) s.pos += first.b - second.a;
    for (Vec3& x : shifted.hint) x += first.b - second.a;
    shifted.a = first.b;
    shifted.b = second.b + (first.b - second.a);
    Rig one = first.MakeRig(), two = shifted.MakeRig();
    one.Cold();
    two.Cold();
    std::vector<Node> nodes = one.nodes;
    nodes.back() = EyeletAt(first.b);
    nodes.insert(nodes.end(), two.nodes.begin() + 1, two.nodes.end());
    Rig both(nodes);
    both.Cold();
    CHECK_NEAR(both.length(), one.length() + two.length(), 1e-14 * both.length());
    for (int k = 0; k < 2; ++k) CHECK_EQ(both.record.arc()[k], one.record.arc()[k]);
    for (int k = 0; k < 3; ++k) CHECK_EQ(both.record.arc()[3 + k], two.record.arc()[k]);
    for (int k = 0; k < 3 * 3; ++k) CHECK_EQ(both.record.entry()[9 + k], two.record.entry()[k]);
    CHECK_EQ(both.record.iterations(), one.record.iterations() + two.record.iterations());
  }
}

// ---- wraps ----------------------------------------------------------------------------------

TEST(SlingshotOverASphere) {
  // Simbody's testSolverOptimum and reference case simbody_slingshot_sphere
  const double x = std::tan(kPi / 8);
  Rig rig({AnchorAt({x, 1, 0}), WrapOn(SphereAt({0, 0, 0}, 1), {1.1, 0, 0}), AnchorAt({x, -1, 0})});
  CHECK_NEAR(rig.Cold(), 2.3992234515410864, 1e-14);
  CHECK_NEAR(Norm(rig.record.Entry(0) - std::sqrt(0.5) * Vec3{1, 1, 0}), 0, 1e-15 * 4);
  CHECK_NEAR(Norm(rig.record.Exit(0) - std::sqrt(0.5) * Vec3{1, -1, 0}), 0, 1e-15 * 4);
  CHECK_NEAR(rig.record.wrap_angle()[0], kPi / 2, 1e-14);
}

TEST(HintChoosesTheSide) {
  for (const double side : {1.0, -1.0}) {
    for (const Surface& s : {CylinderAt({0, 0, 0}, 0.1), SphereAt({0, 0, 0}, 0.1)}) {
      Rig rig({AnchorAt({-1, 0.02, 0}), WrapOn(s, {0, side * 0.12, 0}), AnchorAt({1, 0.02, 0})});
      rig.Cold();
      CHECK(rig.record.Touching(0));
      CHECK(side * rig.record.entry()[1] > 0);
    }
  }
}

TEST(WithoutAHintTheShorterWay) {
  for (const double height : {0.02, -0.02}) {
    for (const Surface& s : {CylinderAt({0, 0, 0}, 0.1), SphereAt({0, 0, 0}, 0.1)}) {
      Rig rig({AnchorAt({-1, height, 0}), WrapOn(s), AnchorAt({1, height, 0})});
      rig.Cold();
      CHECK(rig.valid());
      CHECK(rig.record.Touching(0));
      CHECK(height * rig.record.entry()[1] > 0);
    }
  }
}

TEST(SideIsRememberedWhenTheShorterWayChanges) {
  // the ends sink past the center of the cylinder: the string stays on top
  Rig rig({AnchorAt({-1, 0.5, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.1), {0, 0.2, 0}),
           AnchorAt({1, 0.5, 0})});
  rig.Cold();
  CHECK(!rig.record.Touching(0));
  const auto height_at = [](int k) { return 0.505 - 0.01 * k; };
  for (int k = 0; k < 250; ++k) {
    const double height = height_at(k);
    rig.nodes[0].pos.y = rig.nodes[2].pos.y = height;
    rig.Warm();
    CHECK(rig.valid());
    CHECK_EQ(rig.record.Touching(0), height < 0.1);
    if (rig.record.Touching(0)) CHECK(rig.record.entry()[1] > 0);
  }
  // up again: it lifts off where it came down
  for (int k = 250; k >= 0; --k) {
    const double height = height_at(k);
    rig.nodes[0].pos.y = rig.nodes[2].pos.y = height;
    rig.Warm();
    CHECK_EQ(rig.record.Touching(0), height < 0.1);
  }
}

TEST(LiftedWrapKeepsItsSlot) {
  Rig rig({AnchorAt({0, 0, 0}), WrapOn(CylinderAt({1, -1, 0}, 0.2), {1, 0, 0}),
           WrapOn(SphereAt({2, -0.1, 0}, 0.2), {2, 0.5, 0}),
           WrapOn(SphereAt({3, 1, 0}, 0.2), {3, 0, 0}), AnchorAt({4, 0, 0})});
  rig.Cold();
  CHECK(rig.valid());
  const Record& r = rig.record;
  for (int i : {0, 2}) {
    CHECK(!r.Touching(i));
    CHECK_EQ(r.wrap_angle()[i], 0.0);
    CHECK_EQ(r.arc()[i], 0.0);
    CHECK_EQ(r.overrun()[i], 0.0);
    CHECK_EQ(Norm(r.Entry(i)), 0.0);
    CHECK_EQ(Norm(r.Exit(i)), 0.0);
    // the segment runs through: one direction on both sides, its length counted once
    CHECK_EQ(Norm(r.Direction(i) - r.Direction(i + 1)), 0.0);
  }
  CHECK(r.Touching(1));
  CHECK_NEAR(test::SumOfPieces(rig), r.length(), 1e-15 * 8);
  CHECK_NEAR(PathError(rig), 0, 1e-12);
}

TEST(ContactBeyondTheEndOfACylinderIsReported) {
  for (double half : {10.0, 1.0, 0.25}) {
    Rig rig({AnchorAt({-1, 0, 0.2}), WrapOn(CylinderAt({0, 0, 0}, 0.5, {0, 0, 1}, half), {0, 1, 0}),
             AnchorAt({1, 0, 1.2})});
    rig.nodes[1].endless = true;
    rig.Cold();
    CHECK(rig.valid());
    const double z = std::max(std::abs(rig.record.entry()[2]), std::abs(rig.record.exit()[2]));
    CHECK_NEAR(rig.record.overrun()[0], std::max(0.0, z - half), 1e-15);
  }
}

TEST(TheStringRunsOffTheEndOfACylinder) {
  Rig rig({AnchorAt({-1, 0, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.5, {0, 0, 1}, 0.3), {0, 1, 0}),
           AnchorAt({1, 0, 0})});
  rig.Cold();
  const double over = rig.length();
  const auto move = [&](const Vec3& by) {
    for (int node : {0, 2}) rig.nodes[node].pos += by;
    rig.Warm();
  };
  for (int k = 0; k < 29; ++k) move({0, 0, 0.01});
  CHECK(rig.valid());
  CHECK_NEAR(rig.length(), over, 1e-14);
  // past the end it falls off, and does not climb back on from there
  for (int k = 0; k < 2; ++k) move({0, 0, 0.01});
  CHECK_EQ(rig.status(), SolveStatus::kDerailed);
  CHECK_NEAR(rig.length(), 2, 1e-14);
  for (int k = 0; k < 20; ++k) move({0, 0, -0.01});
  CHECK_EQ(rig.status(), SolveStatus::kDerailed);
  // lifted clear of it, it is back: on the side where it is
  for (int k = 0; k < 60; ++k) move({0, -0.01, 0});
  CHECK(rig.valid());
  CHECK(!rig.record.Touching(0));
  for (int k = 0; k < 60; ++k) move({0, 0.01, 0});
  CHECK(rig.valid());
  CHECK(rig.record.Touching(0));
  CHECK_NEAR(rig.length(), over, 1e-14);
}

TEST(KeeperNeverLifts) {
  Rig rig({AnchorAt({-1, 0.5, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.1), {0, 0.2, 0}),
           AnchorAt({1, 0.5, 0})});
  rig.nodes[1].permanent = true;
  rig.Cold();
  CHECK(rig.valid());
  CHECK(rig.record.Touching(0));
  // held at the rim below: two equal legs
  CHECK_NEAR(rig.length(), 2 * std::hypot(1, 0.4), 1e-14);
  CHECK_NEAR(rig.record.wrap_angle()[0], 2 * std::atan2(0.4, 1), 1e-12);
  CHECK_EQ(rig.record.arc()[0], 0.0);
}

// ---- drums and windings ---------------------------------------------------------------------

// an anchor on a drum of radius r at the origin, at angle `angle`; the cable leaves over the top to
// a fixed point
Rig Drum(double r, double angle, double depth = 0) {
  const Vec3 pin = (r - depth) * Vec3{std::cos(angle), std::sin(angle), 0};
  Rig rig(
      {AnchorAt(pin), WrapOn(CylinderAt({0, 0, 0}, r), {0, 2 * r, 0}), AnchorAt({1, 0.3, 0.1})});
  rig.nodes[0].clamp_after = true;
  return rig;
}

TEST(DrumWindsFiveTurnsAndUnwinds) {
  const double r = 0.05;
  const double home = 2.2;
  Rig rig = Drum(r, home);
  rig.Cold();
  const double reach = std::hypot(1, 0.3), free = std::sqrt(reach * reach - r * r);
  const double top = std::atan2(0.3, 1) + std::acos(r / reach);  // where the cable leaves
  const int steps = 2000;
  for (int k = 0; k <= 2 * steps; ++k) {
    const double turned = 10 * kPi * (k <= steps ? k : 2 * steps - k) / steps;
    const double angle = home + turned;
    rig.nodes[0].pos = r * Vec3{std::cos(angle), std::sin(angle), 0};
    rig.Warm();
    CHECK(rig.valid());
    // 31 radians of angle at 1e-16 each, times the radius
    const double planar = free + r * (angle - top);
    CHECK_NEAR(rig.length(), std::hypot(planar, 0.1), 1e-14);
    CHECK_NEAR(rig.record.surface_error(), 0, 1e-16);
  }
}

TEST(AnchorBelowTheDrumIsTakenToItsSurface) {
  const double r = 0.05;
  Rig on = Drum(r, 2.0), below = Drum(r, 2.0, 0.02 * r);
  on.Cold();
  below.Cold();
  CHECK(below.valid());
  CHECK_NEAR(below.length(), on.length(), 1e-15);
  CHECK_NEAR(Norm(Load(below.record.ends()) - Load(on.record.ends())), 0, 1e-16);
  CHECK_EQ(below.record.penetration(), 0.0);
  // without the clamp it is an end inside a surface
  below.nodes[0].clamp_after = false;
  below.Cold();
  CHECK_EQ(below.status(), SolveStatus::kLetGo);
  CHECK_NEAR(below.record.penetration(), 0.02 * r, 1e-16);
}

TEST(DrumAtTheDistalEnd) {
  const double r = 0.05;
  Rig source = Drum(r, 2.0);
  std::vector<Node> nodes(source.nodes.rbegin(), source.nodes.rend());
  nodes[2].clamp_after = false;
  nodes[2].clamp_before = true;
  Rig distal(nodes);
  source.Cold();
  distal.Cold();
  CHECK(distal.valid());
  CHECK_NEAR(distal.length(), source.length(), 1e-15);
  CHECK_NEAR(Norm(Load(distal.record.ends() + 3) - Load(source.record.ends())), 0, 1e-16);
}

TEST(DrumsAmongOtherWraps) {
  // drum, sheave, drum in one span; both drums wind
  const double r = 0.05;
  const auto make = [&](double turned) {
    const auto pin = [&](double x, double angle) {
      return Vec3{x + r * std::cos(angle), r * std::sin(angle), 0};
    };
    Rig rig({AnchorAt(pin(0, 2.5 + turned)), WrapOn(CylinderAt({0, 0, 0}, r), {0, 2 * r, 0}),
             WrapOn(CylinderAt({0.5, 0.2, 0}, 0.1), {0.5, 0.4, 0}),
             WrapOn(CylinderAt({1, 0, 0}, r), {1, 2 * r, 0}), AnchorAt(pin(1, 0.6 - turned))});
    rig.nodes.front().clamp_after = rig.nodes.back().clamp_before = true;
    return rig;
  };
  Rig rig = make(0);
  const double start = rig.Cold();
  CHECK(rig.valid());
  for (int k = 0; k <= 600; ++k) {
    const double turned = 4 * kPi * k / 600;
    rig.nodes = make(turned).nodes;
    rig.Warm();
    CHECK(rig.valid());
    CHECK_NEAR(rig.length(), start + 2 * r * turned, 1e-13);
  }
}

TEST(HingesExplainWindings) {
  // with the hinge angle as bias a drum may turn any number of times between two solves
  const double r = 0.05;
  const double home = 2.2;
  Rig rig = Drum(r, home);
  rig.nodes[1].follows_hinges = true;
  const double start = rig.Cold();
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const double turned = random.Uniform(0, 60);
    const double angle = home + turned;
    rig.nodes[0].pos = r * Vec3{std::cos(angle), std::sin(angle), 0};
    // the cable runs clockwise from the pin: turning the drum counterclockwise winds it up
    rig.nodes[1].bias = -turned;
    rig.Warm();
    CHECK(rig.valid());
    const double planar = std::sqrt(start * start - 0.01) + r * turned;
    CHECK_NEAR(rig.length(), std::hypot(planar, 0.1), 1e-13);
  }
}

TEST(FreeSheaveTurnsWithoutEffect) {
  // the frame of the surface turns about its axis; memory is in that frame, length does not care
  Rig rig({AnchorAt({-1, -0.5, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.2), {0, 0.4, 0}),
           AnchorAt({1, -0.5, 0.2})});
  const double length = rig.Cold();
  for (int k = 0; k <= 1000; ++k) {
    const double angle = 20 * kPi * k / 1000;
    rig.nodes[1].surface.rot = {
        {std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1}};
    CHECK_NEAR(rig.Warm(), length, 1e-14);
    CHECK(rig.valid());
  }
}

// ---- where the solver starts ----------------------------------------------------------------

TEST(ResetAsksTheHintsWarmAsksTheMemory) {
  Rig rig(
      {AnchorAt({-1, 0, 0}), WrapOn(CylinderAt({0, 0, 0}, 0.1), {0, 0.2, 0}), AnchorAt({1, 0, 0})});
  rig.Cold();
  CHECK(rig.record.entry()[1] > 0);
  // the hint goes to the other side: the memory does not follow, a reset does
  rig.nodes[1].hint = {0, -0.2, 0};
  rig.Warm();
  CHECK(rig.record.entry()[1] > 0);
  rig.Solve(Start::kReset);
  CHECK(rig.record.entry()[1] < 0);
  // without a hint a reset takes the memory
  rig.nodes[1].has_hint = false;
  rig.Solve(Start::kReset);
  CHECK(rig.record.entry()[1] < 0);
}

TEST(MemoryIsAllThatIsRemembered) {
  // the same memory gives the same path to the last bit, whatever was solved before
  Random random(4);
  for (int i = 0; i < 30; ++i) {
    const Chain chain = RandomChain(random, 3, {});
    Rig rig = chain.MakeRig();
    rig.Cold();
    if (!rig.valid()) continue;
    const std::vector<double> memory = rig.memory;
    const std::vector<Node> nodes = rig.nodes;
    for (Node& node : rig.nodes) node.surface.pos += 0.01 * random.Direction();
    rig.Warm();
    const std::vector<double> block = rig.block();
    for (int k = 0; k < 3; ++k) {
      rig.nodes[0].pos += 0.1 * random.Direction();
      rig.Warm();
    }
    rig.nodes[0] = nodes[0];
    rig.memory = memory;
    rig.Warm();
    CHECK(std::memcmp(block.data(), rig.block().data(), block.size() * sizeof(double)) == 0);
  }
}

// ---- for drawing ----------------------------------------------------------------------------

TEST(SampledPointsLieOnThePath) {
  Random random(6);
  test::ChainOptions cylinders;
  cylinders.sphere_share = 0;
  for (int i = 0; i < 50; ++i) {
    const Chain chain = RandomChain(random, 3, cylinders);
    Rig rig = chain.MakeRig();
    rig.Cold();
    CHECK(rig.valid());
    const double step = 0.05;
    std::vector<Vec3> points(2000);
    const int n = SamplePath(rig.elements.data(), rig.record, step, points.data(), 2000);
    CHECK(n > 8 && n < 2000);
    CHECK_EQ(Norm(points[0] - chain.a), 0.0);
    CHECK_EQ(Norm(points[n - 1] - chain.b), 0.0);
    double length = 0;
    for (int k = 1; k < n; ++k) length += Norm(points[k] - points[k - 1]);
    // a chord of angle 0.05 is short of its arc by 0.05^2 / 24
    CHECK_NEAR(length, rig.length(), rig.length() * step * step / 24);
    CHECK(length <= rig.length() * (1 + 1e-14));
    for (int k = 0; k < n; ++k) {
      for (const Surface& s : chain.surfaces) CHECK(Distance(s, points[k]) > -1e-9);
    }
    // fewer than there are: the count is the same, nothing beyond is written
    std::vector<Vec3> few(5, Vec3{7, 7, 7});
    CHECK_EQ(SamplePath(rig.elements.data(), rig.record, step, few.data(), 4), n);
    CHECK_EQ(Norm(few[3] - points[3]), 0.0);
    CHECK_EQ(few[4].x, 7.0);
    CHECK_EQ(SamplePath(rig.elements.data(), rig.record, step, nullptr, 0), n);
  }
}

}  // namespace
}  // namespace mujocable
