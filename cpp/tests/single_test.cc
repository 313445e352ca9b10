// One cylinder or sphere between two fixed nodes, straight into the record.

#include "core/single.h"

#include <limits>
#include <vector>

#include "check.h"
#include "core/state.h"
#include "random.h"

namespace mujocable {
namespace {

using test::Random;

struct Alone {
  Wrap wrap;
  Element elements[3];
  std::vector<double> block = std::vector<double>(RecordSize(1, 1));
  Record record = Record{block.data(), 1, 1};

  Alone(SurfaceKind kind, const Vec3& a, const Vec3& b) {
    wrap.surface.kind = kind;
    wrap.surface.radius = 0.3;
    wrap.surface.half_length = 1;
    wrap.has_hint = true;
    wrap.hint = {0, 0.5, 0};
    elements[0] = {ElementKind::kAnchor, false, false, nullptr, a};
    elements[1] = {ElementKind::kWrap, false, false, &wrap, {}};
    elements[2] = {ElementKind::kAnchor, false, false, nullptr, b};
  }
};

TEST(TheShortWayFindsWhatTheGeneralOneDoes) {
  Random random(1);
  int compared = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 a = {random.Uniform(-2, -0.4), random.Uniform(-0.5, 0.5), random.Uniform(-0.3, 0.3)};
    const Vec3 b = {random.Uniform(0.4, 2), random.Uniform(-0.5, 0.5), random.Uniform(-0.3, 0.3)};
    Alone general(i % 2 ? SurfaceKind::kCylinder : SurfaceKind::kSphere, a, b);
    SolveRoute(general.elements, 3, nullptr, Start::kAuthored, {}, general.record);
    if (general.record.status() != 0) continue;
    const std::vector<double> memory(general.record.memory(),
                                     general.record.memory() + kWrapMemory);
    SolveRoute(general.elements, 3, memory.data(), Start::kWarm, {}, general.record);
    Alone alone(general.wrap.surface.kind, a, b);
    CHECK(SolveAlone(alone.wrap, a, b, memory.data(), {}, alone.record));
    CHECK(alone.block == general.block);
    ++compared;
  }
  CHECK(compared > 400);
}

TEST(WhatTheShortWayCannotJudgeIsLeftToTheGeneralOne) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> memory(kWrapMemory, 0.0);
  for (SurfaceKind kind : {SurfaceKind::kCylinder, SurfaceKind::kSphere}) {
    const auto solves = [&](double radius, const Vec3& a) {
      Alone alone(kind, a, {1, 0.1, 0});
      alone.wrap.surface.radius = radius;
      return SolveAlone(alone.wrap, a, {1, 0.1, 0}, memory.data(), {}, alone.record);
    };
    CHECK(solves(0.3, {-1, 0.1, 0}));
    for (double radius : {0.0, -0.3, kNone}) CHECK(!solves(radius, {-1, 0.1, 0}));
    CHECK(!solves(0.3, {-0.2, 0, 0}));  // inside
    CHECK(!solves(0.3, {kNone, 0, 0}));
  }
}

}  // namespace
}  // namespace mujocable
