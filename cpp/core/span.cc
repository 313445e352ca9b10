#include "span.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planar.h"

namespace mujocable {
namespace {

constexpr int kMaxRounds = 12;      // descent and Newton alternate at most this often
constexpr int kMaxNewton = 40;      // iterations of one Newton run; a double root takes many
constexpr int kMaxBacktrack = 4;    // halvings of a Newton step
constexpr int kMaxDescent = 400;    // sweeps when Newton is not applicable
constexpr int kMaxFirstDescent = 50;  // sweeps before Newton is tried at all
constexpr double kSettling = 0.1;   // descend until contacts move by less per sweep     [radii]
constexpr double kTrust = 0.25;     // Newton polishes what descent found, no further    [radii]
constexpr double kTouching = 1e-7;    // a shorter segment joins surfaces that touch     [radii]
constexpr double kTolerance = 1e-12;  // largest component of the path error (2)       [rad]
constexpr double kRounding = 2.3e-16;

// the exit point before wrap i, and the entry point after it
Vec3 Before(const Vec3& a, const SpanWrap* wraps, int i) {
  for (int j = i - 1; j >= 0; --j) {
    if (wraps[j].touch.touching) return wraps[j].touch.q;
  }
  return a;
}

Vec3 After(const Vec3& b, const SpanWrap* wraps, int n, int i) {
  for (int j = i + 1; j < n; ++j) {
    if (wraps[j].touch.touching) return wraps[j].touch.p;
  }
  return b;
}

Touch TightenOne(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int i) {
  const SpanWrap& w = wraps[i];
  const Vec3 before = Before(a, wraps, i), after = After(b, wraps, n, i);
  Homotopy way = w.touch.way;
  if (w.hint) {
    way = n > 1 ? WayAmong(*w.surface, before, *w.hint, after)
                : WayThrough(*w.surface, before, *w.hint, after);
  }
  return w.permanent ? TightenKept(*w.surface, before, after, way)
                     : Tighten(*w.surface, before, after, way);
}

// one sweep of block descent; returns the largest move of a contact, in radii
double Descend(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const Touch old = wraps[i].touch;
    Touch& now = wraps[i].touch;
    now = TightenOne(a, b, wraps, n, i);
    double move = 0;
    if (old.touching && now.touching) {
      move = std::max(Norm(now.p - old.p), Norm(now.q - old.q)) / wraps[i].surface->radius;
    } else if (old.touching != now.touching) {
      move = 1;
    }
    largest = std::max(largest, move);
  }
  return largest;
}

// the touching wraps as geodesics, with the straight segments between them
struct Chain {
  int n = 0;
  // an end that lies on the first or last wrap is where the string is clamped to a drum: there is
  // no segment before it, the contact cannot move
  bool clamped_start = false, clamped_end = false;
  double error = 0;      // largest component of (2)
  double merit = 0;      // the same times the length of the segment, in radii
  double tolerance = 0;  // what rounding lets it reach
  int* index = nullptr;
  Geodesic* arc = nullptr;
  Vec3* direction = nullptr;
  double* length = nullptr;
};

// room for a chain of n wraps, not initialized: only what is used is touched
class ChainStorage {
 public:
  Chain Make() {
    Chain chain;
    chain.index = index_;
    chain.arc = reinterpret_cast<Geodesic*>(arc_);
    chain.direction = reinterpret_cast<Vec3*>(direction_);
    chain.length = length_;
    return chain;
  }

 private:
  int index_[kMaxSpanWraps];
  alignas(Geodesic) unsigned char arc_[sizeof(Geodesic) * kMaxSpanWraps];
  alignas(Vec3) unsigned char direction_[sizeof(Vec3) * (kMaxSpanWraps + 1)];
  double length_[kMaxSpanWraps + 1];
};

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
  chain.tolerance = kTolerance;
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
      if (chain.length[k] <= kTouching * radius) {
        chain.direction[k] = Unit(tangent + chain.arc[k].t_p, tangent);
        continue;
      }
    }
    if (chain.length[k] > 0) {
      const double magnitude = std::max(Norm(from), Norm(to));
      chain.tolerance = std::max(chain.tolerance, 16 * kRounding * magnitude / chain.length[k]);
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

// velocities and rotations of the end frames under the four natural variations, theory 1.3
struct Variation {
  Vec3 v[kBlock], w[kBlock];
};

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

// scale of each variation: lengths in radii, the turn in radians
double Scale(const Surface& s, int j) { return j == 2 ? 1.0 : s.radius; }

// Newton step of the chain, in scaled variations
bool NewtonStep(const Vec3& a, const Vec3& b, const SpanWrap* wraps, const Chain& chain,
                double* step) {
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
  return system.Solve(step);
}

// the chain after `fraction` of a step; false when an arc would become negative
bool Apply(const SpanWrap* wraps, const Chain& chain, const double* step, double fraction,
           Chain& next) {
  next.n = chain.n;
  next.clamped_start = chain.clamped_start;
  next.clamped_end = chain.clamped_end;
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *wraps[chain.index[k]].surface;
    double q[kBlock];
    for (int j = 0; j < kBlock; ++j) q[j] = fraction * Scale(s, j) * step[kBlock * k + j];
    const double length = g.length + q[3];
    if (length < 0) return false;
    const Vec3 b = Cross(g.t_p, g.n_p);
    const Vec3 w = (g.at_p.normal * q[0] - g.at_p.torsion * q[1]) * b - q[2] * g.n_p;
    next.index[k] = chain.index[k];
    next.arc[k] = Shoot(s, g.p + q[0] * g.t_p + q[1] * b, g.t_p + Cross(w, g.t_p), length);
  }
  return true;
}

