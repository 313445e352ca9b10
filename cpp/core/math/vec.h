// Three-dimensional vectors and rotations, by value.

#ifndef MUJOCABLE_CORE_MATH_VEC_H_
#define MUJOCABLE_CORE_MATH_VEC_H_

#include <cmath>

#include "core/math/inline.h"

namespace mujocable {

struct Vec3 {
  double x = 0, y = 0, z = 0;
  double operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }

inline double Dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double Norm(const Vec3& a) { return std::sqrt(Dot(a, a)); }
inline Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline bool Finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// unit vector along a; `fallback` when a has no direction
inline Vec3 Unit(const Vec3& a, const Vec3& fallback = {0, 0, 0}) {
  const double n = Norm(a);
  return n > 0 ? (1 / n) * a : fallback;
}

// any unit vector perpendicular to the unit vector n
inline Vec3 Perpendicular(const Vec3& n) {
  const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return Unit(Cross(n, axis));
}

// unit vector along t as far as it lies across the unit vector n; any where it has no such part
inline Vec3 Across(const Vec3& t, const Vec3& n) {
  return Unit(t - Dot(t, n) * n, Perpendicular(n));
}

// rotation, columns are the axes of the rotated frame; row-major like MuJoCo's xmat
struct Mat3 {
  double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 Column(int c) const { return {m[c], m[3 + c], m[6 + c]}; }
};

// local -> world, of one vector or several at a time
template <typename Vector = Vec3>
MUJOCABLE_INLINE inline Vector Rotate(const Mat3& r, const Vector& v) {
  return {r.m[0] * v.x + r.m[1] * v.y + r.m[2] * v.z, r.m[3] * v.x + r.m[4] * v.y + r.m[5] * v.z,
          r.m[6] * v.x + r.m[7] * v.y + r.m[8] * v.z};
}

// world -> local
template <typename Vector = Vec3>
MUJOCABLE_INLINE inline Vector Unrotate(const Mat3& r, const Vector& v) {
  return {r.m[0] * v.x + r.m[3] * v.y + r.m[6] * v.z, r.m[1] * v.x + r.m[4] * v.y + r.m[7] * v.z,
          r.m[2] * v.x + r.m[5] * v.y + r.m[8] * v.z};
}

inline Vec3 Load(const double* p) { return {p[0], p[1], p[2]}; }
inline void Store(double* p, const Vec3& v) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_VEC_H_
