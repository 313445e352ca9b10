// Several numbers at a time: Pair for both ends of an arc, Lanes for four guides of a long route.
//
// GCC and Clang have vectors, which they map to whatever the machine has; elsewhere an array does
// the same. Lane by lane both round like the scalar code, and no result depends on how many numbers
// follow.

#ifndef MUJOCABLE_CORE_MATH_SIMD_H_
#define MUJOCABLE_CORE_MATH_SIMD_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(MUJOCABLE_PLAIN_PACKS)
#define MUJOCABLE_VECTORS
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif
#endif

namespace mujocable {

inline constexpr int kLanes = 4;  // doubles of an AVX register

#if defined(MUJOCABLE_VECTORS)

using Pair = double __attribute__((vector_size(16)));
using Lanes = double __attribute__((vector_size(8 * kLanes)));
using LaneBits = uint64_t __attribute__((vector_size(8 * kLanes)));

#else

template <typename T, int n>
struct Pack {
  T v[n];
  Pack() = default;
  template <typename... Numbers>
    requires(sizeof...(Numbers) == n)
  Pack(Numbers... x) : v{static_cast<T>(x)...} {}
  T& operator[](int j) { return v[j]; }
  T operator[](int j) const { return v[j]; }

  template <typename F>
  static Pack Each(F f) {
    Pack pack;
    for (int j = 0; j < n; ++j) pack[j] = f(j);
    return pack;
  }
  static Pack All(T a) {
    return Each([&](int) { return a; });
  }
  friend Pack operator+(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] + b[j]; });
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] - b[j]; });
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] * b[j]; });
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] / b[j]; });
  }
  friend Pack operator^(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] ^ b[j]; });
  }
  friend Pack operator|(const Pack& a, const Pack& b) {
    return Each([&](int j) { return a[j] | b[j]; });
  }
  friend Pack operator<<(const Pack& a, int b) {
    return Each([&](int j) { return a[j] << b; });
  }
  friend Pack operator+(T a, const Pack& b) { return All(a) + b; }
  friend Pack operator+(const Pack& a, T b) { return a + All(b); }
  friend Pack operator-(T a, const Pack& b) { return All(a) - b; }
  friend Pack operator-(const Pack& a, T b) { return a - All(b); }
  friend Pack operator*(T a, const Pack& b) { return All(a) * b; }
  friend Pack operator*(const Pack& a, T b) { return a * All(b); }
  friend Pack operator/(T a, const Pack& b) { return All(a) / b; }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  friend Pack Select(const Pack& sign, const Pack& if_negative, const Pack& otherwise) {
    return Each([&](int j) { return sign[j] < 0 ? if_negative[j] : otherwise[j]; });
  }
};
using Pair = Pack<double, 2>;
using Lanes = Pack<double, kLanes>;
using LaneBits = Pack<uint64_t, kLanes>;

#endif

// a constant, once or for every lane
template <typename Number>
Number All(double a) {
  return a + Number{};
}
template <>
inline Lanes All<Lanes>(double a) {
  return Lanes{a, a, a, a};
}
inline Pair Both(double a) { return Pair{a, a}; }

// the choice between two numbers by the sign of a third
template <typename Number>
Number Select(const Number& sign, const Number& if_negative, const Number& otherwise) {
  return sign < 0 ? if_negative : otherwise;
}

// numbers in memory, as many as a pack holds
template <typename Number>
Number Read(const double* from) {
  Number a;
  std::memcpy(&a, from, sizeof a);
  return a;
}
inline Lanes LoadLanes(const double* from) { return Read<Lanes>(from); }
inline void StoreLanes(double* to, const Lanes& a) { std::memcpy(to, &a, sizeof a); }

// two numbers at each of four places: the first ones and the second ones
inline void LoadTwo(const double* a, const double* b, const double* c, const double* d,
                    Lanes& first, Lanes& second) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  const Lanes even =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(c), 1);
  const Lanes odd =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(b)), _mm_loadu_pd(d), 1);
  first = _mm256_unpacklo_pd(even, odd);
  second = _mm256_unpackhi_pd(even, odd);
