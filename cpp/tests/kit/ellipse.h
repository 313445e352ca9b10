// The taut string around an ellipse, in its plane: tangents in closed form, the arc by quadrature.

#ifndef MUJOCABLE_TESTS_KIT_ELLIPSE_H_
#define MUJOCABLE_TESTS_KIT_ELLIPSE_H_

#include <cmath>

#include "core/surface/surface.h"

namespace mujocable::test {

struct EllipseString {
  Vec3 p, q;  // where it touches
  Vec3 t_p;   // tangent at p
  double arc = 0, length = 0;
};

// From a on the left over the top to b on the right, semi-axes x and y along the axes of the plane.
inline EllipseString OverEllipse(double x, double y, const Vec3& a, const Vec3& b) {
  // seen from a point, the ellipse is a circle of radius 1 after scaling
  const auto middle = [&](const Vec3& from) { return std::atan2(from.y / y, from.x / x); };
  const auto half = [&](const Vec3& from) {
    return std::acos(1 / std::hypot(from.x / x, from.y / y));
  };
  double begin = middle(a) - half(a);
  const double end = middle(b) + half(b);
  while (begin < end) begin += 2 * std::acos(-1.0);
  const auto at = [&](double t) { return Vec3{x * std::cos(t), y * std::sin(t), 0}; };
  const auto speed = [&](double t) { return std::hypot(x * std::sin(t), y * std::cos(t)); };
  EllipseString string;
  string.p = at(begin);
  string.q = at(end);
  string.t_p = Unit(Vec3{x * std::sin(begin), -y * std::cos(begin), 0});
  const int pieces = 2000;
  const double h = (begin - end) / pieces;
  for (int k = 0; k < pieces; ++k) {
    const double t = end + k * h;
    string.arc += h / 6 * (speed(t) + 4 * speed(t + h / 2) + speed(t + h));
  }
  string.length = Norm(string.p - a) + string.arc + Norm(b - string.q);
  return string;
}

inline Surface EllipsoidOf(double x, double y, double z) {
  Surface s;
  s.kind = SurfaceKind::kEllipsoid;
  s.rot = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  s.size[0] = x;
  s.size[1] = y;
  s.size[2] = z;
  s.radius = std::min({x, y, z});
  return s;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_ELLIPSE_H_
