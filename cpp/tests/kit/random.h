// Random numbers with the same values on every machine, and random geometry made of them.

#ifndef MUJOCABLE_TESTS_KIT_RANDOM_H_
#define MUJOCABLE_TESTS_KIT_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/math/vec.h"

namespace mujocable::test {

// splitmix64: any seed will do, no state to warm up
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double Uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1p-53;
  }
  // in [0, n)
  int Index(int n) { return static_cast<int>(Bits() % static_cast<uint64_t>(n)); }
  bool Chance(double probability) { return Uniform(0, 1) < probability; }
  // between low and high, each decade as likely as the other
  double Logarithmic(double low, double high) {
    return std::exp(Uniform(std::log(low), std::log(high)));
  }

  Vec3 Direction() {
    const double z = Uniform(-1, 1), angle = Uniform(0, 2 * std::numbers::pi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  Vec3 InBox(double half) {
    return {Uniform(-half, half), Uniform(-half, half), Uniform(-half, half)};
  }

  // a frame whose third axis is `axis`, turned about it at random
  Mat3 FrameAlong(const Vec3& axis) {
    const Vec3 u = Perpendicular(axis), v = Cross(axis, u);
    const double angle = Uniform(0, 2 * std::numbers::pi);
    const Vec3 x = std::cos(angle) * u + std::sin(angle) * v, y = Cross(axis, x);
    return {{x.x, y.x, axis.x, x.y, y.y, axis.y, x.z, y.z, axis.z}};
  }
  Mat3 Rotation() { return FrameAlong(Direction()); }

 private:
  uint64_t state_;
};

// v turned by |w| about w
inline Vec3 Turned(const Vec3& v, const Vec3& w) {
  const double angle = Norm(w);
  const Vec3 axis = Unit(w);
  return std::cos(angle) * v + std::sin(angle) * Cross(axis, v) +
         (1 - std::cos(angle)) * Dot(axis, v) * axis;
}

inline Mat3 Turned(const Mat3& r, const Vec3& w) {
  const Vec3 x = Turned(r.Column(0), w), y = Turned(r.Column(1), w), z = Turned(r.Column(2), w);
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_RANDOM_H_
