#include "span.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mujocable {
namespace {

constexpr int kMaxRounds = 12;      // descent and Newton alternate at most this often
constexpr int kMaxNewton = 20;      // iterations of one Newton run
constexpr int kMaxBacktrack = 4;    // halvings of a Newton step
constexpr int kMaxDescent = 400;    // sweeps when Newton is not applicable
constexpr int kMaxFirstDescent = 50;  // sweeps before Newton is tried at all
constexpr double kSettling = 0.1;   // descend until contacts move by less per sweep     [radii]
constexpr double kTrust = 0.25;     // Newton polishes what descent found, no further    [radii]
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
  const Homotopy way = w.hint ? WayThrough(*w.surface, before, *w.hint, after) : w.touch.way;
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
  double error = 0;      // largest component of (2)
  double tolerance = 0;  // what rounding lets it reach
  int* index;
  Geodesic* arc;
  Vec3* direction;
  double* length;
};

// room for a chain of n wraps, not initialized: only what is used is touched
class ChainStorage {
 public:
  Chain Make() {
    return {0,
            0,
            0,
            index_,
            reinterpret_cast<Geodesic*>(arc_),
            reinterpret_cast<Vec3*>(direction_),
            length_};
  }

 private:
  int index_[kMaxSpanWraps];
  alignas(Geodesic) unsigned char arc_[sizeof(Geodesic) * kMaxSpanWraps];
  alignas(Vec3) unsigned char direction_[sizeof(Vec3) * (kMaxSpanWraps + 1)];
  double length_[kMaxSpanWraps + 1];
};

// segments and path error of a chain
void Measure(const Vec3& a, const Vec3& b, Chain& chain) {
  chain.error = 0;
  chain.tolerance = kTolerance;
  for (int k = 0; k <= chain.n; ++k) {
    const Vec3 from = k == 0 ? a : chain.arc[k - 1].q;
    const Vec3 to = k == chain.n ? b : chain.arc[k].p;
    const Vec3 d = to - from;
    chain.length[k] = Norm(d);
    const Vec3 tangent = k > 0 ? chain.arc[k - 1].t_q : chain.arc[0].t_p;
    chain.direction[k] = Unit(d, tangent);
    const double magnitude = std::max(Norm(from), Norm(to));
    if (chain.length[k] > 0) {
      chain.tolerance = std::max(chain.tolerance, 16 * kRounding * magnitude / chain.length[k]);
    }
  }
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
    const Vec3& in = chain.direction[k];
    const Vec3& out = chain.direction[k + 1];
    for (double c : {Dot(in, g.n_p), Dot(in, b_p), Dot(out, g.n_q), Dot(out, b_q)}) {
      chain.error = std::max(chain.error, std::abs(c));
    }
    // a segment that runs against its arc is no path, however small its components
    if (Dot(in, g.t_p) < 0 || Dot(out, g.t_q) < 0) chain.error = std::max(chain.error, 1.0);
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
bool NewtonStep(const SpanWrap* wraps, const Chain& chain, double* step) {
  BandSystem system(chain.n);
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *wraps[chain.index[k]].surface;
    const Variation start = AtStart(g), end = AtEnd(g);
    const Vec3 axes_p[2] = {g.n_p, Cross(g.t_p, g.n_p)};
    const Vec3 axes_q[2] = {g.n_q, Cross(g.t_q, g.n_q)};
    const Vec3& in = chain.direction[k];
    const Vec3& out = chain.direction[k + 1];
    for (int i = 0; i < 2; ++i) {
      // rows of the entry: d(e.a) = v.(a - e(e.a))/L + w.(a x e)
      const Vec3& ap = axes_p[i];
      const Vec3 across_in = (1 / chain.length[k]) * (ap - Dot(in, ap) * in);
      const Vec3 turn_in = Cross(ap, in);
      // rows of the exit
      const Vec3& aq = axes_q[i];
      const Vec3 across_out = (1 / chain.length[k + 1]) * (aq - Dot(out, aq) * out);
      const Vec3 turn_out = Cross(aq, out);
      for (int j = 0; j < kBlock; ++j) {
        const double scale = Scale(s, j);
        system.At(k, i, k, j) = scale * (Dot(start.v[j], across_in) + Dot(start.w[j], turn_in));
        system.At(k, 2 + i, k, j) = scale * (Dot(end.w[j], turn_out) - Dot(end.v[j], across_out));
      }
      if (k > 0) {
        const Variation other = AtEnd(chain.arc[k - 1]);
        const Surface& so = *wraps[chain.index[k - 1]].surface;
        for (int j = 0; j < kBlock; ++j) {
          system.At(k, i, k - 1, j) = -Scale(so, j) * Dot(other.v[j], across_in);
        }
      }
      if (k + 1 < chain.n) {
        const Variation other = AtStart(chain.arc[k + 1]);
        const Surface& so = *wraps[chain.index[k + 1]].surface;
        for (int j = 0; j < kBlock; ++j) {
          system.At(k, 2 + i, k + 1, j) = Scale(so, j) * Dot(other.v[j], across_out);
        }
      }
      system.Rhs(k, i) = -Dot(in, ap);
      system.Rhs(k, 2 + i) = -Dot(out, aq);
    }
  }
  return system.Solve(step);
}

// the chain after `fraction` of a step; false when an arc would become negative
bool Apply(const SpanWrap* wraps, const Chain& chain, const double* step, double fraction,
           Chain& next) {
  next.n = chain.n;
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
  Measure(a, b, chain);
  const double start_length = Length(chain);

  double step[kBlock * kMaxSpanWraps];
  for (int i = 0; i < kMaxNewton && chain.error > chain.tolerance; ++i) {
    ++iterations;
    if (!NewtonStep(wraps, chain, step)) break;

    // no contact moves by more than half a radius or turns by more than half a radian at once
    double largest = 0;
    for (int k = 0; k < kBlock * chain.n; ++k) largest = std::max(largest, std::abs(step[k]));
    if (!std::isfinite(largest)) break;
    double fraction = largest > 0.5 ? 0.5 / largest : 1;
    bool improved = false;
    for (int j = 0; j < kMaxBacktrack && !improved; ++j, fraction *= 0.5) {
      if (!Apply(wraps, chain, step, fraction, next)) continue;
      Measure(a, b, next);
      improved = next.error < chain.error;
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
