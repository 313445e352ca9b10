// Is a stationary path a shortest one? Second-order certificate by finite differences.

#ifndef MUJOCABLE_TESTS_KIT_CERTIFICATE_H_
#define MUJOCABLE_TESTS_KIT_CERTIFICATE_H_

#include <vector>

#include "tests/kit/scene.h"

namespace mujocable::test {

// the arcs of a path over surfaces in order, between fixed ends
struct ArcPath {
  Vec3 a, b;
  std::vector<Surface> surfaces;
  std::vector<Geodesic> arcs;
};

// the path a chain was built from, and the path a solve found (of one span)
inline ArcPath Built(const Chain& chain) {
  ArcPath path{chain.a, chain.b, chain.surfaces, {}};
  Vec3 from = chain.a;
  for (size_t i = 0; i < chain.surfaces.size(); ++i) {
    path.arcs.push_back(
        Shoot(chain.surfaces[i], chain.entry[i], chain.entry[i] - from, chain.arc[i]));
    from = chain.exit[i];
  }
  return path;
}

inline ArcPath Found(const Rig& rig) {
  const Record& r = rig.record;
  ArcPath path{Load(r.ends()), Load(r.ends() + 3), {}, {}};
  for (int i = 0; i < rig.ncontact; ++i) {
    if (!r.Touching(i)) continue;
    path.surfaces.push_back(rig.surface(i));
    path.arcs.push_back(Shoot(rig.surface(i), r.Entry(i), r.Direction(i), r.arc()[i]));
  }
  return path;
}

// an arc slid along t and b, turned toward b and lengthened: the four natural variations
inline Geodesic Varied(const Surface& s, const Geodesic& g, const double* q) {
  const Vec3 b = Cross(g.t_p, g.n_p);
  const Vec3 slide = q[0] * g.t_p + q[1] * b;
  const double distance = Norm(slide);
  Vec3 start = g.p, t = g.t_p;
  if (distance > 0) {
    // along a geodesic of the surface; the tangent keeps its angle to it
    const Geodesic way = Shoot(s, g.p, slide, distance);
    const double along = Dot(g.t_p, way.t_p), aside = Dot(g.t_p, Cross(way.t_p, way.n_p));
    start = way.q;
    t = along * way.t_q + aside * Cross(way.t_q, way.n_q);
  }
  const Vec3 n = Normal(s, start), across = Cross(t, n);
  return Shoot(s, start, std::cos(q[2]) * t + std::sin(q[2]) * across, g.length + q[3]);
}

inline double LengthOf(const ArcPath& path, const std::vector<Geodesic>& arcs) {
  double length = 0;
  Vec3 from = path.a;
  for (const Geodesic& g : arcs) {
    length += Norm(g.p - from) + g.length;
    from = g.q;
  }
  return length + Norm(path.b - from);
}

// gradient of the length and normal components of (2) under the variations of arc i
struct Slope {
  std::vector<double> gradient;  // shape [4 n], per radius, per radius, per radian, per radius
  std::vector<double> normal;    // e.n at entry and exit, shape [2 n]
};

inline Slope SlopeOf(const ArcPath& path, const std::vector<Geodesic>& arcs) {
  const int n = static_cast<int>(arcs.size());
  Slope slope{std::vector<double>(4 * n), std::vector<double>(2 * n)};
  for (int i = 0; i < n; ++i) {
    const Geodesic& g = arcs[i];
    const double r = path.surfaces[i].radius;
    const Vec3 in = Unit(g.p - (i ? arcs[i - 1].q : path.a));
    const Vec3 out = Unit((i + 1 < n ? arcs[i + 1].p : path.b) - g.q);
    const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
    // dP = t ds + b dbeta, dQ = t (ds + dl) + b (a dbeta + r dtheta), theory (4)
    slope.gradient[4 * i] = r * (Dot(in, g.t_p) - Dot(out, g.t_q));
    slope.gradient[4 * i + 1] = r * (Dot(in, b_p) - g.a * Dot(out, b_q));
    slope.gradient[4 * i + 2] = -g.r * Dot(out, b_q);
    slope.gradient[4 * i + 3] = r * (1 - Dot(out, g.t_q));
    slope.normal[2 * i] = Dot(in, g.n_p);
    slope.normal[2 * i + 1] = Dot(out, g.n_q);
  }
  return slope;
}

// Whether every small variation that keeps the segments tangent lengthens the path: the Hessian of
// the length, reduced to e.n = 0, is positive definite. Both are differences of first derivatives;
// the constraint is imposed by a large weight, definiteness is tried by a Cholesky factorization.
// `least`: how positive, in lengths of the mean radius per squared variation.
inline bool IsMinimum(const ArcPath& path, double least = 1e-4) {
  const int n = static_cast<int>(path.arcs.size()), size = 4 * n;
  if (n == 0) return true;
  double mean = 0;
  for (const Surface& s : path.surfaces) mean += s.radius / n;
  std::vector<std::vector<double>> h(size, std::vector<double>(size)), c(size);
  const double step = 1e-5;
  for (int k = 0; k < size; ++k) {
    Slope side[2];
    for (int sign = 0; sign < 2; ++sign) {
      const Surface& s = path.surfaces[k / 4];
      double q[4] = {0, 0, 0, 0};
      q[k % 4] = (sign ? -step : step) * (k % 4 == 2 ? 1 : s.radius);
      std::vector<Geodesic> arcs = path.arcs;
      arcs[k / 4] = Varied(s, arcs[k / 4], q);
      side[sign] = SlopeOf(path, arcs);
    }
    for (int i = 0; i < size; ++i) {
      h[i][k] = (side[0].gradient[i] - side[1].gradient[i]) / (2 * step * mean);
    }
    c[k].resize(2 * n);
    for (int i = 0; i < 2 * n; ++i) c[k][i] = (side[0].normal[i] - side[1].normal[i]) / (2 * step);
  }
  std::vector<std::vector<double>> m(size, std::vector<double>(size));
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      m[i][j] = 0.5 * (h[i][j] + h[j][i]);
      for (int k = 0; k < 2 * n; ++k) m[i][j] += 1e5 * c[i][k] * c[j][k];
    }
    m[i][i] -= least;
  }
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < j; ++k) m[j][j] -= m[j][k] * m[j][k];
    if (!(m[j][j] > 0)) return false;
    m[j][j] = std::sqrt(m[j][j]);
    for (int i = j + 1; i < size; ++i) {
      for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k];
      m[i][j] /= m[j][j];
    }
  }
  return true;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_CERTIFICATE_H_
