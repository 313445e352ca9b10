// A string that shortens itself on one surface. Judges: the horizon by its definition, the length
// along the way, an ellipse by quadrature.

#include <numbers>

#include "core/path/search/solve.h"
#include "tests/kit/check.h"
#include "tests/kit/ellipse.h"
#include "tests/kit/random.h"
#include "tests/kit/smooth.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

Touch On(const Surface& s, const Vec3& p, const Vec3& t, double arc) {
  Touch touch;
  touch.touching = true;
  const Geodesic g = Shoot(s, p, t, arc);
  touch.p = g.p;
  touch.t_p = g.t_p;
  touch.q = g.q;
  touch.arc = arc;
  return touch;
}

}  // namespace

TEST(ATrimmedArcEndsAtTheHorizonsOfBothEnds) {
  Random random(1);
  int trimmed = 0;
  for (int k = 0; k < 200; ++k) {
    const double x = random.Uniform(0.5, 1.5), y = random.Uniform(0.5, 1.5);
    const Surface s = EllipsoidOf(x, y, random.Uniform(0.5, 2));
    const Vec3 a{-random.Uniform(2, 3), random.Uniform(-1, 0), random.Uniform(-0.2, 0.2)};
    const Vec3 b{random.Uniform(2, 3), random.Uniform(-1, 0), random.Uniform(-0.2, 0.2)};
    const EllipseString near = OverEllipse(x, y, {a.x, a.y, 0}, {b.x, b.y, 0});
    Touch touch = On(s, near.p, near.t_p, near.arc * random.Uniform(0.6, 1.4));
    const Touch before = touch;
    Budget budget{.tries = 1000};
    if (!Trim(s, a, b, budget, touch)) continue;
    ++trimmed;
    // seen from a, and from b, the string just touches there
    CHECK_NEAR(Dot(a - touch.p, Normal(s, touch.p)), 0, 1e-7);
    CHECK_NEAR(Dot(b - touch.q, Normal(s, touch.q)), 0, 1e-7);
    // on the same geodesic: shot back from the new start it meets the old one
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    CHECK_NEAR(Norm(g.q - touch.q), 0, 1e-7);
    double nearest = 1e300;
    for (int i = -400; i <= 400; ++i) {
      const Geodesic at = Shoot(s, touch.p, touch.t_p, 0.005 * i);
      nearest = std::min(nearest, Norm(at.q - before.p));
    }
    CHECK(nearest < 0.003);
  }
  CHECK(trimmed > 150);
}

// along a thin capsule, as a sideways arc of it just loses sight of an end: the next horizons of
// that geodesic are almost a turn further round
TEST(ATrimmedArcGainsNoTurn) {
  Surface s;
  s.kind = SurfaceKind::kCapsule;
  s.radius = 0.07865;
  s.size[2] = 0.27923;
  s.rot = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const Vec3 a{-0.01023, 0.08877, 0.48523}, b{-0.00917, -0.09474, -0.20814};
  Touch touch = On(s, {-0.044785, 0.064654, 0.18847}, {-0.11583, -0.080237, -0.99002}, 0.43807);
  const double turn = Shoot(s, touch.p, touch.t_p, touch.arc).turn;
  const Touch before = touch;
  Budget budget{.tries = 1000};
  if (Trim(s, a, b, budget, touch)) {
    CHECK(Shoot(s, touch.p, touch.t_p, touch.arc).turn < turn + std::numbers::pi);
  } else {
    CHECK_EQ(touch.arc, before.arc);
  }
}

TEST(ItBecomesShorterUntilTheCornersAreSmall) {
  Random random(2);
  int down = 0;
  for (int k = 0; k < 100; ++k) {
    const Surface s = RandomSmooth(random, kConvexKinds[k % std::size(kConvexKinds)], 1);
    const Vec3 a = s.pos + random.Uniform(2, 3) * random.Direction();
    const Vec3 b = s.pos - (a - s.pos) + random.InBox(0.5);
    Touch touch = On(s, s.pos + 2 * random.Direction(), b - a, 0.5);
    Budget budget{.tries = 2000};
    if (!Trim(s, a, b, budget, touch)) continue;
    const double before = LengthOver(a, b, touch);
    for (const double corner : {1e-2, 1e-4, 1e-6}) {
      const double start = LengthOver(a, b, touch);
      const int paid = budget.tries;
      if (!Shorten(a, b, s, corner, budget, touch) || !(touch.arc > 0)) break;
      CHECK(LengthOver(a, b, touch) <= start * (1 + 1e-12));
      CHECK(budget.tries < paid);
      // on the surface, and the ends tangent
      CHECK_NEAR(Distance(s, touch.p), 0, 1e-9);
      CHECK_NEAR(Dot(Unit(touch.p - a), Normal(s, touch.p)), 0, 1e-6);
    }
    down += LengthOver(a, b, touch) < before * (1 - 1e-6);
  }
  CHECK(down > 40);
}

TEST(OverASpheroidItEndsOnTheStringAroundTheEquator) {
  // prolate: the equator is the shortest way for everything that starts beside it
  for (const double aside : {0.02, 0.1, 0.3}) {
    const Surface s = EllipsoidOf(1, 1, 3);
    const Vec3 a{-2, -0.5, 0}, b{2, -0.5, 0};
    const EllipseString judge = OverEllipse(1, 1, a, b);
    Touch touch = On(s, judge.p + Vec3{0, 0, aside}, judge.t_p + Vec3{0, 0, 0.1}, judge.arc);
    Budget budget{.tries = 2000};
    CHECK(Shorten(a, b, s, 1e-7, budget, touch));
    CHECK_NEAR(LengthOver(a, b, touch), judge.length, 1e-8);
  }
}

TEST(WithoutABudgetItDoesNotMove) {
  const Surface s = EllipsoidOf(1, 1, 3);
  const Vec3 a{-2, -0.5, 0}, b{2, -0.5, 0};
  const EllipseString judge = OverEllipse(1, 1, a, b);
  Touch touch = On(s, judge.p + Vec3{0, 0, 0.3}, judge.t_p, judge.arc);
  Budget none;
  Touch trimmed = touch;
  CHECK(Trim(s, a, b, none, trimmed));
  CHECK(Shorten(a, b, s, 1e-7, none, touch));
  CHECK_NEAR(LengthOver(a, b, touch), LengthOver(a, b, trimmed), 1e-12);
}
