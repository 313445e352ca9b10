#include "core/path/jointly.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/math/angle.h"
#include "core/math/pair.h"
#include "core/path/descent.h"
#include "core/path/single.h"
#include "core/path/span.h"
#include "core/path/span_parallel.h"
#include "core/path/take_part.h"
#include "core/state.h"
#include "core/surface/groove.h"

namespace mujocable {
namespace {

// the largest corner where two surfaces touch: the root of that, with a margin       [rad]
constexpr double kTouchingKink = 1e-3;

// angle between two unit vectors where it is expected to vanish: cheaper, exact to the third order
double Kink(const Vec3& u, const Vec3& v) {
  const double sine = Norm(Cross(u, v));
  return sine < 1e-5 && Dot(u, v) > 0 ? sine : Angle(u, v);
}

// one span: fixed nodes `first` and `last` of the route with the wraps between them
class Span {
 public:
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  Span(const Element* elements, const Part& part, int first, int last, int first_wrap)
      : elements_(elements), first_(first), last_(last), a_(part.a), b_(part.b) {
    // a ring has a second place, where there is room
    int room = kMaxSpanWraps - (last - first - 1), slot = first_wrap;
    for (int e = first + 1; e < last; ++e) {
      const int slots = MemorySlots(elements[e].wrap->surface);
      const int places = part.out[e - first - 1] != Release::kNo ? 0
                         : slots > 1 && room-- > 0               ? slots
                                                                 : 1;
      for (int k = 0; k < places; ++k) {
        place_[n_].contact = e - 1;
        place_[n_++].slot = slot + k;
      }
      slot += slots;
    }
    wraps_ = reinterpret_cast<SpanWrap*>(storage_);
    std::uninitialized_default_construct_n(wraps_, n_);
  }

  bool Follow(const double* memory);
  // whether any wrap starts where it was authored
  bool Guess(const double* memory, Start start);
  bool Wind(Start start);
  void Solve(bool cold, const double* memory, Tally& tally) {
    const SpanResult result = cold ? SolveCold() : SolveSpan(a_, b_, wraps_, n_);
    tally.iterations += result.iterations;
    tally.converged = tally.converged && result.converged;
    if (!result.converged) Name(tally.loose, Contact(0));
    if (result.snapped) Name(tally.slipped, MostMoved(memory));
    cleared_ = result.cleared;
  }
  void Write(Record& record) const;
  void Remember(Record& record) const;
  void Check(const RouteLimits& limits, const Record& record, Tally& tally) const;
  bool Overruns(const Record& record) const {
    return std::any_of(record.overrun() + first_, record.overrun() + last_ - 1,
                       [](double x) { return x > 0; });
  }
  // Whether the span must be solved again, with fewer wraps taking part. a, b: where its ends are.
  bool Reconsider(const Vec3& a, const Vec3& b, double slack, const Record& record,
                  Part& part) const;
  // the wraps that take no part, and what has happened; memory: nullptr where there is none
  void Finish(Part& part, int first_wrap, const double* memory, const RouteLimits& limits,
              double slack, Record& record, Tally& tally) const;

 private:
  const Wrap& Wrapped(int i) const { return *elements_[place_[i].contact + 1].wrap; }
  // the second place of a ring shares its contact
  bool Second(int i) const { return i > 0 && i < n_ && Contact(i) == Contact(i - 1); }
  int Contact(int i) const { return place_[i].contact; }
  // whether the string bears on the wrap of an element, and whether it leaves wrap i
  bool Bears(int element) const;
  bool Derails(int i, double slack) const;
  // the contact that has moved furthest since the step before, in radii
  int MostMoved(const double* memory) const;
  // whether it has risen out of the groove that it was in, led aside
  bool RoseAside(int element) const;
  // A wrap that takes no part, and whether it may again: where the path is clear of it.
  void WriteOut(int element, int slot, Release reason, const RouteLimits& limits, double slack,
                Record& record) const;
  SpanResult SolveCold();
  SpanResult SolveBackward(const SpanWrap* guess);
  double FromHints() const;
  double Depth() const;
  void GuessAuthored(int i);
  void GuessRemembered(int i, const WrapMemory& memory);
  bool TouchesNeighbor(int i, int step) const;

