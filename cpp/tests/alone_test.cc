// A cable over one cylinder or sphere, in short, against the general way.

#include "core/alone.h"

#include <limits>
#include <vector>

#include "check.h"
#include "core/cable.h"
#include "random.h"

namespace mujocable {
namespace {

using test::Random;

struct Alone {
  Wrap wrap;
  Vec3 from, to;
  std::vector<double> motion;  // of source, surface and distal end: rotation, velocity, about
  std::vector<Twist> twists;
  std::vector<double> block = std::vector<double>(RecordSize(1, 1));
  Record record = Record{block.data(), 1, 1};

  Alone(SurfaceKind kind, const Vec3& a, const Vec3& b) : from(a), to(b), motion(27) {
    wrap.surface.kind = kind;
    wrap.surface.radius = 0.3;
    wrap.surface.half_length = 1;
    wrap.has_hint = true;
    wrap.hint = {0, 0.5, 0};
    for (const double* of = motion.data(); twists.size() < 3; of += 9) {
      twists.push_back({of, of + 3, of + 6});
    }
  }

  void General(const double* memory, Start start) {
    const Element elements[3] = {{ElementKind::kAnchor, false, false, nullptr, from},
                                 {ElementKind::kWrap, false, false, &wrap, {}},
                                 {ElementKind::kAnchor, false, false, nullptr, to}};
    Locate(elements, 3, twists, memory, start, {}, record);
  }
  bool Short(const double* memory) {
    return LocateAlone(wrap.surface, wrap.permanent, wrap.has_hint, wrap.bias, from, to, twists,
                       memory, {}, OfOne(record));
  }
};

TEST(TheShortWayFindsWhatTheGeneralOneDoes) {
  Random random(1);
  int touching = 0, lifted = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = {random.Uniform(-2, -0.4), random.Uniform(-0.5, 0.8), random.Uniform(-0.3, 0.3)};
    const Vec3 b = {random.Uniform(0.4, 2), random.Uniform(-0.5, 0.8), random.Uniform(-0.3, 0.3)};
    Alone general(i % 2 ? SurfaceKind::kCylinder : SurfaceKind::kSphere, a, b);
    general.wrap.permanent = i % 5 == 0;
    for (double& x : general.motion) x = random.Uniform(-1, 1);
    if (i % 3 == 0) general.twists[0].angular = nullptr;  // at rest
    if (i % 7 == 0) general.twists[1].angular = nullptr;
    general.General(nullptr, Start::kAuthored);
    if (general.record.status() != 0) continue;
    const std::vector<double> memory(general.record.memory(),
                                     general.record.memory() + kWrapMemory);
    general.General(memory.data(), Start::kWarm);
    Alone alone(general.wrap.surface.kind, a, b);
    alone.wrap.permanent = general.wrap.permanent;
    alone.twists = general.twists;
    CHECK(alone.Short(memory.data()));
    CHECK(alone.block == general.block);
    CHECK(alone.record.length_rate() != 0);
    ++(alone.record.Touching(0) ? touching : lifted);
  }
  CHECK(touching > 400);
  CHECK(lifted > 100);
}

TEST(WhatTheShortWayCannotJudgeIsLeftToTheGeneralOne) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> memory(kWrapMemory, 0.0);
  for (SurfaceKind kind : {SurfaceKind::kCylinder, SurfaceKind::kSphere}) {
    const auto solves = [&](double radius, const Vec3& a) {
      Alone alone(kind, a, {1, 0.1, 0});
      alone.wrap.surface.radius = radius;
      return alone.Short(memory.data());
    };
    CHECK(solves(0.3, {-1, 0.1, 0}));
    for (double radius : {0.0, -0.3, kNone}) CHECK(!solves(radius, {-1, 0.1, 0}));
    CHECK(!solves(0.3, {-0.2, 0, 0}));  // inside
    CHECK(!solves(0.3, {kNone, 0, 0}));
  }
}

}  // namespace
}  // namespace mujocable
