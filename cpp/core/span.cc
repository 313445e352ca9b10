#include "span.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planar.h"
#include "relax.h"

namespace mujocable {
namespace {

constexpr int kMaxRounds = 12;        // descent and Newton alternate at most this often
constexpr int kMaxNewton = 40;        // iterations of one Newton run; a double root takes many
constexpr int kMaxBacktrack = 4;      // halvings of a Newton step
constexpr int kMaxDescent = 400;      // sweeps when Newton is not applicable
constexpr int kMaxFirstDescent = 50;  // sweeps before Newton is tried at all
constexpr int kColdSweeps = 60;       // in all with smooth surfaces, each a solve of its own
constexpr int kWarmSweeps = 30;
constexpr int kMaxSlide = 60;         // moves of a string that slides over a smooth surface
constexpr double kStill = 1e-13;      // descent has come to rest                          [radii]
constexpr double kSettling = 0.1;     // descend until contacts move by less per sweep     [radii]
constexpr double kTrust = 0.25;       // Newton polishes what descent found, no further    [radii]
constexpr double kLinear = 5e-8;      // a step this small needs no new arc on a smooth surface
constexpr double kTouching = 1e-7;    // a shorter segment joins surfaces that touch     [radii]
constexpr double kTolerance = 1e-12;  // largest component of the path error (2)       [rad]
constexpr double kRounding = 2.3e-16;
constexpr double kGraze = 1e-14;  // a segment this deep in a smooth surface touches it [scene size]
constexpr double kSmallMove = 0.1;  // path error below which a step counts as small      [rad]

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

Touch TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, bool& solved);

Touch TightenOne(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int i) {
  const SpanWrap& w = wraps[i];
  if (IsSmooth(*w.surface)) {
    bool solved;
    return TightenSmooth(Before(a, wraps, i), After(b, wraps, n, i), w, solved);
  }
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
  next.n = chain.n;
  next.clamped_start = chain.clamped_start;
  next.clamped_end = chain.clamped_end;
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *wraps[chain.index[k]].surface;
    double q[kBlock];
    for (int j = 0; j < kBlock; ++j) q[j] = fraction * Scale(s, j) * step[kBlock * k + j];
    const double length = g.length + q[3];
    if (length < 0 && !negative) return false;
    const Vec3 b = Cross(g.t_p, g.n_p);
    const Vec3 w = (g.at_p.normal * q[0] - g.at_p.torsion * q[1]) * b - q[2] * g.n_p;
    next.index[k] = chain.index[k];
    next.arc[k] = Shoot(s, g.p + q[0] * g.t_p + q[1] * b, g.t_p + Cross(w, g.t_p), length);
  }
  return true;
}

// The chain after a step so small that its second order is below rounding: by the variations alone.
void ApplyLinear(const SpanWrap* wraps, const Chain& chain, const double* step, Chain& next) {
  next.n = chain.n;
  next.clamped_start = chain.clamped_start;
  next.clamped_end = chain.clamped_end;
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
    next.index[k] = chain.index[k];
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

// the touching wraps of a span as a chain; false when a keeper holds one
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
    return std::abs(Distance(s, x)) <= kOnSurface * s.radius;
  };
  chain.clamped_start = chain.index[0] == 0 && on(0, a);
  chain.clamped_end = chain.index[chain.n - 1] == n - 1 && on(n - 1, b);
  Measure(a, b, wraps, chain);
  return true;
}

// Newton on a chain, as far as it improves; with smooth surfaces arcs may become negative. `sign`:
// of the last Jacobian's determinant.
void Newton(const Vec3& a, const Vec3& b, const SpanWrap* wraps, bool smooth, Chain& chain,
            Chain& next, int& iterations, double& sign) {
  double step[kBlock * kMaxSpanWraps];
  for (int i = 0; i < kMaxNewton && chain.error > chain.tolerance; ++i) {
    ++iterations;
    if (!NewtonStep(a, b, wraps, chain, step, sign)) break;

    // no contact moves by more than half a radius or turns by more than half a radian at once
    double largest = 0;
    for (int k = 0; k < kBlock * chain.n; ++k) largest = std::max(largest, std::abs(step[k]));
    if (!std::isfinite(largest)) break;
    double fraction = largest > 0.5 ? 0.5 / largest : 1;
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

// the solved arcs as contacts
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

// no path is known yet: hints decide
bool Cold(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return w.hint != nullptr; });
}

