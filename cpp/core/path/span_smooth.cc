#include "core/path/span_smooth.h"

#include <algorithm>
#include <cmath>

#include "core/path/descent.h"
#include "core/path/slide.h"
#include "core/path/tighten_smooth.h"

namespace mujocable {
namespace {

constexpr int kColdSweeps = 60;  // of block descent in all, each a solve of its own
constexpr int kWarmSweeps = 240;
constexpr int kColdTries = 300;  // in all, and for each wrap: ten times what is common
constexpr int kWarmTries = 300;

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
  // out of a hollow that it was led through: along its arc, yet all at once
  const double gained =
      LengthOver(a, b, before) - (now.touch.touching ? LengthOver(a, b, now.touch) : Norm(b - a));
  if (now.guided && gained > (corner * corner + 1e-6) * LengthOver(a, b, before)) return true;
  const double reach = 0.5 * s.radius;
  const auto aside = [&](const Touch& from, const Touch& of) {
    return std::max(Apart(s, of, from.p), Apart(s, of, from.q)) > reach;
  };
  const bool left =
      now.touch.touching ? aside(now.touch, before) && aside(before, now.touch) : g.turn > 0.3;
  int effort = kWarmTries;
  if (!left || !Trim(s, a, b, effort, before)) return left;
  const double was = LengthOver(a, b, before);
  const double is = now.touch.touching ? LengthOver(a, b, now.touch) : Norm(b - a);
  return was - is > (corner * corner + 1e-9) * was;
}

}  // namespace

SpanResult SolveSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  SpanResult result;
  SpanCopy start(wraps, n);
  bool warm = true, touching = false;
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    touching = touching || touch.touching;
    warm = warm && !wraps[i].hint && !(touch.touching && Dot(touch.t_p, touch.t_p) == 0);
  }

  int effort = (warm ? kWarmTries : kColdTries) * (1 + n);
  // whoever starts from afar over splines, which cost more, gets as many tries as over anything
  const auto spline = [](const SpanWrap& w) { return IsSpline(*w.surface); };
  if (!warm && std::any_of(wraps, wraps + n, spline)) effort *= kSplinePrice;

  // by continuity: Newton from the step before, then the lifted wraps
  Bounds bounds;
  const auto follow = [&] {
    for (int round = 0; round < 4; ++round) {
      if (touching && !PolishSmooth(a, b, wraps, n, bounds, result.iterations)) return false;
      if (Settled(a, b, wraps, n, effort)) return true;
      touching = true;
      if (n == 1) return true;  // touched down, already taut
    }
    return false;
  };
  result.followed = warm;
  if (warm && follow()) return result;
  const double start_error = bounds.start_error;
  if (warm && touching && start_error < kSmallMove) {
    // a soft minimum lets the string run far: in small steps as long as there is no fold
    start.Put(wraps);
    bounds = {kFar, 1e300, true, 0};
    if (follow()) return result;
  }
  result.followed = false;

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
  if (n == 1) wraps[0].touch = TightenSmooth(a, b, wraps[0], effort, solved);
  int budget = warm ? kWarmSweeps : kColdSweeps;
  for (int i = 0; i < n; ++i) {
    // an end inside a surface: no path, whatever is done
    const Surface& s = *wraps[i].surface;
    if (s.inside) continue;
    if (std::min(Distance(s, a), Distance(s, b)) < -kBuried * s.radius) budget = 1;
  }
  for (int round = 0; round < kMaxRounds && budget > 0 && effort > 0 && !solved && n > 1; ++round) {
    double move = 1;
    const int most = std::min(budget, round == 0 ? kMaxFirstDescent : sweeps);
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n, effort);
      --budget;
    }
    SpanCopy descended(wraps, n);
    bounds = {};
    bounds.certain = true;
    solved =
        PolishSmooth(a, b, wraps, n, bounds, result.iterations) && Settled(a, b, wraps, n, effort);
    if (!solved && bounds.start_error < kSmallMove) {
      // where descent creeps: in small steps, not uphill
      SpanCopy settled(wraps, n);
      descended.Put(wraps);
      bounds = {kFar, (1 + 1e-6) * PathLength(a, b, wraps, n), true, 0, true};
      solved = PolishSmooth(a, b, wraps, n, bounds, result.iterations) &&
               Settled(a, b, wraps, n, effort);
      if (!solved) settled.Put(wraps);
    }
    sweeps = std::min(2 * sweeps + 2, 20);
  }
  for (; budget > 0 && effort > 0 && !solved && n > 1; --budget, ++result.iterations) {
    solved = Descend(a, b, wraps, n, effort) < 1e-10;
  }
  result.converged = solved;
  if (warm && n > 1 && solved && start_error < kSmallMove) {
    // more was gained than by straightening the corners of the old arcs
    const double was = CarriedLength(a, b, start.get(), n), is = PathLength(a, b, wraps, n);
    result.snapped = was - is > (n * start_error * start_error + 1e-9) * was;
  }
  if (warm && start_error < kSmallMove) {
    for (int i = 0; i < n; ++i) {
      const Vec3 before = Before(a, wraps, i), after = After(b, wraps, n, i);
      result.snapped = result.snapped || Snapped(before, after, start[i], wraps[i], start_error);
    }
  }
  return result;
}

}  // namespace mujocable
