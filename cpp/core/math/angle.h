// Angle from sine and cosine: what a step asks for at every contact, cheaper than atan2.

#ifndef MUJOCABLE_CORE_MATH_ANGLE_H_
#define MUJOCABLE_CORE_MATH_ANGLE_H_

#include <numbers>

#include "core/math/inline.h"
#include "core/math/simd.h"

namespace mujocable {

inline constexpr double kPi = std::numbers::pi;  // half a turn

// atan(x) = x p(x^2) for |x| <= tan(pi/16): p interpolates at the 8 Chebyshev points of the
// interval of x^2, relative error 1.9e-17
inline constexpr double kArctangent[8] = {
    0.999999999999999991, -0.333333333333302991,  0.199999999983872751,  -0.142857139587397062,
    0.111110784963278976, -0.0908913717269654271, 0.0763866863087169712, -0.0580909140881853938};

// where the range of x is reduced
inline constexpr double kTanPi16 = 0.19891236737965800691, kTanPi8 = 0.4142135623730950488,
                        kTan3Pi16 = 0.66817863791929892;

// angle in [0, pi/2] of a right triangle: opposite side s >= 0, adjacent c >= 0, hypotenuse h; for
// one number or several at a time
template <typename Number>
MUJOCABLE_INLINE inline Number AcuteAngleOf(const Number& s, const Number& c, const Number& h) {
  // Half the angle has the tangent s / (h + c). It lies within pi/16 of 0, pi/8 or pi/4, and the
  // addition theorem takes that off without a division of its own.
  const Number sum = h + c, zero = All<Number>(0);
  const Number near = s - kTanPi16 * sum, far = s - kTan3Pi16 * sum;
  const Number tangent = Select(near, zero, Select(far, All<Number>(kTanPi8), All<Number>(1)));
  const Number base = Select(near, zero, Select(far, All<Number>(kPi / 4), All<Number>(kPi / 2)));
  const Number x = (s - tangent * sum) / (sum + tangent * s), y = x * x;
  const double* k = kArctangent;
  // Estrin's scheme: short chains
  const Number y2 = y * y;
  const Number low = (k[0] + k[1] * y) + (k[2] + k[3] * y) * y2;
  const Number high = (k[4] + k[5] * y) + (k[6] + k[7] * y) * y2;
  return base + 2 * x * (low + high * (y2 * y2));
}

// the same in [0, pi], for c of either sign
template <typename Number>
MUJOCABLE_INLINE inline Number AngleOf(const Number& s, const Number& c,
                                       const Number& h = All<Number>(1)) {
  const Number angle = AcuteAngleOf(s, Select(c, 0 - c, c), h);
  return Select(c, kPi - angle, angle);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_ANGLE_H_
