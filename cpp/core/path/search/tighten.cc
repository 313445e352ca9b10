#include "core/path/search/tighten.h"

#include <algorithm>

#include "core/path/follow/neighbors.h"
#include "core/path/follow/polish.h"
#include "core/path/search/knots.h"
#include "core/path/search/shorten.h"

namespace mujocable {
namespace {

// the segment a-b is clear of the surface: a lifted touch, with the point to watch
bool Clear(const Vec3& a, const Vec3& b, const Surface& s, Touch& touch) {
  double distance;
  const Vec3 nearest = NearestTo(s, a, b, distance);
  if (distance < -kGraze * (s.radius + Norm(a - s.pos) + Norm(b - s.pos))) return false;
  touch = {};
  touch.p = touch.q = nearest;
  return true;
}

}  // namespace

Tightened TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget) {
  const Surface& s = *w.surface;
  const double clearance = std::min(Distance(s, a), Distance(s, b));
  SpanWrap one{&s, false, nullptr, w.touch, w.guided};
  Touch& touch = one.touch;
  Bounds bounds;
  // Newton from `touch`; true when it ends on a string, touching or lifted
  const auto newton = [&] {
    budget.Pay(Price(s, touch.arc));
    const bool polished = PolishSmooth(a, b, &one, 1, bounds);
    // over a spline every iteration counts
    if (IsSpline(s)) budget.Pay(Price(s, touch.arc) * bounds.iterations / kIterationsPerTry);
    return polished && (touch.touching || Clear(a, b, s, touch));
  };
  // downhill first, until the corners are small enough for Newton; where a minimum has just
  // vanished they become small without one
  const auto shorten = [&] {
    for (const double corner : kCorners) {
      if (budget.Spent() || !Shorten(a, b, s, corner, budget, touch)) return false;
      if (!(touch.arc > 0) && Clear(a, b, s, touch)) return true;
      bounds.longest = (1 + kUphill) * LengthOver(a, b, touch);
      const Touch shorter = touch;
      if (newton()) return true;
      touch = shorter;
    }
    return false;
  };
  const auto done = [&](bool solved) {
    touch.clearance = clearance;
    return Tightened{touch, solved};
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
    if (Trim(s, a, b, budget, touch) && newton()) return done(true);
    touch = w.touch;
    if (shorten()) return done(true);
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
  for (const int sweeps : kKnotLadder) {
    if (budget.Spent() || sweeps > kMeshSweeps) break;
    budget.Pay(sweeps / kSweepsPerTry * Price(s, 0));
    const double move = string.Pull(sweeps);
    touch = {};
    if (!string.Arc(touch)) {
      if (Clear(a, b, s, touch)) return done(true);
      continue;
    }
    rough = touch;
    bounds.reach = kRoughReach + kRoughPerArc * touch.arc / s.radius;
    bounds.longest = (1 + kRoughLonger) * string.Length();
    if (newton()) return done(true);
    touch = rough;
    if (shorten()) return done(true);
    if (move < kKnotsStill) break;
  }
  if (w.guided && Clear(a, b, s, touch)) return done(true);
  touch = rough;
  return done(false);
}

}  // namespace mujocable
