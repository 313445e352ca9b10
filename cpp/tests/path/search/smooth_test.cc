// Strings over smooth surfaces in motion: cold starts, continuity through touch-down, lift-off,
// joints of pieces and flat faces, snap-through, scale, hostile input.

#include "tests/kit/smooth.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::kSmoothKinds;
using test::Node;
using test::Random;
using test::RandomSmooth;
using test::Rig;
using test::Turned;
using test::WrapOn;

constexpr double kTwoPi = 6.283185307179586;
// kinds of a row: cylinder, sphere, the smooth ones from 2 on; meshes where it has nothing else
constexpr int kMeshKind = 2 + std::size(kSmoothKinds);

// a row of n surfaces that do not overlap, hints at random around the line between the ends
std::vector<Node> RandomRow(Random& random, int n, int only) {
  const double size = n > 1 ? 0.6 : 1, reach = 1.05 * (n - 1) + 2;
  std::vector<Node> nodes;
  const auto end = [&](double x) {
    return AnchorAt({x, random.Uniform(-0.5, 0.5), random.Uniform(-0.5, 0.5)});
  };
  nodes.push_back(end(-reach));
  for (int i = 0; i < n; ++i) {
    const int kind = only >= 0 ? only : random.Index(kMeshKind);
    Surface s = RandomSmooth(random, kSmoothKinds[std::clamp(kind, 2, kMeshKind - 1) - 2], size);
    if (kind == 0) {
      // across the row: a cylinder has no end, along the row it would run into its neighbors
      const double tilt = random.Uniform(0, kTwoPi);
      const Vec3 axis = {0, std::cos(tilt), std::sin(tilt)};
      s = test::CylinderAt({}, size * random.Uniform(0.2, 0.5), axis);
    }
    if (kind == 1) s = test::SphereAt({}, size * random.Uniform(0.2, 0.5));
    if (kind == kMeshKind) s = test::RandomMesh(random, test::kConvexMeshes);
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
  int cold_failed = 0, steps = 0, kept = 0, invalid = 0, jumps = 0, changes = 0;
  int snaps = 0, uphill = 0, let_go = 0;
  double missed = 0;                // sum of |dL - G dq|                                       [m]
  double seconds = 0, longest = 0;  // processor time of the warm solves, and of the longest
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
    std::vector<double> touching(rig.record.touching(), rig.record.touching() + n);
    for (int q = 0; q < n + 2; ++q) {
      rig.nodes[q].pos += d[q];
      rig.nodes[q].surface.pos += d[q];
      rig.nodes[q].surface.rot = Turned(rig.nodes[q].surface.rot, w[q]);
    }
    const std::clock_t begin = std::clock();
    const double now = rig.Warm();
    const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    tally.seconds += taken;
    tally.longest = std::max(tally.longest, taken);
    ++tally.steps;
    CHECK(std::isfinite(now));
    const bool slipped = rig.status() == SolveStatus::kSlipped;
    tally.kept += rig.status() == SolveStatus::kKept;
    tally.let_go += rig.status() == SolveStatus::kLetGo;
    tally.invalid += rig.status() == SolveStatus::kInvalid;
    tally.snaps += slipped;
    if (!valid_before || !(slipped || rig.valid())) continue;
    // trapezoid: third order where nothing changes, second at a joint, times 1 / least radius
    const double predicted = 0.5 * (slope + Predicted(rig, d, w));
    // slipped off: into a path shorter than the old one carried along, never a longer one
    if (slipped) {
      CHECK(rig.record.smoothness() < 1e-6);
      tally.uphill += now - before > slope + size * size;
      continue;
    }
    for (int i = 0; i < n; ++i) tally.changes += touching[i] != rig.record.touching()[i];
    tally.missed += std::abs(now - before - slope);
    if (std::abs(now - before - predicted) > 30 * size * size) ++tally.jumps;
  }
}

void Report(const char* what, const Tally& t) {
  std::printf(
      "  %s: %d cold starts failed; %d steps, %d changes of contact, %d slips, %d kept, %d let "
      "go, %d invalid, %d jumps, sum of |dL - G dq| %.3g m; %.1f us a step, longest %.1f ms\n",
      what, t.cold_failed, t.steps, t.changes, t.snaps, t.kept, t.let_go, t.invalid, t.jumps,
      t.missed, 1e6 * t.seconds / std::max(1, t.steps), 1e3 * t.longest);
}

