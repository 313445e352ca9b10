#include "core/mesh/field.h"

#include <algorithm>
#include <cmath>

#include "core/math/inline.h"
#include "core/math/simd.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

// A row of six coefficients is read as four numbers and two: left to themselves compilers unroll
// such short loops first and find no vector in what is left.
static_assert(sizeof(Lanes) + sizeof(Pair) == kSupport * sizeof(double));

// Sums along x and y for each z, by how often each axis is differentiated.
template <typename V>
struct Columns {
  V f = {}, x = {}, y = {}, xx = {}, yy = {}, xy = {};
  MUJOCABLE_INLINE Columns(const double* from, const Grid& grid, const SplinePlace& at) {
    for (int j = 0; j < kSupport; ++j) {
      V s0 = {}, s1 = {}, s2 = {};
      for (int i = 0; i < kSupport; ++i) {
        const V v = Read<V>(from + i * grid.Slab() + j * grid.Row());
        s0 += at.w[i][0] * v;
        s1 += at.d[i][0] * v;
        s2 += at.dd[i][0] * v;
      }
      f += at.w[j][1] * s0;
      y += at.d[j][1] * s0;
      yy += at.dd[j][1] * s0;
      x += at.w[j][1] * s1;
      xy += at.d[j][1] * s1;
      xx += at.w[j][1] * s2;
    }
  }
};

// weights along z times a row
struct Row {
  Lanes low;
  Pair high;
  explicit Row(const double (*w)[4])
      : low{w[0][2], w[1][2], w[2][2], w[3][2]}, high{w[4][2], w[5][2]} {}
  double Times(const Lanes& a, const Pair& b) const {
    const Lanes x = low * a;
    const Pair y = high * b;
    return ((x[0] + x[2]) + y[0]) + ((x[1] + x[3]) + y[1]);
  }
};

// value, gradient and Hessian of a spline; what is not asked for is left out where it is inlined
MUJOCABLE_INLINE inline Jet SplineJet(const Grid& grid, const double* coefficient,
                                      const SplinePlace& at) {
  const Columns<Lanes> a(coefficient + at.first, grid, at);
  const Columns<Pair> b(coefficient + at.first + 4, grid, at);
  const Row w(at.w), d(at.d), dd(at.dd);
  const double once = 1 / grid.cell, twice = once * once;
  Jet jet;
  jet.f = w.Times(a.f, b.f);
  jet.g = once * Vec3{w.Times(a.x, b.x), w.Times(a.y, b.y), d.Times(a.f, b.f)};
  jet.xx = twice * w.Times(a.xx, b.xx);
  jet.yy = twice * w.Times(a.yy, b.yy);
  jet.zz = twice * dd.Times(a.f, b.f);
  jet.xy = twice * w.Times(a.xy, b.xy);
  jet.xz = twice * d.Times(a.x, b.x);
  jet.yz = twice * d.Times(a.y, b.y);
  return jet;
}

// weights at fractions t of a cell, and their derivatives (of a unit cell), all axes at once
void SplineWeights(const Lanes& t, SplinePlace& at) {
  const Lanes u = 1 - t;
  const Lanes t2 = t * t, t3 = t2 * t, t4 = t2 * t2, t5 = t4 * t, u2 = u * u, u3 = u2 * u;
  constexpr double c = 1.0 / 120;
  // value and derivatives of a + b t + ... + f t^5, over 120
  const auto add = [&](int k, double a0, double a1, double a2, double a3, double a4, double a5) {
    StoreLanes(at.w[k],
               c * a0 + c * a1 * t + c * a2 * t2 + c * a3 * t3 + c * a4 * t4 + c * a5 * t5);
    StoreLanes(at.d[k],
               c * a1 + 2 * c * a2 * t + 3 * c * a3 * t2 + 4 * c * a4 * t3 + 5 * c * a5 * t4);
    StoreLanes(at.dd[k], 2 * c * a2 + 6 * c * a3 * t + 12 * c * a4 * t2 + 20 * c * a5 * t3);
  };
  StoreLanes(at.w[0], c * (u2 * u3));
  StoreLanes(at.d[0], -5 * c * (u2 * u2));
  StoreLanes(at.dd[0], 20 * c * u3);
  add(1, 26, -50, 20, 20, -20, 5);
  add(2, 66, 0, -60, 0, 30, -10);
  add(3, 26, 50, 20, -20, -20, 10);
  add(4, 1, 5, 10, 10, 5, -5);
  StoreLanes(at.w[5], c * t5);
  StoreLanes(at.d[5], 5 * c * t4);
  StoreLanes(at.dd[5], 20 * c * t3);
}

