// Sphere: geodesics against an integration, taut strings against brute force, side memory.

#include "core/surface/sphere.h"

#include "core/surface/circle.h"
#include "tests/kit/brute.h"
#include "tests/kit/check.h"
#include "tests/kit/geodesic_judge.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::CheckNearVector;
using test::Random;
using test::Turned;

Surface RandomSphere(Random& random, double radius) {
  Surface s;
  s.kind = SurfaceKind::kSphere;
  s.radius = radius;
  s.pos = random.InBox(2 * radius);
  s.rot = random.Rotation();
  return s;
}

double Length(const Touch& touch, const Vec3& a, const Vec3& b) {
  return touch.touching ? Norm(touch.p - a) + touch.arc + Norm(b - touch.q) : Norm(b - a);
}

// two points outside a sphere, `swept` (0..pi) apart about the unit vector `normal`
struct Pair {
  double ra, rb, swept;
  Vec3 ua, normal, a, b;
};

Pair RandomPair(Random& random, const Surface& s, double max_swept) {
  Pair pair;
  pair.ra = s.radius * random.Uniform(1.05, 4);
  pair.rb = s.radius * random.Uniform(1.05, 4);
  pair.swept = random.Uniform(0.01, max_swept);
  pair.ua = random.Direction();
  pair.normal = Turned(Perpendicular(pair.ua), random.Uniform(0, 6) * pair.ua);
  pair.a = s.pos + pair.ra * pair.ua;
  pair.b = s.pos + pair.rb * Turned(pair.ua, pair.swept * pair.normal);
  return pair;
}

double AngleBetween(const Vec3& u, const Vec3& v) {
  return std::atan2(Norm(Cross(u, v)), Dot(u, v));
}

// the shortest of several searches from random points near the ends
double BruteLength(Random& random, const Surface& s, const Pair& pair) {
  double shortest = 1e300;
  for (int i = 0; i < 4; ++i) {
    test::BruteTouch brute;
    brute.p = pair.a + 0.3 * pair.ra * random.Direction();
    brute.q = pair.b + 0.3 * pair.rb * random.Direction();
    for (double step : {0.5, 0.1}) {
      shortest = std::min(shortest, test::BruteSphere(s, pair.a, pair.b, step, brute));
    }
  }
  return shortest;
}

TEST(ShootsIntegratedGeodesics) {
  Random random(1);
  for (double radius : {1e-3, 1.0, 1e3}) {
    for (int i = 0; i < 12; ++i) {
      const Surface s = RandomSphere(random, radius);
      const Vec3 p = s.pos + radius * random.Uniform(0.5, 2) * random.Direction();
      test::CheckShot(s, p, random.Direction(), radius * random.Uniform(0, 15));
    }
    const Surface s = RandomSphere(random, radius);
    test::CheckShot(s, s.pos + radius * random.Direction(), random.Direction(), 0);
  }
}

TEST(DirectionWithoutTangentStillGivesAGeodesic) {
  Random random(2);
  const Surface s = RandomSphere(random, 0.3);
  const Vec3 n = random.Direction(), p = s.pos + 0.3 * n;
  for (const Vec3& t : {n, Vec3{}}) {
    const Geodesic g = Shoot(s, p, t, 0.2);
    CHECK_NEAR(Norm(g.t_p), 1, 1e-14);
    CHECK_NEAR(Dot(g.t_p, g.n_p), 0, 1e-14);
    CHECK_NEAR(Distance(s, g.q), 0, 1e-15);
  }
  // from the center itself there is no direction to the surface: any will do, but a finite one
  CHECK(Finite(Shoot(s, s.pos, {0, 0, 1}, 0.2).q));
}

