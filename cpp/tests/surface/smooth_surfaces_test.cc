// Ellipsoid, torus, capsule, rounded box: geodesics against an unconstrained integration, natural
// variations against differences, distances and depths against sampling.

#include <algorithm>

#include "core/surface/surface.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/smooth.h"

namespace mujocable {
namespace {

using test::Random;
using test::RandomSmooth;

constexpr auto& kKinds = test::kSmoothKinds;

// outward normal and II(t, t) by differences of the signed distance alone
double Bending(const Surface& s, const Vec3& x, const Vec3& t) {
  const double h = 1e-4 * s.radius;
  return (Distance(s, x + h * t) + Distance(s, x - h * t) - 2 * Distance(s, x)) / (h * h);
}

// x'' = -II(t, t) n by the classical Runge-Kutta method with many steps, nothing projected
void Integrate(const Surface& s, Vec3& x, Vec3& t, double length, int steps) {
  const double h = length / steps;
  const auto force = [&](const Vec3& p, const Vec3& v) { return -Bending(s, p, v) * Normal(s, p); };
  for (int i = 0; i < steps; ++i) {
    const Vec3 a1 = force(x, t), v2 = t + (h / 2) * a1;
    const Vec3 a2 = force(x + (h / 2) * t, v2), v3 = t + (h / 2) * a2;
    const Vec3 a3 = force(x + (h / 2) * v2, v3), v4 = t + h * a3;
    const Vec3 a4 = force(x + h * v3, v4);
    x += (h / 6) * (t + 2 * v2 + 2 * v3 + v4);
    t += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

TEST(GeodesicsMatchAnUnconstrainedIntegration) {
  Random random(1);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (SurfaceKind kind : kKinds) {
      for (int i = 0; i < 10; ++i) {
        const Surface s = RandomSmooth(random, kind, scale);
        if (HasFlats(s)) continue;  // differences do not know the curvature at a joint of pieces
        const Vec3 p = s.pos + 2 * scale * random.Direction();
        const Geodesic g = Shoot(s, p, random.Direction(), s.radius * random.Uniform(0.1, 1.5));
        Vec3 x = g.p, t = g.t_p;
        Integrate(s, x, t, g.length, 400);
        // the differences know the curvature to 1e-7
        CHECK_NEAR(Norm(x - g.q) / s.radius, 0, 1e-6);
        CHECK_NEAR(Norm(t - g.t_q), 0, 1e-6);
      }
    }
  }
}

TEST(GeodesicsComposeAndRunBackward) {
  Random random(2);
  for (SurfaceKind kind : kKinds) {
    for (int i = 0; i < 200; ++i) {
      const Surface s = RandomSmooth(random, kind, 1);
      const double length = s.radius * random.Uniform(0, 3);
      const Geodesic g = Shoot(s, s.pos + 2 * random.Direction(), random.Direction(), length);
      CHECK_NEAR(Distance(s, g.p), 0, 1e-14);
      CHECK_NEAR(Distance(s, g.q), 0, 1e-14);
      CHECK_NEAR(Dot(g.t_q, g.n_q), 0, 1e-14);
      CHECK_NEAR(Norm(Normal(s, g.q) - g.n_q), 0, 1e-12);
      // in thirty pieces: drift below 1e-8, as Simbody asks of its own
      Vec3 x = g.p, t = g.t_p;
      double turn = 0;
      for (int k = 0; k < 30; ++k) {
        const Geodesic piece = Shoot(s, x, t, length / 30);
        x = piece.q;
        t = piece.t_q;
        turn += piece.turn;
      }
      CHECK_NEAR(Norm(x - g.q) / s.radius, 0, 2e-8);
      CHECK_NEAR(Norm(t - g.t_q), 0, 2e-8);
      CHECK_NEAR(turn, g.turn, 2e-8);
      const Geodesic back = Shoot(s, g.q, g.t_q, -length);
      CHECK_NEAR(Norm(back.q - g.p) / s.radius, 0, 3e-8);
    }
  }
}

TEST(NaturalVariationsPredictTheEndFrame) {
  Random random(3);
  for (SurfaceKind kind : kKinds) {
    for (int i = 0; i < 200; ++i) {
      const Surface s = RandomSmooth(random, kind, 1);
      const double length = s.radius * random.Uniform(0.1, 2), h = 1e-5;
      const Geodesic g = Shoot(s, s.pos + 2 * random.Direction(), random.Direction(), length);
      const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
      const auto check = [&](const Geodesic& up, const Geodesic& down, double a, double da) {
        // a perturbation of 1e-5: 0.1 % of it, and the jumps of curvature at joints of pieces
        const Vec3 v = (0.5 / h) * (up.q - down.q);
        const Vec3 w = -a * g.at_q.across * g.t_q - da * g.n_q - a * g.at_q.torsion * b_q;
        const double size = 1 + std::abs(a) / s.radius + std::abs(da);
        CHECK_NEAR(Norm(v - a * b_q) / s.radius, 0, 1e-3 * size);
        const bool joint = Norm((up.n_q - g.n_q) - (g.n_q - down.n_q)) > 1e-3 * h;
        if (joint) return;
        CHECK_NEAR(Norm((0.5 / h) * (up.n_q - down.n_q) - Cross(w, g.n_q)) * s.radius, 0,
                   1e-3 * size);
        CHECK_NEAR(Norm((0.5 / h) * (up.t_q - down.t_q) - Cross(w, g.t_q)) * s.radius, 0,
                   1e-3 * size);
      };
      check(Shoot(s, g.p, g.t_p + h * b_p, length), Shoot(s, g.p, g.t_p - h * b_p, length), g.r,
            g.dr);
      const auto aside = [&](double sign) {
        const Geodesic way = Shoot(s, g.p, sign * b_p, h);
        return Shoot(s, way.q, g.t_p, length);
      };
      check(aside(1), aside(-1), g.a, g.da);
    }
  }
}

TEST(DepthOfASegmentIsItsLeastDistance) {
  Random random(4);
  for (SurfaceKind kind : kKinds) {
    int cut = 0;
    for (int i = 0; i < 400; ++i) {
      const Surface s = RandomSmooth(random, kind, 1);
      const Vec3 u = random.Direction(), v = Unit(0.5 * random.Direction() - u);
      const Vec3 a = s.pos + 2 * u, b = s.pos + 2 * v;
      double least = 1e9;
      for (int k = 0; k <= 2000; ++k)
        least = std::min(least, Distance(s, a + (k / 2000.0) * (b - a)));
      const double depth = SegmentDepth(s, a, b);
      cut += depth > 0;
      // grazing is never missed: sampled every 2e-3, the distance is off by its square at most
      if (least < -1e-5) CHECK(depth > 0);
      if (least > 1e-5) CHECK_EQ(depth, 0);
      // inside a box the distance has corners: off by a sample
      // (an ellipsoid's is taken where its quadratic form is least)
      if (kind != SurfaceKind::kEllipsoid && least < 0 && least > -s.radius) {
        CHECK_NEAR(depth, -least, 2e-3);
      }
    }
    CHECK(cut > 40);
  }
}

TEST(AParallelEllipsoidIsAtItsDistance) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    Surface s = RandomSmooth(random, SurfaceKind::kEllipsoid, 1);
    s.offset = 0.1;
    Surface bare = s;
    bare.offset = 0;
    const Geodesic g = Shoot(s, s.pos + 2 * random.Direction(), random.Direction(), 0.5);
    CHECK_NEAR(Distance(bare, g.q), 0.1, 1e-14);
    CHECK_NEAR(Distance(bare, g.q - 0.1 * g.n_q), 0, 1e-14);
  }
}

}  // namespace
}  // namespace mujocable
