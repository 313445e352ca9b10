// Several wraps in one span: paths known by construction, stationarity, brute force, scale, cold
// starts, warm motion, touching cylinders.

#include <numbers>

#include "core/path/search/solve.h"
#include "core/path/tolerance.h"
#include "tests/kit/brute.h"
#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::ArcPath;
using test::Chain;
using test::ChainOptions;
using test::CylinderAt;
using test::PathError;
using test::Random;
using test::RandomChain;
using test::Rig;
using test::WrapOn;

constexpr double kPi = std::numbers::pi;

ChainOptions Cylinders() {
  ChainOptions options;
  options.sphere_share = 0;
  return options;
}

// spheres bring a string out of balance where the turns are large: gentle ones keep it shortest
ChainOptions Mixed() {
  ChainOptions options;
  options.sphere_share = 0.3;
  options.min_turn = 0.1;
  options.max_turn = 1.5;
  options.min_straight = 0.1;
  options.max_straight = 1;
  return options;
}

// a chain that is a shortest path, clearly: least curvature of the length 0.02 radii
Chain ShortestChain(Random& random, int n, const ChainOptions& options) {
  while (true) {
    const Chain chain = RandomChain(random, n, options);
    if (IsMinimum(Built(chain), 0.02)) return chain;
  }
}

TEST(OneWrapNeedsNoIteration) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Chain chain = ShortestChain(random, 1, Mixed());
    Rig rig = chain.MakeRig();
    CHECK_NEAR(rig.Cold(), chain.length, 1e-13 * chain.length);
    CHECK(rig.valid());
    CHECK_EQ(rig.record.iterations(), 0.0);
  }
}

TEST(ChainsOfCylindersAreFoundExactly) {
  Random random(2);
  for (int i = 0; i < 400; ++i) {
    const int n = 2 + i % 7;
    const Chain chain = RandomChain(random, n, Cylinders());
    Rig rig = chain.MakeRig();
    rig.Cold();
    CHECK(rig.valid());
    // path error below 1e-12 rad; the length is stationary, so only sums of rounding remain; a
    // contact is as well known as the path error times the conditioning of the chain (1e3)
    CHECK_NEAR(rig.length(), chain.length, 1e-13 * chain.length);
    CHECK_NEAR(test::SumOfPieces(rig), rig.length(), 1e-14 * chain.length);
    CHECK_NEAR(PathError(rig), 0, 1e-11);
    for (int k = 0; k < n; ++k) {
      CHECK(rig.record.Touching(k));
      CHECK_NEAR(Norm(rig.record.Entry(k) - chain.entry[k]), 0, 1e-9);
      CHECK_NEAR(Norm(rig.record.Exit(k) - chain.exit[k]), 0, 1e-9);
      CHECK_NEAR(rig.record.wrap_angle()[k], chain.turn[k], 1e-9);
    }
  }
}

TEST(LengthIsStationaryUnderTheNaturalVariations) {
  Random random(3);
  for (int i = 0; i < 150; ++i) {
    const int n = 2 + i % 7;
    const Chain chain = ShortestChain(random, n, i % 2 ? Cylinders() : Mixed());
    Rig rig = chain.MakeRig();
    rig.Cold();
    if (!rig.valid()) continue;  // counted by the cold starts
    const ArcPath path = Found(rig);
    for (size_t k = 0; k < path.arcs.size(); ++k) {
      const Surface& s = path.surfaces[k];
      for (int j = 0; j < 4; ++j) {
        // central difference: truncation 1e-10 / 6 times a third derivative (radius / shortest
        // segment)^2 < 100, cancellation 2e-16 * 20 m / 1e-5 radii: 4e-9 together, per radius
        const double h = 1e-5;
        double length[2];
        for (int sign = 0; sign < 2; ++sign) {
          double q[4] = {0, 0, 0, 0};
          q[j] = (sign ? -h : h) * (j == 2 ? 1 : s.radius);
          std::vector<Geodesic> arcs = path.arcs;
          arcs[k] = test::Varied(s, arcs[k], q);
          length[sign] = LengthOf(path, arcs);
        }
        CHECK_NEAR((length[0] - length[1]) / (2 * h), 0, 1e-8 * s.radius);
      }
    }
  }
}

