// How a cable leaves the groove of a wheel, and comes back into it.

#include <algorithm>

#include "core/math/angle.h"
#include "core/surface/groove.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"
#include "tests/kit/wheel.h"

using namespace mujocable;
using namespace mujocable::test;

TEST(TheFlangesHoldTheFleetAngleOfTheirHeight) {
  const double depth = 0.01, edge = kRadius + depth;
  // at the edge the direction may leave the plane until it is tangent to the edge there
  const double most = std::sqrt(1 - kRadius * kRadius / (edge * edge));
  double before = 0;
  bool left = false;
  Rig rig = Grooved(depth, Around(0.5, kPi, 0), Around(0.5, -0.2, 0));
  rig.Cold();
  for (double z = 0; z < 0.5 && !left; z += 1e-3) {
    rig.nodes[2].pos.z = z;
    rig.Warm();
    left = rig.status() == SolveStatus::kDerailed;
    if (!left) before = rig.record.Direction(1).z;
  }
  CHECK(left);
  CHECK(!rig.record.Touching(0));
  CHECK_NEAR(before, most, 3e-3);
  CHECK(before <= most);
  // it stays out until it falls into the groove from above
  rig.nodes[2].pos.z = 0;
  rig.Warm();
  CHECK_EQ(rig.status(), SolveStatus::kDerailed);
  for (int k = 0; k < 100; ++k) {
    for (int node : {0, 2}) rig.nodes[node].pos.y += 0.01;
    rig.Warm();
  }
  CHECK(rig.valid());
  for (int k = 0; k < 1000; ++k) {
    for (int node : {0, 2}) rig.nodes[node].pos.y -= 0.001;
    rig.Warm();
    CHECK(rig.valid());
  }
  CHECK(rig.record.Touching(0));
}

namespace {

// Of all ways to roll the cable out over the edge on the side of b: the least that its longest
// moment may be, over the cable as it lies. X: the point of the edge that it is lifted over.
double Pass(double edge, const Vec3& a, const Vec3& b) {
  const double fleet = std::acos(kRadius / edge), leg = std::sqrt(edge * edge - kRadius * kRadius);
  // from edge to edge in the groove, so far around: a chord, or along the bottom
  const auto between = [&](double angle) {
    return angle < 2 * fleet ? 2 * edge * std::sin(angle / 2)
                             : 2 * leg + kRadius * (angle - 2 * fleet);
  };
  const auto over = [&](double p, double x) {
    const Vec3 from = Around(edge, p, 0), to = Around(edge, x, 0);
    return p < x || Dot(a - from, from) < 0 ? 1e9 : Norm(from - a) + between(p - x) + Norm(b - to);
  };
  const auto best = [&](double x, double* at) {
    double p = 0.75 * kPi, least = 1e9;
    for (double reach = 2.4; reach > 1e-9; reach *= 0.3) {
      const double middle = p;
      for (int i = -12; i <= 12; ++i) {
        const double length = over(middle + reach * i / 12, x);
        if (length < least) least = length, p = middle + reach * i / 12;
      }
    }
    if (at) *at = p;
    return least;
  };
  // where it lies: b sees its edge point
  double x = 0, least = 1e9, p = 0;
  for (double reach = 1.6; reach > 1e-8; reach *= 0.3) {
    const double middle = x;
    for (int i = -12; i <= 12; ++i) {
      const double y = middle + reach * i / 12;
      const Vec3 to = Around(edge, y, 0);
      if (Dot(b - to, to) < 0) continue;
      const double length = best(y, nullptr);
      if (length < least) least = length, x = y;
    }
  }
  best(x, &p);
  double most = least;
  for (int i = 0; i <= 2000; ++i) most = std::max(most, best(x + (p - x) * i / 2000, nullptr));
  return most - least;
}

}  // namespace

