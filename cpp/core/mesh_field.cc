#include "mesh_field.h"

#include <algorithm>
#include <cmath>

namespace mujocable {

Place PlaceOf(const MeshField& field, const Vec3& x) {
  Place at;
  const double u[3] = {(x.x - field.origin.x) / field.cell, (x.y - field.origin.y) / field.cell,
                       (x.z - field.origin.z) / field.cell};
  std::int64_t index = 0;
  for (int k = 0; k < 3; ++k) {
    // also where x is no number
    const double inside = u[k] > 2 ? std::min(u[k], field.n[k] - 3 - 1e-9) : 2;
    const int first = static_cast<int>(inside);
    SplineWeights(inside - first, at.w[k], at.d[k], at.dd[k]);
    index = index * field.n[k] + (first - 2);
  }
  at.first = index;
  return at;
}

Jet Evaluate(const MeshField& field, const Vec3& x) {
  const Place at = PlaceOf(field, x);
  const std::int64_t row = field.n[2], slab = row * field.n[1];
  // along x, then y, then z: the innermost loop runs over neighbors in memory
  double a[kSupport] = {}, b[kSupport] = {}, c[kSupport] = {}, d[kSupport] = {}, e[kSupport] = {},
         f[kSupport] = {};
  for (int j = 0; j < kSupport; ++j) {
    double s0[kSupport] = {}, s1[kSupport] = {}, s2[kSupport] = {};
    for (int i = 0; i < kSupport; ++i) {
      const double* from = field.coefficient.data() + at.first + i * slab + j * row;
      for (int k = 0; k < kSupport; ++k) {
        s0[k] += at.w[0][i] * from[k];
        s1[k] += at.d[0][i] * from[k];
        s2[k] += at.dd[0][i] * from[k];
      }
    }
    for (int k = 0; k < kSupport; ++k) {
      a[k] += at.w[1][j] * s0[k];
      b[k] += at.d[1][j] * s0[k];
      c[k] += at.dd[1][j] * s0[k];
      d[k] += at.w[1][j] * s1[k];
      e[k] += at.d[1][j] * s1[k];
      f[k] += at.w[1][j] * s2[k];
    }
  }
  Jet jet;
  for (int k = 0; k < kSupport; ++k) {
    const double w = at.w[2][k], w1 = at.d[2][k], w2 = at.dd[2][k];
    jet.f += w * a[k];
    jet.g.x += w * d[k];
    jet.g.y += w * b[k];
    jet.g.z += w1 * a[k];
    jet.xx += w * f[k];
    jet.yy += w * c[k];
    jet.zz += w2 * a[k];
    jet.xy += w * e[k];
    jet.xz += w1 * d[k];
    jet.yz += w1 * b[k];
  }
  const double once = 1 / field.cell, twice = once * once;
  jet.g = once * jet.g;
  for (double* second : {&jet.xx, &jet.yy, &jet.zz, &jet.xy, &jet.xz, &jet.yz}) *second *= twice;
  return jet;
}

double Value(const MeshField& field, const Vec3& x) {
  const Place at = PlaceOf(field, x);
  const std::int64_t row = field.n[2], slab = row * field.n[1];
  double a[kSupport] = {};
  for (int i = 0; i < kSupport; ++i) {
    for (int j = 0; j < kSupport; ++j) {
      const double* from = field.coefficient.data() + at.first + i * slab + j * row;
      const double w = at.w[0][i] * at.w[1][j];
      for (int k = 0; k < kSupport; ++k) a[k] += w * from[k];
    }
  }
  double sum = 0;
  for (int k = 0; k < kSupport; ++k) sum += at.w[2][k] * a[k];
  return sum;
}

double Value(const MeshField& field, const double* coefficient, const Place& at, Vec3& gradient) {
  const std::int64_t row = field.n[2], slab = row * field.n[1];
  double a[kSupport] = {}, b[kSupport] = {}, d[kSupport] = {};
  for (int i = 0; i < kSupport; ++i) {
    for (int j = 0; j < kSupport; ++j) {
      const double* from = coefficient + at.first + i * slab + j * row;
      const double ww = at.w[0][i] * at.w[1][j], wd = at.w[0][i] * at.d[1][j];
      const double dw = at.d[0][i] * at.w[1][j];
      for (int k = 0; k < kSupport; ++k) {
        a[k] += ww * from[k];
        b[k] += wd * from[k];
        d[k] += dw * from[k];
      }
    }
  }
  double value = 0;
  gradient = {};
  for (int k = 0; k < kSupport; ++k) {
    value += at.w[2][k] * a[k];
    gradient.x += at.w[2][k] * d[k];
    gradient.y += at.w[2][k] * b[k];
    gradient.z += at.d[2][k] * a[k];
  }
  gradient = (1 / field.cell) * gradient;
  return value;
}

std::int64_t NodeNear(const MeshField& field, const Vec3& x, Vec3& node) {
  const double u[3] = {(x.x - field.origin.x) / field.cell, (x.y - field.origin.y) / field.cell,
                       (x.z - field.origin.z) / field.cell};
  std::int64_t index = 0;
  double at[3];
  for (int k = 0; k < 3; ++k) {
    const double inside = u[k] > 0 ? std::min(u[k], field.n[k] - 1.0) : 0;
    const int i = static_cast<int>(inside + 0.5);
    index = index * field.n[k] + i;
    at[k] = i * field.cell;
  }
  node = field.origin + Vec3{at[0], at[1], at[2]};
  return index;
}

bool InBand(const MeshField& field, const Vec3& x) {
  Vec3 node;
  const std::int64_t index = NodeNear(field, x, node);
  const Vec3 d = x - node;
  return std::abs(field.distance[index]) <= kBand * field.cell &&
         Dot(d, d) <= field.cell * field.cell;
}

}  // namespace mujocable
