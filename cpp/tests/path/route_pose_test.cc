// Poses that allow no path: no number leaves the solver that is not one, and it recovers.

#include <cstring>
#include <set>
#include <string>

#include "core/path/route.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Chain;
using test::CylinderAt;
using test::EyeletAt;
using test::Random;
using test::Rig;
using test::SphereAt;
using test::WrapOn;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Rig Plain() {
  return Rig({AnchorAt({-1, 0, 0}), WrapOn(CylinderAt({0, -0.05, 0}, 0.1), {0, 0.3, 0}),
              EyeletAt({1, 0, 0}), WrapOn(SphereAt({2, 0.05, 0}, 0.1), {2, -0.3, 0}),
              AnchorAt({3, 0, 0})});
}

// every number of the record that SolveRoute writes is zero, but status, where, and memory
void CheckCleared(const Rig& rig) {
  const Record& r = rig.record;
  for (const Field& field : kFields) {
    const double* values = r.Values(field);
    if (values == &r.status() || values == r.memory()) continue;
    if (values == &r.status_contact()) continue;
    for (int i = 0; i < field.Size(r.ncontact, r.nwrap); ++i) CHECK_EQ(values[i], 0.0);
  }
}

TEST(NonFinitePosesGiveAnInvalidZeroRecord) {
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    for (int where = 0; where < 8; ++where) {
      Rig rig = Plain();
      rig.Cold();
      CHECK(rig.valid());
      const std::vector<double> memory = rig.memory;
      const double length = rig.length();
      switch (where) {
        case 0:
          rig.nodes[0].pos.x = bad;
          break;
        case 1:
          rig.nodes[4].pos.z = bad;
          break;
        case 2:
          rig.nodes[2].pos.y = bad;
          break;
        case 3:
          rig.nodes[1].surface.pos.x = bad;
          break;
        case 4:
          rig.nodes[3].surface.pos.z = bad;
          break;
        case 5:
          rig.nodes[1].surface.rot.m[2] = bad;
          break;
        case 6:
          rig.nodes[1].surface.rot.m[3] = bad;
          break;
        case 7:
          rig.nodes[1].surface.rot.m[4] = bad;
          break;
      }
      rig.Warm();
      CHECK_EQ(rig.status(), SolveStatus::kInvalid);
      CheckCleared(rig);
      // the memory waits, and the path comes back by itself
      CHECK(rig.memory == memory);
      rig.nodes = Plain().nodes;
      CHECK_NEAR(rig.Warm(), length, 1e-14);
      CHECK(rig.valid());
    }
  }
}

TEST(SurfaceWithoutRadiusIsInvalid) {
  for (double radius : {0.0, -0.1, kNaN}) {
    Rig rig = Plain();
    rig.nodes[1].surface.radius = radius;
    rig.Cold();
    CHECK_EQ(rig.status(), SolveStatus::kInvalid);
    CheckCleared(rig);
  }
}

TEST(HugeCoordinatesAreFiniteOrInvalid) {
  for (double far : {1e100, 1e154, 1e200, 1e308}) {
    Rig rig = Plain();
    rig.Cold();
    rig.nodes[4].pos = {far, -far, far};
    rig.Warm();
    // what the route writes; the rest belongs to later stages
    const std::set<std::string> geometry = {
        "length",      "status",     "status_contact", "derailments", "smoothness", "surface_error",
        "penetration", "iterations", "touching",       "wrap_angle",  "overrun",    "entry",
        "exit",        "arc",        "ends",           "direction",   "segment",    "memory"};
    for (const Field& field : kFields) {
      if (!geometry.count(field.name)) continue;
      const double* values = rig.record.Values(field);
      for (int i = 0; i < field.Size(rig.ncontact, rig.nwrap); ++i) CHECK(std::isfinite(values[i]));
    }
  }
}

TEST(EndInsideASurfaceLetsGoAndRecovers) {
  Rig rig = Plain();
  const double length = rig.Cold();
  // an anchor sinks into its cylinder and an eyelet into its sphere
  for (int node : {0, 2, 4}) {
    const int wrap = node < 2 ? 1 : 3;
    for (double depth : {0.099, 0.05, 1e-3, 1e-6}) {
      const Surface& s = rig.nodes[wrap].surface;
      rig.nodes[node].pos = s.pos + (s.radius - depth) * Unit(rig.nodes[node].pos - s.pos);
      rig.Warm();
      CHECK_EQ(rig.status(), SolveStatus::kLetGo);
      CHECK_NEAR(rig.record.penetration(), depth, 1e-15);
      CHECK_NEAR(SumOfPieces(rig), rig.length(), 1e-14);
      rig.nodes = Plain().nodes;
      CHECK_NEAR(rig.Warm(), length, 1e-14);
      CHECK(rig.valid());
    }
  }
}

