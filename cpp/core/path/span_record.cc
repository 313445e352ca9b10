// A solved span -> the record: path, memory for the next step, and what is wrong with it.

#include <algorithm>
#include <cmath>

#include "core/path/single.h"
#include "core/path/span_solve.h"
#include "core/path/tolerance.h"

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

// The straight segments of a string, from each contact to the next.
struct Segments {
  // both ends, and what is read past the last one
  static constexpr int kRoom = kMaxSpanWraps + 2 + kLanes;
  // what each segment leaves, and what the last one meets; ends of the span have no radius, nor
  // have points that a keeper holds: where they lie on an arc, the string has the direction of the
  // arc
  const Touch* on[kRoom];
  double radius[kRoom];
  double length[kRoom], x[kRoom], y[kRoom], z[kRoom];
  double sine[2][kRoom], cosine[2][kRoom];  // of the corners where it leaves and where it meets

  // ends: of the span, the string leaves one and meets the other
  Segments(const Touch& ends, const SpanWrap* wraps, int n) {
    int count = 0;
    const auto leave = [&](const Touch& touch, double its_radius) {
      on[count] = &touch;
      radius[count++] = its_radius;
    };
    leave(ends, 0);
    for (int i = 0; i < n; ++i) {
      const Touch& touch = wraps[i].touch;
      if (touch.touching) leave(touch, touch.held ? 0 : wraps[i].surface->radius);
    }
    const int segments = count;
    for (int k = 0; k < kLanes; ++k) leave(ends, 0);
    for (int k = 0; k < segments; k += kLanes) Measure(k);
  }
  Lanes3 Each(int k, Vec3 Touch::* v) const {
    return LanesOf(on[k]->*v, on[k + 1]->*v, on[k + 2]->*v, on[k + 3]->*v);
  }
  Vec3 Direction(int k) const { return {x[k], y[k], z[k]}; }
  // on the contact that segment k meets, which is on this surface
  double TurnBehind(int k, const Surface& s) const {
    const Touch& touch = *on[k + 1];
    const bool corner = touch.held && !IsGrooved(s);
    return corner ? CornerBetween(Direction(k), Direction(k + 1)) : touch.turn;
  }
  // four at a time
  void Measure(int k) {
    const Lanes3 leaving = Each(k, &Touch::t_q), meeting = Each(k + 1, &Touch::t_p);
    const Lanes3 d = Each(k + 1, &Touch::p) - Each(k, &Touch::q);
    const Lanes size = Sqrt(Dot(d, d)), before = LoadLanes(radius + k);
    const Lanes narrower = before - LoadLanes(radius + k + 1);  // negative: than what it meets
    const Lanes least = kShortSegment * Select(narrower, LoadLanes(radius + k + 1), before);
    Lanes3 e = Select(0 - size, 1 / size, size) * d;  // 0 where there is no length
    if (!AllNegative(least - size)) {
      e = Select(least - size, e, Select(narrower, meeting, leaving));
    }
    const Lanes3 out = Cross(leaving, e), in = Cross(e, meeting);
    StoreLanes(length + k, size);
    StoreLanes(x + k, e.x);
    StoreLanes(y + k, e.y);
    StoreLanes(z + k, e.z);
    StoreLanes(sine[0] + k, Sqrt(Dot(out, out)));
    StoreLanes(sine[1] + k, Sqrt(Dot(in, in)));
    StoreLanes(cosine[0] + k, Dot(leaving, e));
    StoreLanes(cosine[1] + k, Dot(e, meeting));
  }
};

}  // namespace

MUJOCABLE_INLINE inline void Span::Remember(int i, const Record& record) const {
  const Touch& touch = strand_[i].touch;
  const Surface& s = *strand_[i].surface;
  WrapMemory memory;
  memory.touching = touch.touching;
  memory.swept = touch.way.swept - Wrapped(i).bias;
  const bool arc = touch.touching && (strand_.n > 1 || ArcShowsWay(s));
  if (arc || IsSmooth(s)) {
    const Pair3 local = Unrotate(s.rot, PairOf(touch.p - s.pos, touch.t_p));
    memory.point = local.First();
    if (arc) {
      memory.tangent = local.Second();
      memory.arc = touch.arc;
    }
  } else if (IsGrooved(s)) {
    const Vec3 before = strand_.Before(i), after = strand_.After(i);
    memory.point = Remembered(PassageOf(s, before, after));
    memory.swept = WayStraight(s, before, after).swept - Wrapped(i).bias;
  }
  double* row = record.memory() + kWrapMemory * place_[i].row;
  StoreMemory(row, memory);
  // no room was left for its second place
  if (MemoryRows(s) > 1 && !Second(i) && !Second(i + 1)) StoreMemory(row + kWrapMemory, {});
}

