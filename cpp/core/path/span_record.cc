// A solved span -> the record: path, memory for the next step, and what is wrong with it.

#include <algorithm>
#include <cmath>

#include "core/path/span_solve.h"
#include "core/path/tolerance.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// how far an arc ends off its surface; overrun: how far beyond the end of a finite cylinder
double OffSurface(const Surface& s, const Touch& touch, double& overrun) {
  overrun = 0;
  if (IsSmooth(s)) return std::max(std::abs(Distance(s, touch.p)), std::abs(Distance(s, touch.q)));
  Pair3 d = PairOf(touch.p, touch.q) - s.pos;
  if (s.kind == SurfaceKind::kCylinder) {
    const Vec3 axis = s.rot.Column(2);
    const Pair height = Dot(axis, d);
    overrun = Overrun(s, height);
    d = d - height * PairOf(axis, axis);
  }
  return MostSize(Sqrt(Dot(d, d)) - s.radius);
}

// a contact that the string does not touch
void WriteLifted(int contact, const Record& record) {
  record.touching()[contact] = record.wrap_angle()[contact] = record.arc()[contact] = 0;
  record.overrun()[contact] = 0;
  Store(record.entry() + 3 * contact, {});
  Store(record.exit() + 3 * contact, {});
}

}  // namespace

// contact i of the record lies between elements i and i + 2; segment i leaves element i
bool Span::Write(const RouteLimits& limits, Record& record, Verdict& verdict) const {
  Verdict seen = verdict;
  double length = record.length();
  bool overruns = false;
  // where the string is followed to: the wrap that it leaves there, -1: the end of the span
  int before = -1, segment = first_;
  Vec3 from = a_, leaving;
  double radius = 0;

  // The corners between a segment and the arcs it leaves and meets, seen from either of them. Where
  // two surfaces touch it has no direction of its own: a gap of rounding size turns it by the root
  // of that, which does not count as a corner.
  const auto corners = [&](const Vec3& out, const Vec3& in, double apart, int i,
                           const Vec3& meeting, double to_radius) {
    const Pair3 u = PairOf(leaving, in), v = PairOf(out, meeting), cross = Cross(u, v);
    const Pair sine = Sqrt(Dot(cross, cross)), cosine = Dot(u, v);
    const bool joint =
        before >= 0 && i < n_ && apart <= kShortSegment * std::min(radius, to_radius);
    for (int end = 0; end < 2; ++end) {
      const int at = end == 0 ? before : i;
      if (at < 0 || at == n_ || wraps_[at].touch.held) continue;
      // expected to vanish: the sine is cheaper, exact to the third order
      const double kink =
          sine[end] < kSmallSine && cosine[end] > 0 ? sine[end] : AngleOf(sine[end], cosine[end]);
      if (kink <= seen.smoothness || (kink < kTouchingKink && joint)) continue;
      seen.smoothness = kink;
      if (kink > limits.smoothness) Name(seen.loose, Contact(at));
    }
  };
  // the segment to wrap i, or to the end of the span
  const auto run = [&](int i, const Vec3& to, const Vec3& meeting, double to_radius, int end) {
    const Vec3 d = to - from;
    const double apart = Norm(d);
    Vec3 e = Unit(d);
    if (apart <= kShortSegment * std::max(radius, to_radius)) {
      e = to_radius > radius ? meeting : leaving;
    }
    length += apart;
    corners(e, e, apart, i, meeting, to_radius);
    Store(record.direction() + 3 * segment, e);
    record.segment()[segment] = apart;
    while (++segment < end) {
      Store(record.direction() + 3 * segment, e);
      record.segment()[segment] = 0;
    }
  };

  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    const Surface& s = *wraps_[i].surface;
    const int contact = Contact(i);
    Remember(i, record);
    if (!touch.touching) {
      if (!Second(i)) WriteLifted(contact, record);
      continue;
    }
    if (!Second(i)) {
      run(i, touch.p, touch.t_p, s.radius, contact + 1);
      length += touch.arc;
      record.touching()[contact] = 1;
      record.wrap_angle()[contact] = std::max(0.0, touch.turn);
      record.arc()[contact] = touch.arc;
      Store(record.entry() + 3 * contact, touch.p);
    } else {
      // on from the first: with what is free between them, all of it is on one body
      const Vec3 d = touch.p - from;
      const double apart = Norm(d), more = apart + touch.arc;
      corners(Unit(d, leaving), Unit(d, touch.t_p), apart, i, touch.t_p, s.radius);
      length += more;
      record.wrap_angle()[contact] += std::max(0.0, touch.turn);
      record.arc()[contact] += more;
    }
    Store(record.exit() + 3 * contact, touch.q);
    const double off = OffSurface(s, touch, record.overrun()[contact]);
    overruns = overruns || record.overrun()[contact] > 0;
    if (!IsGrooved(s)) seen.surface_error = std::max(seen.surface_error, off);
    // a string that runs backward would push
    if (touch.arc < -kShortSegment * s.radius) {
      seen.converged = false;
      Name(seen.loose, contact);
    }
    from = touch.q;
    leaving = touch.t_q;
    radius = s.radius;
    before = i;
  }
  run(n_, b_, leaving, 0, last_);
  record.length() = length;
  verdict = seen;
  return overruns;
}

void Span::Remember(int i, const Record& record) const {
  const Touch& touch = wraps_[i].touch;
  const Surface& s = *wraps_[i].surface;
  WrapMemory memory;
  memory.touching = touch.touching;
  memory.swept = touch.way.swept - Wrapped(i).bias;
  const bool arc = touch.touching && (n_ > 1 || ArcShowsWay(s));
  if (arc || IsSmooth(s)) {
    const Pair3 local = Unrotate(s.rot, PairOf(touch.p - s.pos, touch.t_p));
    memory.point = local.First();
    if (arc) {
      memory.tangent = local.Second();
      memory.arc = touch.arc;
    }
  }
  double* row = record.memory() + kWrapMemory * place_[i].row;
  StoreMemory(row, memory);
  // no room was left for its second place
  if (MemoryRows(s) > 1 && !Second(i) && !Second(i + 1)) StoreMemory(row + kWrapMemory, {});
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

void Span::Check(const RouteLimits& limits, Verdict& verdict) const {
  if (apart_) return;
  for (int i = 0; i < n_; ++i) {
    const Surface& s = *wraps_[i].surface;
    // the first of its contacts looks after all
    if (s.inside || wraps_[i].bearing > 0) continue;
    const double depth = n_ == 1 && !IsSmooth(s) ? -wraps_[i].touch.clearance : Cut(i);
    verdict.penetration = std::max(verdict.penetration, depth);
    if (depth <= Allowed(limits, s)) continue;
    verdict.pierced = true;
    // corners are named already, maybe further along
    if (verdict.loose < 0 || verdict.loose > Contact(i)) verdict.loose = Contact(i);
  }
}

void Span::WriteOut(int element, int row, Release reason, const RouteLimits& limits, double slack,
                    Record& record) const {
  const Wrap& wrap = *elements_[element].wrap;
  const Surface& s = wrap.surface;
  const int contact = element - 1;
  WriteLifted(contact, record);

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
