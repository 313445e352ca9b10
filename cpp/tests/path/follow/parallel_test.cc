// Parallel cylinders in one span: strings known by construction, and the general solver, which a
// tilt of 1e-11 rad is enough to ask.

#include "core/path/follow/parallel.h"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::CylinderAt;
using test::Node;
using test::PathError;
using test::Random;
using test::Rig;
using test::Turned;
using test::WrapOn;

constexpr double kPi = std::numbers::pi;

// a string made forward over cylinders along `axis`: straight, around one, straight again
struct Made {
  std::vector<Node> nodes;
  std::vector<Vec3> entry, exit;
  std::vector<double> turn;
  double length = 0;
};

Made MakeString(Random& random, int n, bool on_drums) {
  const Vec3 axis = random.Direction(), x = Perpendicular(axis), y = Cross(axis, x);
  const double slope = random.Uniform(-0.5, 0.5), steepness = std::sqrt(1 + slope * slope);
  Made made;
  Vec3 at = random.InBox(1);
  double heading = random.Uniform(-kPi, kPi), planar = 0;
  const auto ahead = [&] { return std::cos(heading) * x + std::sin(heading) * y; };
  const auto left = [&] { return -std::sin(heading) * x + std::cos(heading) * y; };
  const auto straight = [&](double length) {
    at += length * ahead() + slope * length * axis;
    planar += length;
  };
  made.nodes.push_back(AnchorAt(at));
  if (!on_drums) straight(random.Uniform(0.5, 2));
  for (int i = 0; i < n; ++i) {
    if (i > 0) straight(random.Uniform(0.5, 2));
    const double sense = random.Uniform(0, 1) < 0.5 ? -1 : 1, radius = random.Uniform(0.1, 0.4);
    const double turn = random.Uniform(0.05, 2.5);
    const Vec3 center = at + sense * radius * left();
    made.entry.push_back(at);
    const Vec3 out = at - center;
    const Vec3 middle = std::cos(turn / 2) * out + std::sin(turn / 2) * radius * ahead();
    at += std::sin(turn) * radius * ahead() + (1 - std::cos(turn)) * sense * radius * left() +
          slope * radius * turn * axis;
    planar += radius * turn;
    heading += sense * turn;
    made.exit.push_back(at);
    made.turn.push_back(turn / steepness);
    // axes may point either way, and centers lie anywhere along them
    const double flip = random.Uniform(0, 1) < 0.5 ? -1 : 1;
    const Vec3 pos = center + random.Uniform(-1, 1) * axis;
    made.nodes.push_back(WrapOn(CylinderAt(pos, radius, flip * axis), center + 1.5 * middle));
  }
  if (!on_drums) straight(random.Uniform(0.5, 2));
  made.nodes.push_back(AnchorAt(at));
  made.nodes.front().clamp_after = made.nodes.back().clamp_before = on_drums;
  made.length = planar * steepness;
  return made;
}

TEST(StringsAreFoundExactlyWithoutIteration) {
  Random random(1);
  int tried = 0, followed = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Made made = MakeString(random, 2 + trial % 5, trial % 3 == 0);
    Rig rig(made.nodes);
    // a string made at random may cross itself or another cylinder: those are no paths
    if (std::abs(rig.Cold() - made.length) > 1e-9 || !rig.valid()) continue;
    ++tried;
    rig.Warm();
    followed += rig.record.iterations() == 0;
    CHECK(rig.valid());
    CHECK_NEAR(rig.length(), made.length, 1e-13 * made.length);
    CHECK(PathError(rig) < 1e-11);
    for (int i = 0; i < rig.ncontact; ++i) {
      CHECK_NEAR(Norm(rig.record.Entry(i) - made.entry[i]), 0, 1e-11);
      CHECK_NEAR(Norm(rig.record.Exit(i) - made.exit[i]), 0, 1e-11);
      CHECK_NEAR(rig.record.wrap_angle()[i], made.turn[i], 1e-11);
    }
  }
  std::printf("  %d of 600 are paths, %d followed\n", tried, followed);
  CHECK(tried > 200);
  CHECK_EQ(followed, tried);
}

