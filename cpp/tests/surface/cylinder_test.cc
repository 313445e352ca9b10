// Cylinder: geodesics against an integration, taut strings against brute force, windings.

#include "core/surface/cylinder.h"

#include "core/surface/circle.h"
#include "tests/kit/brute.h"
#include "tests/kit/check.h"
#include "tests/kit/geodesic_judge.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::AtPolar;
using test::CheckNearVector;
using test::Random;

Surface RandomCylinder(Random& random, double radius) {
  Surface s;
  s.kind = SurfaceKind::kCylinder;
  s.radius = radius;
  s.half_length = 3 * radius;
  s.pos = random.InBox(2 * radius);
  s.rot = random.Rotation();
  return s;
}

double Length(const Touch& touch, const Vec3& a, const Vec3& b) {
  return touch.touching ? Norm(touch.p - a) + touch.arc + Norm(b - touch.q) : Norm(b - a);
}

// two points outside a cylinder, `swept` apart around it
struct Pair {
  double ra, rb, angle, swept, za, zb;
  Vec3 a, b;
};

Pair RandomPair(Random& random, const Surface& s, double max_swept) {
  Pair pair;
  pair.ra = s.radius * random.Uniform(1.05, 4);
  pair.rb = s.radius * random.Uniform(1.05, 4);
  pair.angle = random.Uniform(-kPi, kPi);
  pair.swept = random.Uniform(-max_swept, max_swept);
  pair.za = s.radius * random.Uniform(-2, 2);
  pair.zb = s.radius * random.Uniform(-2, 2);
  pair.a = AtPolar(s, pair.ra, pair.angle, pair.za);
  pair.b = AtPolar(s, pair.rb, pair.angle + pair.swept, pair.zb);
  return pair;
}

TEST(ShootsIntegratedGeodesics) {
  Random random(1);
  for (double radius : {1e-3, 1.0, 1e3}) {
    for (int i = 0; i < 12; ++i) {
      const Surface s = RandomCylinder(random, radius);
      // the start need not lie on the surface nor the direction in its tangent plane
      const Vec3 p = AtPolar(s, radius * random.Uniform(0.5, 2), random.Uniform(-kPi, kPi),
                             radius * random.Uniform(-2, 2));
      test::CheckShot(s, p, random.Direction(), radius * random.Uniform(0, 15));
    }
    // along the circle, along the axis, no length at all
    const Surface s = RandomCylinder(random, radius);
    const Vec3 p = AtPolar(s, radius, 1, 0);
    test::CheckShot(s, p, Rotate(s.rot, {-std::sin(1.0), std::cos(1.0), 0}), 20 * radius);
    test::CheckShot(s, p, s.rot.Column(2), 5 * radius);
    test::CheckShot(s, p, random.Direction(), 0);
  }
}

TEST(DirectionWithoutTangentStillGivesAGeodesic) {
  Random random(2);
  const Surface s = RandomCylinder(random, 0.3);
  const Vec3 p = AtPolar(s, 0.3, 0.4, 0.1);
  for (const Vec3& t : {Normal(s, p), Vec3{}}) {
    const Geodesic g = Shoot(s, p, t, 0.2);
    CHECK_NEAR(Norm(g.t_p), 1, 1e-14);
    CHECK_NEAR(Dot(g.t_p, g.n_p), 0, 1e-14);
    CHECK_NEAR(Distance(s, g.q), 0, 1e-15);
  }
}

