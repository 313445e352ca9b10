// A box along the axes, around points.

#ifndef MUJOCABLE_CORE_MESH_BOX_H_
#define MUJOCABLE_CORE_MESH_BOX_H_

#include <algorithm>
#include <cmath>

#include "core/math/vec.h"

namespace mujocable {

struct Box {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};

  void Add(const Vec3& v) {
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  }
  double Side(int k) const { return high[k] - low[k]; }
  double HalfDiagonal() const { return 0.5 * Norm({Side(0), Side(1), Side(2)}); }
  bool Meets(const Box& b) const {
    for (int k = 0; k < 3; ++k) {
      if (low[k] > b.high[k] || b.low[k] > high[k]) return false;
    }
    return true;
  }
  // of the distance from v, 0 inside
  double Squared(const Vec3& v) const {
    const double x[3] = {v.x, v.y, v.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({low[k] - x[k], 0.0, x[k] - high[k]});
      sum += d * d;
    }
    return sum;
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_BOX_H_