bool Held(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return w.touch.held; });
}

// Newton on the touching wraps; true when (2) holds
bool Polish(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int& iterations) {
  ChainStorage storage[2];
  Chain chain = storage[0].Make(), next = storage[1].Make();
  if (!MakeChain(a, b, wraps, n, chain)) return false;
  if (chain.n == 0) return true;
  const double start_length = Length(chain);
  double sign = 1;
  Newton(a, b, wraps, false, chain, next, iterations, sign);
  if (!Trusted(wraps, start_length, chain)) return false;
  // a first path shall be a minimum: where the determinant of (2) is negative, descent goes on
  const bool clamped = chain.clamped_start || chain.clamped_end;
  if (sign < 0 && !clamped && Cold(wraps, n)) return false;
  StoreTouches(chain, wraps);
  // at the limit of rounding Newton cannot improve; a thousandfold margin is still a path
  return chain.error <= 1e3 * chain.tolerance;
}

// ---- smooth surfaces
// -----------------------------------------------------------------------------

// how a Newton run on smooth surfaces may end
struct Bounds {
  double reach = kTrust;   // no contact ends further from its start than this          [radii]
  double longest = 1e300;  // nor the path longer                                       [m]
  double start_error = 0;  // out: path error of the guess                              [rad]
};

// a touching wrap becomes lifted, remembering where it was
void Lift(Touch& touch) {
  const Vec3 p = touch.p;
  const double clearance = touch.clearance;
  touch = {};
  touch.p = touch.q = p;
  touch.clearance = clearance;
}

// The same with smooth surfaces among the wraps: the guess need not be taut, so its length says
// nothing. A minimum nearby is what the Jacobian's determinant calls one: at a solution it is the
// product of the curvatures at all contacts and of the reduced Hessian of the length, positive at a
// minimum, negative beyond a fold. An arc that came out negative has lifted.
bool PolishSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Bounds& bounds,
                  int& iterations) {
  ChainStorage storage[2];
  Chain chain = storage[0].Make(), next = storage[1].Make();
  for (int round = 0; round <= n; ++round) {
    chain.n = next.n = 0;
    if (!MakeChain(a, b, wraps, n, chain)) return false;
    if (round == 0) bounds.start_error = chain.n ? chain.error : 0;
    if (chain.n == 0) return true;
    double sign = 1;
    Newton(a, b, wraps, true, chain, next, iterations, sign);
    if (!(chain.error <= 1e3 * chain.tolerance)) return false;
    const bool clamped = chain.clamped_start || chain.clamped_end;
    if (!clamped && sign < 0) return false;
    if (Length(chain) > bounds.longest) return false;
    bool lifted = false;
    for (int k = 0; k < chain.n; ++k) {
      const Geodesic& g = chain.arc[k];
      SpanWrap& w = wraps[chain.index[k]];
      const double reach = bounds.reach * w.surface->radius;
      if (Norm(g.p - w.touch.p) > reach) return false;
      // the string leaves both ends outward, and bends to the surface between them
      if (g.length > 0 && IsSmooth(*w.surface)) {
        const double bridge = std::min({g.least_bending, -g.at_p.normal, -g.at_q.normal});
        if (bridge < -1e-6 / w.surface->radius) return false;
      }
      lifted = lifted || (!clamped && g.length <= 0);
    }
    StoreTouches(chain, wraps);
    if (!lifted) return true;
    for (int k = 0; k < chain.n; ++k) {
      if (chain.arc[k].length <= 0) Lift(wraps[chain.index[k]].touch);
    }
  }
  return false;
}

// the segment a-b is clear of the surface: a lifted touch, with the point to watch
bool Clear(const Vec3& a, const Vec3& b, const Surface& s, Touch& touch) {
  double distance;
  const Vec3 nearest = NearestTo(s, a, b, distance);
  if (distance < -kGraze * (s.radius + Norm(a - s.pos) + Norm(b - s.pos))) return false;
  touch = {};
  touch.p = touch.q = nearest;
  return true;
}

