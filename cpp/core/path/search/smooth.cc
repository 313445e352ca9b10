#include "core/path/search/smooth.h"

#include <algorithm>
#include <cmath>

#include "core/path/follow/neighbors.h"
#include "core/path/follow/polish.h"
#include "core/path/search/descent.h"
#include "core/path/search/shorten.h"
#include "core/path/search/tighten.h"

namespace mujocable {
namespace {

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
  if (now.guided && gained > (corner * corner + kGainedGuided) * LengthOver(a, b, before))
    return true;
  const double reach = kAside * s.radius;
  const auto aside = [&](const Touch& from, const Touch& of) {
    return std::max(Apart(s, of, from.p), Apart(s, of, from.q)) > reach;
  };
  const bool left = now.touch.touching ? aside(now.touch, before) && aside(before, now.touch)
                                       : g.turn > kSmallTurn;
  Budget budget{.tries = kTries};
  if (!left || !Trim(s, a, b, budget, before)) return left;
  const double was = LengthOver(a, b, before);
  const double is = now.touch.touching ? LengthOver(a, b, now.touch) : Norm(b - a);
  return was - is > (corner * corner + kGained) * was;
}

}  // namespace

SpanResult SolveSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries) {
  SpanResult result;
  SpanCopy start(wraps, n);
  bool warm = true, touching = false;
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    touching = touching || touch.touching;
    warm = warm && !wraps[i].hint && !(touch.touching && Dot(touch.t_p, touch.t_p) == 0);
  }

  Budget budget{.tries = kTries * (1 + n), .sweeps = warm ? kWarmSweeps : kColdSweeps};
  // from afar as many tries over splines as over anything, though they cost more
  const auto spline = [](const SpanWrap& w) { return IsSpline(*w.surface); };
  if (!warm && std::any_of(wraps, wraps + n, spline)) budget.tries *= kSplinePrice;
  budget.tries = std::min(budget.tries, most_tries);

  // by continuity: Newton from the step before, then the lifted wraps
  Bounds bounds;
  const auto polished = [&] {
    const bool taut = PolishSmooth(a, b, wraps, n, bounds);
    result.iterations += bounds.iterations;
    return taut;
  };
  const auto follow = [&] {
    for (int round = 0; round < kFollowRounds; ++round) {
      if (touching && !polished()) return false;
      if (Settled(a, b, wraps, n, budget)) return true;
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
  if (n == 1) {
    const Tightened found = TightenSmooth(a, b, wraps[0], budget);
    wraps[0].touch = found.touch;
    solved = found.solved;
  }
  for (int i = 0; i < n; ++i) {
    // an end inside a surface: no path, whatever is done
    const Surface& s = *wraps[i].surface;
    if (s.inside) continue;
    if (std::min(Distance(s, a), Distance(s, b)) < -kBuried * s.radius) budget.sweeps = 1;
  }
  for (int round = 0;
       round < kMaxRounds && budget.sweeps > 0 && !budget.Spent() && !solved && n > 1; ++round) {
    double move = 1;
    const int most = std::min(budget.sweeps, round == 0 ? kMaxFirstDescent : sweeps);
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n, budget);
      --budget.sweeps;
    }
    SpanCopy descended(wraps, n);
    bounds = {};
    bounds.certain = true;
    solved = polished() && Settled(a, b, wraps, n, budget);
    if (!solved && bounds.start_error < kSmallMove) {
      // where descent creeps: in small steps, not uphill
      SpanCopy settled(wraps, n);
      descended.Put(wraps);
      bounds = {kFar, (1 + kUphill) * PathLength(a, b, wraps, n), true, 0, true};
      solved = polished() && Settled(a, b, wraps, n, budget);
      if (!solved) settled.Put(wraps);
    }
    sweeps = std::min(2 * sweeps + 2, kMaxSmoothSweeps);
  }
  for (; budget.sweeps > 0 && !budget.Spent() && !solved && n > 1;
       --budget.sweeps, ++result.iterations) {
    solved = Descend(a, b, wraps, n, budget) < kDescended;
  }
  result.converged = solved;
  if (warm && n > 1 && solved && start_error < kSmallMove) {
    // more was gained than by straightening the corners of the old arcs
    const double was = CarriedLength(a, b, start.get(), n), is = PathLength(a, b, wraps, n);
    result.snapped = was - is > (n * start_error * start_error + kGained) * was;
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
