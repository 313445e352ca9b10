// Two vectors at a time: the closed forms do the same at both ends of an arc.

#ifndef MUJOCABLE_CORE_MATH_PAIR_H_
#define MUJOCABLE_CORE_MATH_PAIR_H_

#include "core/math/inline.h"
#include "core/math/simd.h"
#include "core/math/vec.h"

namespace mujocable {

struct Pair3 {
  Pair x, y, z;
  Vec3 First() const { return {x[0], y[0], z[0]}; }
  Vec3 Second() const { return {x[1], y[1], z[1]}; }
};

MUJOCABLE_INLINE inline Pair3 PairOf(const Vec3& a, const Vec3& b) {
  return {Pair{a.x, b.x}, Pair{a.y, b.y}, Pair{a.z, b.z}};
}
MUJOCABLE_INLINE inline Pair3 operator+(const Vec3& a, const Pair3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
MUJOCABLE_INLINE inline Pair3 operator-(const Pair3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
MUJOCABLE_INLINE inline Pair3 operator+(const Pair3& a, const Pair3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
MUJOCABLE_INLINE inline Pair3 operator-(const Pair3& a, const Pair3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
MUJOCABLE_INLINE inline Pair3 operator*(const Pair& s, const Pair3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

MUJOCABLE_INLINE inline Pair Dot(const Pair3& a, const Pair3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
MUJOCABLE_INLINE inline Pair Dot(const Vec3& a, const Pair3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
MUJOCABLE_INLINE inline Pair3 Cross(const Pair3& a, const Pair3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
MUJOCABLE_INLINE inline Pair3 Cross(const Vec3& a, const Pair3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// local -> world
MUJOCABLE_INLINE inline Pair3 Rotate(const Mat3& r, const Pair3& v) {
  return {r.m[0] * v.x + r.m[1] * v.y + r.m[2] * v.z, r.m[3] * v.x + r.m[4] * v.y + r.m[5] * v.z,
          r.m[6] * v.x + r.m[7] * v.y + r.m[8] * v.z};
}

// world -> local
MUJOCABLE_INLINE inline Pair3 Unrotate(const Mat3& r, const Pair3& v) {
  return {r.m[0] * v.x + r.m[3] * v.y + r.m[6] * v.z, r.m[1] * v.x + r.m[4] * v.y + r.m[7] * v.z,
          r.m[2] * v.x + r.m[5] * v.y + r.m[8] * v.z};
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_PAIR_H_
