// Judge of Shoot: the geodesic equation integrated without constraints, and differences of
// perturbed shots for everything that is a derivative.

#ifndef MUJOCABLE_TESTS_KIT_GEODESIC_JUDGE_H_
#define MUJOCABLE_TESTS_KIT_GEODESIC_JUDGE_H_

#include <tuple>

#include "core/surface/surface.h"
#include "tests/kit/check.h"

namespace mujocable::test {

// outward gradient and t' H t of the implicit function |x|^2 / 2 (sphere) or (x^2 + y^2) / 2
struct Implicit {
  Vec3 gradient;
  double bending;
};

inline Implicit ImplicitAt(const Surface& s, const Vec3& x, const Vec3& t) {
  const Vec3 d = x - s.pos;
  if (s.kind == SurfaceKind::kSphere) return {d, Dot(t, t)};
  const Vec3 axis = s.rot.Column(2);
  const double along = Dot(t, axis);
  return {d - Dot(d, axis) * axis, Dot(t, t) - along * along};
}

struct Flight {
  Vec3 x, t;
};

// x' = t, t' = -(t' H t / |g|^2) g by the classical Runge-Kutta method, nothing projected
inline Flight IntegrateGeodesic(const Surface& s, Flight y, double length, int steps) {
  const auto slope = [&](const Flight& f) {
    const Implicit at = ImplicitAt(s, f.x, f.t);
    return Flight{f.t, (-at.bending / Dot(at.gradient, at.gradient)) * at.gradient};
  };
  const auto moved = [](const Flight& f, const Flight& d, double h) {
    return Flight{f.x + h * d.x, f.t + h * d.t};
  };
  const double h = length / steps;
  for (int i = 0; i < steps; ++i) {
    const Flight k1 = slope(y), k2 = slope(moved(y, k1, h / 2)), k3 = slope(moved(y, k2, h / 2)),
                 k4 = slope(moved(y, k3, h));
    y.x += (h / 6) * (k1.x + 2 * k2.x + 2 * k3.x + k4.x);
    y.t += (h / 6) * (k1.t + 2 * k2.t + 2 * k3.t + k4.t);
  }
  return y;
}

inline void CheckNearVector(const Vec3& a, const Vec3& b, double tolerance, const char* what,
                            int line) {
  CheckNear(Norm(a - b), 0, tolerance, what, __FILE__, line);
}

// frames, end point and curvatures of one shot; lengths in units of the radius
inline void CheckShot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  const Geodesic g = Shoot(s, p, t, length);
  const double r = s.radius;

  // rounding of coordinates: |pos| + |x| carry 2.2e-16 each, a dozen operations
  const double far = Norm(s.pos) + Norm(p) + length + r;
  const double rounding = 2e-15 * far;
  CHECK_NEAR(Distance(s, g.p), 0, rounding);
  CHECK_NEAR(Distance(s, g.q), 0, rounding);
  for (const auto& [x, tangent, normal] : {std::tuple(g.p, g.t_p, g.n_p), {g.q, g.t_q, g.n_q}}) {
    const Vec3 outward = Unit(ImplicitAt(s, x, tangent).gradient);
    CHECK_NEAR(Norm(tangent), 1, 1e-14);
    CHECK_NEAR(Dot(tangent, normal), 0, 1e-14);
    CheckNearVector(normal, outward, 4 * rounding / r, "outward normal", __LINE__);
  }

  // fourth order: (length/steps)^5/120 per step of a quantity that turns once per radius;
  // 4000 steps of at most 20 radians: 4000 * (5e-3)^5 / 120 = 1e-10
  const Flight end = IntegrateGeodesic(s, {g.p, g.t_p}, length, 4000);
  CheckNearVector(g.q, end.x, 2e-10 * r + rounding, "end of the integrated geodesic", __LINE__);
  CheckNearVector(g.t_q, end.t, 2e-10 + rounding / r, "its tangent", __LINE__);

