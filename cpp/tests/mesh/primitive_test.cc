// Plane, sphere, cylinder, cone, torus against differences, against points with noise, and their
// geodesics against the laws they obey.

#include "core/mesh/primitive.h"

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

constexpr PrimitiveKind kKinds[] = {PrimitiveKind::kPlane, PrimitiveKind::kSphere,
                                    PrimitiveKind::kCylinder, PrimitiveKind::kCone,
                                    PrimitiveKind::kTorus};

Primitive RandomPrimitive(Random& random, PrimitiveKind kind) {
  Primitive s;
  s.kind = kind;
  s.center = random.InBox(0.2);
  s.axis = random.Direction();
  if (kind == PrimitiveKind::kPlane) return s;
  s.side = random.Index(2) ? 1 : -1;
  s.radius = random.Uniform(0.3, 0.6);
  if (kind == PrimitiveKind::kTorus) s.ring = random.Uniform(1, 1.5);
  if (kind == PrimitiveKind::kCone) s.slope = random.Uniform(-0.8, 0.8);
  return s;
}

// a point of it, where nothing is singular near
Vec3 PointOf(Random& random, const Primitive& s) {
  for (;;) {
    Vec3 x = s.center + random.InBox(1.5), g;
    const Vec3 away = Cross(x - s.center, s.axis);
    x += -DistanceOf(s, x, g) * g;
    if (s.kind == PrimitiveKind::kCone && !(Norm(Cross(x - s.center, s.axis)) > 0.15)) continue;
    if (Norm(away) > 0.2 && std::abs(DistanceOf(s, x, g)) < 1e-12) return x;
  }
}

TEST(DerivativesMatchDifferences) {
  Random random(1);
  for (PrimitiveKind kind : kKinds) {
    for (int i = 0; i < 100; ++i) {
      const Primitive s = RandomPrimitive(random, kind);
      const Vec3 x = PointOf(random, s) + random.InBox(0.05);
      const Jet jet = JetOf(s, x);
      const double h = 1e-5;
      Vec3 g, m;
      CHECK_EQ(DistanceOf(s, x, g), jet.f);
      CHECK_NEAR(Norm(jet.g), 1, 1e-14);
      for (const Vec3& v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double above = DistanceOf(s, x + h * v, g), below = DistanceOf(s, x - h * v, m);
        CHECK_NEAR(Dot(jet.g, v), (above - below) / (2 * h), 1e-8);
        CHECK_NEAR(Norm(jet.Times(v) - (0.5 / h) * (g - m)), 0, 1e-7);
      }
      double row[kFree];
      Sensitivity(s, x, row);
      for (int k = 0; k < kFree; ++k) {
        if (!MayChange(kind, k)) continue;
        double step[kFree] = {};
        Primitive more = s, less = s;
        step[k] = h;
        Change(step, more);
        step[k] = -h;
        Change(step, less);
        CHECK_NEAR(row[k], (DistanceOf(more, x, g) - DistanceOf(less, x, g)) / (2 * h), 1e-8);
      }
      // parallel surfaces are as far apart everywhere
      CHECK_NEAR(DistanceOf(MovedOut(s, 0.1), x, g), jet.f - 0.1, 1e-14);
    }
  }
}

// From a guess a tenth off to the surface that made the points: what is left is the noise.
TEST(FitsFindWhatThePointsAreOf) {
  Random random(2);
  const double noise = 1e-7;
  for (PrimitiveKind kind : kKinds) {
    int found = 0;
    for (int i = 0; i < 50; ++i) {
      const Primitive s = RandomPrimitive(random, kind);
      std::vector<Vec3> points;
      while (points.size() < 60) {
        points.push_back(PointOf(random, s) + noise * random.Direction());
      }
      Primitive guess = s;
      guess.center += random.InBox(0.05);
      guess.axis = Unit(guess.axis + random.InBox(0.1));
      guess.radius *= random.Uniform(0.9, 1.1);
      const double worst = FitPrimitive(points, guess);
      if (!(worst >= 0 && worst < 2 * noise)) continue;
      ++found;
      Vec3 g;
      for (int k = 0; k < 20; ++k) {
        CHECK_NEAR(DistanceOf(guess, PointOf(random, s), g), 0, 5 * noise);
      }
    }
    CHECK_EQ(found, 50);
  }
}

// A geodesic stays on its surface, is the same in one piece and in two, and keeps Clairaut's
// product of its distance from the axis and of how much it runs around it.
TEST(GeodesicsObeyTheirLaws) {
  Random random(3);
  for (PrimitiveKind kind : kKinds) {
    for (int i = 0; i < 100; ++i) {
      const Primitive s = RandomPrimitive(random, kind);
      const Vec3 x = PointOf(random, s), n = JetOf(s, x).g;
      const Vec3 t = Unit(Cross(n, random.Direction()));
      const ode::State start = {ode::With(x, 1), ode::With(t, 1), All<Lanes>(0)};
      const double step = std::min(StepOf(s, x), 0.5), part = random.Uniform(0, step);
      double bending, half;
      const ode::State end = Advance(s, start, step, bending);
      const ode::State twice = Advance(s, Advance(s, start, part, half), step - part, half);
      const Vec3 q = ode::First(end.x), along = ode::First(end.t);
      Vec3 g;
      CHECK_NEAR(DistanceOf(s, q, g), 0, 1e-10);
      CHECK_NEAR(Dot(g, along), 0, 1e-10);
      CHECK_NEAR(Norm(along), 1, 1e-10);
      CHECK_NEAR(Norm(q - ode::First(twice.x)), 0, 1e-10);
      CHECK_NEAR(end.x[3], twice.x[3], 1e-9);
      CHECK_NEAR(end.rest[1], twice.rest[1], 1e-9);
      CHECK_NEAR(end.rest[2], twice.rest[2], 1e-8);
      // the rotational Jacobi field: how far neighbors part
      const double turn = 1e-5;
      const Vec3 aside = Unit(t + turn * Cross(n, t));
      ode::State other = {ode::With(x, 1), ode::With(aside, 1), All<Lanes>(0)};
      other = Advance(s, other, step, half);
      CHECK_NEAR(Norm(ode::First(other.x) - q) / turn, std::abs(end.rest[1]), 1e-4);
      if (kind == PrimitiveKind::kPlane || kind == PrimitiveKind::kSphere) continue;
      const auto clairaut = [&](const Vec3& at, const Vec3& v) {
        return Dot(Cross(s.axis, at - s.center), v);
      };
      CHECK_NEAR(clairaut(q, along), clairaut(x, t), 1e-10);
    }
  }
}

}  // namespace
}  // namespace mujocable
