// Knots pulled taut over one surface. Judges: closed forms over a ball and around an ellipse; a
// string of knots can only be a little shorter (its chords cut the arc) and never much longer.

#include "core/path/search/knots.h"

#include "core/path/search/solve.h"
#include "tests/kit/check.h"
#include "tests/kit/ellipse.h"
#include "tests/kit/random.h"
#include "tests/kit/scene.h"
#include "tests/kit/smooth.h"

using namespace mujocable;
using namespace mujocable::test;

TEST(PulledTautTheyAreTheStringAroundTheEllipse) {
  Random random(1);
  for (int k = 0; k < 40; ++k) {
    const double x = random.Uniform(0.6, 1.4), y = random.Uniform(0.6, 1.4);
    const Surface s = EllipsoidOf(x, y, 2.5);
    const Vec3 a{-random.Uniform(1.8, 3), random.Uniform(-0.8, 0.2), 0};
    const Vec3 b{random.Uniform(1.8, 3), random.Uniform(-0.8, 0.2), 0};
    const EllipseString judge = OverEllipse(x, y, a, b);
    // through a point above, beside the plane of the string
    KnotString string = KnotString::Through(s, a, b, {0.1, y, random.Uniform(-0.3, 0.3)});
    string.Pull(2000);
    // chords of an arc with kKnots pieces at most: shorter by its turn squared / 24 of each
    const double turn = judge.arc / std::min(x, y) / 10;
    CHECK_NEAR(string.Length(), judge.length, judge.arc * turn * turn / 24 + 1e-6);
    Touch touch;
    CHECK(string.Arc(touch));
    CHECK_NEAR(touch.p.z, 0, 1e-2);  // rough: Newton's method does the rest
    // ends within a piece of where the string touches
    CHECK_NEAR(Norm(touch.p - judge.p), 0, 0.15 * judge.arc + 0.05);
    CHECK_NEAR(Norm(touch.q - judge.q), 0, 0.15 * judge.arc + 0.05);
  }
}

TEST(TheSideIsThatOfThePoint) {
  const Surface s = EllipsoidOf(1, 0.5, 2);
  for (const double side : {1.0, -1.0}) {
    const Vec3 a{-2, 0.1 * side, 0}, b{2, -0.2 * side, 0};
    KnotString string = KnotString::Through(s, a, b, {0, 0.5 * side, 0});
    string.Pull(500);
    Touch touch;
    CHECK(string.Arc(touch));
    CHECK(side * touch.p.y > 0 && side * touch.q.y > 0);
  }
}

TEST(PullingNeverLengthensAString) {
  Random random(2);
  for (int k = 0; k < 60; ++k) {
    const Surface s = RandomSmooth(random, kConvexKinds[k % std::size(kConvexKinds)], 1);
    const Vec3 a = s.pos + random.Uniform(2, 3) * random.Direction();
    const Vec3 b = s.pos - (a - s.pos) + random.InBox(1);
    const Vec3 top = s.pos + 2 * random.Direction();
    KnotString string = KnotString::Through(s, a, b, top - Distance(s, top) * Normal(s, top));
    string.Pull(30);
    double before = string.Length();
    for (int i = 0; i < 6; ++i) {
      const double move = string.Pull(100);
      // over-relaxed: it may swing a little, by less than a knot moves
      CHECK(string.Length() <= before * (1 + 1e-6) + move * s.radius);
      before = string.Length();
    }
    CHECK(string.Length() >= Norm(b - a) * (1 - 1e-12));
  }
}

TEST(ALedStringKeepsToTheSurface) {
  // the straight line is clear of the ball, an adhering string is not let go
  Surface s = EllipsoidOf(1, 1, 1);
  const Vec3 a{-2, 1.5, 0}, b{2, 1.5, 0};
  KnotString string = KnotString::Through(s, a, b, {0, 1, 0});
  string.Adhere();
  string.Pull(200);
  Touch touch;
  CHECK(string.Arc(touch));
  CHECK_NEAR(Distance(s, touch.p), 0, 1e-9);
  CHECK_NEAR(Distance(s, touch.q), 0, 1e-9);
  KnotString free = KnotString::Through(s, a, b, {0, 1, 0});
  free.Pull(2000);
  CHECK(!free.Arc(touch));
  CHECK_NEAR(free.Length(), 4, 1e-4);
}

TEST(ThroughARingTheyStayInItsHole) {
  Random random(3);
  int through = 0;
  for (int k = 0; k < 100; ++k) {
    Surface ring;
    ring.kind = SurfaceKind::kTorus;
    ring.rot = random.Rotation();
    ring.size[0] = 1;
    ring.radius = 0.2;
    const Vec3 axis = ring.rot.Column(2), far = random.InBox(3);
    const Vec3 aside = far - Dot(far, axis) * axis;
    const Vec3 a = random.Uniform(1, 3) * axis + aside, b = -random.Uniform(1, 3) * axis + aside;
    // through the hole, beside the straight line
    const Vec3 center[1] = {Vec3{}};
    KnotString string = KnotString::Along(ring, a, b, center, 1);
    string.Extend();
    string.Pull(600);
    Touch touches[2];
    const int count = string.Arcs(touches, 2);
    // its contacts say how it passes: inside the center line
    for (int i = 0; i < count; ++i) {
      const Vec3 x = touches[i].p, flat = x - Dot(x, axis) * axis;
      if (std::abs(Dot(x, axis)) < 0.05) CHECK(Norm(flat) < 1);
    }
    through += count > 0;
    // no shorter than over the nearest point of the hole
    const Vec3 rim = std::min(0.8, Norm(aside)) * Unit(aside, ring.rot.Column(0));
    CHECK(string.Length() >= (Norm(rim - a) + Norm(b - rim)) * (1 - 0.02));
  }
  CHECK(through > 30);
}