#else
  first = Lanes{a[0], b[0], c[0], d[0]};
  second = Lanes{a[1], b[1], c[1], d[1]};
#endif
}

// and the other way around
inline void StoreTwo(const Lanes& first, const Lanes& second, double* a, double* b, double* c,
                     double* d) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  const Lanes even = _mm256_unpacklo_pd(first, second), odd = _mm256_unpackhi_pd(first, second);
  _mm_storeu_pd(a, _mm256_castpd256_pd128(even));
  _mm_storeu_pd(b, _mm256_castpd256_pd128(odd));
  _mm_storeu_pd(c, _mm256_extractf128_pd(even, 1));
  _mm_storeu_pd(d, _mm256_extractf128_pd(odd, 1));
#else
  double* const to[] = {a, b, c, d};
  for (int j = 0; j < kLanes; ++j) to[j][0] = first[j], to[j][1] = second[j];
#endif
}

// a few numbers, in place, without a call
inline void CopyNumbers(const double* from, int n, double* to) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) StoreLanes(to + i, LoadLanes(from + i));
  for (; i < n; ++i) to[i] = from[i];
}

inline Pair Sqrt(const Pair& a) {
#if defined(MUJOCABLE_VECTORS) && defined(__SSE2__)
  return _mm_sqrt_pd(a);
#else
  return Pair{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}
inline Lanes Sqrt(const Lanes& a) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

// as std::min and std::max, of one number too
inline double Least(double a, double b) { return std::min(a, b); }
#if defined(MUJOCABLE_VECTORS)
inline Lanes Least(const Lanes& a, const Lanes& b) { return b < a ? b : a; }
inline Lanes Most(const Lanes& a, const Lanes& b) { return a < b ? b : a; }
#else
inline Lanes Least(const Lanes& a, const Lanes& b) { return Select(b - a, b, a); }
inline Lanes Most(const Lanes& a, const Lanes& b) { return Select(a - b, b, a); }
#endif
inline double Least(const Pair& a) { return std::min(a[0], a[1]); }
inline double Most(const Pair& a) { return std::max(a[0], a[1]); }
inline double MostSize(const Pair& a) { return std::max(std::abs(a[0]), std::abs(a[1])); }

inline double Sum(const Lanes& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
inline Lanes Abs(const Lanes& a) { return Select(a, 0 - a, a); }
inline bool AllNegative(double a) { return a < 0; }
inline bool AllNegative(const Pair& a) { return a[0] < 0 && a[1] < 0; }
// a bit for each lane that is negative
inline int NegativeBits(const Lanes& a) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  return _mm256_movemask_pd(_mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_LT_OQ));
#else
  return (a[0] < 0) | (a[1] < 0) << 1 | (a[2] < 0) << 2 | (a[3] < 0) << 3;
#endif
}
inline bool AllNegative(const Lanes& a) { return NegativeBits(a) == 15; }
inline bool AnyNegative(const Lanes& a) { return NegativeBits(a) != 0; }
inline bool AllZero(double a) { return a == 0; }
inline bool AllZero(const Lanes& a) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  return _mm256_movemask_pd(_mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_EQ_OQ)) == 15;
#else
  return a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0;
#endif
}
inline bool AllZero(const LaneBits& a) {
#if defined(MUJOCABLE_VECTORS) && defined(__AVX__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(a));
#else
  return (a[0] | a[1] | a[2] | a[3]) == 0;
#endif
}

// the lanes moved on by one, `first` in front
inline Lanes Shift(double first, const Lanes& a) { return Lanes{first, a[0], a[1], a[2]}; }

inline LaneBits BitsOf(const Lanes& a) { return std::bit_cast<LaneBits>(a); }
inline Lanes FromBits(const LaneBits& a) { return std::bit_cast<Lanes>(a); }

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_SIMD_H_