// the sweeps of one kind, at a number of steps each
Tally Sweeps(int kind, int count, int steps) {
  Random random(kind);
  Tally tally;
  for (int i = 0; i < count; ++i) {
    // the same scenes and sways at any number of steps, and whether or not one starts
    Random own(random.Bits());
    Sway(own, RandomRow(own, 1, kind), steps, tally);
  }
  return tally;
}

// A thousand sweeps, each at two paces. The length follows its gradient to second order: over a
// sweep of steps h the errors h^2 add up to the order h, half as much at half the pace. A corner in
// L, or a load that is not its gradient, would be missed at the first order and add up to the same.
TEST(AThousandSweepsWithoutAJump) {
  const char* names[] = {"ellipsoid", "torus", "capsule", "box", "mesh"};
  static_assert(std::size(names) == std::size(kSmoothKinds) + 1);
  for (int kind = 2; kind <= kMeshKind; ++kind) {
    const Tally coarse = Sweeps(kind, 250, 100), fine = Sweeps(kind, 250, 200);
    Report(names[kind - 2], coarse);
    Report(names[kind - 2], fine);
    CHECK(coarse.missed / fine.missed > 1.9);
    for (const Tally& tally : {coarse, fine}) {
      CHECK_EQ(tally.jumps, 0);
      CHECK_EQ(tally.uphill, 0);
      CHECK(tally.changes > 200);
      CHECK_EQ(tally.cold_failed, 0);
      CHECK_EQ(tally.invalid, 0);
      // among the waves of a flat face of a fitted block one step in ten thousand is not found
      CHECK(tally.kept <= (kind == kMeshKind ? tally.steps / 10000 : 0));
    }
  }
}

TEST(MixedSpansAreFollowedWithoutAJump) {
  Tally tally;
  for (int seed = 11; seed <= 18; ++seed) {
    Random random(seed);
    for (int i = 0; i < 30; ++i) Sway(random, RandomRow(random, 2 + i % 7, -1), 150, tally);
  }
  Report("mixed, 2 to 8", tally);
  CHECK_EQ(tally.jumps, 0);
  CHECK_EQ(tally.uphill, 0);
  // A string that slips off several supports at once may need more than one step to settle.
  // Measured in 36,000 steps: 12 steps without a taut path. Not a law: the aim is 0.
  CHECK_EQ(tally.cold_failed, 0);
  CHECK_EQ(tally.invalid, 0);
  CHECK(tally.kept <= 12);
}

// Newton's method also solves for saddles: over the flats of a box it would run to one from knots.
TEST(TheFirstStringOverABoxIsAShortestOne) {
  Random random(14);
  for (int i = 0; i < 2000; ++i) {
    const auto end = [&](double side) {
      return Vec3{side * random.Uniform(0.8, 2.5), random.Uniform(-0.7, 0.7),
                  random.Uniform(-0.7, 0.7)};
    };
    Surface s = RandomSmooth(random, SurfaceKind::kBox, 1);
    s.pos = {0, random.Uniform(-0.4, 0.4), random.Uniform(-0.4, 0.4)};
    const Vec3 aside = {0, random.Uniform(-1, 1), random.Uniform(-1, 1)};
    Rig rig({AnchorAt(end(-1)), WrapOn(s, s.pos + 2.0 * Unit(aside)), AnchorAt(end(1))});
    rig.Cold();
    if (rig.valid()) CHECK(test::IsMinimum(test::Found(rig)));
  }
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
      CHECK_EQ(other.record.status(), rig.record.status());
    }
  }
}

TEST(HostileScenesEndHonestly) {
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    const int n = 1 + random.Index(4);
    std::vector<Node> nodes = {AnchorAt(random.InBox(1))};
    for (int k = 0; k < n; ++k) {
      const SurfaceKind kind = kSmoothKinds[random.Index(std::size(kSmoothKinds))];
      Surface s = RandomSmooth(random, kind, random.Logarithmic(0.02, 2));
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
        CHECK(rig.record.smoothness() <= 1e-6);
      }
      for (Node& node : rig.nodes) node.surface.pos += 0.1 * random.Direction();
    }
  }
}

}  // namespace
}  // namespace mujocable