TEST(BruteForceFindsNothingShorter) {
  Random random(4);
  for (int i = 0; i < 28; ++i) {
    const int n = 2 + i % 7;
    const Chain chain = ShortestChain(random, n, i % 2 ? Cylinders() : Mixed());
    Rig rig = chain.MakeRig();
    rig.Cold();
    CHECK(rig.valid());

    // from the hints, with the class that the construction gives
    std::vector<test::BruteTouch> touches(n);
    for (int k = 0; k < n; ++k) {
      const Surface& s = chain.surfaces[k];
      touches[k].p = touches[k].q = chain.hint[k];
      touches[k].swept = WayThrough(s, k ? chain.exit[k - 1] : chain.a, chain.hint[k],
                                    k + 1 < n ? chain.entry[k + 1] : chain.b)
                             .swept;
    }
    const double brute = test::BruteChain(chain.surfaces, chain.a, chain.b, touches, 60);
    // one surface after the other converges by a factor per sweep: 1e-8 is left after sixty; a
    // taut string may not be longer than what descent finds from the same hints
    CHECK_NEAR(rig.length(), brute, 1e-7 * brute);
    CHECK(rig.length() <= brute * (1 + 1e-9));
  }
}

TEST(SameSceneAtEveryScale) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const int n = 2 + i % 7;
    const Chain chain = ShortestChain(random, n, i % 2 ? Cylinders() : Mixed());
    Rig rig = chain.MakeRig();
    rig.Cold();

    // a power of two changes no digit: everything is equal, bit for bit
    for (double scale : {0x1p-10, 0x1p10}) {
      Rig scaled = chain.Scaled(scale).MakeRig();
      scaled.Cold();
      CHECK_EQ(scaled.length(), scale * rig.length());
      CHECK_EQ(scaled.record.iterations(), rig.record.iterations());
      CHECK_EQ(scaled.record.status(), rig.record.status());
    }
    // other factors round every coordinate: 1e-16 each, the length is stationary
    for (double scale : {1e-3, 1e3}) {
      Rig scaled = chain.Scaled(scale).MakeRig();
      scaled.Cold();
      CHECK_NEAR(scaled.length() / scale, rig.length(), 1e-13 * rig.length());
      CHECK_EQ(scaled.record.status(), rig.record.status());
      // where Newton ends within rounding of its tolerance one step more may be needed
      CHECK_NEAR(scaled.record.iterations(), rig.record.iterations(), 1);
    }
  }
}

TEST(ColdStartsFromHintsNeverFail) {
  Random random(6);
  int failed = 0, longer = 0, unstable = 0, most = 0;
  for (int i = 0; i < 2000; ++i) {
    const int n = 2 + i % 7;
    const Chain chain = ShortestChain(random, n, i % 2 ? Cylinders() : Mixed());
    Rig rig = chain.MakeRig();
    rig.Cold();
    most = std::max(most, static_cast<int>(rig.record.iterations()));
    const bool good = rig.valid() && PathError(rig) < 1e-10;
    const bool long_path = good && rig.length() > chain.length * (1 + 1e-12);
    const bool saddle = good && !IsMinimum(Found(rig), -1e-3);
    failed += !good;
    longer += long_path;
    unstable += saddle;
    if (!good || long_path || saddle) {
      std::printf(
          "  scene %d, %d wraps: status %g, %g m longer than the known path, kink %.2g, "
          "cut %.2g m, %g iterations%s\n",
          i, n, rig.record.status(), rig.length() - chain.length, rig.record.smoothness(),
          rig.record.penetration(), rig.record.iterations(), saddle ? ", not a minimum" : "");
    }
  }
  std::printf("  cold starts: %d of 2000 failed, %d longer, %d not a minimum; most iterations %d\n",
              failed, longer, unstable, most);
  CHECK_EQ(failed, 0);
  CHECK_EQ(longer, 0);
  CHECK_EQ(unstable, 0);
}

TEST(WarmStartIsQuickAndTheSame) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Chain chain = RandomChain(random, 2 + i % 7, Cylinders());
    Rig rig = chain.MakeRig();
    const double cold = rig.Cold();
    for (int k = 0; k < 3; ++k) {
      // the memory is stored in the frame of the surface: rounding, corrected by one or two steps
      CHECK_NEAR(rig.Warm(), cold, 1e-13 * cold);
      CHECK(rig.record.iterations() <= 3);
    }
  }
}

