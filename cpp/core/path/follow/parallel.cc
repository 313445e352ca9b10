#include "core/path/follow/parallel.h"

#include <algorithm>
#include <cmath>

#include "core/math/angle.h"
#include "core/math/dense.h"
#include "core/path/tolerance.h"
#include "core/surface/circle.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// The span seen along the axes: circles with the tangents between them, four at a time. A circle
// has its radius as the string sees it: positive where the center is on the left. Ends of the span
// are circles of radius zero.
class ParallelSpan {
 public:
  explicit ParallelSpan(const Strand& strand) : strand_(strand) {}

  // false where a contact comes, goes or all but vanishes
  bool Follow() {
    Gather();
    if (count_ > 0) {
      if (!Connect() || !Turn()) return false;
      Rise();
    }
    return Lifted();
  }

  // whether the lines along the segments pass the center of every other circle at more than its
  // radius
  bool Apart() const {
    int apart = count_ > 0 ? -1 : 0;
    for (int k = 0; k <= count_; ++k) {
      const double x = along_x_[k], y = along_y_[k];
      const double side = x * y_[k] - y * x_[k] - radius_[k];
      int clear = 3 << k;  // it ends on these
      for (int i = 0; i < n_ + 2; i += kLanes) {
        const Lanes left = x * LoadLanes(y_ + i) - y * LoadLanes(x_ + i) - side;
        clear |= NegativeBits(LoadLanes(most_ + i) - left * left) << i;
      }
      apart &= clear;
    }
    static_assert(kRoom < 32, "a bit for each circle");
    const int circles = (1 << (n_ + 2)) - 1;
    return (apart & circles) == circles;
  }

 private:
  // circles in this order: an end, the wraps that touch, the other end, the wraps that do not
  void Gather() {
    // square of a radius that a point on the surface may have
    constexpr double kMost = (1 + kOnSurface) * (1 + kOnSurface);
    int size = 0;
    const auto put = [&](const Vec3& center, double radius, double most) {
      center_[size] = &center;
      radius_[size] = radius;
      most_[size++] = most;
    };
    put(strand_.a, 0, -1);
    for (int i = 0; i < n_; ++i) {
      if (!wraps_[i].touch.touching) continue;
      const Surface& s = *wraps_[i].surface;
      const bool left = (wraps_[i].touch.way.swept < 0) == (Dot(s.rot.Column(2), axis_) < 0);
      index_[count_++] = i;
      put(s.pos, left ? s.radius : -s.radius, kMost * s.radius * s.radius);
    }
    put(strand_.b, 0, -1);
    for (int i = 0; size < n_ + 2; ++i) {
      const Surface& s = *wraps_[i].surface;
      if (!wraps_[i].touch.touching) put(s.pos, 0, kMost * s.radius * s.radius);
    }
    // the last lanes are filled up
    for (int more = 0; more < kLanes; ++more) put(strand_.a, 0, -1);
    int k = 0;
    for (; k < n_ + 2; k += kLanes) {
      const Lanes3 d = Centers(k) - wraps_[0].surface->pos;
      StoreLanes(x_ + k, Dot(across_x_, d));
      StoreLanes(y_ + k, Dot(across_y_, d));
      StoreLanes(height_ + k, Dot(axis_, d));
    }
    x_[k] = y_[k] = 0;
  }

