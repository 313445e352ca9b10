#include "core/path/follow/chain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/surface/circle.h"

namespace mujocable {
namespace {

// the four components of (2) at arc k; where the string is clamped, the distance in radii instead
void PathError(const Vec3& a, const Vec3& b, const SpanWrap* wraps, const Chain& chain, int k,
               double error[kBlock]) {
  const Geodesic& g = chain.arc[k];
  const double radius = wraps[chain.index[k]].surface->radius;
  const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
  if (k == 0 && chain.clamped_start) {
    error[0] = Dot(g.p - a, g.t_p) / radius;
    error[1] = Dot(g.p - a, b_p) / radius;
  } else {
    error[0] = Dot(chain.direction[k], g.n_p);
    error[1] = Dot(chain.direction[k], b_p);
  }
  if (k == chain.n - 1 && chain.clamped_end) {
    error[2] = Dot(g.q - b, g.t_q) / radius;
    error[3] = Dot(g.q - b, b_q) / radius;
  } else {
    error[2] = Dot(chain.direction[k + 1], g.n_q);
    error[3] = Dot(chain.direction[k + 1], b_q);
  }
}

// Newton works with the segment itself, in radii, not with its direction: where two surfaces all
// but touch, the direction of the tiny segment between them turns by radians within its length,
// while the segment depends smoothly on everything. Clamped rows are lengths already.
double RowScale(const SpanWrap* wraps, const Chain& chain, int k, int row) {
  const bool entry = row < 2;
  if (entry ? k == 0 && chain.clamped_start : k == chain.n - 1 && chain.clamped_end) return 1;
  return chain.length[entry ? k : k + 1] / wraps[chain.index[k]].surface->radius;
}

// segments and path error of a chain
void Measure(const Vec3& a, const Vec3& b, const SpanWrap* wraps, Chain& chain) {
  chain.error = chain.merit = 0;
  chain.tolerance = kPathError;
  for (int k = 0; k <= chain.n; ++k) {
    const Vec3 from = k == 0 ? a : chain.arc[k - 1].q;
    const Vec3 to = k == chain.n ? b : chain.arc[k].p;
    const Vec3 tangent = k > 0 ? chain.arc[k - 1].t_q : chain.arc[0].t_p;
    const bool clamped = k == 0 ? chain.clamped_start : k == chain.n && chain.clamped_end;
    const Vec3 d = to - from;
    chain.length[k] = clamped ? 0 : Norm(d);
    chain.direction[k] = clamped ? tangent : Unit(d, tangent);
    // between surfaces that touch, the segment shrinks to a point and only the tangents are left
    if (k > 0 && k < chain.n) {
      const double radius = std::min(wraps[chain.index[k - 1]].surface->radius,
                                     wraps[chain.index[k]].surface->radius);
      if (chain.length[k] <= kShortSegment * radius) {
        chain.direction[k] = Unit(tangent + chain.arc[k].t_p, tangent);
        continue;
      }
    }
    if (chain.length[k] > 0) {
      const double magnitude = std::max(Norm(from), Norm(to));
      chain.tolerance =
          std::max(chain.tolerance, kDirectionRounding * kRounding * magnitude / chain.length[k]);
    }
  }
  for (int k = 0; k < chain.n; ++k) {
    double error[kBlock];
    PathError(a, b, wraps, chain, k, error);
    for (int i = 0; i < kBlock; ++i) {
      chain.error = std::max(chain.error, std::abs(error[i]));
      chain.merit = std::max(chain.merit, std::abs(error[i]) * RowScale(wraps, chain, k, i));
    }
    // a segment that runs against its arc is no path, however small its components
    const Geodesic& g = chain.arc[k];
    if (Dot(chain.direction[k], g.t_p) < 0 || Dot(chain.direction[k + 1], g.t_q) < 0) {
      chain.error = std::max(chain.error, 1.0);
    }
  }
}

// scale of each variation: lengths in radii, the turn in radians
double Scale(const Surface& s, int j) { return j == 2 ? 1.0 : s.radius; }

// Newton step of the chain, in scaled variations
bool NewtonStep(const Vec3& a, const Vec3& b, const SpanWrap* wraps, const Chain& chain,
                double* step, double& sign) {
  BandSystem system(chain.n);
  const auto surface = [&](int k) -> const Surface& { return *wraps[chain.index[k]].surface; };

  // rows of an end where the string is clamped: its point moves to where it belongs
  const auto clamp = [&](int k, int row, const Vec3& t, const Vec3& across, const Variation& end) {
    for (int j = 0; j < kBlock; ++j) {
      const double scale = Scale(surface(k), j) / surface(k).radius;
      system.At(k, row, k, j) = scale * Dot(end.v[j], t);
      system.At(k, row + 1, k, j) = scale * Dot(end.v[j], across);
    }
  };

  // rows of an end that a segment d meets: delta(d.axis) = +-v.axis + w.(axis x d)
  const auto meet = [&](int k, int row, const Vec3 axes[2], int segment, const Variation& end,
                        int neighbor, double sign) {
    const double radius = surface(k).radius;
    const Vec3 d = (chain.length[segment] / radius) * chain.direction[segment];
    for (int i = 0; i < 2; ++i) {
      const Vec3 across = (sign / radius) * axes[i];
      const Vec3 turn = Cross(axes[i], d);
      for (int j = 0; j < kBlock; ++j) {
        system.At(k, row + i, k, j) =
            Scale(surface(k), j) * (Dot(end.v[j], across) + Dot(end.w[j], turn));
      }
      if (neighbor < 0 || neighbor >= chain.n) continue;
      const Variation other =
          neighbor < k ? AtEnd(chain.arc[neighbor]) : AtStart(chain.arc[neighbor]);
      for (int j = 0; j < kBlock; ++j) {
        system.At(k, row + i, neighbor, j) = -Scale(surface(neighbor), j) * Dot(other.v[j], across);
      }
    }
  };

  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Variation start = AtStart(g), end = AtEnd(g);
    const Vec3 axes_p[2] = {g.n_p, Cross(g.t_p, g.n_p)};
    const Vec3 axes_q[2] = {g.n_q, Cross(g.t_q, g.n_q)};
    if (k == 0 && chain.clamped_start) {
      clamp(k, 0, g.t_p, axes_p[1], start);
    } else {
      meet(k, 0, axes_p, k, start, k - 1, 1);
    }
    if (k == chain.n - 1 && chain.clamped_end) {
      clamp(k, 2, g.t_q, axes_q[1], end);
    } else {
      meet(k, 2, axes_q, k + 1, end, k + 1, -1);
    }
    double error[kBlock];
    PathError(a, b, wraps, chain, k, error);
    for (int i = 0; i < kBlock; ++i) {
      system.Rhs(k, i) = -error[i] * RowScale(wraps, chain, k, i);
    }
  }
  const bool solved = system.Solve(step);
  sign = system.Sign();
  return solved;
}

// the chain after `fraction` of a step; false when an arc would become negative and may not
bool Apply(const SpanWrap* wraps, const Chain& chain, const double* step, double fraction,
           bool negative, Chain& next) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *wraps[chain.index[k]].surface;
    double q[kBlock];
    for (int j = 0; j < kBlock; ++j) q[j] = fraction * Scale(s, j) * step[kBlock * k + j];
    const double length = g.length + q[3];
    if (length < 0 && !negative) return false;
    const Vec3 b = Cross(g.t_p, g.n_p);
    const Vec3 w = (g.at_p.normal * q[0] - g.at_p.torsion * q[1]) * b - q[2] * g.n_p;
    next.arc[k] = Shoot(s, g.p + q[0] * g.t_p + q[1] * b, g.t_p + Cross(w, g.t_p), length);
  }
  return true;
}