// parallel cylinders: the plane has one shortest path in every class, so nothing may ever jump
TEST(WarmMotionHasNoJump) {
  Random random(8);
  ChainOptions options;
  options.planar = true;
  options.min_turn = 0.02;
  options.max_turn = 1;
  options.min_straight = 0.8;
  int changes = 0, steps = 0, stopped = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 6;
    const Chain chain = RandomChain(random, n, options);
    Rig rig = chain.MakeRig();
    double before = rig.Cold();
    CHECK(rig.valid());
    const double home = before;

    // everything sways about where it was, each at its own pace, and is home again at the end
    const std::vector<test::Node> start = rig.nodes;
    std::vector<Vec3> sway(start.size());
    std::vector<int> pace(start.size());
    for (size_t k = 0; k < start.size(); ++k) {
      sway[k] = random.Uniform(0.05, 0.35) * random.Direction();
      pace[k] = 1 + random.Index(3);
    }
    const int count = 600;
    std::vector<Vec3> old(start.size());
    std::vector<double> touching(rig.record.touching(), rig.record.touching() + n);
    bool complete = true;
    for (int step = 1; step <= count; ++step) {
      double moved = 0;
      for (size_t k = 0; k < start.size(); ++k) {
        const Vec3 offset = std::sin(2 * kPi * pace[k] * step / count) * sway[k];
        const bool wrap = start[k].kind == ElementKind::kWrap;
        rig.nodes[k].pos = start[k].pos + offset;
        rig.nodes[k].surface.pos = start[k].surface.pos + offset;
        // a wrap pulls by at most twice the tension
        moved += (wrap ? 2 : 1) * Norm(offset - old[k]);
        old[k] = offset;
      }
      // stop where cylinders meet or an end goes under: no path, nothing to be continuous
      bool clear = true;
      for (int k = 0; k < n; ++k) {
        for (int j = 0; j < k; ++j) clear = clear && test::Gap(rig.surface(k), rig.surface(j)) > 0;
        clear = clear && Distance(rig.surface(k), rig.nodes.front().pos) > 0 &&
                Distance(rig.surface(k), rig.nodes.back().pos) > 0;
      }
      if (!clear) {
        complete = false;
        break;
      }
      const double now = rig.Warm();
      if (rig.status() == SolveStatus::kKept) {
        // another cylinder came in the way of a segment, out of the authored order
        CHECK(rig.record.penetration() > 0);
        complete = false;
        break;
      }
      CHECK(rig.valid());
      CHECK_NEAR(now, before, moved + 1e-12);
      before = now;
      ++steps;
      for (int k = 0; k < n; ++k) {
        changes += touching[k] != rig.record.touching()[k];
        touching[k] = rig.record.touching()[k];
      }
    }
    stopped += !complete;
    if (complete) CHECK_NEAR(rig.length(), home, 1e-11);
  }
  std::printf("  warm motion: %d steps, %d touch-downs and lift-offs, %d of 60 scenes cut short\n",
              steps, changes, stopped);
  CHECK(changes > 50);
  CHECK(steps > 5000);
}

TEST(WarmMotionOverSpheresNeverGrowsByAJump) {
  // over spheres a string may slip off, which shortens it at once and is said; it never gets longer
  Random random(9);
  int slips = 0, steps = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 5;
    const Chain chain = ShortestChain(random, n, Mixed());
    Rig rig = chain.MakeRig();
    double before = rig.Cold();
    if (!rig.valid()) continue;
    const std::vector<test::Node> start = rig.nodes;
    std::vector<Vec3> sway(start.size());
    for (Vec3& v : sway) v = random.Uniform(0, 0.3) * random.Direction();
    std::vector<Vec3> old(start.size());
    for (int step = 1; step <= 300; ++step) {
      double moved = 0;
      for (size_t k = 0; k < start.size(); ++k) {
        const Vec3 offset = std::sin(2 * kPi * step / 300) * sway[k];
        rig.nodes[k].pos = start[k].pos + offset;
        rig.nodes[k].surface.pos = start[k].surface.pos + offset;
        moved += (start[k].kind == ElementKind::kWrap ? 2 : 1) * Norm(offset - old[k]);
        old[k] = offset;
      }
      bool clear = true;
      for (int k = 0; k < n; ++k) {
        for (int j = 0; j < k; ++j) clear = clear && test::Gap(rig.surface(k), rig.surface(j)) > 0;
        clear = clear && Distance(rig.surface(k), rig.nodes.front().pos) > 0 &&
                Distance(rig.surface(k), rig.nodes.back().pos) > 0;
      }
      if (!clear) break;
      const double now = rig.Warm();
      const bool slipped = rig.status() == SolveStatus::kSlipped;
      if (!rig.valid() && !slipped) break;
      ++steps;
      CHECK(now - before <= moved + 1e-12);
      CHECK(slipped || before - now <= moved + 1e-12);
      slips += slipped;
      before = now;
    }
  }
  std::printf("  over spheres: %d steps, %d slips\n", steps, slips);
  CHECK(steps > 5000);
}