TEST(ClosedFormAndGeneralSolverMoveTogether) {
  Random random(2);
  int steps = 0, followed = 0, changes = 0;
  for (int scene = 0; scene < 40; ++scene) {
    // a row of cylinders that sway, as wide as the string is long
    const int n = 2 + scene % 5;
    const Vec3 axis = random.Direction(), x = Perpendicular(axis), y = Cross(axis, x);
    std::vector<Node> nodes = {AnchorAt({})};
    for (int i = 0; i < n; ++i) {
      const double radius = random.Uniform(0.1, 0.4);
      const Vec3 pos = (i + 1.0) * x + random.Uniform(-0.2, 0.2) * y;
      nodes.push_back(WrapOn(CylinderAt(pos, radius, axis), pos + (i % 2 ? -1.0 : 1.0) * y));
    }
    nodes.push_back(AnchorAt((n + 1.0) * x + random.Uniform(-0.5, 0.5) * axis));
    std::vector<Vec3> sway, home;
    for (const Node& node : nodes) {
      sway.push_back(random.Uniform(-0.4, 0.4) * y + random.Uniform(-0.05, 0.05) * x);
      home.push_back(node.kind == ElementKind::kWrap ? node.surface.pos : node.pos);
    }
    Rig parallel(nodes);
    const Vec3 tilt = 1e-11 * Cross(axis, Unit(x + y));
    for (Node& node : nodes) {
      if (node.kind == ElementKind::kWrap) node.surface.rot = Turned(node.surface.rot, tilt);
    }
    nodes[1].surface.rot = Turned(nodes[1].surface.rot, -tilt);  // one of them is not
    Rig general(nodes);
    std::vector<bool> touched;
    for (int k = 0; k < 300; ++k) {
      const double phase = std::sin(0.02 * k);
      for (Rig* rig : {&parallel, &general}) {
        for (size_t i = 0; i < nodes.size(); ++i) {
          Node& node = rig->nodes[i];
          const Vec3 at = home[i] + phase * sway[i];
          (node.kind == ElementKind::kWrap ? node.surface.pos : node.pos) = at;
        }
        rig->Solve(k == 0 ? Start::kAuthored : Start::kWarm);
      }
      if (!parallel.valid() || !general.valid()) {
        CHECK_EQ(parallel.valid(), general.valid());
        break;
      }
      ++steps;
      followed += parallel.record.iterations() == 0;
      // the tilt moves heights by 1e-11 of the length, and the length by less
      CHECK_NEAR(parallel.length(), general.length(), 1e-10 * general.length());
      std::vector<bool> touches;
      for (int i = 0; i < n; ++i) {
        touches.push_back(parallel.record.Touching(i));
        CHECK_EQ(parallel.record.Touching(i), general.record.Touching(i));
        if (!parallel.record.Touching(i)) continue;
        CHECK_NEAR(parallel.record.wrap_angle()[i], general.record.wrap_angle()[i], 1e-9);
        CHECK_NEAR(Norm(parallel.record.Exit(i) - general.record.Exit(i)), 0, 1e-9);
      }
      CHECK(PathError(parallel) < 1e-11);
      changes += !touched.empty() && touches != touched;
      touched = touches;
    }
  }
  std::printf("  %d steps, %d followed, %d with a touch-down or lift-off\n", steps, followed,
              changes);
  CHECK(followed > 0.8 * steps);
  CHECK(changes > 10);
}

// a string over three cylinders; the last of them jumps in among the segments of the others
TEST(ASegmentThroughAnotherCylinderIsSeen) {
  Random random(3);
  int pierced = 0, clear = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 axis = random.Direction(), x = Perpendicular(axis), y = Cross(axis, x);
    const auto at = [&](double u, double v) { return u * x + v * y; };
    std::vector<Node> nodes = {AnchorAt(at(0, 0))};
    for (double u : {1.0, 2.0, 3.0}) {
      const Vec3 pos = at(u, random.Uniform(0.3, 0.5));
      nodes.push_back(WrapOn(CylinderAt(pos, 0.2, axis), pos + y));
    }
    nodes.push_back(AnchorAt(at(4, 0)));
    Rig rig(nodes);
    rig.Cold();
    const Vec3 moved = at(random.Uniform(1.2, 1.8), random.Uniform(0, 1.2));
    rig.nodes[3].surface.pos = moved;
    rig.nodes[3].surface.radius = 0.1;
    rig.Warm();
    // what the segments that do not end on it show
    double depth = 0;
    Vec3 from = Load(rig.record.ends());
    for (int i = 0; i <= 3; ++i) {
      if (i < 3 && !rig.record.Touching(i)) continue;
      const Vec3 to = i < 3 ? rig.record.Entry(i) : Load(rig.record.ends() + 3);
      int before = i - 1;
      while (before >= 0 && !rig.record.Touching(before)) --before;
      for (int k = 0; k < 3; ++k) {
        if (k != i && k != before) depth = std::max(depth, SegmentDepth(rig.surface(k), from, to));
      }
      if (i < 3) from = rig.record.Exit(i);
    }
    CHECK_NEAR(rig.record.penetration(), depth, 1e-12);
    (depth > 1e-6 ? pierced : clear) += 1;
    CHECK_EQ(rig.status() == SolveStatus::kKept, depth > 0.1 * 1e-6);
  }
  std::printf("  %d pierced, %d clear\n", pierced, clear);
  CHECK(pierced > 20 && clear > 20);
}

TEST(OnlyParallelCylindersWithoutKeepersCount) {
  const Surface one = CylinderAt({}, 1), other = CylinderAt({3, 0, 0}, 1, {0, 0, -1});
  const Surface tilted = CylinderAt({3, 0, 0}, 1, {0, 1e-12, 1});
  Surface ball = other;
  ball.kind = SurfaceKind::kSphere;
  SpanWrap wraps[2];
  wraps[0].surface = &one;
  wraps[1].surface = &other;
  CHECK(AreParallel({{}, {}, wraps, 2}));
  CHECK(!AreParallel({{}, {}, wraps, 1}));
  wraps[1].permanent = true;
  CHECK(!AreParallel({{}, {}, wraps, 2}));
  wraps[1] = {};
  wraps[1].surface = &tilted;
  CHECK(!AreParallel({{}, {}, wraps, 2}));
  wraps[1].surface = &ball;
  CHECK(!AreParallel({{}, {}, wraps, 2}));
}

}  // namespace
}  // namespace mujocable
