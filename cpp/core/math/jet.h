// A function of space at one point: value, gradient and Hessian.

#ifndef MUJOCABLE_CORE_MATH_JET_H_
#define MUJOCABLE_CORE_MATH_JET_H_

#include "core/math/vec.h"

namespace mujocable {

struct Jet {
  double f = 0;
  Vec3 g;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Vec3 Times(const Vec3& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z};
  }
  // the Hessian grows by s v v^T
  void Add(double s, const Vec3& v) {
    xx += s * v.x * v.x, yy += s * v.y * v.y, zz += s * v.z * v.z;
    xy += s * v.x * v.y, xz += s * v.x * v.z, yz += s * v.y * v.z;
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_JET_H_
