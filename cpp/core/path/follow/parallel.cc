#include "core/path/follow/parallel.h"

#include <cmath>

#include "core/math/angle.h"
#include "core/path/follow/neighbors.h"
#include "core/path/tolerance.h"
#include "core/surface/circle.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// a vector of the plane
struct Flat {
  double x = 0, y = 0;
};

// the plane across the axes
struct Plane {
  Vec3 origin, x, y, axis;
  Flat Of(const Vec3& point) const {
    const Vec3 d = point - origin;
    return {Dot(d, x), Dot(d, y)};
  }
  double Height(const Vec3& point) const { return Dot(point - origin, axis); }
  // with these components, two at a time
  Pair3 Vectors(const Pair& a, const Pair& b) const { return a * PairOf(x, x) + b * PairOf(y, y); }
};

// A circle that the string runs around, with its radius as the string sees it: positive where the
// center is on the left. Ends of the span are circles of radius zero.
struct Circle {
  Flat center;
  double radius = 0;
};

// the string between two circles
struct Tangent {
  Flat along;
  double length = 0;
};

// d = (length + i offset) along, as complex numbers, with `offset` the difference of the radii
bool Between(const Circle& from, const Circle& to, Tangent& t) {
  const Flat d{to.center.x - from.center.x, to.center.y - from.center.y};
  const double offset = to.radius - from.radius;
  const double square = d.x * d.x + d.y * d.y, rest = square - offset * offset;
  if (!(rest > kShortTangent * kShortTangent * square)) return false;
  const double inverse = 1 / square;
  t.length = std::sqrt(rest);
  t.along = {(t.length * d.x + offset * d.y) * inverse, (t.length * d.y - offset * d.x) * inverse};
  return true;
}

// where the string begins or ends on the circle itself
bool Clamped(const Circle& circle, const Flat& end, Tangent& t) {
  const Flat out{end.x - circle.center.x, end.y - circle.center.y};
  const double distance = std::sqrt(out.x * out.x + out.y * out.y);
  const double size = std::abs(circle.radius);
  if (!(std::abs(distance - size) <= kOnSurface * size)) return false;
  const double sense = circle.radius < 0 ? -1 : 1;
  t = {{-sense * out.y / distance, sense * out.x / distance}, 0};
  return true;
}

// The span seen along the axes: circles with the tangents between them.
class ParallelSpan {
 public:
  ParallelSpan(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n)
      : a_(a), b_(b), wraps_(wraps), n_(n), plane_(PlaneOf(*wraps[0].surface)) {}

  // circles of the wraps that touch; false where hints decide
  bool Gather() {
    circle_[0] = {plane_.Of(a_), 0};
    for (int i = 0; i < n_; ++i) {
      const Surface& s = *wraps_[i].surface;
      if (wraps_[i].hint) return false;
      const Flat center = plane_.Of(s.pos);
      center_x_[i] = center.x, center_y_[i] = center.y;
      most_[i] = (1 + kOnSurface) * s.radius;
      order_[i] = kLifted;
      if (!wraps_[i].touch.touching) continue;
      const bool left = (wraps_[i].touch.way.swept < 0) == (Dot(s.rot.Column(2), plane_.axis) < 0);
      order_[i] = count_;
      index_[count_++] = i;
      circle_[count_] = {center, left ? s.radius : -s.radius};
    }
    circle_[count_ + 1] = {plane_.Of(b_), 0};
    for (double* wraps : {center_x_, center_y_, order_}) StoreLanes(wraps + n_, All<Lanes>(0));
    StoreLanes(most_ + n_, All<Lanes>(-1));  // there is none
    return true;
  }

  // tangents, then how far the string turns from each to the next
  bool Turn() {
    for (int k = 0; k <= count_ && count_ > 0; ++k) {
      const bool start = k == 0 && index_[0] == 0,
                 end = k == count_ && index_[count_ - 1] == n_ - 1;
      if (!(start && Clamped(circle_[1], circle_[0].center, tangent_[0])) &&
          !(end && Clamped(circle_[count_], circle_[count_ + 1].center, tangent_[count_])) &&
          !Between(circle_[k], circle_[k + 1], tangent_[k])) {
        return false;
      }
      planar_ += tangent_[k].length;
      if (k == 0) continue;
      const Flat in = tangent_[k - 1].along, out = tangent_[k].along;
      const double sense = circle_[k].radius < 0 ? -1 : 1, radius = std::abs(circle_[k].radius);
      const double sine = sense * (in.x * out.y - in.y * out.x);
      const double cosine = in.x * out.x + in.y * out.y;
      // seen from the center, the ends of both tangents are further apart
      Tangents to;
      to.length = Pair{tangent_[k - 1].length, tangent_[k].length};
      to.reach = Both(radius);
      to.distance = Sqrt(to.length * to.length + radius * radius);
      const Lanes angle = AnglesOf(std::abs(sine), cosine, 1, to);
      double& swept = wraps_[index_[k - 1]].touch.way.swept;
      const double more = angle[1] + angle[2];
      turn_[k - 1] = Unwrap(std::copysign(angle[0], sine), std::abs(swept) - more);
      if (!(turn_[k - 1] > 0)) return false;
      swept = std::copysign(turn_[k - 1] + more, swept);
      planar_ += radius * turn_[k - 1];
    }
    return true;
  }