  // Tangents between circles: d = (length + i offset) along, as complex numbers, with `offset` the
  // difference of the radii. False where one all but vanishes.
  bool Connect() {
    int found = 0;  // a bit for each
    for (int k = 0; k <= count_; k += kLanes) {
      const Lanes dx = LoadLanes(x_ + k + 1) - LoadLanes(x_ + k);
      const Lanes dy = LoadLanes(y_ + k + 1) - LoadLanes(y_ + k);
      const Lanes offset = LoadLanes(radius_ + k + 1) - LoadLanes(radius_ + k);
      const Lanes square = dx * dx + dy * dy, rest = square - offset * offset;
      found |= NegativeBits(kShortTangent * kShortTangent * square - rest) << k;
      const Lanes length = Sqrt(rest), inverse = 1 / square;
      StoreLanes(length_ + k, length);
      StoreLanes(along_x_ + k, (length * dx + offset * dy) * inverse);
      StoreLanes(along_y_ + k, (length * dy - offset * dx) * inverse);
    }
    // where the string begins or ends on a circle itself
    const auto clamp = [&](int tangent, int circle, int end) {
      const double x = x_[end] - x_[circle], y = y_[end] - y_[circle];
      const double distance = std::sqrt(x * x + y * y), size = std::abs(radius_[circle]);
      if (!(std::abs(distance - size) <= kOnSurface * size)) return;
      const double sense = radius_[circle] < 0 ? -1 : 1;
      length_[tangent] = 0;
      along_x_[tangent] = -sense * y / distance;
      along_y_[tangent] = sense * x / distance;
      found |= 1 << tangent;
    };
    if (index_[0] == 0) clamp(0, 1, 0);
    if (index_[count_ - 1] == n_ - 1) clamp(count_, count_, count_ + 1);
    const int tangents = (2 << count_) - 1;
    return (found & tangents) == tangents;
  }

  // how far the string turns from each tangent to the next; false where it does not
  bool Turn() {
    double passed = 0;
    planar_ = length_[0];
    for (int first = 0; first < count_; first += kLanes) {
      const Lanes in_x = LoadLanes(along_x_ + first), out_x = LoadLanes(along_x_ + first + 1);
      const Lanes in_y = LoadLanes(along_y_ + first), out_y = LoadLanes(along_y_ + first + 1);
      const Lanes in = LoadLanes(length_ + first), out = LoadLanes(length_ + first + 1);
      const Lanes side = LoadLanes(radius_ + first + 1), radius = Abs(side);
      const Lanes sense = Select(side, All<Lanes>(-1), All<Lanes>(1));
      const Lanes sine = sense * (in_x * out_y - in_y * out_x);
      const Lanes angle = AngleOf(Abs(sine), in_x * out_x + in_y * out_y);
      // seen from the center, the ends of both tangents are further apart
      const Lanes more = AcuteAngleOf(in, radius, Sqrt(in * in + radius * radius)) +
                         AcuteAngleOf(out, radius, Sqrt(out * out + radius * radius));
      for (int k = first; k < std::min(first + kLanes, count_); ++k) {
        const int j = k - first;
        double& swept = wraps_[index_[k]].touch.way.swept;
        const double turn = Unwrap(std::copysign(angle[j], sine[j]), std::abs(swept) - more[j]);
        if (!(turn > 0)) return false;
        swept = std::copysign(turn + more[j], swept);
        turn_[k] = turn;
        entry_[k] = passed + length_[k];
        exit_[k] = passed = entry_[k] + radius[j] * turn;
        planar_ += length_[k + 1];
        planar_ += radius[j] * turn;
      }
    }
    return true;
  }

  // straight in the unrolled plane, so the height advances evenly with the planar length
  void Rise() {
    const double bottom = height_[0], rise = height_[count_ + 1] - bottom;
    const double total = std::sqrt(planar_ * planar_ + rise * rise);
    const double cosine = planar_ / total, up = rise / total, slope = rise / planar_;
    const Lanes3 x = LanesOf(across_x_), y = LanesOf(across_y_), axis = LanesOf(axis_);
    for (int first = 0; first < count_; first += kLanes) {
      const Lanes3 center = Centers(first + 1);
      const Lanes radius = LoadLanes(radius_ + first + 1), middle = LoadLanes(height_ + first + 1);
      // the center is on the left
      const auto point = [&](const Lanes& to_x, const Lanes& to_y, const double* passed) {
        const Lanes height = bottom + slope * LoadLanes(passed + first) - middle;
        return center + (radius * to_y * x + (0 - radius) * to_x * y) + height * axis;
      };
      const auto tangent = [&](const Lanes& to_x, const Lanes& to_y) {
        return up * axis_ + All<Lanes>(cosine) * (to_x * x + to_y * y);
      };
      const Lanes in_x = LoadLanes(along_x_ + first), out_x = LoadLanes(along_x_ + first + 1);
      const Lanes in_y = LoadLanes(along_y_ + first), out_y = LoadLanes(along_y_ + first + 1);
      const Lanes3 p = point(in_x, in_y, entry_), q = point(out_x, out_y, exit_);
      const Lanes3 t_p = tangent(in_x, in_y), t_q = tangent(out_x, out_y);
      for (int k = first; k < std::min(first + kLanes, count_); ++k) {
        const int j = k - first;
        Touch& touch = wraps_[index_[k]].touch;
        touch.p = p[j];
        touch.q = q[j];
        touch.t_p = t_p[j];
        touch.t_q = t_q[j];
        touch.arc = std::abs(radius[j]) * turn_[k] * total / planar_;
        touch.turn = turn_[k] * cosine;
      }
    }
  }