TEST(TautStringIsTheShortest) {
  Random random(3);
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomSphere(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 3.1);
    const Touch touch = Tighten(s, pair.a, pair.b, WayStraight(s, pair.a, pair.b));
    const double clear = std::acos(s.radius / pair.ra) + std::acos(s.radius / pair.rb);
    CHECK_EQ(touch.touching, pair.swept > clear);
    if (!touch.touching) continue;
    ++touching;
    // the compass search is good to 1e-11 where its valley is flat to rounding, never too short
    const double brute = BruteLength(random, s, pair);
    const double length = Length(touch, pair.a, pair.b);
    CHECK_NEAR(length, brute, 1e-11 * brute);
    CHECK(length <= brute * (1 + 1e-14));
    // by hand
    const double r = s.radius;
    CHECK_NEAR(length,
               std::sqrt(pair.ra * pair.ra - r * r) + std::sqrt(pair.rb * pair.rb - r * r) +
                   r * (pair.swept - clear),
               1e-13 * length);
    CHECK_NEAR(touch.turn, pair.swept - clear, 1e-13);
  }
  CHECK(touching > 60);
}

TEST(TautStringMeetsItsSegmentsWithoutACorner) {
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const Surface s = RandomSphere(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 6.2);
    const Touch touch = Tighten(s, pair.a, pair.b, {0, pair.normal});
    if (!touch.touching) continue;
    // the plane of a, b and the center is known to rounding / sine of the angle between them;
    // coordinates of a few radii, segments of at least 0.3 radii
    const double plane = 1e-15 / std::abs(std::sin(pair.swept));
    const double tolerance = 1e-13 + 10 * plane;
    CheckNearVector(Unit(touch.p - pair.a), touch.t_p, tolerance, "entry", __LINE__);
    CheckNearVector(Unit(pair.b - touch.q), touch.t_q, tolerance, "exit", __LINE__);
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    CheckNearVector(g.q, touch.q, tolerance * s.radius, "geodesic", __LINE__);
    CHECK_NEAR(Turning(s, g), touch.turn, 1e-13);
  }
}

TEST(LiftsOffExactlyAtTheTangent) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomSphere(random, 1);
    const double d1 = random.Uniform(0.3, 3), d2 = random.Uniform(0.3, 3);
    // as for the cylinder: the angle is (1 - h)(1/d1 + 1/d2), rounding 1e-15
    for (double gap : {-1e-3, -1e-7, -1e-13, 1e-13, 1e-7, 1e-3}) {
      const Vec3 a = s.pos + Rotate(s.rot, {-d1, 1 + gap, 0});
      const Vec3 b = s.pos + Rotate(s.rot, {d2, 1 + gap, 0});
      const Touch touch = Tighten(s, a, b, WayStraight(s, a, b));
      CHECK_EQ(touch.touching, gap < 0);
      CHECK_EQ(touch.held, false);
      if (!touch.touching) continue;
      const double slope = 1 / d1 + 1 / d2;
      CHECK_NEAR(Length(touch, a, b), Norm(b - a), gap * gap * slope + 1e-14);
      CHECK_NEAR(touch.arc, -gap * slope, gap * gap * (1 + 80 * slope) + 5e-15 * slope);
    }
  }
}

TEST(LongWayIsKeptByMemory) {
  Random random(6);
  for (int trial = 0; trial < 30; ++trial) {
    const Surface s = RandomSphere(random, std::pow(10.0, trial % 7 - 3));
    const double r = s.radius, ra = r * random.Uniform(1.05, 3), rb = r * random.Uniform(1.05, 3);
    const Vec3 ua = random.Direction();
    const Vec3 normal = Turned(Perpendicular(ua), random.Uniform(0, 6) * ua);
    const Vec3 a = s.pos + ra * ua;
    const double clear = std::acos(r / ra) + std::acos(r / rb);
    // b goes once around the sphere; past the antipode the shorter way would be the other one
    Homotopy way = WayThrough(s, a, s.pos + 2 * r * Turned(ua, 1.0 * normal),
                              s.pos + rb * Turned(ua, 2.0 * normal));
    for (double swept = 2; swept < 6.2; swept += 0.05) {
      const Vec3 b = s.pos + rb * Turned(ua, swept * normal);
      const Touch touch = Tighten(s, a, b, way);
      CHECK_EQ(touch.touching, swept > clear);
      if (!touch.touching) break;
      // exactly at the antipode the plane itself is remembered; near it, rounding / sine
      CHECK_NEAR(touch.turn, swept - clear, 1e-12);
      CheckNearVector(Unit(touch.way.plane), normal, 1e-12, "plane", __LINE__);
      way = touch.way;
    }
  }
}

