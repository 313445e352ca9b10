// Four numbers at a time: the arithmetic that every guide of a long route repeats.
//
// Lane by lane, lengths and angles round like the scalar code; exp and tanh are our own and may
// differ from the library's in the last bit. No result depends on how many guides follow.

#ifndef MUJOCABLE_CORE_MATH_LANES_H_
#define MUJOCABLE_CORE_MATH_LANES_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/math/angle.h"
#include "core/math/inline.h"

#if defined(__GNUC__) && defined(__AVX__)
#include <immintrin.h>
#endif

namespace mujocable {

inline constexpr int kLanes = 4;

#if defined(__GNUC__)

// vectors of the compiler, which it maps to whatever the machine has
using Lanes = double __attribute__((vector_size(8 * kLanes)));
using LaneBits = uint64_t __attribute__((vector_size(8 * kLanes)));

inline LaneBits BitsOf(Lanes a) { return reinterpret_cast<LaneBits>(a); }
inline Lanes FromBits(LaneBits a) { return reinterpret_cast<Lanes>(a); }

#else

struct Lanes {
  double v[kLanes];
  double& operator[](int j) { return v[j]; }
  double operator[](int j) const { return v[j]; }
};
template <typename F>
Lanes ForLanes(F f) {
  return {f(0), f(1), f(2), f(3)};
}
inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return ForLanes([&](int j) { return a[j] + b[j]; });
}
inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return ForLanes([&](int j) { return a[j] - b[j]; });
}
inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return ForLanes([&](int j) { return a[j] * b[j]; });
}
inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return ForLanes([&](int j) { return a[j] / b[j]; });
}
inline Lanes operator+(double a, const Lanes& b) { return Lanes{a, a, a, a} + b; }
inline Lanes operator-(double a, const Lanes& b) { return Lanes{a, a, a, a} - b; }
inline Lanes operator-(const Lanes& a, double b) { return a - Lanes{b, b, b, b}; }
inline Lanes operator*(double a, const Lanes& b) { return Lanes{a, a, a, a} * b; }
inline Lanes operator/(double a, const Lanes& b) { return Lanes{a, a, a, a} / b; }

struct LaneBits {
  uint64_t v[kLanes];
};
inline LaneBits operator+(const LaneBits& a, uint64_t b) {
  return {a.v[0] + b, a.v[1] + b, a.v[2] + b, a.v[3] + b};
}
inline LaneBits operator<<(const LaneBits& a, int b) {
  return {a.v[0] << b, a.v[1] << b, a.v[2] << b, a.v[3] << b};
}
inline Lanes Select(const Lanes& sign, const Lanes& if_negative, const Lanes& otherwise) {
  return ForLanes([&](int j) { return sign[j] < 0 ? if_negative[j] : otherwise[j]; });
}
inline LaneBits BitsOf(const Lanes& a) { return std::bit_cast<LaneBits>(a); }
inline Lanes FromBits(const LaneBits& a) { return std::bit_cast<Lanes>(a); }

#endif

inline Lanes Sqrt(const Lanes& a) {
#if defined(__GNUC__) && defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

inline Lanes Abs(const Lanes& a) { return Select(a, 0 - a, a); }
inline Lanes LoadLanes(const double* p) {
  Lanes a;
  std::memcpy(&a, p, sizeof a);
  return a;
}
inline bool AllZero(const Lanes& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0; }
inline bool AllNegative(const Lanes& a) { return a[0] < 0 && a[1] < 0 && a[2] < 0 && a[3] < 0; }
inline void StoreLanes(double* p, const Lanes& a) { std::memcpy(p, &a, sizeof a); }

inline double Sum(const Lanes& a) { return (a[0] + a[1]) + (a[2] + a[3]); }

// the lanes moved on by one, `first` in front
inline Lanes Shift(double first, const Lanes& a) { return Lanes{first, a[0], a[1], a[2]}; }

inline bool AllNegative(double a) { return a < 0; }
inline double Abs(double a) { return std::abs(a); }
inline uint64_t BitsOf(double a) { return std::bit_cast<uint64_t>(a); }
inline double FromBits(uint64_t a) { return std::bit_cast<double>(a); }

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
  constexpr double kLog2e = 1.4426950408889634, kLn2 = 0x1.62e42fee00000p-1,
                   kLn2Rest = 0x1.a39ef35793c76p-33;  // ln 2 in two parts
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

#endif  // MUJOCABLE_CORE_MATH_LANES_H_