// two cylinders of radius r, `gap` apart, the string over the first and under the second, or over
// both; ends 5 radii out on the line of the centers, or below it
struct Twin {
  double r = 0.01;
  bool crossed;

  Rig MakeRig(double gap) const {
    const double d = 2 * r + gap, low = crossed ? 0 : -2 * r;
    return Rig({AnchorAt({-5 * r, low, 0}), WrapOn(CylinderAt({0, 0, 0}, r), {0, 1.2 * r, 0}),
                WrapOn(CylinderAt({d, 0, 0}, r), {d, (crossed ? -1.2 : 1.2) * r, 0}),
                AnchorAt({d + 5 * r, low, 0})});
  }
  // by hand, from the tangents of circles
  double Length(double gap) const {
    const double d = 2 * r + gap, low = crossed ? 0 : 2 * r;
    const double out = std::hypot(5 * r, low), tangent = std::sqrt(out * out - r * r);
    // angle from the outward axis to the tangent point, then to where the string leaves
    const double first = std::acos(r / out) - std::atan2(low, 5 * r);
    const double last = crossed ? kPi - std::acos(std::min(1.0, 2 * r / d)) : kPi / 2;
    const double between = crossed ? std::sqrt(gap * (4 * r + gap)) : d;
    return 2 * (tangent + r * (last - first)) + between;
  }
};

TEST(TouchingCylindersStayValid) {
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (bool crossed : {false, true}) {
      const Twin twin{0.01 * scale, crossed};
      // from 1 mm to touching, to 2 mm, to touching again
      Rig rig = twin.MakeRig(0.001 * scale);
      rig.Cold();
      int invalid = 0;
      double worst = 0;
      const int count = 400;
      for (int k = -count / 2; k <= 2 * count; ++k) {
        const double gap = 0.002 * scale * (k <= count ? std::abs(k) : 2 * count - k) / count;
        rig.nodes = twin.MakeRig(gap).nodes;
        rig.Warm();
        invalid += !rig.valid();
        worst = std::max(worst, std::abs(rig.length() - twin.Length(gap)) / scale);
      }
      // a path error of 1e-12 rad; near gap = 0 the length grows like its root: 1e-16 of a radius
      // in the gap is 1e-8 radii in the length
      CHECK_EQ(invalid, 0);
      CHECK_NEAR(worst, 0, 2e-10);
    }
  }
}

TEST(TouchingCylindersColdAtEveryGap) {
  for (bool crossed : {false, true}) {
    const Twin twin{0.01, crossed};
    for (double gap : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 2e-3}) {
      Rig rig = twin.MakeRig(gap);
      CHECK_NEAR(rig.Cold(), twin.Length(gap), 2e-10);
      CHECK(rig.valid());
    }
  }
}

// judge: the same sphere as an ellipsoid, which has no closed form
TEST(AKeeperHoldsBesideASmoothSurface) {
  Random random(12);
  for (int trial = 0; trial < 100; ++trial) {
    const auto any = [&] { return random.Uniform(-0.3, 0.3); };
    const Surface held = CylinderAt({}, random.Uniform(0.2, 0.4), {any(), any(), 1});
    Surface s = test::SphereAt({1.5, any(), any()}, 0.3);
    std::fill(s.size, s.size + 3, s.radius);
    const Vec3 a = {-1.5, 0.6, any()}, b = {3, any(), any()};
    double length[2];
    for (bool smooth : {false, true}) {
      if (smooth) s.kind = SurfaceKind::kEllipsoid;
      Rig rig(
          {AnchorAt(a), WrapOn(held, {0, 1, 0}), WrapOn(s, s.pos + Vec3{0, 1, 0}), AnchorAt(b)});
      rig.nodes[1].permanent = true;
      length[smooth] = rig.Cold();
      CHECK(rig.valid());
    }
    CHECK_NEAR(length[1], length[0], 1e-9);
  }
}