  const Element* elements_;
  int first_, last_, n_ = 0;
  bool apart_ = false;    // it saw that no segment comes near a surface that it does not end on
  bool cleared_ = false;  // the solver saw to it that no segment cuts the surface it ends on
  struct {
    int contact, slot;  // of the record, of the memory
  } place_[kMaxSpanWraps];
  Vec3 a_, b_;
  SpanWrap* wraps_;
  alignas(SpanWrap) unsigned char storage_[sizeof(SpanWrap) * kMaxSpanWraps];  // n_ are in use
};

// on the side of the hint, or the shorter way past the straight line between the fixed nodes
void Span::GuessAuthored(int i) {
  const Wrap& w = Wrapped(i);
  Touch& touch = wraps_[i].touch;
  if (w.has_hint) {
    wraps_[i].hint = &w.hint;
    touch.p = Project(w.surface, w.hint);
  } else {
    touch.way = WayStraight(w.surface, a_, b_);
    const Vec3 d = b_ - a_;
    const double dd = Dot(d, d);
    const double u = dd > 0 ? std::clamp(Dot(w.surface.pos - a_, d) / dd, 0.0, 1.0) : 0.5;
    touch.p = Project(w.surface, a_ + u * d);
    if (w.surface.kind == SurfaceKind::kTorus) {
      // through the hole, where its rim is nearest
      const Vec3 axis = w.surface.rot.Column(2), out = touch.p - w.surface.pos;
      const Vec3 radial = Unit(out - Dot(out, axis) * axis, w.surface.rot.Column(0));
      touch.p = w.surface.pos + (w.surface.size[0] - w.surface.radius) * radial;
    }
  }
  touch.q = touch.p;
  // a node of the first polyline; the solver finds out
  touch.touching = n_ > 1 || IsSmooth(w.surface);
}

void Span::GuessRemembered(int i, const WrapMemory& memory) {
  const Wrap& e = Wrapped(i);
  Touch& touch = wraps_[i].touch;
  touch.way.swept = memory.swept + e.bias;
  if (IsSmooth(e.surface)) {
    // a lifted wrap remembers the point that it watches
    touch.p = touch.q = e.surface.pos + Rotate(e.surface.rot, memory.point);
    touch.touching = memory.touching;
    if (!memory.touching) return;
    touch.t_p = Rotate(e.surface.rot, memory.tangent);
    touch.arc = memory.arc;
    return;
  }
  touch.touching = memory.touching;
  if (!memory.touching || (n_ == 1 && !ArcShowsWay(e.surface))) return;
  touch.p = e.surface.pos + Rotate(e.surface.rot, memory.point);
  touch.t_p = Rotate(e.surface.rot, memory.tangent);
  touch.way = WayOfArc(e.surface, touch.p, touch.t_p, touch.way);
  if (n_ > 1) {
    const Geodesic g = Shoot(e.surface, touch.p, touch.t_p, memory.arc);
    touch.p = g.p;
    touch.q = g.q;
    touch.arc = memory.arc;
  }
}

bool Span::Guess(const double* memory, Start start) {
  bool cold = false;
  for (int i = 0; i < n_; ++i) {
    const Wrap& e = Wrapped(i);
    wraps_[i].surface = &e.surface;
    wraps_[i].permanent = e.permanent;
    wraps_[i].guided = e.guided;
    wraps_[i].member = e.member;
    wraps_[i].members = e.members;
    if (Second(i) || Second(i + 1)) {
      wraps_[i].member = Second(i);
      wraps_[i].members = 2;
    }
    cold = cold || Authored(e, start);
    if (!Authored(e, start)) {
      GuessRemembered(i, LoadMemory(memory + kWrapMemory * place_[i].slot));
    } else if (Second(i)) {
      wraps_[i].touch.p = wraps_[i].touch.q = wraps_[i - 1].touch.p;
    } else {
      GuessAuthored(i);
    }
  }
  return cold;
}

// the string as seen from its other end
Touch Backward(const Touch& touch) {
  Touch back = touch;
  std::swap(back.p, back.q);
  back.t_p = -touch.t_q;
  back.t_q = -touch.t_p;
  std::swap(back.before, back.after);
  back.way.swept = -touch.way.swept;
  back.way.plane = -touch.way.plane;
  return back;
}

// the same guess, solved from the other end; into wraps_
SpanResult Span::SolveBackward(const SpanWrap* guess) {
  SpanCopy back(guess, n_);
  const auto turn = [&](const SpanWrap* from, SpanWrap* to) {
    for (int i = 0; i < n_; ++i) {
      SpanWrap& w = to[n_ - 1 - i] = from[i];
      w.touch = Backward(w.touch);
      w.member = w.members - 1 - w.member;
    }
  };
  turn(guess, back.get());
  const SpanResult result = SolveSpan(b_, a_, back.get(), n_);
  turn(back.get(), wraps_);
  // contacts with one surface take its first places
  for (int g = 0; g < n_; g += wraps_[g].members) {
    int touching = g;
    for (int i = g; i < g + wraps_[g].members; ++i) {
      if (!wraps_[i].touch.touching) continue;
      std::swap(wraps_[i].touch, wraps_[touching].touch);
      ++touching;
    }
    for (int k = 0; k < wraps_[g].members; ++k) wraps_[g + k].member = k;
  }
  return result;
}

// how far the contacts are from the hints of their wraps, in radii
double Span::FromHints() const {
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    if (!Wrapped(i).has_hint || !touch.touching) continue;
    const Vec3& hint = Wrapped(i).hint;
    sum += std::min(Norm(touch.p - hint), Norm(touch.q - hint)) / wraps_[i].surface->radius;
  }
  return sum;
}

// how deep segments cut surfaces that they do not end on, in radii
double Span::Depth() const {
  double depth = 0;
  for (int i = 0; i < n_; ++i) {
    int before = -1;
    for (int j = 0; j <= n_; ++j) {
      if (j < n_ && !wraps_[j].touch.touching) continue;
      const Vec3& from = before < 0 ? a_ : wraps_[before].touch.q;
      const Vec3& to = j < n_ ? wraps_[j].touch.p : b_;
      const Surface& s = *wraps_[i].surface;
      const bool own =
          (before >= 0 && wraps_[before].surface == &s) || (j < n_ && wraps_[j].surface == &s);
      if (!own && !s.inside) depth = std::max(depth, SegmentDepth(s, from, to) / s.radius);
      before = j;
    }
  }
  return depth;
}

// Where no path is known yet the order of the wraps decides which of several minima is found: from
// both ends, and of two paths the one nearer to the hints counts, without hints the shorter one.
MUJOCABLE_APART SpanResult Span::SolveCold() {
  SpanCopy guess(wraps_, n_);
  SpanResult result = SolveSpan(a_, b_, wraps_, n_);
  if (n_ == 1) return result;
  SpanCopy forward(wraps_, n_);
  const auto rank = [&](const SpanResult& of) {
    return std::pair{of.converged && Depth() < 1e-6 ? 0 : 1, FromHints()};
  };
  const auto first = rank(result);
  const double length = PathLength(a_, b_, wraps_, n_);
  SpanResult other = SolveBackward(guess.get());
  const auto second = rank(other);
  const bool near = std::abs(second.second - first.second) < 1e-6;
  const bool better = second.first != first.first ? second.first < first.first
                      : near ? PathLength(a_, b_, wraps_, n_) < length * (1 - 1e-9)
                             : second.second < first.second;
  result.iterations += other.iterations;
  if (better) {
    other.iterations = result.iterations;
    return other;
  }
  forward.Put(wraps_);
  return result;
}

// Warm and over parallel cylinders: the contacts as they were, in closed form. False: Guess, Solve.
bool Span::Follow(const double* memory) {
  for (int i = 0; i < n_; ++i) {
    const Wrap& e = Wrapped(i);
    wraps_[i].surface = &e.surface;
    wraps_[i].permanent = e.permanent;
  }
  if (!AreParallel(wraps_, n_)) return false;
  for (int i = 0; i < n_; ++i) {
    const WrapMemory old = LoadMemory(memory + kWrapMemory * place_[i].slot);
    wraps_[i].touch.touching = old.touching;
    wraps_[i].touch.way.swept = old.swept + Wrapped(i).bias;
  }
  if (FollowParallel(a_, b_, wraps_, n_, apart_)) return true;
  apart_ = false;
  std::fill(wraps_, wraps_ + n_, SpanWrap{});
  return false;
}

// Adds the authored turns to the path that was found without them; false: there are none.
bool Span::Wind(Start start) {
  bool wound = false;
  for (int i = 0; i < n_; ++i) {
    const Wrap& w = Wrapped(i);
    if (w.turns == 0 || !Authored(w, start)) continue;
    const Surface& s = w.surface;
    Touch& touch = wraps_[i].touch;
    if (!touch.touching) {
      // it passed by: around from where it came nearest
      const Vec3 d = b_ - a_;
      const double dd = Dot(d, d);
      const double u = dd > 0 ? std::clamp(Dot(s.pos - a_, d) / dd, 0.0, 1.0) : 0.5;
      touch.way = w.has_hint ? WayThrough(s, a_, w.hint, b_) : WayStraight(s, a_, b_);
      touch.p = Project(s, w.has_hint ? w.hint : a_ + u * d);
      touch.arc = 0;
      touch.touching = true;
    }
    // as a circle; the solver makes it a helix
    const double sense = touch.way.swept < 0 ? -1 : 1;
    touch.t_p = sense * Cross(s.rot.Column(2), Normal(s, touch.p));
    touch.way.swept += sense * 2 * kPi * w.turns;
    touch.arc += 2 * kPi * w.turns * s.radius;
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    touch.q = g.q;
    touch.t_q = g.t_q;
    wound = true;
  }
  // hints have had their say
  for (int i = 0; wound && i < n_; ++i) wraps_[i].hint = nullptr;
  return wound;
}

// contact i of the record lies between elements i and i + 2; segment i leaves element i
void Span::Write(Record& record) const {
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
      Store(record.direction() + 3 * s, e);
      record.segment()[s] = s == segment ? length : 0;
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
      record.wrap_angle()[contact] += std::max(0.0, touch.turn);
      record.arc()[contact] += more;
      record.length() += more;
      Store(record.exit() + 3 * contact, touch.q);
      from = touch.q;
      leaving = touch.t_q;
      continue;
    }
    record.touching()[contact] = touch.touching;
    record.wrap_angle()[contact] = touch.touching ? std::max(0.0, touch.turn) : 0;
    record.arc()[contact] = touch.touching ? touch.arc : 0;
    record.overrun()[contact] = 0;
    Store(record.entry() + 3 * contact, touch.touching ? touch.p : Vec3{});
    Store(record.exit() + 3 * contact, touch.touching ? touch.q : Vec3{});
    if (!touch.touching) continue;
    const Surface& s = *wraps_[i].surface;
    record.overrun()[contact] = std::max(Overrun(s, touch.p), Overrun(s, touch.q));
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
    double* slot = record.memory() + kWrapMemory * place_[i].slot;
    StoreMemory(slot, memory);
    // no room was left for its second place
    if (MemorySlots(s) > 1 && !Second(i) && !Second(i + 1)) StoreMemory(slot + kWrapMemory, {});
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

void Span::Check(const RouteLimits& limits, const Record& record, Tally& tally) const {
  for (int i = 0; i < n_; ++i) {
    const Touch& touch = wraps_[i].touch;
    const Surface& s = *wraps_[i].surface;
    const int contact = Contact(i);

    // the arc lies on its surface and meets its segments without a corner
    if (touch.touching) {
      if (!IsGrooved(s)) {
        tally.surface_error = std::max(
            {tally.surface_error, std::abs(Distance(s, touch.p)), std::abs(Distance(s, touch.q))});
      }
      // a string that runs backward would push
      if (touch.arc < -kShortSegment * s.radius) {
        tally.converged = false;
        Name(tally.loose, contact);
      }
      if (!touch.held) {
        const bool on = Second(i + 1) && wraps_[i + 1].touch.touching;
        const Vec3 from = Second(i) ? Unit(touch.p - wraps_[i - 1].touch.q, touch.t_p)
                                    : record.Direction(contact);
        const Vec3 to =
            on ? Unit(wraps_[i + 1].touch.p - touch.q, touch.t_q) : record.Direction(contact + 1);
        const double in = Kink(from, touch.t_p), out = Kink(touch.t_q, to);
        for (const auto& [kink, step] : {std::pair{in, -1}, std::pair{out, 1}}) {
          if (kink <= tally.smoothness) continue;
          if (kink < kTouchingKink && TouchesNeighbor(i, step)) continue;
          tally.smoothness = kink;
          if (kink > limits.smoothness) Name(tally.loose, contact);
        }
      }
    }

    // every segment that does not end on this wrap; one that does can only cut a surface that is
    // not convex
    if (s.inside) continue;
    if (wraps_[i].member > 0) continue;  // the first of its contacts looked after all
    double depth = -touch.clearance;
    const bool looked = cleared_ && wraps_[i].members > 1;
    const bool own = !looked && (s.kind == SurfaceKind::kTorus || s.kind == SurfaceKind::kMesh);
    if (n_ > 1 || IsSmooth(s)) {
      depth = 0;
      int before = -1;  // the wrap that a segment leaves
      for (int j = 0; j <= n_ && !apart_; ++j) {
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
    }
    const double allowed = Allowed(limits, s);
    tally.penetration = std::max(tally.penetration, depth);
    if (!(depth <= allowed)) {
      tally.pierced = true;
      Name(tally.loose, contact);
    }
  }
}

MUJOCABLE_APART bool Span::Reconsider(const Vec3& a, const Vec3& b, double slack,
                                      const Record& record, Part& part) const {
  bool again = false;
  // an end on a surface that the string does not bear on: straight from where the end is
  for (const bool source : {true, false}) {
    int& on = source ? part.on_a : part.on_b;
    if (on < 0) [[likely]]
      continue;
    const Wrap& wrap = *elements_[on].wrap;
    const int begin = on - wrap.member, end = begin + wrap.members - 1;
    bool bears = false;
    for (int e = begin; e <= end; ++e) bears = bears || Bears(e);
    if (bears) continue;
    for (int e = begin; e <= end; ++e) part.Drop(first_, e, Release::kLetGo);
    (source ? part.a : part.b) = source ? a : b;
    on = -1;
    again = true;
  }
  // out of a groove, or off the end of a cylinder
  for (int i = 0; i < n_; ++i) {
    if (!(record.overrun()[Contact(i)] > 0 || part.grooves) || !Derails(i, slack)) [[likely]]
      continue;
    part.Drop(first_, Contact(i) + 1, Release::kDerailed);
    again = true;
  }
  return again;
}

MUJOCABLE_APART void Span::Finish(Part& part, int first_wrap, const double* memory,
                                  const RouteLimits& limits, double slack, Record& record,
                                  Tally& tally) const {
  int slot = first_wrap;
  for (int e = first_ + 1; e < last_; ++e) {
    const Release out = part.Out(first_, e);
    if (out != Release::kNo) WriteOut(e, slot, out, limits, slack, record);
    const bool was = memory && LoadMemory(memory + kWrapMemory * slot).touching;
    const bool left = out == Release::kDerailed || (was && out == Release::kNo && RoseAside(e));
    if (left) Name(tally.derailed, e - 1);
    if (left && was) ++tally.derailments;
    if (out == Release::kLetGo) Name(tally.let_go, e - 1);
    slot += MemorySlots(elements_[e].wrap->surface);
  }
}

bool Span::Bears(int element) const {
  for (int i = 0; i < n_; ++i) {
    if (Contact(i) == element - 1 && wraps_[i].touch.touching) return true;
  }
  return false;
}

MUJOCABLE_APART int Span::MostMoved(const double* memory) const {
  if (!memory) return Contact(0);
  int most = 0;
  double furthest = -1;
  for (int i = 0; i < n_; ++i) {
    const WrapMemory old = LoadMemory(memory + kWrapMemory * place_[i].slot);
    const Touch& now = wraps_[i].touch;
    const Surface& s = *wraps_[i].surface;
    const double moved = old.touching != now.touching
                             ? INFINITY
                             : Norm(now.p - s.pos - Rotate(s.rot, old.point)) / s.radius;
    if (moved > furthest) furthest = moved, most = i;
  }
  return Contact(most);
}

MUJOCABLE_APART bool Span::Derails(int i, double slack) const {
  if (!wraps_[i].touch.touching) return false;
  const Wrap& wrap = Wrapped(i);
  if (RunsOff(wrap, wraps_[i].touch)) return true;
  if (!IsGrooved(wrap.surface) || wrap.permanent) return false;
  Touch touch;
  const Vec3 before = Before(a_, wraps_, i), after = After(b_, wraps_, n_, i);
  const InGroove lies = TightenGrooved(wrap.surface, before, after, wraps_[i].touch.way, touch);
  return lies == InGroove::kOver || (lies == InGroove::kHeld && slack > 0 &&
                                     slack > SlackHeld(wrap.surface, before, after, touch));
}

bool Span::RoseAside(int element) const {
  for (int i = 0; i < n_; ++i) {
    if (Contact(i) != element - 1) continue;
    const Surface& s = *wraps_[i].surface;
    return IsGrooved(s) && !wraps_[i].permanent && !wraps_[i].touch.touching &&
           LeavesAside(s, Before(a_, wraps_, i), After(b_, wraps_, n_, i));
  }
  return false;
}

void Span::WriteOut(int element, int slot, Release reason, const RouteLimits& limits, double slack,
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
  for (int k = 0; k < MemorySlots(s); ++k) {
    StoreMemory(record.memory() + kWrapMemory * (slot + k), memory);
  }
}

}  // namespace

void SolveJointly(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
                  int first_wrap, const double* memory, Start start, const RouteLimits& limits,
                  double slack, Record& record, Tally& tally) {
  Part part = TakePart(elements, a, b, first, last, first_wrap, memory, start, limits, tally);
  const Tally before = tally;
  const double length = record.length();
  for (;;) {
    Span span(elements, part, first, last, first_wrap);
    if (start != Start::kWarm || !span.Follow(memory)) {
      span.Solve(span.Guess(memory, start), memory, tally);
      if (span.Wind(start)) span.Solve(false, memory, tally);
    }
    span.Write(record);
    // once more without what the string does not bear on, or has left
    const bool doubtful = part.grooves || part.on_a >= 0 || part.on_b >= 0 || span.Overruns(record);
    if (doubtful && span.Reconsider(a, b, slack, record, part)) {
      tally = before;
      record.length() = length;
      continue;
    }
    span.Remember(record);
    span.Check(limits, record, tally);
    // an end that was taken to a surface pulls there
    if (first == 0) Store(record.ends(), part.a);
    if (last == record.ncontact + 1) Store(record.ends() + 3, part.b);
    if (part.deep >= 0) Name(tally.let_go, part.deep);
    if (!part.all || part.grooves)
      span.Finish(part, first_wrap, start == Start::kWarm ? memory : nullptr, limits, slack, record,
                  tally);
    return;
  }
}

}  // namespace mujocable