// The node before a point along each axis, for one outside that of the border, which is `margin`
// nodes inside the grid's. t: where the point is, then how far beyond the node [cells].
std::int64_t NodeBefore(const Grid& grid, int margin, double* t) {
  std::int64_t index = 0;
  for (int k = 0; k < 3; ++k) {
    // also where x is no number
    const double inside = t[k] > margin ? std::min(t[k], grid.n[k] - 1 - margin - kBorder) : margin;
    const int first = static_cast<int>(inside);
    t[k] = inside - first;
    index = index * grid.n[k] + first;
  }
  return index;
}

}  // namespace

SplinePlace PlaceOf(const MeshField& field, const Vec3& x) {
  SplinePlace at;
  constexpr int kBefore = (kSupport - 1) / 2;  // coefficients on the near side of the point's cell
  double t[4] = {};
  Store(t, (1 / field.cell) * (x - field.origin));
  at.first = NodeBefore(field, kBefore, t) - kBefore * (field.Slab() + field.Row() + 1);
  SplineWeights(Read<Lanes>(t), at);
  return at;
}

int PatchAt(const MeshField& field, const Vec3& x) {
  const std::int64_t at = field.Near(x);
  int patch = field.owner[field.nearest[at]];
  // across the joins that lie between; more than a few never meet
  for (int i = 0; i < 4; ++i) {
    const int before = patch;
    for (int k = field.first[at]; k < field.first[at + 1]; ++k) {
      const Join& join = field.join[field.near[k]];
      if (patch != join.patch[0] && patch != join.patch[1]) continue;
      patch = join.patch[Beyond(join, x) > 0 ? 1 : 0];
    }
    if (patch == before) break;
  }
  return patch;
}

Jet Evaluate(const MeshField& field, const Vec3& x) {
  if (!field.patch.empty()) return JetOf(field.patch[PatchAt(field, x)], x);
  return SplineJet(field, field.coefficient.data(), PlaceOf(field, x));
}

double Value(const MeshField& field, const Vec3& x) {
  if (!field.patch.empty()) return DistanceOf(field.patch[PatchAt(field, x)], x);
  return SplineJet(field, field.coefficient.data(), PlaceOf(field, x)).f;
}

double Value(const MeshField& field, const double* coefficient, const SplinePlace& at,
             Vec3& gradient) {
  const Jet jet = SplineJet(field, coefficient, at);
  gradient = jet.g;
  return jet.f;
}

std::int64_t Grid::Near(const Vec3& x, Vec3& node) const {
  std::int64_t index = 0;
  double at[3];
  for (int k = 0; k < 3; ++k) {
    const double u = (x[k] - origin[k]) / cell, inside = u > 0 ? std::min(u, n[k] - 1.0) : 0;
    const int i = static_cast<int>(inside + 0.5);
    index = index * n[k] + i;
    at[k] = i * cell;
  }
  node = origin + Load(at);
  return index;
}

namespace {

// a quantity known at the nodes, linear between them
double Between(const MeshField& field, const std::vector<float>& known, const Vec3& x) {
  double t[3] = {(x.x - field.origin.x) / field.cell, (x.y - field.origin.y) / field.cell,
                 (x.z - field.origin.z) / field.cell};
  const std::int64_t index = NodeBefore(field, 0, t), row = field.Row(), slab = field.Slab();
  const auto between = [&](std::int64_t i) {
    const double a = known[i], b = known[i + 1];
    return a + t[2] * (b - a);
  };
  const auto face = [&](std::int64_t i) {
    const double a = between(i), b = between(i + row);
    return a + t[1] * (b - a);
  };
  const double a = face(index), b = face(index + slab);
  return a + t[0] * (b - a);
}

}  // namespace

double ReachAt(const MeshField& field, const Vec3& x) { return Between(field, field.reach, x); }

double WavinessAt(const MeshField& field, const Vec3& x) {
  return field.patch.empty() ? Between(field, field.waviness, x) : 0;
}

bool InBand(const MeshField& field, const Vec3& x) {
  Vec3 node;
  const std::int64_t index = field.Near(x, node);
  const Vec3 d = x - node;
  return std::abs(field.distance[index]) <= kBand * field.cell &&
         Dot(d, d) <= field.cell * field.cell;
}

Vec3 Drop(const MeshField& f, Vec3 x, Jet& jet) {
  for (int i = 0; i < kMaxMeshSteps; ++i) {
    jet = Evaluate(f, x);
    const double gg = Dot(jet.g, jet.g);
    if (std::abs(jet.f) <= kLevelRounding * f.cell) break;
    if (!(gg > kLeastGradient * kLeastGradient)) {
      // as far from one side as from the other: on from what is known to be near
      x = SampleNear(f, x);
      continue;
    }
    const double step = std::clamp(-jet.f / gg, -f.cell, f.cell);
    const Vec3 move = step * jet.g;
    x += move;
    if (std::abs(step) < kLastMeshStep * f.cell) {
      // the value is below rounding now, and the gradient known to the second order
      jet.g += jet.Times(move);
      break;
    }
  }
  return x;
}

}  // namespace mujocable
