// The taut string over one smooth surface, from afar.

#include <algorithm>

#include "core/path/follow/chain.h"
#include "core/path/search/knots.h"
#include "core/path/search/solve.h"

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

// One string on its way: from what is known of it, from nothing, from knots.
class OneString {
 public:
  OneString(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget)
      : a_(a),
        b_(b),
        w_(w),
        s_(*w.surface),
        budget_(budget),
        clearance_(std::min(Distance(s_, a), Distance(s_, b))),
        one_{&s_, false, w.guided, 0, 1, nullptr, w.touch},
        known_(w.touch.touching && Dot(w.touch.t_p, w.touch.t_p) > 0) {}

  Tightened Solve() {
    const bool started = touch_.touching;
    if (!started && Clear(a_, b_, s_, touch_)) return Done(true);
    // an end inside: no path, whatever is done
    if (clearance_ < -kBuried * s_.radius) {
      touch_.touching = true;
      return Done(false);
    }
    if (known_ ? FromArc() : !started && FromNothing()) return Done(true);
    return Done(FromKnots());
  }

 private:
  Tightened Done(bool solved) {
    touch_.clearance = clearance_;
    return {touch_, solved};
  }

  // Newton from where the string is; true when it ends on a string, touching or lifted
  bool Newton(double longest = 1e300) {
    run_.longest = longest;
    budget_.Pay(Price(s_, touch_.arc));
    const bool polished = Polish({a_, b_, &one_, 1}, run_);
    // over a spline every iteration counts
    if (IsSpline(s_)) budget_.Pay(Price(s_, touch_.arc) * run_.iterations / kIterationsPerTry);
    return polished && (touch_.touching || Clear(a_, b_, s_, touch_));
  }

  // downhill first, until the corners are small enough for Newton; where a minimum has just
  // vanished they become small without one
  bool Shortened() {
    for (const double corner : kCorners) {
      if (budget_.Spent() || !Shorten(a_, b_, s_, corner, budget_, touch_)) return false;
      if (!(touch_.arc > 0) && Clear(a_, b_, s_, touch_)) return true;
      const Touch shorter = touch_;
      if (Newton()) return true;
      touch_ = shorter;
    }
    return false;
  }

  // nearby: the arc as it was
  bool FromArc() {
    if (Newton()) return true;
    touch_ = w_.touch;
    return Shortened();
  }

  // the segment just went under
  bool FromNothing() {
    touch_.touching = true;
    touch_.t_p = touch_.t_q = b_ - a_;
    touch_.arc = 0;
    return Newton();
  }

  // afar: pull a string of knots taut
  bool FromKnots() {
    touch_ = w_.touch;
    Vec3 points[kKnots];
    if (known_) PointsAlong(s_, touch_, points, kKnots);
    KnotString string = known_ ? KnotString::Along(s_, a_, b_, points, kKnots)
                               : KnotString::Through(s_, a_, b_, touch_.p);
    if (w_.guided) string.Adhere();
    Touch rough = touch_;
    for (const int sweeps : kKnotLadder) {
      if (budget_.Spent() || sweeps > kMeshSweeps) break;
      budget_.Pay(sweeps / kSweepsPerTry * Price(s_, 0));
      const double move = string.Pull(sweeps);
      touch_ = {};
      if (!string.Arc(touch_)) {
        if (Clear(a_, b_, s_, touch_)) return true;
        continue;
      }
      rough = touch_;
      run_.reach = kRoughReach + kRoughPerArc * touch_.arc / s_.radius;
      if (Newton((1 + kRoughLonger) * string.Length())) return true;
      touch_ = rough;
      if (Shortened()) return true;
      if (move < kKnotsStill) break;
    }
    if (w_.guided && Clear(a_, b_, s_, touch_)) return true;
    touch_ = rough;
    return false;
  }

  const Vec3 a_, b_;
  const SpanWrap& w_;  // the guess
  const Surface& s_;
  Budget& budget_;
  const double clearance_;  // of the nearer end                                         [m]
  SpanWrap one_;            // as a span of its own
  Touch& touch_ = one_.touch;
  const bool known_;  // an arc, not only a point
  Run run_;
};

}  // namespace

Tightened TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget) {
  return OneString(a, b, w, budget).Solve();
}

}  // namespace mujocable