TEST(TheSlackThatFlangesHoldIsTheLeastThatRollsTheCableOut) {
  Random random(7);
  int small = 0;
  for (int k = 0; k < 24; ++k) {
    const double depth = random.Uniform(0.005, 0.03);
    const bool little = k % 3 == 0;  // of a wrap
    const double low = little ? 0.02 : -0.4, high = little ? 0.06 : -0.1;
    Vec3 a{-random.Uniform(0.3, 1), random.Uniform(low, high), random.Uniform(-1, 1) * 0.02};
    Vec3 b{random.Uniform(0.3, 1), random.Uniform(low, high), random.Uniform(-1, 1) * 0.02};
    Rig rig = Grooved(depth, a, b);
    rig.Cold();
    CHECK(rig.valid() && rig.record.Touching(0));
    small += rig.record.wrap_angle()[0] < 2 * std::acos(kRadius / (kRadius + depth));
    Homotopy way;
    way.swept = rig.memory[8];
    Touch touch;
    CHECK(TightenGrooved(Wheel(depth), a, b, way, touch) == InGroove::kHeld);
    const double held = SlackHeld(Wheel(depth), a, b, touch);
    // the other side, seen in a mirror
    const Vec3 c{-a.x, a.y, a.z}, d{-b.x, b.y, b.z};
    const double judged = std::min(Pass(kRadius + depth, a, b), Pass(kRadius + depth, d, c));
    CHECK_NEAR(held, judged, 1e-7);
  }
  CHECK(small >= 4);
}

TEST(InItsPlaneAWheelHoldsASlackOfTwiceTheInvoluteOfItsFleetAngle) {
  for (const double depth : {0.002, 0.01, 0.03}) {
    for (const double reach : {0.2, 1.0, 5.0}) {
      const Vec3 a{-reach, -1, 0}, b{0.5, -reach, 0};
      Homotopy way = WayThrough(Wheel(depth), a, {0, 1, 0}, b);
      Touch touch;
      CHECK(TightenGrooved(Wheel(depth), a, b, way, touch) == InGroove::kHeld);
      const double fleet = std::acos(kRadius / (kRadius + depth));
      CHECK_NEAR(SlackHeld(Wheel(depth), a, b, touch), 2 * kRadius * (std::tan(fleet) - fleet),
                 1e-12);
    }
  }
}

TEST(AtTheLargestFleetAngleAWheelHoldsNoSlack) {
  const double depth = 0.01;
  Rig rig = Grooved(depth, Around(0.5, kPi, 0), Around(0.5, -0.2, 0));
  rig.Cold();
  double held = 1;
  for (double z = 0; z < 0.5; z += 1e-4) {
    rig.nodes[2].pos.z = z;
    Touch touch;
    Homotopy way;
    way.swept = rig.memory[8];
    const Vec3 &a = rig.nodes[0].pos, &b = rig.nodes[2].pos;
    if (TightenGrooved(Wheel(depth), a, b, way, touch) == InGroove::kOver) break;
    const double now = SlackHeld(Wheel(depth), a, b, touch);
    CHECK(now < held);
    held = now;
  }
  CHECK(held < 1e-6);
}

TEST(ASlackCableLeavesItsWheelAndReturnsTautFromAbove) {
  for (const bool keeper : {false, true}) {
    Rig rig = Grooved(0.01, Around(0.2, kPi, 0), Around(0.2, -0.2, 0));
    rig.nodes[1].permanent = keeper;
    rig.Cold();
    const double fleet = std::acos(kRadius / (kRadius + 0.01));
    const double held = 2 * kRadius * (std::tan(fleet) - fleet);
    rig.slack = 0.999 * held;
    rig.Warm();
    CHECK(rig.valid() && rig.record.Touching(0));
    CHECK_EQ(rig.record.derailments(), 0);
    rig.slack = 1.001 * held;
    rig.Warm();
    CHECK_EQ(rig.status(), keeper ? SolveStatus::kValid : SolveStatus::kDerailed);
    CHECK_EQ(rig.record.derailments(), keeper ? 0 : 1);
    CHECK_EQ(rig.record.status_contact(), keeper ? -1 : 0);
    if (keeper) continue;
    // an event once, a status for as long as it is out
    rig.slack = 0;
    rig.Warm();
    CHECK_EQ(rig.status(), SolveStatus::kDerailed);
    CHECK_EQ(rig.record.derailments(), 0);
    for (int k = 0; k < 1000; ++k) {
      for (int node : {0, 2}) rig.nodes[node].pos.y += 1e-3;
      rig.Warm();
    }
    CHECK(rig.valid());
    for (int k = 0; k < 1000; ++k) {
      for (int node : {0, 2}) rig.nodes[node].pos.y -= 1e-3;
      rig.Warm();
      CHECK(rig.valid());
    }
    CHECK(rig.record.Touching(0));
  }
}

