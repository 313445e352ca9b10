// The seam of two surfaces that touch without a corner.

#ifndef MUJOCABLE_CORE_MESH_PATCH_SEAM_H_
#define MUJOCABLE_CORE_MESH_PATCH_SEAM_H_

#include <cstdint>

#include "core/math/vec.h"

namespace mujocable {

// Where two patches meet: a line or a circle, along which their normals agree. Those normals make
// up a plane or a cone, which parts what is nearest to the one from what is nearest to the other.
struct Join {
  std::int32_t patch[2] = {-1, -1};
  std::int64_t round = 0;     // a circle
  Vec3 center;                // of the circle; line: a point of it
  Vec3 axis;                  // of the circle; line: the direction across
  double ring = 0;            // radius of the circle                                      [m]
  double across = 0, up = 0;  // direction across, away from the circle's axis and along it
};

// how far x lies on the side of the second patch, and in which direction that grows
inline double Beyond(const Join& join, const Vec3& x, Vec3& gradient) {
  const Vec3 e = x - join.center;
  if (!join.round) {
    gradient = join.axis;
    return Dot(e, join.axis);
  }
  const double z = Dot(e, join.axis);
  const Vec3 away = e - z * join.axis;
  const double rho = Norm(away);
  gradient = (rho > 0 ? join.across / rho : 0) * away + join.up * join.axis;
  return join.across * (rho - join.ring) + join.up * z;
}

inline double Beyond(const Join& join, const Vec3& x) {
  Vec3 gradient;
  return Beyond(join, x, gradient);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_PATCH_SEAM_H_