// contact i of the record lies between elements i and i + 2; segment i leaves element i
bool Span::Write(const RouteLimits& limits, Record& record, Verdict& verdict) const {
  Touch ends;
  ends.q = strand_.a;
  ends.p = strand_.b;
  const Segments segments(ends, strand_.wraps, strand_.n);
  double *touching = record.touching(), *angle = record.wrap_angle(), *arc = record.arc();
  double *overrun = record.overrun(), *entry = record.entry(), *exit = record.exit();
  double *direction = record.direction(), *lengths = record.segment();
  Verdict seen = verdict;
  double length = record.length();
  bool overruns = false;
  int k = 0, segment = first_;
  // segment k of the string, as far as contact `end`
  const auto run = [&](int end) {
    const Vec3 e = segments.Direction(k);
    length += segments.length[k];
    lengths[segment] = segments.length[k];
    Store(direction + 3 * segment, e);
    while (++segment < end) {
      lengths[segment] = 0;
      Store(direction + 3 * segment, e);
    }
  };
  // An end of segment k at a contact. Corners are expected to vanish: the sine is cheaper, exact to
  // the third order. Between two surfaces that touch a segment has no direction of its own: a gap
  // of rounding size turns it by the root of that. Their joint does not count as a corner.
  const auto corner = [&](int end, int contact) {
    const double sine = segments.sine[end][k], cosine = segments.cosine[end][k];
    const double kink = sine < kSmallSine && cosine > 0 ? sine : AngleOf(sine, cosine);
    const double touch = kShortSegment * std::min(segments.radius[k], segments.radius[k + 1]);
    if (kink <= seen.smoothness) return;
    if (kink < kTouchingKink && segments.length[k] <= touch) return;
    seen.smoothness = kink;
    if (kink > limits.smoothness) Name(seen.loose, contact);
  };
  for (int i = 0; i < strand_.n; ++i) {
    const Touch& touch = strand_[i].touch;
    const Surface& s = *strand_[i].surface;
    const int contact = Contact(i);
    const bool second = Second(i);
    Remember(i, record);
    if (!touch.touching) {
      if (!second) WriteLifted(contact, record);
      continue;
    }
    if (!second) {
      run(contact + 1);
      length += touch.arc;
      touching[contact] = 1;
      angle[contact] = std::max(0.0, segments.TurnBehind(k, s));
      arc[contact] = touch.arc;
      Store(entry + 3 * contact, touch.p);
    } else {
      // on from the first: with what is free between them, all of it is on one body
      const double more = segments.length[k] + touch.arc;
      length += more;
      angle[contact] += std::max(0.0, touch.turn);
      arc[contact] += more;
    }
    Store(exit + 3 * contact, touch.q);
    double beyond;
    const double off = OffSurface(s, touch, beyond);
    overrun[contact] = beyond;
    overruns |= beyond > 0;
    if (!IsGrooved(s)) seen.surface_error = std::max(seen.surface_error, off);
    // a string that runs backward would push
    if (touch.arc < -kShortSegment * s.radius) {
      seen.converged = false;
      Name(seen.loose, contact);
    }
    if (!touch.held) corner(1, contact);
    ++k;
    if (!touch.held) corner(0, contact);
  }
  run(last_);
  record.length() = length;
  verdict = seen;
  return overruns;
}

// Every segment that does not end on this wrap; one that does can only cut a surface that is not
// convex.
double Span::Cut(int i) const {
  const Surface& s = *strand_[i].surface;
  const bool looked = cleared_ && strand_[i].bearings > 1;
  const bool own = !looked && (s.kind == SurfaceKind::kTorus || s.kind == SurfaceKind::kMesh);
  double depth = 0;
  VisitSegments([&](const Vec3& from, const Vec3& to, int before, int after) {
    if (!own && (before == i || after == i)) return;
    const bool past = IsGrooved(s) && PassingOf(s, from, to) == Passing::kClear;
    if (past || LineClears(s, from, to - from)) return;
    depth = std::max(depth, SegmentDepth(s, from, to));
  });
  return depth;
}

void Span::Check(const RouteLimits& limits, Verdict& verdict) const {
  if (apart_) return;
  for (int i = 0; i < strand_.n; ++i) {
    const Surface& s = *strand_[i].surface;
    // the first of its contacts looks after all
    if (s.inside || strand_[i].bearing > 0) continue;
    const double depth = strand_.n == 1 && !IsSmooth(s) ? -strand_[i].touch.clearance : Cut(i);
    verdict.penetration = std::max(verdict.penetration, depth);
    if (depth <= Allowed(limits, s)) continue;
    verdict.pierced = true;
    // corners are named already, maybe further along
    if (verdict.loose < 0 || verdict.loose > Contact(i)) verdict.loose = Contact(i);
  }
}

bool Span::WriteOut(int element, int row, Release reason, const double* old,
                    const RouteLimits& limits, double slack, Record& record) const {
  const Wrap& wrap = *elements_[element].wrap;
  const Surface& s = wrap.surface;
  const int contact = element - 1;
  WriteLifted(contact, record);

  double depth = 0;
  Vec3 before = strand_.a, after = strand_.b;  // ends of the segment that passes it
  VisitSegments([&](const Vec3& from, const Vec3& to, int i, int j) {
    depth = std::max(depth, SegmentDepth(s, from, to));
    if ((i >= 0 && Contact(i) > contact) || (j < strand_.n && Contact(j) < contact)) return;
    before = from;
    after = to;
  });
  WrapMemory memory;
  memory.swept = WayStraight(s, before, after).swept - wrap.bias;
  bool back = depth <= Allowed(limits, s), left = reason == Release::kDerailed;
  if (IsGrooved(s)) {
    memory.point = Remembered(PassageOf(s, before, after));
    back = false;
    if (old && !LoadMemory(old).touching) {
      Homotopy way;
      way.swept = LoadMemory(old).swept + wrap.bias;
      Touch touch;
      back = LiesOnWheel(wrap, before, after, way, old, slack, touch) != OnWheel::kOut;
    }
    left = left && !back;
  }
  if (!back) memory.released = reason;
  if (IsSmooth(s)) {
    double distance;
    memory.point = Unrotate(s.rot, NearestTo(s, before, after, distance) - s.pos);
  }
  for (int k = 0; k < MemoryRows(s); ++k) {
    StoreMemory(record.memory() + kWrapMemory * (row + k), memory);
  }
  return left;
}

}  // namespace mujocable