// A deep groove, the cable led aside: it rises out of it between the edges with a jerk.
TEST(ACableThatJumpsOutOfADeepGrooveHasDerailed) {
  const double depth = 0.05;
  Rig rig = Grooved(depth, {-0.45, 0.0, 0.045}, {0.45, 0.0, 0.035});
  rig.Cold();
  CHECK(rig.valid() && rig.record.Touching(0));
  double before = rig.length();
  bool left = false;
  for (int k = 0; k < 2000 && !left; ++k) {
    for (int node : {0, 2}) rig.nodes[node].pos.y += 1e-4;
    const double now = rig.Warm();
    left = !rig.record.Touching(0);
    if (left) {
      CHECK(before - now > 2e-3);
      CHECK(std::abs(rig.nodes[0].pos.y) < kRadius + depth);  // within the mouth
      CHECK_EQ(rig.status(), SolveStatus::kDerailed);
      CHECK_EQ(rig.record.derailments(), 1);
    } else {
      CHECK(rig.valid());
      CHECK_NEAR(now, before, 2e-4);
    }
    before = now;
  }
  CHECK(left);
  // on, over the edges: clear of the wheel
  for (int k = 0; k < 1000; ++k) {
    for (int node : {0, 2}) rig.nodes[node].pos.y += 1e-4;
    rig.Warm();
  }
  CHECK(rig.valid());
}

// Lifted out, led aside, lowered and pushed back: it comes to the groove through the wheel's side.
// half_length: also wheels that are no wider than the mouth of the groove.
TEST(ACableDoesNotPassThroughTheSideOfAWheel) {
  for (const double half_length : {0.02, 0.005}) {
    for (const bool row : {false, true}) {
      Surface post = CylinderAt({2, -1, 0}, kRadius);
      Rig one = Grooved(0.01, {-0.5, 0.05, 0}, {0.5, 0.05, 0});
      Rig two({AnchorAt({-0.5, 0.05, 0}), WrapOn(Wheel(0.01), {0, 2 * kRadius, 0}),
               WrapOn(post, {2, 0, 0}), AnchorAt({0.5, 0.05, 0})});
      Rig& rig = row ? two : one;
      rig.nodes[1].surface.half_length = half_length;
      rig.Cold();
      CHECK(rig.valid() && rig.record.Touching(0));
      const Vec3 places[] = {{0, 0.4, 0}, {0, 0.4, 0.06}, {0, -0.05, 0.06}, {0, -0.05, 0}};
      Vec3 at{0, 0.05, 0};
      double before = rig.length();
      const auto move = [&](const Vec3& to, int count) {
        for (int k = 0; k < count; ++k) {
          for (Node* node : {&rig.nodes.front(), &rig.nodes.back()}) {
            node->pos += (1.0 / count) * (to - at);
          }
          const double now = rig.Warm();
          CHECK_NEAR(now, before, 1e-3);
          before = now;
        }
        at = to;
      };
      for (const Vec3& place : places) move(place, 1000);
      CHECK(!rig.record.Touching(0));
      CHECK_EQ(rig.status(), SolveStatus::kDerailed);
      // out again and down through the mouth, within one step below the bottom too
      for (const Vec3& place : {places[2], places[1], places[0]}) move(place, 1000);
      CHECK(rig.valid() && !rig.record.Touching(0));
      for (Node* node : {&rig.nodes.front(), &rig.nodes.back()}) node->pos.y = 0.05;
      rig.Warm();
      CHECK(rig.valid() && rig.record.Touching(0));
    }
  }
}