  // lifted wraps with these neighbors; false where one touches
  bool Lifted() {
    for (int i = 0; i < n_ && count_ < n_; ++i) {
      if (wraps_[i].touch.touching) continue;
      wraps_[i].touch = TightenRound(strand_, i);
      if (wraps_[i].touch.touching) return false;
    }
    return true;
  }

  Lanes3 Centers(int k) const {
    return LanesOf(*center_[k], *center_[k + 1], *center_[k + 2], *center_[k + 3]);
  }

  // both ends, and what is read past the last circle
  static constexpr int kRoom = Padded(kMaxSpanWraps + 2) + kLanes;
  const Strand strand_;
  SpanWrap* const wraps_ = strand_.wraps;
  const int n_ = strand_.n;
  // the plane across the axes, and the direction of these
  const Mat3 frame_ = wraps_[0].surface->rot;
  const Vec3 across_x_ = frame_.Column(0), across_y_ = frame_.Column(1), axis_ = frame_.Column(2);
  int index_[kMaxSpanWraps], count_ = 0;  // wraps that touch
  // of all circles: where the center is, also in the plane, and the square of how near a line may
  // pass, negative: anywhere (lines of the cache begin with a row: `hand` would notice)
  const Vec3* center_[kRoom];
  alignas(64) double radius_[kRoom], most_[kRoom], x_[kRoom], y_[kRoom], height_[kRoom];
  double along_x_[kRoom], along_y_[kRoom], length_[kRoom];  // of the tangents
  // around each of those that touch [rad], and how long the string is in the plane there [m]
  double turn_[kRoom], entry_[kRoom], exit_[kRoom];
  double planar_ = 0;  // all of it
};

}  // namespace

Touch TightenRound(const Strand& strand, int i) {
  const SpanWrap& w = strand[i];
  const Vec3 before = strand.Before(i), after = strand.After(i);
  Homotopy way = w.touch.way;
  if (w.surface->kind == SurfaceKind::kSphere && !w.hint && !w.permanent) {
    // nothing holds it on the longer way round: there it slips
    way = WayAmong(*w.surface, before, w.touch.p, after);
  }
  if (w.hint) {
    way = strand.n > 1 ? WayAmong(*w.surface, before, *w.hint, after)
                       : WayThrough(*w.surface, before, *w.hint, after);
  }
  if (IsGrooved(*w.surface)) {
    Touch touch;
    const InGroove lies = TightenGrooved(*w.surface, before, after, way, touch);
    if (lies == InGroove::kAbove && w.permanent)
      return KeptInGroove(*w.surface, before, after, way);
    const Passing past = PassingOf(*w.surface, before, after);
    const bool aside = past != Passing::kMouth && past != Passing::kBottom;
    if (lies == InGroove::kAbove || (!w.touch.touching && !w.permanent && aside)) {
      Touch lifted;
      lifted.way = touch.way;
      return lifted;
    }
    return touch;
  }
  return w.permanent ? TightenKept(*w.surface, before, after, way)
                     : Tighten(*w.surface, before, after, way);
}

bool AreParallel(const Strand& strand) {
  if (strand.n < 2) return false;
  for (int i = 0; i < strand.n; ++i) {
    const Surface& s = *strand[i].surface;
    if (s.kind != SurfaceKind::kCylinder || strand[i].permanent || IsGrooved(s)) return false;
    const Vec3 across = Cross(s.rot.Column(2), strand[0].surface->rot.Column(2));
    if (!(Dot(across, across) <= kParallel * kParallel)) return false;
  }
  return true;
}

bool FollowParallel(const Strand& strand, bool& apart) {
  ParallelSpan span(strand);
  if (!span.Follow()) return false;
  apart = span.Apart();
  return true;
}

}  // namespace mujocable
