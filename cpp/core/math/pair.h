// Several vectors at a time: two for both ends of an arc, where the closed forms do the same; four
// for as many cables.

#ifndef MUJOCABLE_CORE_MATH_PAIR_H_
#define MUJOCABLE_CORE_MATH_PAIR_H_

#include "core/math/inline.h"
#include "core/math/simd.h"
#include "core/math/vec.h"

namespace mujocable {

template <typename Number>
struct Several3 {
  Number x, y, z;
  Vec3 operator[](int j) const { return {x[j], y[j], z[j]}; }
  Vec3 First() const { return (*this)[0]; }
  Vec3 Second() const { return (*this)[1]; }
};
using Pair3 = Several3<Pair>;
using Lanes3 = Several3<Lanes>;

MUJOCABLE_INLINE inline Pair3 PairOf(const Vec3& a, const Vec3& b) {
  return {Pair{a.x, b.x}, Pair{a.y, b.y}, Pair{a.z, b.z}};
}
MUJOCABLE_INLINE inline Lanes3 LanesOf(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return {Lanes{a.x, b.x, c.x, d.x}, Lanes{a.y, b.y, c.y, d.y}, Lanes{a.z, b.z, c.z, d.z}};
}
MUJOCABLE_INLINE inline Lanes3 LanesOf(const Vec3& a) { return LanesOf(a, a, a, a); }
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> operator+(const Vec3& a, const Several3<Number>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> operator-(const Several3<Number>& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> operator+(const Several3<Number>& a,
                                                   const Several3<Number>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> operator-(const Several3<Number>& a,
                                                   const Several3<Number>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> operator*(const Number& s, const Several3<Number>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

template <typename A, typename Number>
MUJOCABLE_INLINE inline Number Dot(const A& a, const Several3<Number>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename A, typename Number>
MUJOCABLE_INLINE inline Several3<Number> Cross(const A& a, const Several3<Number>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// the choice between two vectors by the sign of a number
template <typename Number>
MUJOCABLE_INLINE inline Several3<Number> Select(const Number& sign, const Several3<Number>& a,
                                                const Several3<Number>& b) {
  return {Select(sign, a.x, b.x), Select(sign, a.y, b.y), Select(sign, a.z, b.z)};
}

// A segment between two nodes has a direction where it is longer than this share of how far they
// are from the origin: less is the rounding of poses. Sites of two links at the center of a joint
// are in one place. Chosen: some thousand roundings; test_capstan would notice a lower or no bound.
inline constexpr double kOnePlace = 1e-12;

// 1 / length of the segments that end in these nodes; 0 where they have no direction
MUJOCABLE_INLINE inline Lanes InverseLength(const Lanes& length, const Lanes3& to) {
  const Lanes rounding = kOnePlace * (Abs(to.x) + Abs(to.y) + Abs(to.z));
  return Select(rounding - length, 1 / length, All<Lanes>(0));
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_PAIR_H_
