#include "core/path/tighten_smooth.h"

#include <algorithm>
#include <cmath>

#include "core/path/relax.h"
#include "core/path/slide.h"

namespace mujocable {
namespace {

// a segment this deep in a smooth surface touches it                         [scene size]
constexpr double kGraze = 1e-14;

constexpr double kUnder = 1e-7;     // a segment this deep in a mesh has gone under       [radii]
constexpr double kFlat = 0.25;      // of the sharpest bends: nearly flat beside them     [1/radii]
constexpr double kStraight = 1e-6;  // a string bent outward less than this is straight  [1/radii]

constexpr double kFollow = 0.1;  // stride of a string that is followed over a soft minimum [radii]
constexpr int kIterationsPerTry = 4;
constexpr int kSweepsPerTry = 10;  // of the knots, which cost about as much as one try

// a touching wrap becomes lifted, remembering where it was
void Lift(Touch& touch) {
  const Vec3 p = touch.p;
  const double clearance = touch.clearance;
  touch = {};
  touch.p = touch.q = p;
  touch.clearance = clearance;
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

// Where a mesh is flat but for its waves, a string that is tangent may still run into the next wave
// or edge: whether the segments before and after arc k do not.
bool EndsClear(const Chain& chain, int k, const Surface& s) {
  const Geodesic& g = chain.arc[k];
  const double deep = kUnder * s.radius;
  const auto flat = [&](const Vec3& x, const Curvature& at) {
    return -at.normal < 2 * Waviness(s, x) + kFlat / s.radius;
  };
  if (flat(g.p, g.at_p) && SegmentDepth(s, g.p - chain.length[k] * chain.direction[k], g.p) > deep)
    return false;
  return !flat(g.q, g.at_q) ||
         SegmentDepth(s, g.q, g.q + chain.length[k + 1] * chain.direction[k + 1]) <= deep;
}

}  // namespace

bool PolishSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Bounds& bounds,
                  int& iterations) {
  ChainStorage storage[2];
  Chain chain = storage[0].Make(), next = storage[1].Make();
  for (int round = 0; round <= n; ++round) {
    chain.n = next.n = 0;
    if (!MakeChain(a, b, wraps, n, chain)) return false;
    if (round == 0) bounds.start_error = chain.n ? chain.error : 0;
    if (chain.n == 0) return true;
    Run run;
    if (bounds.followed) run.stride = kFollow;
    run.certain = bounds.certain;
    Newton(a, b, wraps, true, chain, next, iterations, run);
    if (!(chain.error <= 1e3 * chain.tolerance)) return false;
    const bool clamped = chain.clamped_start || chain.clamped_end;
    if (!clamped && (run.sign < 0 || (bounds.followed && run.folded))) return false;
    if (Length(chain) > bounds.longest) return false;
    // a drum keeps the string that is clamped to it at no arc; at less it leaves
    const auto lifts = [&](int k) {
      const bool drum = (k == 0 && chain.clamped_start) || (k == chain.n - 1 && chain.clamped_end);
      return drum ? chain.arc[k].length < 0 : chain.arc[k].length <= 0;
    };
    bool lifted = false;
    for (int k = 0; k < chain.n; ++k) {
      const Geodesic& g = chain.arc[k];
      SpanWrap& w = wraps[chain.index[k]];
      const double reach = bounds.reach * w.surface->radius;
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
    StoreTouches(chain, wraps);
    if (!lifted) return true;
    for (int k = 0; k < chain.n; ++k) {
      if (lifts(k)) Lift(wraps[chain.index[k]].touch);
    }
  }
  return false;
}

Touch TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, int& effort, bool& solved) {
  const Surface& s = *w.surface;
  const double clearance = std::min(Distance(s, a), Distance(s, b));
  SpanWrap one{&s, false, nullptr, w.touch, w.guided};
  Touch& touch = one.touch;
  int iterations = 0;
  Bounds bounds;
  // Newton from `touch`; true when it ends on a string, touching or lifted
  const auto newton = [&] {
    effort -= Price(s, touch.arc);
    const int before = iterations;
    const bool polished = PolishSmooth(a, b, &one, 1, bounds, iterations);
    // over a spline every iteration counts
    if (IsSpline(s)) effort -= Price(s, touch.arc) * (iterations - before) / kIterationsPerTry;
    return polished && (touch.touching || Clear(a, b, s, touch));
  };
  // downhill first, until the corners are small enough for Newton; where a minimum has just
  // vanished they become small without one
  const auto slide = [&] {
    for (double corner : {1e-3, 1e-5, 1e-7, 1e-9}) {
      if (effort <= 0 || !Slide(a, b, s, corner, effort, touch)) return false;
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

  // an end inside: no path, whatever is done
  if (clearance < -kBuried * s.radius) {
    touch.touching = true;
    return done(false);
  }

  // nearby: from the arc as it was, or from nothing where the segment just went under
  if (known) {
    if (newton()) return done(true);
    touch = w.touch;
    if (Trim(s, a, b, effort, touch) && newton()) return done(true);
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
  if (w.guided) string.Adhere();
  Touch rough = touch;
  for (int sweeps : {30, 60, 120, 240, 480}) {
    if (effort <= 0) break;
    effort -= sweeps / kSweepsPerTry * Price(s, 0);
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
  if (w.guided && Clear(a, b, s, touch)) return done(true);
  touch = rough;
  return done(false);
}

}  // namespace mujocable
