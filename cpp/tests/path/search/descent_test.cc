// Block descent. Judges: the length, which may never grow, summed here; brute force.

#include <vector>

#include "core/path/search/solve.h"
#include "core/path/tolerance.h"
#include "tests/kit/brute.h"
#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/scene.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

std::vector<SpanWrap> FromHints(const test::Chain& chain) {
  std::vector<SpanWrap> wraps(chain.surfaces.size());
  for (size_t i = 0; i < wraps.size(); ++i) {
    wraps[i].surface = &chain.surfaces[i];
    wraps[i].hint = &chain.hint[i];
    wraps[i].touch.touching = true;
    wraps[i].touch.p = wraps[i].touch.q = chain.hint[i];
  }
  return wraps;
}

double Summed(const Vec3& a, const Vec3& b, const std::vector<SpanWrap>& wraps) {
  Vec3 from = a;
  double sum = 0;
  for (const SpanWrap& w : wraps) {
    if (!w.touch.touching) continue;
    sum += Norm(w.touch.p - from) + w.touch.arc;
    from = w.touch.q;
  }
  return sum + Norm(b - from);
}

// deepest cut into surfaces of the segments that a sweep meets: to old contacts from new ones
// before
double Cut(const test::Chain& chain, const std::vector<SpanWrap>& before,
           const std::vector<SpanWrap>& after) {
  double depth = 0;
  Vec3 from = chain.a;
  const int n = static_cast<int>(before.size());
  for (int i = 0; i < n; ++i) {
    const Surface& s = chain.surfaces[i];
    const Touch& old = before[i].touch;
    Vec3 to = chain.b;
    for (int j = n - 1; j > i; --j) {
      if (before[j].touch.touching) to = before[j].touch.p;
    }
    if (old.touching) {
      depth = std::max({depth, SegmentDepth(s, from, old.p), SegmentDepth(s, old.q, to)});
    } else {
      depth = std::max(depth, SegmentDepth(s, from, to));
    }
    if (after[i].touch.touching) from = after[i].touch.q;
  }
  return depth;
}

}  // namespace

TEST(TheLengthNeverGrowsAndEndsWhereBruteForceDoes) {
  Random random(1);
  int compared = 0, clear = 0;
  for (int k = 0; k < 400 && compared < 12; ++k) {
    const int n = 2 + k % 3;
    const test::Chain chain = RandomChain(random, n);
    if (!IsMinimum(Built(chain), 0.05)) continue;
    ++compared;
    std::vector<SpanWrap> wraps = FromHints(chain);
    Budget budget;
    Descend({chain.a, chain.b, wraps.data(), n}, budget);
    // the classes are known now: from here on the same string becomes shorter
    for (SpanWrap& w : wraps) w.hint = nullptr;
    double length = Summed(chain.a, chain.b, wraps), move = 1;
    for (int i = 0; i < 2000 && move > kStill; ++i) {
      // one after the other; a segment that cut the surface it ends on was too short
      const std::vector<SpanWrap> before = wraps;
      move = Descend({chain.a, chain.b, wraps.data(), n}, budget);
      const double now = Summed(chain.a, chain.b, wraps);
      if (Cut(chain, before, wraps) < 1e-12) {
        CHECK_NEAR(std::max(0.0, now / length - 1), 0, 1e-14);
        ++clear;
      }
      length = now;
    }
    CHECK(move <= kStill);
    std::vector<BruteTouch> touches(n);
    for (int i = 0; i < n; ++i) {
      touches[i].p = touches[i].q = chain.hint[i];
      touches[i].swept = WayThrough(chain.surfaces[i], i ? chain.exit[i - 1] : chain.a,
                                    chain.hint[i], i + 1 < n ? chain.entry[i + 1] : chain.b)
                             .swept;
    }
    const double brute = BruteChain(chain.surfaces, chain.a, chain.b, touches, 60);
    CHECK_NEAR(length, brute, 1e-7 * brute);
    CHECK_EQ(budget.tries, 0);  // closed forms are free
  }
  CHECK(compared >= 10 && clear > 50);
}

TEST(SettledSeesAWrapThatTheStraightLineNeeds) {
  const Surface one = CylinderAt({0, 0, 0}, 0.2), two = CylinderAt({1, 0, 0}, 0.2);
  SpanWrap wraps[2];
  wraps[0].surface = &one;
  wraps[1].surface = &two;
  const Vec3 a{-1, 0.5, 0}, b{2, 0.5, 0};
  Budget budget;
  wraps[0].touch = TightenOne({a, b, wraps, 2}, 0, budget).touch;
  wraps[1].touch = TightenOne({a, b, wraps, 2}, 1, budget).touch;
  CHECK(!wraps[0].touch.touching && !wraps[1].touch.touching);
  CHECK(Settled({a, b, wraps, 2}, budget));
  // lower by so much that the line touches both
  const Vec3 c{-1, 0.1, 0}, d{2, 0.1, 0};
  CHECK(!Settled({c, d, wraps, 2}, budget));
  CHECK(wraps[0].touch.touching);
}

TEST(ASpentBudgetStopsTheSearchAndSaysSo) {
  Surface s;
  s.kind = SurfaceKind::kEllipsoid;
  s.rot = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  s.size[0] = 1, s.size[1] = 0.6, s.size[2] = 0.4;
  s.radius = 0.4;
  SpanWrap wrap;
  wrap.surface = &s;
  wrap.touch.touching = true;
  wrap.touch.p = wrap.touch.q = {0, 0.6, 0};
  const Vec3 a{-2, 0.1, 0.2}, b{2, -0.1, 0.1};
  Budget none, enough{.tries = kTries};
  CHECK(!TightenOne({a, b, &wrap, 1}, 0, none).solved);
  CHECK(TightenOne({a, b, &wrap, 1}, 0, enough).solved);
  CHECK(enough.tries < kTries && !enough.Spent());
}
