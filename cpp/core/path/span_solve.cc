#include "core/path/span_solve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/angle.h"
#include "core/path/follow/parallel.h"
#include "core/path/search/solve.h"
#include "core/path/tolerance.h"
#include "core/surface/groove.h"

namespace mujocable {

// the point of a surface where the straight line between the fixed nodes comes nearest
Vec3 Span::Passed(const Surface& s) const {
  const Vec3 d = strand_.b - strand_.a;
  const double dd = Dot(d, d);
  const double u = dd > 0 ? std::clamp(Dot(s.pos - strand_.a, d) / dd, 0.0, 1.0) : 0.5;
  return Project(s, strand_.a + u * d);
}

// The same where the string runs the shortest way round a smooth body: what is nearest may lie on a
// longer one. Of the sides around the line that one counts over which the string, with no other
// wrap, is shortest.
MUJOCABLE_COLD Vec3 Span::ShorterWay(int i) const {
  const Surface& body = *strand_[i].surface;
  const Vec3 &a = strand_.a, &b = strand_.b, nearest = Passed(body);
  if (!(SegmentDepth(body, a, b) > 0)) return nearest;
  const Vec3 along = Unit(b - a, body.rot.Column(0));
  const Vec3 line = a + Dot(body.pos - a, along) * along;
  Vec3 across = body.rot.Column(0);
  for (int k : {1, 2}) {
    const Vec3 axis = body.rot.Column(k);
    if (std::abs(Dot(axis, along)) < std::abs(Dot(across, along))) across = axis;
  }
  across = Unit(across - Dot(across, along) * along);
  const Vec3 aside = Cross(along, across);

  Vec3 best = nearest;
  double shortest = INFINITY;
  for (int k = -1; k < kSidesAround; ++k) {
    const double angle = 2 * kPi * k / kSidesAround;
    const Vec3 side = std::cos(angle) * across + std::sin(angle) * aside;
    SpanWrap one{&body, false, strand_[i].guided};
    one.touch.p = one.touch.q = k < 0 ? nearest : Project(body, line + Extent(body) * side);
    one.touch.touching = true;
    const Vec3 from = one.touch.p;
    const Strand alone{a, b, &one, 1};
    if (!SolveSpan(alone).converged) continue;
    const double length = alone.Length();
    if (!(length < shortest * (1 - kSameLength))) continue;
    shortest = length;
    best = from;
  }
  return best;
}

// on the side of the hint, or the shorter way past the straight line between the fixed nodes
void Span::GuessAuthored(int i) {
  const Wrap& w = Wrapped(i);
  Touch& touch = strand_[i].touch;
  if (w.has_hint) {
    strand_[i].hint = &w.hint;
    touch.p = Project(w.surface, w.hint);
  } else {
    touch.way = WayStraight(w.surface, strand_.a, strand_.b);
    const bool ring = w.surface.kind == SurfaceKind::kTorus;
    touch.p = IsSmooth(w.surface) && !ring ? ShorterWay(i) : Passed(w.surface);
    if (ring) {
      // through the hole, where its rim is nearest
      const Vec3 axis = w.surface.rot.Column(2), out = touch.p - w.surface.pos;
      const Vec3 radial = Unit(out - Dot(out, axis) * axis, w.surface.rot.Column(0));
      touch.p = w.surface.pos + (w.surface.size[0] - w.surface.radius) * radial;
    }
  }
  touch.q = touch.p;
  // a node of the first polyline; the solver finds out
  touch.touching = strand_.n > 1 || IsSmooth(w.surface);
}

void Span::GuessRemembered(int i, const WrapMemory& memory) {
  const Wrap& e = Wrapped(i);
  Touch& touch = strand_[i].touch;
  touch.way.swept = memory.swept + e.bias;
  touch.touching = memory.touching;
  // a smooth surface remembers the point that a lifted string watches
  const bool smooth = IsSmooth(e.surface), alone = strand_.n == 1 && !ArcShowsWay(e.surface);
  if (!smooth && (!memory.touching || alone)) return;
  touch.p = touch.q = e.surface.pos + Rotate(e.surface.rot, memory.point);
  if (!memory.touching) return;
  touch.held = IsGrooved(e.surface);
  touch.t_p = Rotate(e.surface.rot, memory.tangent);
  touch.arc = memory.arc;
  touch.way = WayOfArc(e.surface, touch.p, touch.t_p, touch.way);
  if (smooth || strand_.n == 1 || touch.held) return;
  const Geodesic g = Shoot(e.surface, touch.p, touch.t_p, memory.arc);
  touch.p = g.p;
  touch.q = g.q;
}

bool Span::Guess(const double* memory, Start start) {
  bool cold = false;
  for (int i = 0; i < strand_.n; ++i) {
    const Wrap& e = Wrapped(i);
    cold = cold || Authored(e, start);
    if (!Authored(e, start)) {
      GuessRemembered(i, LoadMemory(memory + kWrapMemory * place_[i].row));
    } else if (Second(i)) {
      strand_[i].touch.p = strand_[i].touch.q = strand_[i - 1].touch.p;
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

// the same guess, solved from the other end; into strand_.wraps
SpanResult Span::SolveBackward(const Strand& guess) {
  StrandCopy back(guess);
  std::swap(back.a, back.b);
  const auto turn = [&](const SpanWrap* from, SpanWrap* to) {
    for (int i = 0; i < strand_.n; ++i) {
      SpanWrap& w = to[strand_.n - 1 - i] = from[i];
      w.touch = Backward(w.touch);
      w.bearing = w.bearings - 1 - w.bearing;
    }
  };
  turn(guess.wraps, back.wraps);
  const SpanResult result = SolveSpan(back);
  turn(back.wraps, strand_.wraps);
  // contacts with one surface take its first places
  for (int g = 0; g < strand_.n; g += strand_[g].bearings) {
    int touching = g;
    for (int i = g; i < g + strand_[g].bearings; ++i) {
      if (!strand_[i].touch.touching) continue;
      std::swap(strand_[i].touch, strand_[touching].touch);
      ++touching;
    }
    for (int k = 0; k < strand_[g].bearings; ++k) strand_[g + k].bearing = k;
  }
  return result;
}

// how far the contacts are from the hints of their wraps, in radii
double Span::FromHints() const {
  double sum = 0;
  for (int i = 0; i < strand_.n; ++i) {
    const Touch& touch = strand_[i].touch;
    if (!Wrapped(i).has_hint || !touch.touching) continue;
    const Vec3& hint = Wrapped(i).hint;
    sum += std::min(Norm(touch.p - hint), Norm(touch.q - hint)) / strand_[i].surface->radius;
  }
  return sum;
}

// how deep segments cut surfaces that they do not end on, in radii
double Span::Depth() const {
  double depth = 0;
  VisitSegments([&](const Vec3& from, const Vec3& to, int before, int after) {
    for (int i = 0; i < strand_.n; ++i) {
      const Surface& s = *strand_[i].surface;
      const auto on = [&](int j) { return j >= 0 && j < strand_.n && strand_[j].surface == &s; };
      if (on(before) || on(after) || s.inside) continue;
      depth = std::max(depth, SegmentDepth(s, from, to) / s.radius);
    }
  });
  return depth;
}

// Where no path is known yet the order of the wraps decides which of several minima is found: from
// both ends, and of two paths the one nearer to the hints counts, without hints the shorter one.
MUJOCABLE_COLD SpanResult Span::SolveCold() {
  const StrandCopy guess(strand_);
  SpanResult result = SolveSpan(strand_);
  if (strand_.n == 1) return result;
  const StrandCopy forward(strand_);
  const auto rank = [&](const SpanResult& of) {
    return std::pair{of.converged && Depth() < kDefaultDepth ? 0 : 1, FromHints()};
  };
  const auto first = rank(result);
  SpanResult other = SolveBackward(guess);
  const auto second = rank(other);
  const bool near = std::abs(second.second - first.second) < kSameHints;
  const bool better = second.first != first.first ? second.first < first.first
                      : near ? strand_.Length() < forward.Length() * (1 - kSameLength)
                             : second.second < first.second;
  result.iterations += other.iterations;
  if (better) {
    other.iterations = result.iterations;
    return other;
  }
  forward.Put(strand_);
  return result;
}

void Span::Solve(bool cold, const double* memory, Verdict& verdict) {
  const SpanResult result = cold ? SolveCold() : SolveSpan(strand_);
  verdict.iterations += result.iterations;
  verdict.converged = verdict.converged && result.converged;
  if (!result.converged) Name(verdict.loose, Contact(0));
  if (result.snapped) Name(verdict.slipped, MostMoved(memory));
  cleared_ = result.cleared;
}

// Warm and over parallel cylinders: the contacts as they were, in closed form. False: Guess, Solve.
bool Span::Follow(const double* memory) {
  if (!AreParallel(strand_)) return false;
  for (int i = 0; i < strand_.n; ++i) {
    const WrapMemory old = LoadMemory(memory + kWrapMemory * place_[i].row);
    strand_[i].touch.touching = old.touching;
    strand_[i].touch.way.swept = old.swept + Wrapped(i).bias;
  }
  if (FollowParallel(strand_, apart_)) return true;
  apart_ = false;
  for (int i = 0; i < strand_.n; ++i) strand_[i].touch = {};
  return false;
}

// Adds the authored turns to the path that was found without them; false: there are none.
bool Span::Wind(Start start) {
  bool wound = false;
  for (int i = 0; i < strand_.n; ++i) {
    const Wrap& w = Wrapped(i);
    if (w.turns == 0 || !Authored(w, start)) continue;
    const Surface& s = w.surface;
    Touch& touch = strand_[i].touch;
    if (!touch.touching) {
      // it passed by: around from where it came nearest
      touch.way = w.has_hint ? WayThrough(s, strand_.a, w.hint, strand_.b)
                             : WayStraight(s, strand_.a, strand_.b);
      touch.p = w.has_hint ? Project(s, w.hint) : Passed(s);
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
  for (int i = 0; wound && i < strand_.n; ++i) strand_[i].hint = nullptr;
  return wound;
}

void SolveWraps(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
                int first_wrap, const double* memory, Start start, const RouteLimits& limits,
                double slack, Record& record, Verdict& verdict) {
  Part part = TakePart(elements, a, b, first, last, first_wrap, memory, start, limits, verdict);
  const Verdict before = verdict;
  const double length = record.length();
  for (;;) {
    Span span(elements, part, first, last, first_wrap);
    if (start != Start::kWarm || !span.Follow(memory)) {
      span.Solve(span.Guess(memory, start), memory, verdict);
      if (span.Wind(start)) span.Solve(false, memory, verdict);
    }
    const bool overruns = span.Write(limits, record, verdict);
    // once more without what the string does not bear on, or has left
    const bool doubtful = part.grooves || part.on_a >= 0 || part.on_b >= 0 || overruns;
    const double* past = start == Start::kWarm ? memory : nullptr;
    if (doubtful && span.Reconsider(a, b, past, slack, record, part)) {
      verdict = before;
      record.length() = length;
      continue;
    }
    span.Check(limits, verdict);
    // an end that was taken to a surface pulls there
    if (first == 0) Store(record.ends(), part.a);
    if (last == record.ncontact + 1) Store(record.ends() + 3, part.b);
    if (part.deep >= 0) Name(verdict.let_go, part.deep);
    if (!part.all || part.grooves)
      span.Finish(part, first_wrap, past, limits, slack, record, verdict);
    return;
  }
}

}  // namespace mujocable