// derivative of e.axis at an end of the arc under its four variations, theory 1.4
void Derivative(const Variation& end, const Vec3& axis, const Vec3& e, double signed_length,
                double row[kBlock]) {
  const Vec3 across = (1 / signed_length) * (axis - Dot(e, axis) * e), turn = Cross(axis, e);
  for (int j = 0; j < kBlock; ++j) row[j] = Dot(end.v[j], across) + Dot(end.w[j], turn);
}

// total length of a string over one arc
double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch) {
  return Norm(touch.p - a) + touch.arc + Norm(b - touch.q);
}

// Shortens the string over one surface: the arc is moved aside and turned, its ends follow where
// the segments stay tangent to the surface. Newton's direction with the curvature made positive,
// the length as judge. Slides down long slopes where knots would creep; ends near a minimum (true),
// or where there is no arc left.
bool Slide(const Vec3& a, const Vec3& b, const Surface& s, double corner, Touch& touch) {
  if (!Trim(s, a, b, touch)) return false;
  double length = LengthOver(a, b, touch);
  for (int i = 0; i < kMaxSlide && touch.arc > 0; ++i) {
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    const double before = Norm(g.p - a), after = Norm(b - g.q);
    if (!(before > 0 && after > 0)) return false;
    const Vec3 e_p = (1 / before) * (g.p - a), e_q = (1 / after) * (b - g.q);
    const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
    if (std::max(std::abs(Dot(e_p, b_p)), std::abs(Dot(e_q, b_q))) < corner) return true;

    // rows of (2), and the slope of the length
    const Variation start = AtStart(g), end = AtEnd(g);
    double n_p[kBlock], n_q[kBlock], c_p[kBlock], c_q[kBlock], slope[kBlock];
    Derivative(start, g.n_p, e_p, before, n_p);
    Derivative(start, b_p, e_p, before, c_p);
    Derivative(end, g.n_q, e_q, -after, n_q);
    Derivative(end, b_q, e_q, -after, c_q);
    for (int j = 0; j < kBlock; ++j) {
      slope[j] = Dot(start.v[j], e_p) - Dot(end.v[j], e_q) + (j == 3 ? 1 : 0);
    }
    // how far the ends slide for each move aside or turn
    double ahead[2], longer[2], gradient[2], row_p[2], row_q[2];
    const double least = 1e-3 / s.radius;
    for (int k = 0; k < 2; ++k) {
      const int j = k + 1;
      ahead[k] = std::abs(n_p[0]) > least ? -n_p[j] / n_p[0] : 0;
      longer[k] = std::abs(n_q[3]) > least ? -(n_q[j] + n_q[0] * ahead[k]) / n_q[3] : -ahead[k];
      const double scale = k == 0 ? s.radius : 1;
      const auto total = [&](const double* row) {
        return scale * (row[j] + row[0] * ahead[k] + row[3] * longer[k]);
      };
      gradient[k] = total(slope);
      row_p[k] = total(c_p);
      row_q[k] = total(c_q);
    }
    // Hessian, symmetric at a solution; its eigenvalues made positive
    const double xx = s.radius * (row_p[0] - g.a * row_q[0]), yy = -g.r * row_q[1];
    const double xy = 0.5 * (s.radius * (row_p[1] - g.a * row_q[1]) - g.r * row_q[0]);
    const double mean = 0.5 * (xx + yy), apart = 0.5 * (xx - yy);
    const double spread = std::sqrt(apart * apart + xy * xy);
    const double angle = 0.5 * std::atan2(xy, apart), c = std::cos(angle), sn = std::sin(angle);
    const double floor = 1e-9 * (std::abs(mean) + spread) + 1e-15 * s.radius;
    const double first =
        (c * gradient[0] + sn * gradient[1]) / std::max(std::abs(mean + spread), floor);
    const double second =
        (c * gradient[1] - sn * gradient[0]) / std::max(std::abs(mean - spread), floor);
    double move[2] = {-(c * first - sn * second), -(sn * first + c * second)};
    const double size = std::max(std::abs(move[0]), std::abs(move[1]));
    if (!std::isfinite(size)) return false;
    double fraction = size > 0.4 ? 0.4 / size : 1;
    bool shorter = false;
    for (int k = 0; k < 12 && !shorter; ++k, fraction *= 0.5) {
      const double aside = fraction * s.radius * move[0], turn = fraction * move[1];
      const double along =
          std::clamp(aside / s.radius * ahead[0] * s.radius + turn * ahead[1], -s.radius, s.radius);
      const Vec3 w = (g.at_p.normal * along - g.at_p.torsion * aside) * b_p - turn * g.n_p;
      Touch next = touch;
      const double arc = std::max(
          0.0, g.length + std::clamp(aside * longer[0] + turn * longer[1], -s.radius, s.radius));
      next.p = g.p + along * g.t_p + aside * b_p;
      next.t_p = g.t_p + Cross(w, g.t_p);
      next.arc = arc;
      if (!Trim(s, a, b, next)) continue;
      const double now = LengthOver(a, b, next);
      if (!(now < length)) continue;
      shorter = true;
      length = now;
      touch = next;
    }
    if (!shorter) return true;
  }
  return true;
}