TEST(KeepersHoldSeveralWraps) {
  // three sheaves in a row, all with keepers, the string straight above them: held at each rim
  Random random(10);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<test::Node> nodes = {AnchorAt({0, random.Uniform(0.3, 0.6), 0})};
    std::vector<Surface> sheaves;
    for (int k = 0; k < 3; ++k) {
      const Surface s = CylinderAt({1.0 + k, 0, 0}, random.Uniform(0.1, 0.25));
      sheaves.push_back(s);
      nodes.push_back(WrapOn(s, s.pos + Vec3{0, 2 * s.radius, 0}));
      nodes.back().permanent = true;
    }
    nodes.push_back(AnchorAt({4, random.Uniform(0.3, 0.6), 0}));
    Rig rig(nodes);
    rig.Cold();
    CHECK(rig.valid());
    for (int k = 0; k < 3; ++k) CHECK(rig.record.Touching(k));
    // one after the other converges by a factor per sweep: some dozens, not thousands
    CHECK(rig.record.iterations() < 300);

    // judge: the shortest polygon over one point of each rim; where the string would wrap by
    // itself, two: entry and exit with the arc between
    const auto length = [&](const std::vector<double>& x) {
      double sum = 0;
      Vec3 from = nodes.front().pos;
      for (int k = 0; k < 3; ++k) {
        const Surface& s = sheaves[k];
        const double in = x[2 * k], out = std::min(in, x[2 * k + 1]);
        const auto at = [&](double angle) {
          return s.pos + s.radius * Vec3{std::cos(angle), std::sin(angle), 0};
        };
        // a chord may not cut the rim: seen from the neighbor
        sum += Norm(at(in) - from) + s.radius * (in - out) + 1e3 * SegmentDepth(s, from, at(in));
        from = at(out);
        const Vec3 next =
            k < 2 ? sheaves[k + 1].pos + sheaves[k + 1].radius *
                                             Vec3{std::cos(x[2 * k + 2]), std::sin(x[2 * k + 2]), 0}
                  : nodes.back().pos;
        sum += 1e3 * SegmentDepth(s, from, next);
      }
      return sum + Norm(nodes.back().pos - from);
    };
    double shortest = 1e300;
    for (int start = 0; start < 3; ++start) {
      std::vector<double> x(6, kPi / 2 + 0.1 * (start - 1));
      for (double step : {0.5, 0.2, 0.05}) {
        shortest = std::min(shortest, test::CompassSearch(length, x, step, 1e-9));
      }
    }
    // the penalty leaves the search in a crease: good to 1e-5; never shorter than the truth
    CHECK(rig.length() <= shortest + 1e-9);
    CHECK_NEAR(rig.length(), shortest, 1e-4);
  }
}

TEST(EmptySpanIsConverged) {
  const SpanResult result = SolveSpan({{0, 0, 0}, {1, 0, 0}});
  CHECK(result.converged);
  CHECK_EQ(result.iterations, 0);
}

TEST(MostWrapsASpanMayHave) {
  // a serpentine over sixteen parallel cylinders
  std::vector<test::Node> nodes = {AnchorAt({-1, 0, 0})};
  for (int k = 0; k < kMaxSpanWraps; ++k) {
    const double side = k % 2 ? -1 : 1;
    nodes.push_back(WrapOn(CylinderAt({1.0 * k, -0.4 * side, 0}, 0.3), {1.0 * k, 0.5 * side, 0}));
  }
  nodes.push_back(AnchorAt({1.0 * kMaxSpanWraps, 0, 0.5}));
  Rig rig(nodes);
  rig.Cold();
  CHECK(rig.valid());
  CHECK_NEAR(PathError(rig), 0, 1e-11);
}

}  // namespace
}  // namespace mujocable
