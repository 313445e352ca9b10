#include "core/path/follow/chain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/inline.h"
#include "core/surface/circle.h"

namespace mujocable {
namespace {

// scale of each variation: lengths in radii, the turn in radians
double Scale(const Surface& s, int j) { return j == 2 ? 1.0 : s.radius; }

// An end of an arc, with its two rows of (2): along two axes the segment that it meets has no part.
// Where the string is clamped, what is left of the way to there takes the place of the segment.
// Newton works with the segment itself, in radii, not with its direction: where two surfaces all
// but touch, the direction of the tiny segment between them turns by radians within its length,
// while the segment depends smoothly on everything.
struct ArcEnd {
  Vec3 axis[2];
  double error[2];  // of the direction
  double scale;     // from there to the segment
};

MUJOCABLE_INLINE inline ArcEnd EndOf(const Strand& strand, const Chain& chain, int k, bool exit) {
  const Geodesic& g = chain.arc[k];
  const double radius = strand[chain.index[k]].surface->radius;
  const Vec3 &t = exit ? g.t_q : g.t_p, &n = exit ? g.n_q : g.n_p, across = Cross(t, n);
  if (exit ? k == chain.n - 1 && chain.clamped_end : k == 0 && chain.clamped_start) {
    const Vec3 off = exit ? strand.b - g.q : g.p - strand.a;
    return {{t, across}, {Dot(off, t) / radius, Dot(off, across) / radius}, 1};
  }
  const Vec3& e = chain.direction[k + exit];
  return {{n, across}, {Dot(e, n), Dot(e, across)}, chain.length[k + exit] / radius};
}

// segments and path error of a chain
void Measure(const Strand& strand, Chain& chain) {
  chain.error = chain.merit = 0;
  chain.tolerance = kPathError;
  for (int k = 0; k <= chain.n; ++k) {
    const Vec3 from = k == 0 ? strand.a : chain.arc[k - 1].q;
    const Vec3 to = k == chain.n ? strand.b : chain.arc[k].p;
    const Vec3 tangent = k > 0 ? chain.arc[k - 1].t_q : chain.arc[0].t_p;
    const bool clamped = k == 0 ? chain.clamped_start : k == chain.n && chain.clamped_end;
    const Vec3 d = to - from;
    chain.length[k] = clamped ? 0 : Norm(d);
    chain.direction[k] = clamped ? tangent : Unit(d, tangent);
    // between surfaces that touch, the segment shrinks to a point and only the tangents are left
    if (k > 0 && k < chain.n) {
      const double radius = std::min(strand[chain.index[k - 1]].surface->radius,
                                     strand[chain.index[k]].surface->radius);
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
    for (const bool exit : {false, true}) {
      const ArcEnd end = EndOf(strand, chain, k, exit);
      for (const double error : end.error) {
        chain.error = std::max(chain.error, std::abs(error));
        chain.merit = std::max(chain.merit, std::abs(error) * end.scale);
      }
    }
    // a segment that runs against its arc is no path, however small its components
    const Geodesic& g = chain.arc[k];
    if (Dot(chain.direction[k], g.t_p) < 0 || Dot(chain.direction[k + 1], g.t_q) < 0) {
      chain.error = std::max(chain.error, 1.0);
    }
  }
}

// Newton step of the chain, in scaled variations
bool NewtonStep(const Strand& strand, const Chain& chain, double* step, double& sign) {
  BandSystem system(chain.n);
  for (int k = 0; k < chain.n; ++k) {
    const Surface& s = *strand[chain.index[k]].surface;
    for (const bool exit : {false, true}) {
      // a segment d meets it: delta(d.axis) = +-v.axis + w.(axis x d)
      const ArcEnd end = EndOf(strand, chain, k, exit);
      const Variation own = exit ? AtEnd(chain.arc[k]) : AtStart(chain.arc[k]);
      const Vec3 d = (chain.length[k + exit] / s.radius) * chain.direction[k + exit];
      const double sense = (exit ? -1 : 1) / s.radius;
      const Vec3 across[2] = {sense * end.axis[0], sense * end.axis[1]};
      for (int i = 0; i < 2; ++i) {
        const Vec3 turn = Cross(end.axis[i], d);
        for (int j = 0; j < kBlock; ++j) {
          system.At(k, 2 * exit + i, k, j) =
              Scale(s, j) * (Dot(own.v[j], across[i]) + Dot(own.w[j], turn));
        }
        system.Rhs(k, 2 * exit + i) = -end.error[i] * end.scale;
      }
      // the arc at the other end of the segment
      const int other = exit ? k + 1 : k - 1;
      if (other < 0 || other >= chain.n) continue;
      const Surface& u = *strand[chain.index[other]].surface;
      const Variation its = exit ? AtStart(chain.arc[other]) : AtEnd(chain.arc[other]);
      for (int j = 0; j < kBlock; ++j) {
        system.At(k, 2 * exit, other, j) = -Scale(u, j) * Dot(its.v[j], across[0]);
        system.At(k, 2 * exit + 1, other, j) = -Scale(u, j) * Dot(its.v[j], across[1]);
      }
    }
  }
  const bool solved = system.Solve(step);
  sign = system.Sign();
  return solved;
}

// the chain after `fraction` of a step; false when an arc would become negative and may not
bool Apply(const Strand& strand, const Chain& chain, const double* step, double fraction,
           bool negative, Chain& next) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *strand[chain.index[k]].surface;
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
void ApplyLinear(const Strand& strand, const Chain& chain, const double* step, Chain& next) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    const Surface& s = *strand[chain.index[k]].surface;
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

// a touching wrap becomes lifted, remembering where it was
void Lift(Touch& touch) {
  const Vec3 p = touch.p;
  const double clearance = touch.clearance;
  touch = {};
  touch.p = touch.q = p;
  touch.clearance = clearance;
}

// Where a mesh is flat but for its waves, a string that is tangent may still run into the next wave
// or edge: whether the segments before and after arc k do not.
bool EndsClear(const Chain& chain, int k, const Surface& s) {
  const Geodesic& g = chain.arc[k];
  const double deep = kUnderMesh * s.radius;
  const auto flat = [&](const Vec3& x, const Curvature& at) {
    return -at.normal < 2 * Waviness(s, x) + kFlat / s.radius;
  };
  if (flat(g.p, g.at_p) && SegmentDepth(s, g.p - chain.length[k] * chain.direction[k], g.p) > deep)
    return false;
  return !flat(g.q, g.at_q) ||
         SegmentDepth(s, g.q, g.q + chain.length[k + 1] * chain.direction[k + 1]) <= deep;
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

bool MakeChain(const Strand& strand, Chain& chain) {
  chain.n = 0;
  for (int i = 0; i < strand.n; ++i) {
    const Touch& touch = strand[i].touch;
    if (touch.held) return false;
    if (!touch.touching) continue;
    chain.index[chain.n] = i;
    chain.arc[chain.n++] = Shoot(*strand[i].surface, touch.p, touch.t_p, touch.arc);
  }
  if (chain.n == 0) return true;
  const auto on = [&](int i, const Vec3& x) {
    const Surface& s = *strand[i].surface;
    if (IsSmooth(s) && ClearlyOutside(s, x)) return false;
    return std::abs(Distance(s, x)) <= kOnSurface * s.radius;
  };
  chain.clamped_start = chain.index[0] == 0 && on(0, strand.a);
  chain.clamped_end = chain.index[chain.n - 1] == strand.n - 1 && on(strand.n - 1, strand.b);
  Measure(strand, chain);
  return true;
}

const Chain& Newton(const Strand& strand, Chain chains[2], Run& run) {
  const bool smooth = strand.Any([](const SpanWrap& w) { return IsSmooth(*w.surface); });
  double step[kBlock * kMaxSpanWraps];
  const double stride = run.followed ? kStride : kNewtonStride;
  Chain *chain = chains, *next = chains + 1;
  run.sign = 1;
  run.folded = false;
  next->n = chain->n;
  next->clamped_start = chain->clamped_start;
  next->clamped_end = chain->clamped_end;
  std::copy_n(chain->index, chain->n, next->index);
  for (int i = 0; i < kMaxNewton; ++i) {
    if (chain->error <= chain->tolerance && !(run.certain && i == 0)) break;
    ++run.iterations;
    if (!NewtonStep(strand, *chain, step, run.sign)) break;
    run.folded = run.folded || run.sign < 0;

    double largest = 0;
    for (int k = 0; k < kBlock * chain->n; ++k) largest = std::max(largest, std::abs(step[k]));
    if (!std::isfinite(largest)) break;
    double fraction = largest > stride ? stride / largest : 1;
    bool improved = false;
    if (smooth && largest < kLinear) {
      ApplyLinear(strand, *chain, step, *next);
      Measure(strand, *next);
      if (next->error < chain->error) return *next;
    }
    for (int j = 0; j < kMaxBacktrack && !improved; ++j, fraction *= 0.5) {
      if (!Apply(strand, *chain, step, fraction, smooth, *next)) continue;
      Measure(strand, *next);
      improved = next->merit < chain->merit;
    }
    if (!improved) break;
    std::swap(chain, next);
  }
  return *chain;
}

void StoreTouches(const Chain& chain, const Strand& strand) {
  for (int k = 0; k < chain.n; ++k) {
    const Geodesic& g = chain.arc[k];
    Touch& touch = strand[chain.index[k]].touch;
    const Surface& s = *strand[chain.index[k]].surface;
    touch.p = g.p;
    touch.q = g.q;
    touch.t_p = g.t_p;
    touch.t_q = g.t_q;
    touch.arc = g.length;
    touch.turn = Turning(s, g);
    touch.way = WayOfArc(s, g.p, g.t_p, touch.way);
  }
}

bool Polish(const Strand& strand, Run& run) {
  run.iterations = 0;
  Chain chains[2];
  for (int round = 0; round <= strand.n; ++round) {
    if (!MakeChain(strand, chains[0])) return false;
    if (round == 0) run.start_error = chains[0].n ? chains[0].error : 0;
    if (chains[0].n == 0) return true;
    double longest = run.longest;
    if (run.descended) longest = Length(chains[0]) * (1 + kLengthRounding * kRounding);
    const Chain& chain = Newton(strand, chains, run);
    if (!(chain.error <= kPathMargin * chain.tolerance)) return false;
    const bool clamped = chain.clamped_start || chain.clamped_end;
    if (!clamped && run.followed && run.folded) return false;
    if (!clamped && run.sign < 0) return false;
    if (Length(chain) > longest) return false;
    // a drum keeps the string that is clamped to it at no arc; at less it leaves
    const auto lifts = [&](int k) {
      const bool drum = (k == 0 && chain.clamped_start) || (k == chain.n - 1 && chain.clamped_end);
      return drum ? chain.arc[k].length < 0 : chain.arc[k].length <= 0;
    };
    bool lifted = false;
    for (int k = 0; k < chain.n; ++k) {
      const Geodesic& g = chain.arc[k];
      const SpanWrap& w = strand[chain.index[k]];
      const double reach = run.reach * w.surface->radius;
      if (Norm(g.p - w.touch.p) > reach) return false;
      if (w.guided && std::abs(g.length - w.touch.arc) > reach) return false;
      // the string leaves both ends outward, and bends to the surface between them
      if (g.length > 0 && IsSmooth(*w.surface) && !w.guided) {
        const Surface& s = *w.surface;
        const double bridge = std::min(
            {g.least_bending, Waviness(s, g.p) - g.at_p.normal, Waviness(s, g.q) - g.at_q.normal});
        if (bridge < -kStraight / s.radius) return false;
        if (s.kind == SurfaceKind::kMesh && !EndsClear(chain, k, s)) return false;
      }
      lifted = lifted || lifts(k);
    }
    StoreTouches(chain, strand);
    if (!lifted) return true;
    for (int k = 0; k < chain.n; ++k) {
      if (lifts(k)) Lift(strand[chain.index[k]].touch);
    }
  }
  return false;
}

}  // namespace mujocable
