// Newton's method on the contacts of a span. Judges: an ellipse by quadrature, brute force over
// spheres and cylinders, finite differences of the second kind for what a minimum is.

#include "core/path/follow/chain.h"

#include <vector>

#include "tests/kit/brute.h"
#include "tests/kit/certificate.h"
#include "tests/kit/check.h"
#include "tests/kit/ellipse.h"
#include "tests/kit/scene.h"

using namespace mujocable;
using namespace mujocable::test;

namespace {

// the wraps of a span from guesses, solved by Newton's method alone
struct Solved {
  bool made = false;
  double error = 0, tolerance = 0, length = 0;
  Run run;
  std::vector<SpanWrap> wraps;
};

Solved Newtons(const Vec3& a, const Vec3& b, std::vector<SpanWrap> wraps, bool certain = false) {
  Solved solved;
  const Strand strand{a, b, wraps.data(), static_cast<int>(wraps.size())};
  mujocable::Chain chains[2];
  solved.made = MakeChain(strand, chains[0]);
  solved.run.certain = certain;
  const mujocable::Chain& chain = Newton(strand, chains, solved.run);
  StoreTouches(chain, strand);
  solved.error = chain.error;
  solved.tolerance = chain.tolerance;
  solved.length = Length(chain);
  solved.wraps = wraps;
  return solved;
}

SpanWrap Guess(const Surface& s, const Vec3& p, const Vec3& t, double arc) {
  SpanWrap wrap;
  wrap.surface = &s;
  wrap.touch.touching = true;
  wrap.touch.p = p;
  wrap.touch.t_p = t;
  wrap.touch.arc = arc;
  return wrap;
}

}  // namespace

TEST(OverAnEllipsoidInItsPlaneItIsTheStringAroundTheEllipse) {
  Random random(1);
  for (int k = 0; k < 60; ++k) {
    const double x = random.Uniform(0.5, 1.5), y = random.Uniform(0.5, 1.5);
    const Surface s = EllipsoidOf(x, y, random.Uniform(1.8, 3));
    const Vec3 a{-random.Uniform(1.8, 3), random.Uniform(-0.8, 0.2), 0};
    const Vec3 b{random.Uniform(1.8, 3), random.Uniform(-0.8, 0.2), 0};
    const EllipseString judge = OverEllipse(x, y, a, b);
    // beside it, turned, too long or too short
    const Vec3 aside = 0.05 * random.InBox(1), turned = 0.1 * random.InBox(1);
    const Solved found = Newtons(
        a, b,
        {Guess(s, judge.p + aside, judge.t_p + turned, judge.arc * random.Uniform(0.8, 1.2))});
    CHECK(found.made && found.error <= found.tolerance);
    CHECK(found.run.iterations < 12);
    // a step of the integrator may be off by 3e-9 radii, an arc takes a few
    CHECK_NEAR(found.length, judge.length, 1e-8 * s.radius);
    CHECK_NEAR(Norm(found.wraps[0].touch.p - judge.p), 0, 1e-8);
    CHECK_NEAR(Norm(found.wraps[0].touch.q - judge.q), 0, 1e-8);
    CHECK_NEAR(found.wraps[0].touch.arc, judge.arc, 1e-8);
  }
}

// Along the equator of a spheroid, semi-axes 1 and z, a string moved aside swings like a spring of
// stiffness 1 / z^2 in the arc and runs straight in the tangents, length d: it can come back to
// both ends, and so has no longer a minimum, once arc / z + 2 atan(d / z) is more than half a turn.
TEST(TheDeterminantTellsAMinimumFromASaddle) {
  const double pi = std::acos(-1.0);
  int minima = 0, saddles = 0;
  for (double reach = 1.2; reach < 3; reach += 0.3) {
    for (double z = 0.5; z < 4; z *= 1.1) {
      const Vec3 a{-reach, -1, 0}, b{reach, -1, 0};
      const EllipseString judge = OverEllipse(1, 1, a, b);
      const double phase = judge.arc / z + 2 * std::atan(Norm(judge.p - a) / z);
      if (std::abs(phase - pi) < 0.02 || phase > 1.9 * pi) continue;
      const Surface s = EllipsoidOf(1, 1, z);
      const Solved found = Newtons(a, b, {Guess(s, judge.p, judge.t_p, judge.arc)}, true);
      CHECK_EQ(found.run.sign<0, phase> pi);
      (phase > pi ? saddles : minima) += 1;
    }
  }
  CHECK(minima > 20 && saddles > 20);
}

TEST(BruteForceOverSpheresAndCylindersFindsTheSame) {
  Random random(2);
  int compared = 0;
  for (int k = 0; k < 30; ++k) {
    const test::Chain built = RandomChain(random, 2);
    if (!IsMinimum(Built(built))) continue;
    std::vector<SpanWrap> wraps;
    std::vector<BruteTouch> touches(2);
    Vec3 from = built.a;
    for (int i = 0; i < 2; ++i) {
      const Surface& s = built.surfaces[i];
      const Vec3 along = built.entry[i] - from;
      // not quite where it was built
      const Vec3 turned = Unit(along) + 1e-2 * random.InBox(1);
      wraps.push_back(
          Guess(s, built.entry[i], turned, built.arc[i] * (1 + 1e-2 * random.Uniform(-1, 1))));
      touches[i].p = touches[i].q = built.hint[i];
      touches[i].swept =
          WayThrough(s, from, built.hint[i], i == 0 ? built.entry[1] : built.b).swept;
      from = built.exit[i];
    }
    const Solved found = Newtons(built.a, built.b, wraps);
    if (!(found.error <= 1e3 * found.tolerance)) continue;  // descent would go on
    ++compared;
    const double brute = BruteChain(built.surfaces, built.a, built.b, touches, 60);
    CHECK(found.length < brute * (1 + 1e-9));
    CHECK_NEAR(found.length, brute, 1e-7 * brute);
  }
  CHECK(compared > 10);
}

TEST(AKeeperIsNoneOfItsBusiness) {
  const Surface s = SphereAt({0, 0, 0}, 1);
  SpanWrap wrap = Guess(s, {0, 1, 0}, {1, 0, 0}, 0.1);
  wrap.touch.held = true;
  mujocable::Chain chain;
  CHECK(!MakeChain({{-2, 0, 0}, {2, 0, 0}, &wrap, 1}, chain));
}