// The chain after a step so small that its second order is below rounding: by the variations alone.
void ApplyLinear(const SpanWrap* wraps, const Chain& chain, const double* step, Chain& next) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *wraps[chain.index[k]].surface;
    const Variation start = AtStart(g), end = AtEnd(g);
    Vec3 v_p, w_p, v_q, w_q;
    for (int j = 0; j < kBlock; ++j) {
      const double q = Scale(s, j) * step[kBlock * k + j];
      v_p += q * start.v[j];
      w_p += q * start.w[j];
      v_q += q * end.v[j];
      w_q += q * end.w[j];
    }
    const double ahead = Scale(s, 0) * step[kBlock * k],
                 longer = Scale(s, 3) * step[kBlock * k + 3];
    Geodesic& moved = next.arc[k] = g;
    moved.p += v_p;
    moved.q += v_q;
    moved.t_p = Unit(g.t_p + Cross(w_p, g.t_p));
    moved.n_p = Unit(g.n_p + Cross(w_p, g.n_p));
    moved.t_q = Unit(g.t_q + Cross(w_q, g.t_q));
    moved.n_q = Unit(g.n_q + Cross(w_q, g.n_q));
    moved.length += longer;
    moved.turn += ahead * g.at_p.normal - (ahead + longer) * g.at_q.normal;
  }
}

}  // namespace

