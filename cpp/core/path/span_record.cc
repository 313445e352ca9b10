// A solved span -> the record: path, memory for the next step, and what is wrong with it.

#include <algorithm>
#include <cmath>

#include "core/path/span_solve.h"
#include "core/path/tolerance.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// how far an arc ends off its surface
double OffSurface(const Surface& s, const Touch& touch) {
  if (IsSmooth(s)) return std::max(std::abs(Distance(s, touch.p)), std::abs(Distance(s, touch.q)));
  Pair3 d = PairOf(touch.p, touch.q) - s.pos;
  if (s.kind == SurfaceKind::kCylinder) {
    const Vec3 axis = s.rot.Column(2);
    d = d - Dot(axis, d) * PairOf(axis, axis);
  }
  return MostSize(Sqrt(Dot(d, d)) - s.radius);
}

// angles between unit vectors, two at a time, where they are expected to vanish: cheaper, exact to
// the third order
Pair Kinks(const Pair3& u, const Pair3& v) {
  const Pair3 cross = Cross(u, v);
  const Pair sine = Sqrt(Dot(cross, cross)), cosine = Dot(u, v);
  const auto kink = [&](int k) {
    return sine[k] < kSmallSine && cosine[k] > 0 ? sine[k] : AngleOf(sine[k], cosine[k]);
  };
  return Pair{kink(0), kink(1)};
}

}  // namespace

// contact i of the record lies between elements i and i + 2; segment i leaves element i
void Span::Write(Record& record) const {
  double *touching = record.touching(), *angle = record.wrap_angle(), *arc = record.arc();
  double *overrun = record.overrun(), *entry = record.entry(), *exit = record.exit();
  double *direction = record.direction(), *lengths = record.segment();
  Vec3 from = a_;
  Vec3 leaving;  // tangent at `from` when it lies on a wrap
  double radius = 0;
  int segment = first_;
  const auto run = [&](const Vec3& to, const Vec3& arriving, double to_radius, int end) {
    const Vec3 d = to - from;
    const double length = Norm(d);
    Vec3 e = Unit(d);
    if (length <= kShortSegment * std::max(radius, to_radius)) {
      e = to_radius > radius ? arriving : leaving;
    }
    for (int s = segment; s < end; ++s) {
      Store(direction + 3 * s, e);
      lengths[s] = s == segment ? length : 0;
    }
    record.length() += length;
    segment = end;
  };
  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    const int contact = Contact(i);
    if (Second(i)) {
      // on from the first: with what is free between them, all of it is on one body
      if (!touch.touching) continue;
      const double more = Norm(touch.p - from) + touch.arc;
      angle[contact] += std::max(0.0, touch.turn);
      arc[contact] += more;
      record.length() += more;
      Store(exit + 3 * contact, touch.q);
      from = touch.q;
      leaving = touch.t_q;
      continue;
    }
    touching[contact] = touch.touching;
    angle[contact] = touch.touching ? std::max(0.0, touch.turn) : 0;
    arc[contact] = touch.touching ? touch.arc : 0;
    overrun[contact] = 0;
    Store(entry + 3 * contact, touch.touching ? touch.p : Vec3{});
    Store(exit + 3 * contact, touch.touching ? touch.q : Vec3{});
    if (!touch.touching) continue;
    const Surface& s = *wraps_[i].surface;
    overrun[contact] = Overrun(s, PairOf(touch.p, touch.q));
    run(touch.p, touch.t_p, s.radius, contact + 1);
    record.length() += touch.arc;
    from = touch.q;
    leaving = touch.t_q;
    radius = s.radius;
  }
  run(b_, leaving, 0, last_);
}

void Span::Remember(Record& record) const {
  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    const Surface& s = *wraps_[i].surface;
    WrapMemory memory;
    memory.touching = touch.touching;
    memory.swept = touch.way.swept - Wrapped(i).bias;
    if (touch.touching && (n_ > 1 || ArcShowsWay(s))) {
      memory.point = Unrotate(s.rot, touch.p - s.pos);
      memory.tangent = Unrotate(s.rot, touch.t_p);
      memory.arc = touch.arc;
    } else if (IsSmooth(s)) {
      memory.point = Unrotate(s.rot, touch.p - s.pos);
    }
    double* row = record.memory() + kWrapMemory * place_[i].row;
    StoreMemory(row, memory);
    // no room was left for its second place
    if (MemoryRows(s) > 1 && !Second(i) && !Second(i + 1)) StoreMemory(row + kWrapMemory, {});
  }
}

// Whether wrap i touches the next wrap that the string bears on, before (-1) or after (+1) it. The
// segment between two such surfaces has no direction of its own: a gap of rounding size turns it by
// the root of that. Their joint does not count as a kink.
bool Span::TouchesNeighbor(int i, int step) const {
  int j = i + step;
  while (j >= 0 && j < n_ && !wraps_[j].touch.touching) j += step;
  if (j < 0 || j >= n_) return false;
  const Touch& here = wraps_[i].touch;
  const Touch& there = wraps_[j].touch;
  const double apart = step > 0 ? Norm(there.p - here.q) : Norm(here.p - there.q);
  return apart <= kShortSegment * std::min(wraps_[i].surface->radius, wraps_[j].surface->radius);
}

