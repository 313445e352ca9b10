// Strings over smooth surfaces in motion: cold starts, continuity through touch-down, lift-off,
// joints of pieces and flat faces, snap-through, scale, hostile input.

#include <algorithm>
#include <cstdio>

#include "check.h"
#include "scene.h"
#include "smooth.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::Node;
using test::Random;
using test::RandomSmooth;
using test::Rig;
using test::Turned;
using test::WrapOn;

constexpr double kTwoPi = 6.283185307179586;

// a row of n surfaces that do not overlap, hints at random around the line between the ends
std::vector<Node> RandomRow(Random& random, int n, int only) {
  const double size = n > 1 ? 0.6 : 1, reach = 1.05 * (n - 1) + 2;
  std::vector<Node> nodes;
  const auto end = [&](double x) {
    return AnchorAt({x, random.Uniform(-0.5, 0.5), random.Uniform(-0.5, 0.5)});
  };
  nodes.push_back(end(-reach));
  for (int i = 0; i < n; ++i) {
    const int kind = only >= 0 ? only : random.Index(6);
    Surface s = RandomSmooth(random, static_cast<SurfaceKind>(std::max(kind, 2)), size);
    if (kind == 0) s = test::CylinderAt({}, size * random.Uniform(0.2, 0.5), random.Direction());
    if (kind == 1) s = test::SphereAt({}, size * random.Uniform(0.2, 0.5));
    s.pos = {2.1 * i - 1.05 * (n - 1), random.Uniform(-0.4, 0.4), random.Uniform(-0.4, 0.4)};
    const Vec3 aside = {0, random.Uniform(-1, 1), random.Uniform(-1, 1)};
    nodes.push_back(WrapOn(s, s.pos + 2.0 * Unit(aside)));
  }
  nodes.push_back(end(reach));
  return nodes;
}

// dL of the present path for small moves d and turns w of the nodes, theory (5)
double Predicted(const Rig& rig, const std::vector<Vec3>& d, const std::vector<Vec3>& w) {
  const Record& r = rig.record;
  const int n = rig.ncontact;
  double sum = Dot(r.Direction(n), d[n + 1]) - Dot(r.Direction(0), d[0]);
  for (int i = 0; i < n; ++i) {
    if (!r.Touching(i)) continue;
    const Vec3 in = r.Direction(i), out = r.Direction(i + 1), c = rig.surface(i).pos;
    sum += Dot(in, d[i + 1] + Cross(w[i + 1], r.Entry(i) - c)) -
           Dot(out, d[i + 1] + Cross(w[i + 1], r.Exit(i) - c));
  }
  return sum;
}

struct Tally {
  int cold_failed = 0, steps = 0, kept = 0, kept_again = 0, invalid = 0, jumps = 0, changes = 0;
};

// slow sways of every node; the length follows its gradient to second order wherever two steps in
// a row are valid, and only a string that slips off is not
void Sway(Random& random, const std::vector<Node>& nodes, int steps, Tally& tally) {
  Rig rig(nodes);
  const int n = rig.ncontact;
  rig.Cold();
  if (!rig.valid()) {
    ++tally.cold_failed;
    return;
  }
  std::vector<Vec3> sway(n + 2), spin(n + 2), d(n + 2), w(n + 2);
  for (int q = 0; q < n + 2; ++q) {
    sway[q] = random.Uniform(0, 0.5) * random.Direction();
    sway[q].x *= 0.3;
    spin[q] = random.Uniform(0, 0.8) * random.Direction();
  }
  bool kept_before = false;
  for (int k = 1; k <= steps; ++k) {
    double size = 0;
    for (int q = 0; q < n + 2; ++q) {
      const double pace = kTwoPi * (1 + q % 3) / steps;
      const double share = std::sin(pace * k) - std::sin(pace * (k - 1));
      d[q] = share * sway[q];
      w[q] = share * spin[q];
      size += Norm(d[q]) + Norm(w[q]);
    }
    const bool valid_before = rig.valid();
    const double before = rig.length(), slope = Predicted(rig, d, w);
    std::vector<double> touching(rig.record.touching, rig.record.touching + n);
    for (int q = 0; q < n + 2; ++q) {
      rig.nodes[q].pos += d[q];
      rig.nodes[q].surface.pos += d[q];
      rig.nodes[q].surface.rot = Turned(rig.nodes[q].surface.rot, w[q]);
    }
    const double now = rig.Warm();
    ++tally.steps;
    CHECK(std::isfinite(now));
    const bool kept = rig.status() == SolveStatus::kKept;
    tally.kept += kept;
    tally.kept_again += kept && kept_before;
    kept_before = kept;
    tally.invalid += rig.status() == SolveStatus::kInvalid;
    if (!rig.valid() || !valid_before) continue;
    for (int i = 0; i < n; ++i) tally.changes += touching[i] != rig.record.touching[i];
    // trapezoid: third order where nothing changes, second at a joint, times 1 / least radius
    const double predicted = 0.5 * (slope + Predicted(rig, d, w));
    if (std::abs(now - before - predicted) > 30 * size * size) ++tally.jumps;
  }
}