double Length(const Chain& chain) {
  double length = chain.length[chain.n];
  for (int k = 0; k < chain.n; ++k) length += chain.length[k] + chain.arc[k].length;
  return length;
}

// whether `end` is what descent was on its way to: near, and not longer. Newton solves for any
// stationary path; a saddle fails here.
bool Trusted(const SpanWrap* wraps, double start_length, const Chain& end) {
  for (int k = 0; k < end.n; ++k) {
    const SpanWrap& start = wraps[end.index[k]];
    const double reach = kTrust * start.surface->radius;
    if (Norm(end.arc[k].p - start.touch.p) > reach) return false;
    if (Norm(end.arc[k].q - start.touch.q) > reach) return false;
  }
  return Length(end) <= start_length * (1 + 64 * kRounding);
}

// Newton on the touching wraps; true when (2) holds
bool Polish(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int& iterations) {
  ChainStorage storage[2];
  Chain chain = storage[0].Make(), next = storage[1].Make();
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
    return std::abs(Distance(s, x)) <= kOnSurface * s.radius;
  };
  chain.clamped_start = chain.index[0] == 0 && on(0, a);
  chain.clamped_end = chain.index[chain.n - 1] == n - 1 && on(n - 1, b);
  Measure(a, b, wraps, chain);
  const double start_length = Length(chain);

  double step[kBlock * kMaxSpanWraps];
  for (int i = 0; i < kMaxNewton && chain.error > chain.tolerance; ++i) {
    ++iterations;
    if (!NewtonStep(a, b, wraps, chain, step)) break;

    // no contact moves by more than half a radius or turns by more than half a radian at once
    double largest = 0;
    for (int k = 0; k < kBlock * chain.n; ++k) largest = std::max(largest, std::abs(step[k]));
    if (!std::isfinite(largest)) break;
    double fraction = largest > 0.5 ? 0.5 / largest : 1;
    bool improved = false;
    for (int j = 0; j < kMaxBacktrack && !improved; ++j, fraction *= 0.5) {
      if (!Apply(wraps, chain, step, fraction, next)) continue;
      Measure(a, b, wraps, next);
      improved = next.merit < chain.merit;
    }
    if (!improved) break;
    std::swap(chain, next);
  }

  if (!Trusted(wraps, start_length, chain)) return false;
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
  // at the limit of rounding Newton cannot improve; a thousandfold margin is still a path
  return chain.error <= 1e3 * chain.tolerance;
}

// every lifted wrap still lifted, with neighbors as solved; brings all classes up to date
bool Settled(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  bool settled = true;
  for (int i = 0; i < n; ++i) {
    Touch& touch = wraps[i].touch;
    if (touch.touching) {
      touch.way = Follow(*wraps[i].surface, Before(a, wraps, i), After(b, wraps, n, i), touch.way);
    } else {
      const Touch now = TightenOne(a, b, wraps, n, i);
      settled = settled && !now.touching;
      touch = now;
    }
  }
  return settled;
}

}  // namespace

SpanResult SolveSpan(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  SpanResult result;
  if (n == 0) return result;
  if (n == 1) {
    wraps[0].touch = TightenOne(a, b, wraps, 1, 0);
    return result;
  }

  int sweeps = 1;
  for (int round = 0; round < kMaxRounds; ++round) {
    double move = 1;
    const int most = round == 0 ? kMaxFirstDescent : sweeps;
    for (int i = 0; i < most && (i < sweeps || move > kSettling); ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n);
    }
    if (Polish(a, b, wraps, n, result.iterations) && Settled(a, b, wraps, n)) return result;
    sweeps = std::min(2 * sweeps + 2, kMaxDescent);
  }

  // descent alone converges too, only slower; it is the only way where a keeper holds the string
  for (int i = 0; i < kMaxDescent; ++i, ++result.iterations) {
    if (Descend(a, b, wraps, n) < 1e-13) return result;
  }
  result.converged = false;
  return result;
}

}  // namespace mujocable