  // straight in the unrolled plane, so the height advances evenly with the planar length
  void Rise() {
    const double bottom = plane_.Height(a_), rise = plane_.Height(b_) - bottom;
    const double total = std::sqrt(planar_ * planar_ + rise * rise);
    const double cosine = planar_ / total, up = rise / total, slope = rise / planar_;
    double passed = 0;
    for (int k = 1; k <= count_; ++k) {
      const Surface& s = *wraps_[index_[k - 1]].surface;
      Touch& touch = wraps_[index_[k - 1]].touch;
      const double radius = circle_[k].radius, middle = plane_.Height(s.pos);
      const Flat in = tangent_[k - 1].along, out = tangent_[k].along;
      const Pair along_x = {in.x, out.x}, along_y = {in.y, out.y};
      const double entry = passed + tangent_[k - 1].length, exit = entry + s.radius * turn_[k - 1];
      const Pair height = bottom + slope * Pair{entry, exit} - Both(middle);
      passed = exit;
      // the center is on the left
      const Pair3 point = s.pos + plane_.Vectors(radius * along_y, -radius * along_x) +
                          height * PairOf(plane_.axis, plane_.axis);
      const Pair3 tangent = up * plane_.axis + Both(cosine) * plane_.Vectors(along_x, along_y);
      touch.p = point.First();
      touch.q = point.Second();
      touch.t_p = tangent.First();
      touch.t_q = tangent.Second();
      touch.arc = s.radius * turn_[k - 1] * total / planar_;
      touch.turn = turn_[k - 1] * cosine;
    }
  }

  // lifted wraps with these neighbors; false where one touches
  bool Lifted() {
    for (int i = 0; i < n_; ++i) {
      if (wraps_[i].touch.touching) continue;
      wraps_[i].touch = TightenRound(a_, b_, wraps_, n_, i);
      if (wraps_[i].touch.touching) return false;
    }
    return true;
  }

  // whether the lines along the segments pass the center of every other circle at more than its
  // radius
  bool Apart() const {
    for (int k = 0; k <= count_; ++k) {
      const Flat along = tangent_[k].along, from = circle_[k].center;
      for (int i = 0; i < n_; i += kLanes) {
        const Lanes x = LoadLanes(center_x_ + i) - from.x, y = LoadLanes(center_y_ + i) - from.y;
        const Lanes left = along.x * y - along.y * x, most = LoadLanes(most_ + i);
        const Lanes own = Abs(LoadLanes(order_ + i) - (k - 0.5)) - 1;  // negative: it ends there
        if (!AllNegative(Select(own, own, most - Abs(left + circle_[k].radius)))) return false;
      }
    }
    return count_ > 0;
  }

 private:
  static Plane PlaneOf(const Surface& s) {
    return {s.pos, s.rot.Column(0), s.rot.Column(1), s.rot.Column(2)};
  }

  const Vec3 a_, b_;
  SpanWrap* wraps_;
  const int n_;
  const Plane plane_;
  int index_[kMaxSpanWraps], count_ = 0;  // wraps that touch
  // of all wraps: center, how near a line may pass, which of those that touch it is
  static constexpr int kRoom = kMaxSpanWraps + kLanes;
  static constexpr double kLifted = -10;  // none of them
  double center_x_[kRoom], center_y_[kRoom], most_[kRoom], order_[kRoom];
  Circle circle_[kMaxSpanWraps + 2];  // of both ends and the wraps that touch
  Tangent tangent_[kMaxSpanWraps + 1];
  double turn_[kMaxSpanWraps];  // around each of those                                  [rad]
  double planar_ = 0;           // length of the string in the plane                      [m]
};

}  // namespace

bool AreParallel(const SpanWrap* wraps, int n) {
  if (n < 2) return false;
  for (int i = 0; i < n; ++i) {
    const Surface& s = *wraps[i].surface;
    if (s.kind != SurfaceKind::kCylinder || wraps[i].permanent || IsGrooved(s)) return false;
    const Vec3 across = Cross(s.rot.Column(2), wraps[0].surface->rot.Column(2));
    if (!(Dot(across, across) <= kParallel * kParallel)) return false;
  }
  return true;
}

bool FollowParallel(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, bool& apart) {
  ParallelSpan span(a, b, wraps, n);
  if (!span.Gather() || !span.Turn()) return false;
  span.Rise();
  if (!span.Lifted()) return false;
  apart = span.Apart();
  return true;
}

}  // namespace mujocable