Variation AtStart(const Geodesic& g) {
  const Vec3 b = Cross(g.t_p, g.n_p);
  const Curvature& k = g.at_p;
  return {{g.t_p, b, {}, {}},
          {k.torsion * g.t_p + k.normal * b, -k.across * g.t_p - k.torsion * b, -g.n_p, {}}};
}

Variation AtEnd(const Geodesic& g) {
  const Vec3 b = Cross(g.t_q, g.n_q);
  const Curvature& k = g.at_q;
  const Vec3 slide = k.torsion * g.t_q + k.normal * b;
  const Vec3 across = -k.across * g.t_q - k.torsion * b;
  return {{g.t_q, g.a * b, g.r * b, g.t_q},
          {slide, g.a * across - g.da * g.n_q, g.r * across - g.dr * g.n_q, slide}};
}

double Length(const Chain& chain) {
  double length = chain.length[chain.n];
  for (int k = 0; k < chain.n; ++k) length += chain.length[k] + chain.arc[k].length;
  return length;
}

bool MakeChain(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, Chain& chain) {
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    if (touch.held) return false;
    if (!touch.touching) continue;
    chain.index[chain.n] = i;
    chain.arc[chain.n++] = Shoot(*wraps[i].surface, touch.p, touch.t_p, touch.arc);
  }
  if (chain.n == 0) return true;
  const auto on = [&](int i, const Vec3& x) {
    const Surface& s = *wraps[i].surface;
    if (IsSmooth(s) && ClearlyOutside(s, x)) return false;
    return std::abs(Distance(s, x)) <= kOnSurface * s.radius;
  };
  chain.clamped_start = chain.index[0] == 0 && on(0, a);
  chain.clamped_end = chain.index[chain.n - 1] == n - 1 && on(n - 1, b);
  Measure(a, b, wraps, chain);
  return true;
}

void Newton(const Vec3& a, const Vec3& b, const SpanWrap* wraps, bool smooth, Chain& chain,
            Chain& next, Run& run) {
  double step[kBlock * kMaxSpanWraps];
  next.n = chain.n;
  next.clamped_start = chain.clamped_start;
  next.clamped_end = chain.clamped_end;
  std::copy_n(chain.index, chain.n, next.index);
  for (int i = 0; i < kMaxNewton; ++i) {
    if (chain.error <= chain.tolerance && !(run.certain && i == 0)) break;
    ++run.iterations;
    if (!NewtonStep(a, b, wraps, chain, step, run.sign)) break;
    run.folded = run.folded || run.sign < 0;

    double largest = 0;
    for (int k = 0; k < kBlock * chain.n; ++k) largest = std::max(largest, std::abs(step[k]));
    if (!std::isfinite(largest)) break;
    double fraction = largest > run.stride ? run.stride / largest : 1;
    bool improved = false;
    if (smooth && largest < kLinear) {
      ApplyLinear(wraps, chain, step, next);
      Measure(a, b, wraps, next);
      if (next.error < chain.error) {
        std::swap(chain, next);
        break;
      }
    }
    for (int j = 0; j < kMaxBacktrack && !improved; ++j, fraction *= 0.5) {
      if (!Apply(wraps, chain, step, fraction, smooth, next)) continue;
      Measure(a, b, wraps, next);
      improved = next.merit < chain.merit;
    }
    if (!improved) break;
    std::swap(chain, next);
  }
}

void StoreTouches(const Chain& chain, SpanWrap* wraps) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    Touch& touch = wraps[chain.index[k]].touch;
    const Surface& s = *wraps[chain.index[k]].surface;
    touch.p = g.p;
    touch.q = g.q;
    touch.t_p = g.t_p;
    touch.t_q = g.t_q;
    touch.arc = g.length;
    touch.turn = Turning(s, g);
    touch.way = WayOfArc(s, g.p, g.t_p, touch.way);
  }
}

}  // namespace mujocable
