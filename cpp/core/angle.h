// Angle from sine and cosine: what a step asks for at every contact, cheaper than atan2.

#ifndef MUJOCABLE_CORE_ANGLE_H_
#define MUJOCABLE_CORE_ANGLE_H_

#include <cmath>
#include <numbers>

namespace mujocable {

inline constexpr double kPi = std::numbers::pi;

// atan(x) = x p(x^2) for |x| <= tan(pi/8): p interpolates at the 11 Chebyshev points of the
// interval of x^2, relative error 3.5e-17
inline constexpr double kArctangent[11] = {
    0.999999999999999965,  -0.333333333333284386,  0.199999999988551101,  -0.142857141809764668,
    0.111111061804559452,  -0.0909077307480841379, 0.0768995349630685776, -0.0664023393042940859,
    0.0568834922680901048, -0.0434805221571646248, 0.0211353731576932452};

// angle in [0, pi/2] whose sine is s >= 0 and whose cosine is c >= 0, with s^2 + c^2 = 1; for one
// number or several at a time
template <typename Number, typename Root>
Number AcuteAngleOf(const Number& s, const Number& c, Root root) {
  // tangent of a quarter of the angle, at most tan(pi/8)
  const Number half = s / (1 + c);
  const Number x = half / (1 + root(1 + half * half)), y = x * x;
  const double* k = kArctangent;
  // Estrin's scheme: short chains
  const Number y2 = y * y, y4 = y2 * y2;
  const Number low = (k[0] + k[1] * y) + (k[2] + k[3] * y) * y2;
  const Number middle = (k[4] + k[5] * y) + (k[6] + k[7] * y) * y2;
  const Number high = (k[8] + k[9] * y) + k[10] * y2;
  return 4 * x * (low + (middle + high * y4) * y4);
}

// the same in [0, pi], for a cosine of either sign
inline double AngleOf(double s, double c) {
  const double angle = AcuteAngleOf(s, std::abs(c), [](double a) { return std::sqrt(a); });
  return c < 0 ? kPi - angle : angle;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_ANGLE_H_