TEST(AntipodeIsPassedInTheRememberedPlane) {
  // a, the center and b on one line: no plane of their own, the memory's is taken
  Surface s;
  s.radius = 0.1;
  const Vec3 a{-0.3, 0, 0}, b{0.2, 0, 0};
  const double length = std::sqrt(0.09 - 0.01) + std::sqrt(0.04 - 0.01) +
                        0.1 * (kPi - std::acos(1.0 / 3) - std::acos(0.5));
  for (const Vec3& plane : {Vec3{0, 0, 1}, Vec3{0, -1, 0}, Vec3{1e-3, 0.6, 0.8}, Vec3{5, 0, 1}}) {
    const Touch touch = Tighten(s, a, b, {0, plane});
    CHECK(touch.touching);
    CHECK_NEAR(Length(touch, a, b), length, 1e-15);
    CHECK(Dot(touch.way.plane, plane) > 0);
  }
  // and without memory any plane will do
  const Touch touch = Tighten(s, a, b, {});
  CHECK(touch.touching);
  CHECK_NEAR(Length(touch, a, b), length, 1e-15);
}

TEST(SideOfAPolyline) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const Surface s = RandomSphere(random, std::pow(10.0, i % 7 - 3));
    const Vec3 ua = random.Direction();
    const Vec3 normal = Turned(Perpendicular(ua), random.Uniform(0, 6) * ua);
    const double first = random.Uniform(0.05, 3), second = random.Uniform(0.05, 3);
    if (std::abs(first + second - kPi) < 0.01) continue;
    const auto at = [&](double angle) {
      return s.pos + s.radius * random.Uniform(1, 3) * Turned(ua, angle * normal);
    };
    const Vec3 a = at(0), b = at(first + second);
    // via may lie off the plane of a and b
    const Vec3 via = at(first) + random.Uniform(-0.5, 0.5) * s.radius * normal;
    const Homotopy way = WayThrough(s, a, via, b);
    CHECK_NEAR(Dot(Unit(way.plane), normal), 1, 1e-12);
    // the straight line goes the shorter way
    const double sign = first + second < kPi ? 1 : -1;
    CHECK_NEAR(Dot(Unit(WayStraight(s, a, b).plane), normal), sign, 1e-12);
  }
}

TEST(ArcGivesItsOwnPlane) {
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const Surface s = RandomSphere(random, 0.2);
    const Pair pair = RandomPair(random, s, 3.1);
    const Touch touch = Tighten(s, pair.a, pair.b, WayStraight(s, pair.a, pair.b));
    if (!touch.touching) continue;
    const Homotopy way = WayOfArc(s, touch.p, touch.t_p, {});
    CHECK_NEAR(Dot(Unit(way.plane), pair.normal), 1, 1e-13);
  }
}

TEST(LiftedStringComesBackTheShorterWay) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const Surface s = RandomSphere(random, 1);
    const double angle = random.Uniform(0, 6);
    const Vec3 up = Rotate(s.rot, {0, std::cos(angle), std::sin(angle)});
    const Vec3 x = s.rot.Column(0);
    // above the sphere: lifted; then lowered: it lies on top again
    const auto at = [&](double height, double along) { return s.pos + along * x + height * up; };
    const Touch lifted =
        Tighten(s, at(1.2, -2), at(1.2, 2), WayStraight(s, at(1.2, -2), at(1.2, 2)));
    CHECK(!lifted.touching);
    const Touch touch = Tighten(s, at(0.5, -2), at(0.5, 2), lifted.way);
    CHECK(touch.touching);
    CHECK(Dot(touch.p - s.pos, up) > 0);
  }
}