void Report(const char* what, const Tally& t) {
  std::printf(
      "  %s: %d cold starts failed; %d steps, %d changes of contact, %d kept (%d again), "
      "%d invalid, %d jumps\n",
      what, t.cold_failed, t.steps, t.changes, t.kept, t.kept_again, t.invalid, t.jumps);
}

TEST(ConvexSurfacesAreFollowedWithoutAJump) {
  const char* names[] = {"ellipsoid", "", "capsule", "box"};
  for (int kind : {2, 4, 5}) {
    Random random(kind);
    Tally tally;
    for (int i = 0; i < 200; ++i) Sway(random, RandomRow(random, 1, kind), 300, tally);
    Report(names[kind - 2], tally);
    CHECK_EQ(tally.cold_failed, 0);
    CHECK_EQ(tally.jumps, 0);
    CHECK_EQ(tally.invalid, 0);
    // Measured, a guard against getting worse: strings slip off about 75 times on ellipsoid and
    // capsule, 232 on the box. The aim for `kept_again`, a second step without a pull, is 0.
    CHECK(tally.kept < 260);
    CHECK(tally.kept_again <= 10);
    CHECK(tally.changes > 200);
  }
}

TEST(RingsAreFollowedWithoutAJump) {
  // at random a string may cross the hole so that it bears on the ring twice: that is invalid
  Random random(3);
  Tally tally;
  for (int i = 0; i < 200; ++i) Sway(random, RandomRow(random, 1, 3), 300, tally);
  Report("torus", tally);
  CHECK_EQ(tally.jumps, 0);
  // measured, like above: 12 and 54
  CHECK(tally.cold_failed <= 15);
  CHECK(tally.kept_again <= 60);
}

TEST(MixedSpansAreFollowedWithoutAJump) {
  Random random(11);
  Tally tally;
  for (int i = 0; i < 30; ++i) Sway(random, RandomRow(random, 2 + i % 7, -1), 150, tally);
  Report("mixed, 2 to 8", tally);
  CHECK_EQ(tally.jumps, 0);
  // measured, like above: 0 and 12 in twice as many rows
  CHECK(tally.cold_failed <= 2);
  CHECK(tally.kept_again <= 15);
}

TEST(PowersOfTwoChangeNoDigit) {
  Random random(12);
  for (int i = 0; i < 60; ++i) {
    std::vector<Node> nodes = RandomRow(random, 1 + i % 3, -1);
    Rig rig(nodes);
    const double length = rig.Cold();
    for (double scale : {0x1p-10, 0x1p10}) {
      std::vector<Node> scaled = nodes;
      for (Node& node : scaled) {
        node.pos = scale * node.pos;
        node.hint = scale * node.hint;
        Surface& s = node.surface;
        s.pos = scale * s.pos;
        s.radius *= scale;
        s.offset *= scale;
        s.half_length *= scale;
        for (double& x : s.size) x *= scale;
      }
      Rig other(scaled);
      CHECK_NEAR(other.Cold() / scale, length, 1e-9 * length);
      CHECK_EQ(*other.record.status, *rig.record.status);
    }
  }
}

TEST(HostileScenesEndHonestly) {
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    const int n = 1 + random.Index(4);
    std::vector<Node> nodes = {AnchorAt(random.InBox(1))};
    for (int k = 0; k < n; ++k) {
      Surface s = RandomSmooth(random, static_cast<SurfaceKind>(2 + random.Index(4)),
                               random.Logarithmic(0.02, 2));
      s.pos = random.InBox(1);
      nodes.push_back(random.Chance(0.5) ? WrapOn(s, random.InBox(1)) : WrapOn(s));
    }
    nodes.push_back(AnchorAt(random.InBox(1)));
    Rig rig(nodes);
    for (int k = 0; k < 3; ++k) {
      const double length = k == 0 ? rig.Cold() : rig.Warm();
      CHECK(std::isfinite(length));
      if (rig.valid()) {
        CHECK(length >= Norm(rig.nodes.back().pos - rig.nodes.front().pos) * (1 - 1e-12));
        CHECK(*rig.record.smoothness <= 1e-6);
      }
      for (Node& node : rig.nodes) node.surface.pos += 0.1 * random.Direction();
    }
  }
}

}  // namespace
}  // namespace mujocable
