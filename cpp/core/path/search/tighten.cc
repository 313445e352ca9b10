// The taut string over one smooth surface, from afar; one that is not taut shortens itself
// downhill.

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/math/root.h"
#include "core/path/follow/chain.h"
#include "core/path/search/knots.h"
#include "core/path/search/solve.h"

namespace mujocable {
namespace {

// What a try with an arc of this length costs: one of a few turns counts once; where the cable runs
// outside an ellipsoid every point needs its foot point, over a spline every cell is a step.
int Price(const Surface& s, double arc) {
  const bool mesh = s.kind == SurfaceKind::kMesh;
  const double whole = (mesh ? kTryExtentsMesh : kTryExtents) * Extent(s);
  const int turns = 1 + static_cast<int>(std::clamp(arc / whole, 0.0, 1e3));
  return turns * (IsSpline(s) ? kSplinePrice : s.offset > 0 ? kOffsetPrice : 1);
}

// an end of an arc, looked for along its geodesic: where `eye` goes out of sight, or comes into it
struct End {
  Vec3 eye;
  bool entry;           // out of sight
  double near;          // of several such points that next to this one                        [m]
  double before = 0;    // height of `eye` above the tangent plane, at the point before
  double at = -1;       // where it was found, from the first point; negative: not yet         [m]
  Geodesic there = {};  // ends in it
};

// Looks at the piece that leaves `from`, at `begin` along the geodesic; now: the height at its end.
// On a flat place of a mesh, which is never quite flat, sight may change at every wave, and only
// the last one has the segment to `eye` clear.
void Look(const Surface& s, const Geodesic& from, double begin, double piece, double now, End& e) {
  if ((e.before >= 0) != e.entry || (now < 0) != e.entry) return;
  const auto height = [&](double u) {
    const Geodesic g = Shoot(s, from.q, from.t_q, u);
    return Dot(e.eye - g.q, g.n_q);
  };
  const double u = RootBetween(0, piece, e.before, now, kHorizon * s.radius, height);
  if (e.at >= 0 && !(std::abs(begin + u - e.near) < std::abs(e.at - e.near))) return;
  const Geodesic there = Shoot(s, from.q, from.t_q, u);
  if (s.kind == SurfaceKind::kMesh && SegmentDepth(s, there.q, e.eye) >= kUnderSight * s.radius)
    return;
  e.there = there;
  e.at = begin + u;
}

// Trim, looking `margin` beyond both ends; walks along the geodesic piece by piece
bool TrimWithin(const Surface& s, const Vec3& a, const Vec3& b, double margin, int samples,
                Touch& touch) {
  const double length = std::max(0.0, touch.arc) + 2 * margin, piece = length / samples;
  End entry{a, true, margin}, exit{b, false, length - margin};
  Geodesic here = Shoot(s, touch.p, touch.t_p, -margin);
  for (int k = 0; k <= samples; ++k) {
    const Geodesic g = k > 0 ? Shoot(s, here.q, here.t_q, piece) : here;
    for (End* e : {&entry, &exit}) {
      const double now = Dot(e->eye - g.q, g.n_q);
      if (!std::isfinite(now)) return false;
      if (k > 0) Look(s, here, (k - 1) * piece, piece, now, *e);
      e->before = now;
    }
    here = g;
  }
  if (entry.at < 0 || exit.at < 0) return false;
  touch.p = entry.there.q;
  touch.t_p = entry.there.t_q;
  touch.q = exit.there.q;
  touch.arc = exit.at - entry.at;
  if (touch.arc < 0) {
    // no arc between them: touches half way
    const Geodesic middle = Shoot(s, touch.p, touch.t_p, 0.5 * touch.arc);
    touch.p = touch.q = middle.q;
    touch.t_p = middle.t_q;
    touch.arc = 0;
  }
  return true;
}

// derivative of e.axis at an end of the arc under its four variations (4)
void Derivative(const Variation& end, const Vec3& axis, const Vec3& e, double signed_length,
                double row[kBlock]) {
  const Vec3 across = (1 / signed_length) * (axis - Dot(e, axis) * e), turn = Cross(axis, e);
  for (int j = 0; j < kBlock; ++j) row[j] = Dot(end.v[j], across) + Dot(end.w[j], turn);
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

bool Trim(const Surface& s, const Vec3& a, const Vec3& b, Budget& budget, Touch& touch) {
  const double arc = std::max(0.0, touch.arc),
               margin = kTrimPerArc * arc + kTrimPerRadius * s.radius;
  const auto within = [&](double wider, int samples) {
    if (IsSpline(s)) budget.Pay(Price(s, arc + 2 * wider));
    return TrimWithin(s, a, b, wider, samples, touch);
  };
  if (within(margin, kTrimSamples) || within(kTrimWider * margin, kTrimSamplesWider)) return true;
  // as far as a flat place can reach: over the whole surface
  const double flat = (s.kind == SurfaceKind::kMesh ? 2 : 4) * Extent(s);
  if (!HasFlats(s) || (budget.Spent() && IsSpline(s))) return false;
  const Touch narrow = touch;
  if (!within(margin + flat, kTrimSamplesFlat)) return false;
  // what is flat does not turn: ends further round a thin surface are those of a string that is
  // wound about it once more
  const double turned = Shoot(s, touch.p, touch.t_p, touch.arc).turn;
  if (turned - Shoot(s, narrow.p, narrow.t_p, narrow.arc).turn < kPi) return true;
  touch = narrow;
  return false;
}

bool Shorten(const Vec3& a, const Vec3& b, const Surface& s, double corner, Budget& budget,
             Touch& touch) {
  if (!Trim(s, a, b, budget, touch)) return false;
  double length = LengthOver(a, b, touch);
  for (int i = 0; i < kMaxShorten && touch.arc > 0 && !budget.Spent(); ++i) {
    budget.Pay(Price(s, touch.arc));
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
    const double least = kLeastSlope / s.radius;
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
    const double floor = kLeastEigenvalue * (std::abs(mean) + spread) + kLengthFloor * s.radius;
    const double first =
        (c * gradient[0] + sn * gradient[1]) / std::max(std::abs(mean + spread), floor);
    const double second =
        (c * gradient[1] - sn * gradient[0]) / std::max(std::abs(mean - spread), floor);
    double move[2] = {-(c * first - sn * second), -(sn * first + c * second)};
    const double size = std::max(std::abs(move[0]), std::abs(move[1]));
    if (!std::isfinite(size)) return false;
    double fraction = size > kShortenStride ? kShortenStride / size : 1;
    bool shorter = false;
    for (int k = 0; k < kShortenHalvings && !shorter; ++k, fraction *= 0.5) {
      if (IsSpline(s) && budget.Spent()) break;
      budget.Pay(Price(s, touch.arc));
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
      if (!Trim(s, a, b, budget, next)) continue;
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

Tightened TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget) {
  return OneString(a, b, w, budget).Solve();
}

}  // namespace mujocable