TEST(TautStringIsTheShortest) {
  Random random(3);
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomCylinder(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 9);
    const Touch touch = Tighten(s, pair.a, pair.b, {pair.swept, {}});
    // a class given a little wrong is corrected, never turned into another
    const Touch nearby = Tighten(s, pair.a, pair.b, {pair.swept + random.Uniform(-3, 3), {}});
    CHECK_NEAR(touch.way.swept, pair.swept, 1e-12);
    CHECK_NEAR(Length(nearby, pair.a, pair.b), Length(touch, pair.a, pair.b), 1e-13 * s.radius);

    // by hand: the line clears the cylinder on this side when the tangents overlap
    const double clear = std::acos(s.radius / pair.ra) + std::acos(s.radius / pair.rb);
    CHECK_EQ(touch.touching, std::abs(pair.swept) > clear);
    if (!touch.touching) continue;
    ++touching;
    // the search stalls where a valley is flat to rounding: its lengths are good to 1e-11, never
    // too short. Where the points lie it knows worse: off the tangent point by d the length changes
    // by d^3/6 (radius/tangent)^2, so d may be the cube root of 6 * 4^2 * 1e-11 = 1e-3
    test::BruteTouch brute;
    brute.swept = pair.swept;
    brute.p = pair.a;
    brute.q = pair.b;
    double shortest = 0;
    for (double step : {0.5, 0.1}) {
      shortest = test::BruteCylinder(s, pair.a, pair.b, step, brute);
    }
    CHECK_NEAR(Length(touch, pair.a, pair.b), shortest, 1e-11 * shortest);
    CHECK(Length(touch, pair.a, pair.b) <= shortest * (1 + 1e-14));
    CheckNearVector(touch.p, brute.p, 2e-3 * s.radius, "entry", __LINE__);
    CheckNearVector(touch.q, brute.q, 2e-3 * s.radius, "exit", __LINE__);
  }
  CHECK(touching > 150);
}

TEST(TautStringMeetsItsSegmentsWithoutACorner) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const Surface s = RandomCylinder(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 30);
    const Touch touch = Tighten(s, pair.a, pair.b, {pair.swept, {}});
    if (!touch.touching) continue;
    // coordinates of a few radii, segments of at least 0.3 radii: 2.2e-16 * 10 / 0.3
    CheckNearVector(Unit(touch.p - pair.a), touch.t_p, 1e-13, "entry", __LINE__);
    CheckNearVector(Unit(pair.b - touch.q), touch.t_q, 1e-13, "exit", __LINE__);
    // exit and turning are those of the geodesic that leaves the entry; 30 radii of arc
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    CheckNearVector(g.q, touch.q, 1e-13 * s.radius, "geodesic", __LINE__);
    CHECK_NEAR(Turning(s, g), touch.turn, 1e-13);
  }
}

TEST(LiftsOffExactlyAtTheTangent) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomCylinder(random, 1);
    const double d1 = random.Uniform(0.3, 3), d2 = random.Uniform(0.3, 3),
                 z = random.Uniform(-1, 1);
    // a line at height h over the axis: below the radius it touches, by an angle (1 - h)(1/d1 +
    // 1/d2); rounding of the angles is 1e-15, so a clearance of 1e-13 decides
    for (double gap : {-1e-3, -1e-7, -1e-13, 1e-13, 1e-7, 1e-3}) {
      const Vec3 a = s.pos + Rotate(s.rot, {-d1, 1 + gap, 0});
      const Vec3 b = s.pos + Rotate(s.rot, {d2, 1 + gap, z});
      const Touch touch = Tighten(s, a, b, WayStraight(s, a, b));
      CHECK_EQ(touch.touching, gap < 0);
      CHECK_EQ(touch.held, false);
      const double straight = Norm(b - a);
      if (!touch.touching) {
        CHECK_EQ(touch.arc, 0.0);
        CHECK_EQ(touch.turn, 0.0);
        continue;
      }
      // the detour is of second order in the depth, the arc of first: both vanish together
      const double slope = 1 / d1 + 1 / d2;
      CHECK_NEAR(Length(touch, a, b), straight, gap * gap * slope + 1e-14);
      // next order of the angle: gap^2 (1/d + 1/d^3) at either side, d >= 0.3; angles to 1e-15
      const double wrap = touch.arc * (d1 + d2) / std::hypot(d1 + d2, z);
      CHECK_NEAR(wrap, -gap * slope, gap * gap * (1 + 80 * slope) + 5e-15 * slope);
    }
  }
}