  // the four natural variations by central differences: truncation h^2/6 times a third derivative,
  // which for a turned start grows like (length/r)^3; cancellation rounding/h
  const double h = 1e-5 * r;
  const double tolerance = std::pow(1 + length / r, 3) * 1e-10 / 6 + 4 * rounding / h;
  const auto along = [&](double sign) {  // start slid along t
    const Geodesic d = Shoot(s, g.p, sign * g.t_p, h);
    return Shoot(s, d.q, sign * d.t_q, length);
  };
  const auto aside = [&](double sign) {  // start slid along b, tangent carried parallel
    const Geodesic d = Shoot(s, g.p, sign * Cross(g.t_p, g.n_p), h);
    return Shoot(s, d.q, g.t_p, length);
  };
  const auto turned = [&](double sign) {  // start turned from t toward b
    const double angle = sign * h / r;
    const Vec3 b = Cross(g.t_p, g.n_p);
    return Shoot(s, g.p, std::cos(angle) * g.t_p + std::sin(angle) * b, length);
  };
  const auto longer = [&](double sign) { return Shoot(s, g.p, g.t_p, length + sign * h); };

  const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
  const auto slide = [](const Curvature& k, const Vec3& t_, const Vec3& b_) {
    return k.torsion * t_ + k.normal * b_;
  };
  const auto shift = [](const Curvature& k, const Vec3& t_, const Vec3& b_) {
    return -k.across * t_ - k.torsion * b_;
  };
  const auto compare = [&](const auto& variation, double step, const Vec3& v, const Vec3& w,
                           int line) {
    const Geodesic plus = variation(1.0), minus = variation(-1.0);
    const double half = 0.5 / step;
    // per unit of a length v is a number and r w is one; per radian v / r and w are
    const double unit_v = step == h ? 1 : r, unit_w = step == h ? 1 / r : 1;
    CheckNearVector(half * (plus.q - minus.q), v, tolerance * unit_v, "variation of q", line);
    CheckNearVector(half * (plus.n_q - minus.n_q), Cross(w, g.n_q), tolerance * unit_w,
                    "variation of n_q", line);
    CheckNearVector(half * (plus.t_q - minus.t_q), Cross(w, g.t_q), tolerance * unit_w,
                    "variation of t_q", line);
  };
  compare(along, h, g.t_q, slide(g.at_q, g.t_q, b_q), __LINE__);
  compare(aside, h, g.a * b_q, g.a * shift(g.at_q, g.t_q, b_q) - g.da * g.n_q, __LINE__);
  compare(turned, h / r, g.r * b_q, g.r * shift(g.at_q, g.t_q, b_q) - g.dr * g.n_q, __LINE__);
  compare(longer, h, g.t_q, slide(g.at_q, g.t_q, b_q), __LINE__);

  // the same curvatures at the start, from the normals around it
  const Vec3 dn_t =
      (0.5 / h) * (Normal(s, Shoot(s, g.p, g.t_p, h).q) - Normal(s, Shoot(s, g.p, -g.t_p, h).q));
  const Vec3 dn_b =
      (0.5 / h) * (Normal(s, Shoot(s, g.p, b_p, h).q) - Normal(s, Shoot(s, g.p, -b_p, h).q));
  CheckNearVector(dn_t, Cross(slide(g.at_p, g.t_p, b_p), g.n_p), tolerance / r, "n' along t",
                  __LINE__);
  CheckNearVector(dn_b, Cross(shift(g.at_p, g.t_p, b_p), g.n_p), tolerance / r, "n' along b",
                  __LINE__);

  // (7): turning of the tangent, added up over short pieces; an angle between tangents misses the
  // curve between them in the third order: (length/r/pieces)^2/24 relative
  const int pieces = 1000;
  double turning = 0;
  Vec3 before = g.t_p;
  for (int i = 1; i <= pieces; ++i) {
    const Vec3 now = Shoot(s, g.p, g.t_p, length * i / pieces).t_q;
    turning += std::atan2(Norm(Cross(before, now)), Dot(before, now));
    before = now;
  }
  const double piece = length / r / pieces;
  CHECK_NEAR(Turning(s, g), turning, length / r * piece * piece / 24 + pieces * 1e-15);
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_GEODESIC_JUDGE_H_