// Every segment that does not end on this wrap; one that does can only cut a surface that is not
// convex.
double Span::Cut(int i) const {
  const Surface& s = *wraps_[i].surface;
  const bool looked = cleared_ && wraps_[i].bearings > 1;
  const bool own = !looked && (s.kind == SurfaceKind::kTorus || s.kind == SurfaceKind::kMesh);
  double depth = 0;
  int before = -1;  // the wrap that a segment leaves
  for (int j = 0; j <= n_; ++j) {
    if (j < n_ && !wraps_[j].touch.touching) continue;
    if (own || (before != i && j != i)) {
      const Vec3& from = before < 0 ? a_ : wraps_[before].touch.q;
      const Vec3& to = j < n_ ? wraps_[j].touch.p : b_;
      const bool past = IsGrooved(s) && PassingOf(s, from, to) == Passing::kClear;
      if (!past && !LineClears(s, from, to - from))
        depth = std::max(depth, SegmentDepth(s, from, to));
    }
    before = j;
  }
  return depth;
}

void Span::Check(const RouteLimits& limits, const Record& record, Verdict& verdict) const {
  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    const Surface& s = *wraps_[i].surface;
    const int contact = Contact(i);

    // the arc lies on its surface and meets its segments without a corner
    if (touch.touching) {
      if (!IsGrooved(s)) {
        verdict.surface_error = std::max(verdict.surface_error, OffSurface(s, touch));
      }
      // a string that runs backward would push
      if (touch.arc < -kShortSegment * s.radius) {
        verdict.converged = false;
        Name(verdict.loose, contact);
      }
      if (!touch.held) {
        const bool on = Second(i + 1) && wraps_[i + 1].touch.touching;
        const Vec3 from = Second(i) ? Unit(touch.p - wraps_[i - 1].touch.q, touch.t_p)
                                    : record.Direction(contact);
        const Vec3 to =
            on ? Unit(wraps_[i + 1].touch.p - touch.q, touch.t_q) : record.Direction(contact + 1);
        const Pair kinks = Kinks(PairOf(from, touch.t_q), PairOf(touch.t_p, to));
        for (int end = 0; end < 2; ++end) {
          const double kink = kinks[end];
          if (kink <= verdict.smoothness) continue;
          if (kink < kTouchingKink && TouchesNeighbor(i, end == 0 ? -1 : 1)) continue;
          verdict.smoothness = kink;
          if (kink > limits.smoothness) Name(verdict.loose, contact);
        }
      }
    }

    if (s.inside) continue;
    if (wraps_[i].bearing > 0) continue;  // the first of its contacts looked after all
    const double depth = n_ == 1 && !IsSmooth(s) ? -touch.clearance : apart_ ? 0 : Cut(i);
    const double allowed = Allowed(limits, s);
    verdict.penetration = std::max(verdict.penetration, depth);
    if (!(depth <= allowed)) {
      verdict.pierced = true;
      Name(verdict.loose, contact);
    }
  }
}

void Span::WriteOut(int element, int row, Release reason, const RouteLimits& limits, double slack,
                    Record& record) const {
  const Wrap& wrap = *elements_[element].wrap;
  const Surface& s = wrap.surface;
  const int contact = element - 1;
  record.touching()[contact] = record.wrap_angle()[contact] = record.arc()[contact] = 0;
  record.overrun()[contact] = 0;
  Store(record.entry() + 3 * contact, {});
  Store(record.exit() + 3 * contact, {});

  double depth = 0;
  Vec3 from = a_, before = a_, after = b_;  // the segment that passes it
  for (int i = 0; i <= n_; ++i) {
    if (i < n_ && !wraps_[i].touch.touching) continue;
    const Vec3& to = i < n_ ? wraps_[i].touch.p : b_;
    depth = std::max(depth, SegmentDepth(s, from, to));
    if (i < n_ && Contact(i) < contact) before = wraps_[i].touch.q;
    if (i < n_ && Contact(i) > contact && Norm(after - b_) == 0) after = to;
    if (i < n_) from = wraps_[i].touch.q;
  }
  WrapMemory memory;
  const Passing past = IsGrooved(s) ? PassingOf(s, before, after) : Passing::kClear;
  // into a groove it falls only taut
  const bool back = IsGrooved(s)
                        ? past == Passing::kClear || (past == Passing::kMouth && slack == 0)
                        : depth <= Allowed(limits, s);
  if (!back) memory.released = reason;
  memory.swept = WayStraight(s, before, after).swept - wrap.bias;
  if (IsSmooth(s)) {
    double distance;
    memory.point = Unrotate(s.rot, NearestTo(s, before, after, distance) - s.pos);
  }
  for (int k = 0; k < MemoryRows(s); ++k) {
    StoreMemory(record.memory() + kWrapMemory * (row + k), memory);
  }
}

}  // namespace mujocable
