// exp of four numbers: our own, which may differ from the library's in the last bit.

#ifndef MUJOCABLE_CORE_MATH_EXP_H_
#define MUJOCABLE_CORE_MATH_EXP_H_

#include "core/math/simd.h"

namespace mujocable {

// exp(x) for |x| <= 700, to 5e-16: x = k ln 2 + r with |r| <= ln(2)/2
inline Lanes Exp(const Lanes& x) {
  // 1 / ln 2, and ln 2 in two parts, so that k ln 2 is exact
  constexpr double kLog2e = 1.4426950408889634, kLn2 = 0x1.62e42fee00000p-1,
                   kLn2Rest = 0x1.a39ef35793c76p-33;
  constexpr double kShift = 0x1.8p52;  // added, a number loses its fraction; its low bits are k
  const Lanes shifted = kShift + kLog2e * x, k = shifted - kShift;
  const Lanes power = FromBits((BitsOf(shifted) + 1023) << 52);  // 2^k
  // Taylor series of exp(r) to the 13th power: it leaves 4e-18
  const Lanes r = (x - kLn2 * k) - kLn2Rest * k, r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Lanes a = (1 + r) + (1.0 / 2 + (1.0 / 6) * r) * r2;
  const Lanes b = (1.0 / 24 + (1.0 / 120) * r) + (1.0 / 720 + (1.0 / 5040) * r) * r2;
  const Lanes c = (1.0 / 40320 + (1.0 / 362880) * r) + (1.0 / 3628800 + (1.0 / 39916800) * r) * r2;
  const Lanes d = 1.0 / 479001600 + (1.0 / 6227020800) * r;
  return ((a + b * r4) + (c + d * r4) * r8) * power;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_EXP_H_
