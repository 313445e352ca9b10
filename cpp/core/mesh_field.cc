#include "mesh_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mujocable {
namespace {

// Eight numbers at once. Compilers that have them are given vectors: left to themselves they unroll
// such short loops first and find no vector in what is left.
struct Lanes {
  static constexpr int kCount = 8;
  static_assert(kSupport + kPadding == kCount);
#if defined(__GNUC__)
  typedef double Four __attribute__((vector_size(32)));
  Four low = {}, high = {};
  void Add(double weight, const Lanes& x) {
    low += weight * x.low;
    high += weight * x.high;
  }
  static Lanes From(const double* x) {
    Lanes lanes;
    std::memcpy(&lanes.low, x, sizeof lanes.low);
    std::memcpy(&lanes.high, x + 4, sizeof lanes.high);
    return lanes;
  }
  double operator[](int k) const { return k < 4 ? low[k] : high[k - 4]; }
#else
  double value[kCount] = {};
  void Add(double weight, const Lanes& x) {
    for (int k = 0; k < kCount; ++k) value[k] += weight * x.value[k];
  }
  static Lanes From(const double* x) {
    Lanes lanes;
    for (int k = 0; k < kCount; ++k) lanes.value[k] = x[k];
    return lanes;
  }
  double operator[](int k) const { return value[k]; }
#endif
};

}  // namespace

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
  // Along x, then y, then z: each row of neighbors in memory is read whole; its last two numbers
  // have no weight.
  Lanes a, b, c, d, e, f;
  for (int j = 0; j < kSupport; ++j) {
    Lanes s0, s1, s2;
    for (int i = 0; i < kSupport; ++i) {
      const Lanes from = Lanes::From(field.coefficient.data() + at.first + i * slab + j * row);
      s0.Add(at.w[0][i], from);
      s1.Add(at.d[0][i], from);
      s2.Add(at.dd[0][i], from);
    }
    a.Add(at.w[1][j], s0);
    b.Add(at.d[1][j], s0);
    c.Add(at.dd[1][j], s0);
    d.Add(at.w[1][j], s1);
    e.Add(at.d[1][j], s1);
    f.Add(at.w[1][j], s2);
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
