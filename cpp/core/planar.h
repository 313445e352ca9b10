// The taut string around a circle in the plane: what cylinder and sphere share.

#ifndef MUJOCABLE_CORE_PLANAR_H_
#define MUJOCABLE_CORE_PLANAR_H_

#include <algorithm>
#include <cmath>

#include "angle.h"

namespace mujocable {

// relative height below which a point counts as lying on the circle: the tangent length then is
// sqrt(2e-9) radii and its effect on the string's length, (tangent/radius)^3/3, is 3e-14 radii
inline constexpr double kOnSurface = 1e-9;

// tangent from an outside point to the circle
struct Tangent {
  double length = 0;            // from the point to the circle
  double angle = 0;             // between the directions to the point and to the tangent point
  double cosine = 1, sine = 0;  // of that angle
};

// all but the angle
inline Tangent TangentLine(double distance, double radius) {
  if (distance <= radius * (1 + kOnSurface)) return {};
  const double length = std::sqrt((distance - radius) * (distance + radius)), scale = 1 / distance;
  return {length, 0, radius * scale, length * scale};
}

inline Tangent TangentTo(double distance, double radius) {
  Tangent t = TangentLine(distance, radius);
  t.angle = AngleOf(t.sine, t.cosine);
  return t;
}

// `angle` plus the multiple of 2 pi that brings it nearest to `near`
inline double Unwrap(double angle, double near) {
  return angle + 2 * kPi * std::nearbyint((near - angle) / (2 * kPi));
}

// Where a keeper holds the string on the circle: the angle theta in [0, span] from the first
// point that minimizes |a p(theta)| + |p(theta) b|; a and b at distances ra, rb, `span` apart.
inline double KeeperAngle(double ra, double rb, double radius, double span) {
  double low = std::max(0.0, span - TangentTo(rb, radius).angle);
  double high = std::min(span, TangentTo(ra, radius).angle);
  for (int i = 0; i < 60 && high - low > 1e-16 * (1 + span); ++i) {
    const double theta = 0.5 * (low + high);
    const double da = std::sqrt(ra * ra + radius * radius - 2 * ra * radius * std::cos(theta));
    const double db =
        std::sqrt(rb * rb + radius * radius - 2 * rb * radius * std::cos(span - theta));
    const double slope = ra * std::sin(theta) * db - rb * std::sin(span - theta) * da;
    (slope > 0 ? high : low) = theta;
  }
  return 0.5 * (low + high);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PLANAR_H_
