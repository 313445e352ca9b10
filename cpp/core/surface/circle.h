// The taut string around a circle in the plane: what cylinder and sphere share.

#ifndef MUJOCABLE_CORE_SURFACE_CIRCLE_H_
#define MUJOCABLE_CORE_SURFACE_CIRCLE_H_

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/math/inline.h"
#include "core/math/pair.h"
#include "core/math/root.h"
#include "core/surface/tolerance.h"

namespace mujocable {

// Tangents from two points to the circle. A point on it or inside touches where it is.
struct Tangents {
  Pair distance;  // of the point from the center
  Pair length;    // from the point to where its tangent touches
  Pair reach;     // from the center to there: the radius, or the distance of a point that touches
  Pair inverse;   // of the squared distance: (reach^2 + length^2) * inverse = 1
};

// square: of the distances
MUJOCABLE_INLINE inline Tangents TangentLines(const Pair& square, double radius) {
  // a square beyond it is that of a point outside
  constexpr double kOutside = (1 + kOnSurface) * (1 + kOnSurface);
  const Pair height = square - kOutside * radius * radius;  // negative: not outside
  Tangents t;
  t.distance = Sqrt(square + kNoDistance);
  t.length = Sqrt(Select(height, Both(0), square - radius * radius));
  t.reach = Select(height, t.distance, Both(radius));
  t.inverse = 1 / (square + kNoDistance);
  return t;
}

// three angles at once: one whose sides are given, and those between the directions to each point
// and to where its tangent touches
MUJOCABLE_INLINE inline Lanes AnglesOf(double s, double c, double h, const Tangents& t) {
  const auto lanes = [](double first, const Pair& a) { return Lanes{first, a[0], a[1], a[1]}; };
  return AngleOf(lanes(s, t.length), lanes(c, t.reach), lanes(h, t.distance));
}

// angle between the directions to a point outside the circle and to the tangent point
inline double TangentAngle(double distance, double radius) {
  if (distance <= radius * (1 + kOnSurface)) return 0;
  const double length = std::sqrt((distance - radius) * (distance + radius));
  return AngleOf(length, radius, distance);
}

// `angle` plus the multiple of 2 pi that brings it nearest to `near`
MUJOCABLE_INLINE inline double Unwrap(double angle, double near) {
  const double ahead = near - angle;
  if (std::abs(ahead) <= kPi) [[likely]]
    return angle;
  // one turn: no wait for the number of turns
  if (std::abs(ahead - 2 * kPi) < kPi) return angle + 2 * kPi;
  if (std::abs(ahead + 2 * kPi) < kPi) return angle - 2 * kPi;
  return angle + 2 * kPi * std::nearbyint(ahead * (1 / (2 * kPi)));
}

// Where a keeper holds the string on the circle: the angle theta in [0, span] from the first
// point that minimizes |a p(theta)| + |p(theta) b|; a and b at distances ra, rb, `span` apart.
inline double KeeperAngle(double ra, double rb, double radius, double span) {
  const double low = std::max(0.0, span - TangentAngle(rb, radius));
  const double high = std::min(span, TangentAngle(ra, radius));
  const auto slope = [&](double theta) {
    const double da = std::sqrt(ra * ra + radius * radius - 2 * ra * radius * std::cos(theta));
    const double db =
        std::sqrt(rb * rb + radius * radius - 2 * rb * radius * std::cos(span - theta));
    return ra * std::sin(theta) * db - rb * std::sin(span - theta) * da;
  };
  return RootBetween(low, high, slope(low), slope(high), kParameterRounding, slope);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_CIRCLE_H_
