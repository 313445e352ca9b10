#include "core/surface/sphere.h"

#include "core/surface/circle.h"

namespace mujocable::sphere {

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  Geodesic g;
  g.length = length;
  g.n_p = Unit(p - s.pos, {1, 0, 0});
  const Vec3 tangent = t - Dot(t, g.n_p) * g.n_p;
  g.t_p = Norm(tangent) > kCollinear * Norm(t) ? Unit(tangent) : Perpendicular(g.n_p);
  g.p = s.pos + s.radius * g.n_p;
  const double angle = length / s.radius, c = std::cos(angle), sn = std::sin(angle);
  g.n_q = c * g.n_p + sn * g.t_p;
  g.t_q = c * g.t_p - sn * g.n_p;
  g.q = s.pos + s.radius * g.n_q;
  g.at_p = g.at_q = {-1 / s.radius, -1 / s.radius, 0};
  g.a = c;
  g.da = -sn / s.radius;
  g.r = s.radius * sn;
  g.dr = c;
  return g;
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  const Vec3 ca = a - s.pos, cb = b - s.pos, cv = via - s.pos;
  const Vec3 cross = Cross(ca, cb);
  if (Norm(cross) <= kCollinear * Norm(ca) * Norm(cb)) return {0, Cross(ca, cv)};
  // angles about the plane's normal, a -> via -> b
  const Vec3 n = Unit(cross);
  const double first = std::atan2(Dot(Cross(ca, cv), n), Dot(ca, cv - Dot(cv, n) * n));
  const double second = std::atan2(Dot(Cross(cv, cb), n), Dot(cb, cv - Dot(cv, n) * n));
  return {0, first + second < 0 ? -n : n};
}

}  // namespace mujocable::sphere