TEST(EndAtTheCenterLetsGoWithoutNaN) {
  for (int node : {0, 2}) {
    Rig rig = Plain();
    rig.Cold();
    rig.nodes[node].pos = rig.nodes[1].surface.pos;
    rig.Warm();
    CHECK_EQ(rig.status(), SolveStatus::kLetGo);
    CHECK_NEAR(rig.record.penetration(), 0.1, 1e-15);
    for (int i = 0; i < rig.ncontact; ++i) {
      CHECK(Finite(rig.record.Entry(i)));
      CHECK(Finite(rig.record.Direction(i)));
    }
  }
}

TEST(PenetrationThreshold) {
  const auto status = [](double depth, double limit) {
    Rig rig({AnchorAt({-1, 0, 0}), WrapOn(SphereAt({0, 0, 0}, 0.1), {0, 0.2, 0}),
             AnchorAt({0.1 - depth, 0, 0})});
    rig.limits.penetration = limit;
    rig.Cold();
    return rig.status();
  };
  // the default is 1e-6 radii; a limit in meters replaces it
  CHECK_EQ(status(5e-9, -1), SolveStatus::kValid);
  CHECK_EQ(status(2e-7, -1), SolveStatus::kLetGo);
  CHECK_EQ(status(5e-9, 1e-9), SolveStatus::kLetGo);
  CHECK_EQ(status(1e-12, 0), SolveStatus::kLetGo);
}

TEST(AnEndWithinTheLimitIsAccepted) {
  // as deep as the limit allows, the default one and one that was raised
  Rig rig({AnchorAt({-1, 0, 0}), WrapOn(SphereAt({0, 0, 0}, 0.1), {0, 0.2, 0}),
           AnchorAt({0.1 - 5e-8, 0, 0})});
  rig.Cold();
  CHECK(rig.valid());
  rig.nodes[2].pos.x = 0.1 - 1e-6;
  rig.limits.penetration = 1e-5;
  rig.Cold();
  CHECK(rig.valid());
}

TEST(SegmentThroughAnotherSurfaceOfItsSpanIsReported) {
  // wraps authored in the wrong order: the segment between them runs through one of them
  const Surface left = CylinderAt({0, -0.05, 0}, 0.1), right = CylinderAt({1, 0.05, 0}, 0.1);
  Rig good({AnchorAt({-1, 0, 0}), WrapOn(left, {0, 0.2, 0}), WrapOn(right, {1, -0.2, 0}),
            AnchorAt({2, 0, 0})});
  good.Cold();
  CHECK(good.valid());
  // a third wrap that lies across the last segment but is listed first, lifted
  const Surface across = CylinderAt({1.6, 0.0, 0}, 0.1);
  Rig bad({AnchorAt({-1, 0, 0}), WrapOn(across, {1.6, 50, 0}), WrapOn(left, {0, 0.2, 0}),
           WrapOn(right, {1, -0.2, 0}), AnchorAt({2, 0, 0})});
  bad.Cold();
  if (!bad.record.Touching(0)) {
    const double depth = SegmentDepth(across, bad.record.Exit(2), {2, 0, 0});
    CHECK(depth > 0.05);
    CHECK_EQ(bad.status(), SolveStatus::kKept);
    CHECK_NEAR(bad.record.penetration(), depth, 1e-12);
  } else {
    CHECK(!"this scene was meant to leave the first wrap lifted");
  }
}

TEST(ThresholdOfSmoothness) {
  // no path is smoother than rounding: a limit below it keeps the old memory and says so
  Random random(5);
  int kept = 0;
  for (int i = 0; i < 20; ++i) {
    const Chain chain = RandomChain(random, 4, {});
    Rig rig = chain.MakeRig();
    rig.limits.smoothness = 1e-18;
    rig.memory.assign(rig.memory.size(), 0.25);
    rig.Cold();
    if (!(rig.record.smoothness() > 1e-18)) continue;
    ++kept;
    CHECK(rig.status() != SolveStatus::kValid);
    for (double x : rig.memory) CHECK_EQ(x, 0.25);
  }
  CHECK(kept > 10);
}

}  // namespace
}  // namespace mujocable