// of two wheels in a row the one with the lower flanges is lost
TEST(TheLowerFlangesLoseTheCable) {
  Surface one = Wheel(0.004), two = Wheel(0.02);
  two.pos = {0.6, -0.3, 0};
  Rig rig({AnchorAt({-0.5, -0.2, 0}), WrapOn(one, {0, 1, 0}), WrapOn(two, {0.6, -1, 0}),
           AnchorAt({1.2, -0.25, 0})});
  rig.Cold();
  rig.Warm();
  CHECK(rig.valid() && rig.record.Touching(0) && rig.record.Touching(1));
  const double fleet = std::acos(kRadius / (kRadius + 0.004));
  rig.slack = 1.001 * 2 * kRadius * (std::tan(fleet) - fleet);
  rig.Warm();
  CHECK_EQ(rig.status(), SolveStatus::kDerailed);
  CHECK_EQ(rig.record.status_contact(), 0);
  CHECK_EQ(rig.record.derailments(), 1);
  CHECK(!rig.record.Touching(0) && rig.record.Touching(1));
}

// The judge is the same wheel alone, whose path is a closed form. Into the groove a wheel in a row
// comes back a step later.
TEST(AWheelInARowLosesAndCatchesItsCableAsOneAlone) {
  int lost = 0, caught = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto place = [&](double side) {
      const double aside = random.Chance(0.5) ? 0.03 : 0.3;
      return Vec3{side * random.Uniform(0.2, 0.8), random.Uniform(-0.4, 0.3),
                  random.Uniform(-aside, aside)};
    };
    Rig alone = Grooved(random.Uniform(0.003, 0.05), {-0.5, -0.2, 0}, {0.5, -0.2, 0});
    alone.nodes[1].surface.half_length = random.Chance(0.5) ? 0.02 : 0.004;
    Rig row({alone.nodes[0], alone.nodes[1], WrapOn(CylinderAt({2, -1, 0}, kRadius), {2, 0, 0}),
             alone.nodes[2]});
    alone.Cold();
    row.Cold();
    for (int leg = 0; leg < 6; ++leg) {
      const Vec3 a = place(-1), b = place(1);
      const double slack = random.Chance(0.2) ? random.Uniform(0, 0.01) : 0;
      for (int k = 0; k < 250; ++k) {
        row.slack = alone.slack = k < 50 ? slack : 0;
        alone.nodes[0].pos += (1.0 / (250 - k)) * (a - alone.nodes[0].pos);
        alone.nodes[2].pos += (1.0 / (250 - k)) * (b - alone.nodes[2].pos);
        row.nodes.front().pos = alone.nodes[0].pos;
        row.nodes.back().pos = alone.nodes[2].pos;
        const bool was_out = alone.status() == SolveStatus::kDerailed;
        alone.Warm();
        row.Warm();
        lost += alone.record.derailments();
        CHECK_EQ(row.status(), alone.status());
        CHECK_EQ(row.record.derailments(), alone.record.derailments());
        if (was_out && alone.record.Touching(0)) {
          ++caught;
          row.Warm();
        }
        CHECK_EQ(row.record.Touching(0), alone.record.Touching(0));
        CHECK_NEAR(row.length(), alone.length(), 1e-12);
      }
    }
  }
  CHECK(lost > 40 && caught > 5);
}

// no side is asked for, and no search that lifts the string off a wheel has lost it
TEST(ARouteMayStartPastAWheelOfARow) {
  for (int seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    Surface wheel = Wheel(0.02, 0.01);
    wheel.pos = {0, random.Uniform(-0.2, 0.2), random.Uniform(-0.2, 0.2)};
    const Surface post = CylinderAt({0.5, random.Uniform(-0.1, 0.1), 0}, 0.08);
    Rig rig({AnchorAt({-1, 0, 0}), WrapOn(wheel), WrapOn(post), AnchorAt({1, 0, 0})});
    rig.Cold();
    CHECK(rig.valid());
  }
}
