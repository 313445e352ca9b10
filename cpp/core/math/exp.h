// exp and tanh, for one number or four: our own, which may differ from the library's in the last
// bit.

#ifndef MUJOCABLE_CORE_MATH_EXP_H_
#define MUJOCABLE_CORE_MATH_EXP_H_

#include <type_traits>

#include "core/math/inline.h"
#include "core/math/simd.h"

namespace mujocable {

// Taylor series of exp(r) to the 13th power: for |r| <= ln(2)/2 it leaves 4e-18
template <typename Number>
MUJOCABLE_INLINE inline Number ExpSeries(const Number& r) {
  const Number r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Number a = (1 + r) + (1.0 / 2 + (1.0 / 6) * r) * r2;
  const Number b = (1.0 / 24 + (1.0 / 120) * r) + (1.0 / 720 + (1.0 / 5040) * r) * r2;
  const Number c = (1.0 / 40320 + (1.0 / 362880) * r) + (1.0 / 3628800 + (1.0 / 39916800) * r) * r2;
  const Number d = 1.0 / 479001600 + (1.0 / 6227020800) * r;
  return (a + b * r4) + (c + d * r4) * r8;
}

// exp(x) for |x| <= 700, to 5e-16, for one number or four: x = k ln 2 + r with |r| <= ln(2)/2
template <typename Number>
Number Exp(const Number& x) {
  if constexpr (std::is_same_v<Number, double>) {
    if (std::abs(x) < 0.34) return ExpSeries(x);  // k = 0: the same number, sooner
  }
  // 1 / ln 2, and ln 2 in two parts, so that k ln 2 is exact
  constexpr double kLog2e = 1.4426950408889634, kLn2 = 0x1.62e42fee00000p-1,
                   kLn2Rest = 0x1.a39ef35793c76p-33;
  constexpr double kShift = 0x1.8p52;  // added, a number loses its fraction; its low bits are k
  const Number shifted = kShift + kLog2e * x, k = shifted - kShift;
  const Number power = FromBits((BitsOf(shifted) + 1023) << 52);  // 2^k
  return ExpSeries((x - kLn2 * k) - kLn2Rest * k) * power;
}

// tanh(x) = x p(x^2) for |x| <= 1/4: p interpolates at the 8 Chebyshev points of the interval of
// x^2, relative error 9e-18
inline constexpr double kTanhNear = 0.25;
inline constexpr double kHyperbolicTangent[8] = {
    0.999999999999999996,  -0.333333333333325566,   0.133333333330720786,   -0.0539682536331919814,
    0.0218694674058752816, -0.00886251035438769164, 0.00357828365757052538, -0.0013168033959108945};

// tanh(x), to 3e-16, with the sign of x. Where a sheave rolls, the slip is small: there the number
// comes sooner, and is exact to its own size.
template <typename Number>
Number Tanh(const Number& x) {
  const Number size = Abs(x), beyond = size - kTanhNear;
  const Number y = x * x, y2 = y * y;
  const double* k = kHyperbolicTangent;
  const Number low = (k[0] + k[1] * y) + (k[2] + k[3] * y) * y2;
  const Number high = (k[4] + k[5] * y) + (k[6] + k[7] * y) * y2;
  const Number near = x * (low + high * (y2 * y2));
  if (AllNegative(beyond)) return near;

  const Number most = All<Number>(20);  // tanh(20) is 1
  const Number e = Exp(2 * Select(size - most, size, most));
  const Number t = (e - 1) / (1 + e);
  return Select(beyond, near, Select(x, 0 - t, t));
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_EXP_H_