TEST(WindingsAreUnboundedAndComeBack) {
  Random random(6);
  const double r = 0.02;
  const Surface s = RandomCylinder(random, r);
  const double ra = 0.05, rb = 0.031, start = 0.4;
  const Vec3 a = AtPolar(s, ra, start, 0.01);
  Homotopy way = WayStraight(s, a, AtPolar(s, rb, start, -0.03));
  const double free = std::sqrt(ra * ra - r * r) + std::sqrt(rb * rb - r * r);
  const double seen = std::acos(r / ra) + std::acos(r / rb);
  const int turns = 50, steps = 200;  // twelve steps to a turn
  for (int k = -steps; k <= 3 * steps; ++k) {
    // out to +50 turns, back through zero to -50 and home: a triangle
    const double u = k <= steps ? k : 2 * steps - k;
    const double swept = 2 * kPi * turns * u / steps / 4;
    const Vec3 b = AtPolar(s, rb, start + swept, -0.03);
    if (k == -steps) way.swept = swept + 0.1;
    way = Follow(s, a, b, way);
    const Touch touch = Tighten(s, a, b, way);
    // angles of 80 radians carry 80 * 1.1e-16 each, times the radius in the length
    CHECK_NEAR(way.swept, swept, 1e-12);
    CHECK_NEAR(touch.way.swept, swept, 1e-12);
    const double wrap = std::max(0.0, std::abs(swept) - seen);
    if (wrap == 0) continue;
    const double length = std::hypot(free + r * wrap, 0.04);
    CHECK_NEAR(Length(touch, a, b), length, 1e-12 * r + 1e-14 * length);
  }
}

TEST(FollowNeverJumps) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Surface s = RandomCylinder(random, 1);
    double ta = 0, tb = random.Uniform(-20, 20);
    Homotopy way{tb, {}};
    for (int k = 0; k < 300; ++k) {
      // both ends wander; their difference may change by less than half a turn in a step
      const double da = random.Uniform(-1.5, 1.5), db = random.Uniform(-1.5, 1.5);
      ta += da;
      tb += db;
      way = Follow(s, AtPolar(s, random.Uniform(1, 5), ta, random.Uniform(-3, 3)),
                   AtPolar(s, random.Uniform(1, 5), tb, random.Uniform(-3, 3)), way);
      CHECK_NEAR(way.swept, tb - ta, 1e-12);
    }
  }
}

TEST(ClassOfAPolyline) {
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    const Surface s = RandomCylinder(random, 1);
    const double angle = random.Uniform(-kPi, kPi);
    const double first = random.Uniform(-3, 3), second = random.Uniform(-3, 3);
    const Vec3 a = AtPolar(s, random.Uniform(1, 3), angle, random.Uniform(-1, 1));
    const Vec3 via = AtPolar(s, random.Uniform(1, 3), angle + first, random.Uniform(-1, 1));
    const Vec3 b = AtPolar(s, random.Uniform(1, 3), angle + first + second, random.Uniform(-1, 1));
    CHECK_NEAR(WayThrough(s, a, via, b).swept, first + second, 1e-13);
    // the straight line turns by less than half a turn
    CHECK_NEAR(WayStraight(s, a, via).swept, first, 1e-13);
  }
}

TEST(KeeperHoldsTheStringWhereItIsShortest) {
  Random random(9);
  int held = 0;
  for (int i = 0; i < 400; ++i) {
    const Surface s = RandomCylinder(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 3);
    const Touch touch = TightenKept(s, pair.a, pair.b, {pair.swept, {}});
    CHECK(touch.touching);
    if (std::abs(pair.swept) > std::acos(s.radius / pair.ra) + std::acos(s.radius / pair.rb)) {
      // wrapped by itself: the keeper has nothing to do
      const Touch free = Tighten(s, pair.a, pair.b, {pair.swept, {}});
      CHECK(!touch.held);
      CHECK_EQ(touch.arc, free.arc);
      continue;
    }
    ++held;
    CHECK(touch.held);
    CHECK_EQ(touch.arc, 0.0);
    // shortest a -> X -> b over all points X of the sector: compass search from several starts
    const double sense = pair.swept < 0 ? -1 : 1, span = std::abs(pair.swept);
    const auto length = [&](const std::vector<double>& x) {
      const double u = std::clamp(x[0], 0.0, span);
      const Vec3 point = AtPolar(s, s.radius, pair.angle + sense * u, s.radius * x[1]);
      return Norm(point - pair.a) + Norm(pair.b - point);
    };
    double shortest = 1e300;
    for (double share : {0.1, 0.5, 0.9}) {
      std::vector<double> x = {share * span, (pair.za + pair.zb) / 2 / s.radius};
      shortest = std::min(shortest, test::CompassSearch(length, x, 0.3, 1e-10));
    }
    CHECK_NEAR(Length(touch, pair.a, pair.b), shortest, 1e-13 * (shortest + s.radius));
    CHECK_NEAR(Distance(s, touch.p), 0, 1e-14 * s.radius);
    // the turn is the corner
    const double corner =
        std::acos(std::clamp(Dot(Unit(touch.p - pair.a), Unit(pair.b - touch.q)), -1.0, 1.0));
    CHECK_NEAR(touch.turn, corner, 1e-7);  // acos near 1 knows half the digits
    CheckNearVector(touch.t_p, Unit(touch.p - pair.a), 1e-13, "arriving", __LINE__);
    CheckNearVector(touch.t_q, Unit(pair.b - touch.q), 1e-13, "leaving", __LINE__);
  }
  CHECK(held > 100);
}