TEST(KeeperHoldsTheStringWhereItIsShortest) {
  Random random(10);
  int held = 0;
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomSphere(random, std::pow(10.0, i % 7 - 3));
    const Pair pair = RandomPair(random, s, 2.5);
    const Homotopy way = WayStraight(s, pair.a, pair.b);
    const Touch touch = TightenKept(s, pair.a, pair.b, way);
    CHECK(touch.touching);
    if (pair.swept > std::acos(s.radius / pair.ra) + std::acos(s.radius / pair.rb)) {
      CHECK(!touch.held);
      CHECK_EQ(touch.arc, Tighten(s, pair.a, pair.b, way).arc);
      continue;
    }
    ++held;
    CHECK(touch.held);
    CHECK_EQ(touch.arc, 0.0);
    // shortest a -> X -> b over all points X of the sphere
    const auto length = [&](const std::vector<double>& x) {
      const Vec3 point = s.pos + s.radius * test::AroundPole(pair.ua, x[0], x[1], kPi);
      return Norm(point - pair.a) + Norm(pair.b - point);
    };
    double shortest = 1e300;
    for (int k = 0; k < 4; ++k) {
      std::vector<double> x = {random.Uniform(-1, 1), random.Uniform(-1, 1)};
      shortest = std::min(shortest, test::CompassSearch(length, x, 0.3, 1e-10));
    }
    CHECK_NEAR(Length(touch, pair.a, pair.b), shortest, 1e-13 * (shortest + s.radius));
    CHECK_NEAR(Distance(s, touch.p), 0, 1e-14 * s.radius);
    CHECK_NEAR(touch.turn, AngleBetween(Unit(touch.p - pair.a), Unit(pair.b - touch.q)), 1e-13);
  }
  CHECK(held > 100);
}

// the plane of such a string is known to a few digits only, and its normal is not square to it
TEST(KeeperHoldsTheStringOnTheSphereWhereItIsNearlyRadial) {
  Random random(17);
  for (int i = 0; i < 2000; ++i) {
    const Surface s = RandomSphere(random, std::pow(10, random.Uniform(-3, 1)));
    const Vec3 out = random.Direction();
    const double off = std::pow(10, random.Uniform(-12, -8));
    const Vec3 a = s.pos + s.radius * random.Uniform(1.05, 4) * out;
    const Vec3 b = s.pos + s.radius * random.Uniform(1.05, 4) * (out + off * random.Direction());
    const Touch touch = TightenKept(s, a, b, {0, random.Direction(), true});
    CHECK(touch.touching);
    CHECK_NEAR(Norm(touch.p - s.pos), s.radius, 1e-14 * s.radius);  // rounding of places
    CHECK(Norm(touch.p - s.pos - s.radius * out) < 1.01 * off * s.radius + 1e-14 * s.radius);
  }
}

TEST(DistanceNormalAndDepth) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const Surface s = RandomSphere(random, std::pow(10.0, i % 7 - 3));
    const double r = s.radius, d = r * random.Uniform(0, 3);
    const Vec3 u = random.Direction(), x = s.pos + d * u;
    CHECK_NEAR(Distance(s, x), d - r, 1e-14 * r);
    CheckNearVector(Normal(s, x), u, 1e-14 * r / (d + 1e-3 * r), "normal", __LINE__);
    const Vec3 y = s.pos + r * random.Uniform(0, 3) * random.Direction();
    const auto distance = [&](double w) { return Distance(s, x + w * (y - x)); };
    const double nearest =
        std::min({distance(0), distance(1), distance(test::GoldenSection(distance, 0, 1))});
    CHECK_NEAR(SegmentDepth(s, x, y), std::max(0.0, -nearest), 1e-12 * r);
    CHECK_NEAR(SegmentDepth(s, x, x), std::max(0.0, -Distance(s, x)), 1e-14 * r);
  }
}

}  // namespace
}  // namespace mujocable
