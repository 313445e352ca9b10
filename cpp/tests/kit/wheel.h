// A grooved wheel at the origin, along z, with a cable from one point over it to another.

#ifndef MUJOCABLE_TESTS_KIT_WHEEL_H_
#define MUJOCABLE_TESTS_KIT_WHEEL_H_

#include "tests/kit/scene.h"

namespace mujocable::test {

inline constexpr double kRadius = 0.1;  // of the bottom

inline Surface Wheel(double depth, double half_length = 0.02) {
  Surface s = CylinderAt({0, 0, 0}, kRadius, {0, 0, 1}, half_length);
  s.size[0] = kRadius + depth;
  s.size[1] = depth;
  return s;
}

inline Rig Grooved(double depth, const Vec3& a, const Vec3& b) {
  return Rig({AnchorAt(a), WrapOn(Wheel(depth), {0, 2 * kRadius, 0}), AnchorAt(b)});
}

inline Vec3 Around(double distance, double angle, double z) {
  return {distance * std::cos(angle), distance * std::sin(angle), z};
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_WHEEL_H_