TEST(KeeperTakesOverContinuously) {
  // a string that lifts off: arc and corner both vanish at the tangent, the length has no step
  Surface s;
  s.kind = SurfaceKind::kCylinder;
  s.radius = 0.01;
  const auto at = [&](double h) {
    const Vec3 a{-0.03, h, 0}, b{0.05, h, 0.01};
    return Length(TightenKept(s, a, b, WayStraight(s, a, b)), a, b);
  };
  double before = at(0.008);
  const double step = 1e-5;
  for (double h = 0.008; h < 0.013; h += step) {
    const double now = at(h);
    // dL/dh is the sum of two sines: at most 2
    CHECK_NEAR(now, before, 2 * step + 1e-15);
    before = now;
  }
}

TEST(PointsOnTheSurfaceHaveNoTangentSegment) {
  // a drum: one end lies on the surface; the string leaves along the tangent at once, and an end
  // a hair above gives the same length
  Random random(10);
  for (int i = 0; i < 200; ++i) {
    const Surface s = RandomCylinder(random, 1);
    const double swept = random.Uniform(2, 40), angle = random.Uniform(-kPi, kPi);
    const double rb = random.Uniform(1.5, 4), z = random.Uniform(-2, 2);
    const Vec3 b = AtPolar(s, rb, angle + swept, z);
    const double planar = swept - std::acos(1 / rb) + std::sqrt(rb * rb - 1);
    double reference = 0;
    for (double height : {0.0, 1e-12, 0.9 * kOnSurface, 1.1 * kOnSurface, 1e-8}) {
      const Vec3 a = AtPolar(s, 1 + height, angle, 0);
      const Touch touch = Tighten(s, a, b, {swept, {}});
      const double length = Length(touch, a, b);
      if (height == 0) {
        reference = length;
        CheckNearVector(touch.p, a, 1e-14, "entry at the end itself", __LINE__);
        CHECK_NEAR(length, std::hypot(planar, z), 1e-13 * (1 + swept));
      }
      // from height h the exact length is longer by (2h)^(3/2)/3 (radii): the constant's own note
      const double longer = std::pow(2 * height, 1.5) / 3;
      CHECK_NEAR(length, reference + longer, height + 1e-13 * (1 + swept));
    }
  }
}

TEST(DistanceNormalDepthAndOverrun) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomCylinder(random, std::pow(10.0, i % 7 - 3));
    const double r = s.radius, d = r * random.Uniform(0, 3), angle = random.Uniform(-kPi, kPi);
    const double z = r * random.Uniform(-6, 6);
    const Vec3 x = AtPolar(s, d, angle, z);
    CHECK_NEAR(Distance(s, x), d - r, 1e-14 * r);
    CheckNearVector(Normal(s, x), Rotate(s.rot, {std::cos(angle), std::sin(angle), 0}),
                    1e-14 * r / (d + 1e-3 * r), "normal", __LINE__);
    const auto height = Dot(s.rot.Column(2), PairOf(x, s.pos) - s.pos);
    CHECK_NEAR(Overrun(s, height), std::max(0.0, std::abs(z) - s.half_length), 1e-14 * r);

    // depth of a segment: the distance to the axis is convex along it
    const Vec3 y =
        AtPolar(s, r * random.Uniform(0, 3), random.Uniform(-kPi, kPi), r * random.Uniform(-6, 6));
    const auto distance = [&](double u) { return Distance(s, x + u * (y - x)); };
    const double nearest =
        std::min({distance(0), distance(1), distance(test::GoldenSection(distance, 0, 1))});
    CHECK_NEAR(SegmentDepth(s, x, y), std::max(0.0, -nearest), 1e-12 * r);
    CHECK_NEAR(SegmentDepth(s, x, x), std::max(0.0, -Distance(s, x)), 1e-14 * r);
  }
}

}  // namespace
}  // namespace mujocable
