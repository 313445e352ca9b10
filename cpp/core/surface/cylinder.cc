#include "core/surface/cylinder.h"

#include "core/math/angle.h"
#include "core/surface/circle.h"

namespace mujocable::cylinder {
namespace {

// a point around the axis: unit direction (x, y) in the surface frame, height
struct Around {
  double x, y, z;
};

Around AroundAxis(const Surface& s, const Vec3& point) {
  const Vec3 local = Unrotate(s.rot, point - s.pos);
  const double distance = std::sqrt(local.x * local.x + local.y * local.y);
  if (!(distance > 0)) return {1, 0, local.z};
  const double scale = 1 / distance;
  return {local.x * scale, local.y * scale, local.z};
}

// angle from one direction to another, in (-pi, pi]
double AngleBetween(const Around& a, const Around& b) {
  const double sine = a.x * b.y - a.y * b.x, cosine = a.x * b.x + a.y * b.y;
  return sine < 0 ? -AngleOf(-sine, cosine) : AngleOf(sine, cosine);
}

Vec3 Radial(const Surface& s, const Around& a) { return Rotate(s.rot, {a.x, a.y, 0}); }
Vec3 Circumferential(const Surface& s, const Around& a) { return Rotate(s.rot, {-a.y, a.x, 0}); }
Vec3 OnSurface(const Surface& s, const Around& a) {
  return s.pos + Rotate(s.rot, {s.radius * a.x, s.radius * a.y, a.z});
}

}  // namespace

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  const Around start = AroundAxis(s, p);
  const Vec3 axis = s.rot.Column(2);
  Geodesic g;
  g.length = length;
  g.n_p = Radial(s, start);
  g.p = OnSurface(s, start);

  // direction in the unrolled plane: c along the circle, z along the axis
  const Vec3 circle_p = Circumferential(s, start);
  double c = Dot(t, circle_p), z = Dot(t, axis);
  const double norm = std::sqrt(c * c + z * z);
  c = norm > 0 ? c / norm : 1;
  z = norm > 0 ? z / norm : 0;
  g.t_p = c * circle_p + z * axis;

  // a straight line there is a helix here
  const double angle = c * length / s.radius, cosine = std::cos(angle), sine = std::sin(angle);
  const Around end = {cosine * start.x - sine * start.y, sine * start.x + cosine * start.y,
                      start.z + z * length};
  g.n_q = Radial(s, end);
  g.q = OnSurface(s, end);
  g.t_q = c * Circumferential(s, end) + z * axis;

  // constant curvatures, flat: linear Jacobi fields; b = t x n = z circle - c axis
  g.at_p = g.at_q = {-c * c / s.radius, -z * z / s.radius, z * c / s.radius};
  g.r = length;
  return g;
}

Homotopy Follow(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  return {Unwrap(AngleBetween(AroundAxis(s, a), AroundAxis(s, b)), way.swept), way.plane};
}

Homotopy WayThrough(const Surface& s, const Vec3& a, const Vec3& via, const Vec3& b) {
  const Around middle = AroundAxis(s, via);
  return {AngleBetween(AroundAxis(s, a), middle) + AngleBetween(middle, AroundAxis(s, b)), {}};
}

}  // namespace mujocable::cylinder