// The string over one smooth surface, from the guess in w.touch. Not solved: the best that knots
// know, or the guess.
Touch TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, bool& solved) {
  const Surface& s = *w.surface;
  const double clearance = std::min(Distance(s, a), Distance(s, b));
  SpanWrap one{&s, false, nullptr, w.touch};
  Touch& touch = one.touch;
  int iterations = 0;
  Bounds bounds;
  // Newton from `touch`; true when it ends on a string, touching or lifted
  const auto newton = [&] {
    return PolishSmooth(a, b, &one, 1, bounds, iterations) &&
           (touch.touching || Clear(a, b, s, touch));
  };
  // downhill first, until the corners are small enough for Newton; where a minimum has just
  // vanished they become small without one
  const auto slide = [&] {
    for (double corner : {1e-3, 1e-5, 1e-7, 1e-9}) {
      if (!Slide(a, b, s, corner, touch)) return false;
      if (!(touch.arc > 0) && Clear(a, b, s, touch)) return true;
      bounds.longest = (1 + 1e-6) * LengthOver(a, b, touch);
      const Touch slid = touch;
      if (newton()) return true;
      touch = slid;
    }
    return false;
  };
  const auto done = [&](bool good) {
    solved = good;
    touch.clearance = clearance;
    return touch;
  };
  const Vec3 watched = touch.p;
  const bool started = touch.touching, known = started && Dot(touch.t_p, touch.t_p) > 0;
  if (!started && Clear(a, b, s, touch)) return done(true);

  // nearby: from the arc as it was, or from nothing where the segment just went under
  if (known) {
    if (newton()) return done(true);
    touch = w.touch;
    if (Trim(s, a, b, touch) && newton()) return done(true);
    touch = w.touch;
    if (slide()) return done(true);
  } else if (!started) {
    touch.touching = true;
    touch.t_p = touch.t_q = b - a;
    touch.arc = 0;
    if (newton()) return done(true);
  }

  // afar: pull a string of knots taut
  touch = w.touch;
  KnotString string = known ? KnotString::Along(s, a, b, Shoot(s, touch.p, touch.t_p, touch.arc))
                            : KnotString::Through(s, a, b, watched);
  Touch rough = touch;
  for (int sweeps : {30, 60, 120, 240, 480}) {
    const double move = string.Pull(sweeps);
    touch = {};
    if (!string.Arc(touch)) {
      if (Clear(a, b, s, touch)) return done(true);
      continue;
    }
    rough = touch;
    bounds.reach = 1 + 0.2 * touch.arc / s.radius;
    bounds.longest = (1 + 2e-3) * string.Length();
    if (newton()) return done(true);
    touch = rough;
    if (slide()) return done(true);
    if (move < 1e-6) break;
  }
  touch = rough;
  return done(false);
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

// how far x is from an arc
double Apart(const Surface& s, const Touch& arc, const Vec3& x) {
  constexpr int kPieces = 16;
  double nearest = INFINITY;
  Vec3 at = arc.p, t = arc.t_p;
  for (int k = 0; k <= kPieces; ++k) {
    nearest = std::min(nearest, Norm(x - at));
    const Geodesic piece = Shoot(s, at, t, arc.arc / kPieces);
    at = piece.q;
    t = piece.t_q;
  }
  return nearest - 0.5 * arc.arc / kPieces;
}

// Whether a string between a and b left the arc it had for another minimum. One that grew or shrank
// along it did not, however far (over the flat face of a box its end runs at once), nor one that
// moved aside no further than the corners of the old arc explain: at most half their square times
// the length is gained by straightening them.
bool Snapped(const Vec3& a, const Vec3& b, const SpanWrap& old, const SpanWrap& now,
             double corner) {
  const Surface& s = *now.surface;
  if (!old.touch.touching || !IsSmooth(s)) return false;
  Touch before = old.touch;
  const Geodesic g = Shoot(s, before.p, before.t_p, before.arc);
  before.q = g.q;
  const double reach = 0.5 * s.radius;
  const auto aside = [&](const Touch& from, const Touch& of) {
    return std::max(Apart(s, of, from.p), Apart(s, of, from.q)) > reach;
  };
  const bool left =
      now.touch.touching ? aside(now.touch, before) && aside(before, now.touch) : g.turn > 0.3;
  if (!left || !Trim(s, a, b, before)) return left;
  const double was = LengthOver(a, b, before);
  const double is = now.touch.touching ? LengthOver(a, b, now.touch) : Norm(b - a);
  return was - is > (corner * corner + 1e-9) * was;
}

// a span with smooth surfaces among its wraps
SpanResult SolveSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  SpanResult result;
  SpanWrap start[kMaxSpanWraps];
  bool warm = true, touching = false;
  for (int i = 0; i < n; ++i) {
    start[i] = wraps[i];
    const Touch& touch = wraps[i].touch;
    touching = touching || touch.touching;
    warm = warm && !wraps[i].hint && !(touch.touching && Dot(touch.t_p, touch.t_p) == 0);
  }

  // by continuity: Newton from the step before, then the lifted wraps
  Bounds bounds;
  if (warm) {
    for (int round = 0; round < 4; ++round) {
      if (touching && !PolishSmooth(a, b, wraps, n, bounds, result.iterations)) break;
      if (Settled(a, b, wraps, n)) return result;
      touching = true;
      if (n == 1) return result;  // touched down, already taut
    }
  }
  const double start_error = bounds.start_error;

  // one after the other, then all together
  for (int i = 0; i < n; ++i) {
    wraps[i] = start[i];
    Touch& touch = wraps[i].touch;
    if (warm && touch.touching) {
      const Geodesic g = Shoot(*wraps[i].surface, touch.p, touch.t_p, touch.arc);
      touch.p = g.p;
      touch.q = g.q;
    }
  }
  bool solved = false;
  int sweeps = 1;
  if (n == 1) wraps[0].touch = TightenSmooth(a, b, wraps[0], solved);
  int budget = warm ? kWarmSweeps : kColdSweeps;
  for (int i = 0; i < n; ++i) {
    // an end inside a surface: no path, whatever is done
    const Surface& s = *wraps[i].surface;
    if (std::min(Distance(s, a), Distance(s, b)) < -1e-3 * s.radius) budget = std::min(budget, 4);
  }
  for (int round = 0; round < kMaxRounds && budget > 0 && !solved && n > 1; ++round) {
    double move = 1;
    const int most = std::min(budget, round == 0 ? kMaxFirstDescent : sweeps);
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n);
      --budget;
    }
    bounds = {};
    solved = PolishSmooth(a, b, wraps, n, bounds, result.iterations) && Settled(a, b, wraps, n);
    sweeps = std::min(2 * sweeps + 2, 20);
  }
  for (; budget > 0 && !solved && n > 1; --budget, ++result.iterations) {
    solved = Descend(a, b, wraps, n) < 1e-10;
  }
  result.converged = solved;
  if (warm && start_error < kSmallMove) {
    for (int i = 0; i < n; ++i) {
      const Vec3 before = Before(a, wraps, i), after = After(b, wraps, n, i);
      result.snapped = result.snapped || Snapped(before, after, start[i], wraps[i], start_error);
    }
  }
  return result;
}

}  // namespace

SpanResult SolveSpan(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  SpanResult result;
  if (n == 0) return result;
  for (int i = 0; i < n; ++i) {
    if (IsSmooth(*wraps[i].surface)) return SolveSmooth(a, b, wraps, n);
  }
  if (n == 1) {
    wraps[0].touch = TightenOne(a, b, wraps, 1, 0);
    return result;
  }

  int sweeps = 1;
  for (int round = 0; round < kMaxRounds; ++round) {
    double move = 1;
    const int most = round == 0 ? kMaxFirstDescent : sweeps;
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n);
    }
    if (Held(wraps, n)) break;
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
