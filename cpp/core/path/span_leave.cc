// Which wraps of a span take part: not those with an end inside, nor those that the cable has left,
// as it does where an end does not bear, out of a groove, off the end of a cylinder.

#include <algorithm>
#include <cmath>

#include "core/path/single.h"
#include "core/path/span_solve.h"
#include "core/surface/groove.h"

namespace mujocable {

Part TakePart(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
              int first_wrap, const double* memory, Start start, const RouteLimits& limits,
              Verdict& verdict) {
  Part part;
  part.a = a;
  part.b = b;
  const Pair3 ends = PairOf(a, b);
  int row = first_wrap;
  for (int e = first + 1; e < last; ++e) {
    const Wrap& wrap = *elements[e].wrap;
    const Surface& s = wrap.surface;
    part.Out(first, e) = Release::kNo;
    part.grooves = part.grooves || IsGrooved(s);
    const double* old = memory + kWrapMemory * row;
    row += MemoryRows(s);
    if (start == Start::kWarm && IsReleased(old)) part.Drop(first, e, LoadMemory(old).released);
    if (s.inside || ClearlyOutside(s, ends)) [[likely]]
      continue;
    for (const bool source : {true, false}) {
      const Vec3& x = source ? a : b;
      if (ClearlyOutside(s, x)) continue;
      const double depth = -Distance(s, x);
      verdict.penetration = std::max(verdict.penetration, depth);
      if (depth <= Allowed(limits, s)) continue;
      Name(part.deep, e - 1);
      const int begin = e - wrap.bearing, end = begin + wrap.bearings - 1;  // of its contacts
      const bool beside = source ? begin == first + 1 : end == last - 1;
      if (!beside || !(depth <= kHair * s.radius) || wrap.permanent)
        part.Drop(first, e, Release::kLetGo);
      if (part.Out(first, e) != Release::kNo) continue;
      (source ? part.a : part.b) = Project(s, x);
      (source ? part.on_a : part.on_b) = source ? end : begin;
    }
  }
  return part;
}

MUJOCABLE_COLD bool Span::Reconsider(const Vec3& a, const Vec3& b, const double* memory,
                                     double slack, const Record& record, Part& part) const {
  bool again = false;
  // an end on a surface that the string does not bear on: straight from where the end is
  for (const bool source : {true, false}) {
    int& on = source ? part.on_a : part.on_b;
    if (on < 0) [[likely]]
      continue;
    const Wrap& wrap = *elements_[on].wrap;
    const int begin = on - wrap.bearing, end = begin + wrap.bearings - 1;
    bool bears = false;
    for (int i = 0; i < strand_.n; ++i) {
      bears |= strand_[i].touch.touching && Contact(i) >= begin - 1 && Contact(i) < end;
    }
    if (bears) continue;
    for (int e = begin; e <= end; ++e) part.Drop(first_, e, Release::kLetGo);
    (source ? part.a : part.b) = source ? a : b;
    on = -1;
    again = true;
  }
  // out of a groove, or off the end of a cylinder
  for (int i = 0; i < strand_.n; ++i) {
    if (!(record.overrun()[Contact(i)] > 0 || part.grooves)) [[likely]]
      continue;
    const bool aside = memory && CameAside(i, LoadMemory(memory + kWrapMemory * place_[i].row));
    if (!aside && !Derails(i, slack)) continue;
    part.Drop(first_, Contact(i) + 1, Release::kDerailed);
    again = true;
  }
  return again;
}

MUJOCABLE_COLD void Span::Finish(Part& part, int first_wrap, const double* memory,
                                 const RouteLimits& limits, double slack, Record& record,
                                 Verdict& verdict) const {
  int row = first_wrap;
  for (int e = first_ + 1; e < last_; ++e) {
    const Release out = part.Out(first_, e);
    if (out != Release::kNo) WriteOut(e, row, out, limits, slack, record);
    const bool was = memory && LoadMemory(memory + kWrapMemory * row).touching;
    const bool left = out == Release::kDerailed || (was && out == Release::kNo && RoseAside(e));
    if (left) Name(verdict.derailed, e - 1);
    if (left && was) ++verdict.derailments;
    if (out == Release::kLetGo) Name(verdict.let_go, e - 1);
    row += MemoryRows(elements_[e].wrap->surface);
  }
}

MUJOCABLE_COLD int Span::MostMoved(const double* memory) const {
  if (!memory) return Contact(0);
  int most = 0;
  double furthest = -1;
  for (int i = 0; i < strand_.n; ++i) {
    const WrapMemory old = LoadMemory(memory + kWrapMemory * place_[i].row);
    const Touch& now = strand_[i].touch;
    const Surface& s = *strand_[i].surface;
    const double moved = old.touching != now.touching
                             ? INFINITY
                             : Norm(now.p - s.pos - Rotate(s.rot, old.point)) / s.radius;
    if (moved > furthest) furthest = moved, most = i;
  }
  return Contact(most);
}

MUJOCABLE_COLD bool Span::Derails(int i, double slack) const {
  if (!strand_[i].touch.touching) return false;
  const Wrap& wrap = Wrapped(i);
  if (RunsOff(wrap, strand_[i].touch)) return true;
  if (!IsGrooved(wrap.surface) || wrap.permanent) return false;
  Touch touch;
  const Vec3 before = strand_.Before(i), after = strand_.After(i);
  const InGroove lies = TightenGrooved(wrap.surface, before, after, strand_[i].touch.way, touch);
  return lies == InGroove::kOver || (lies == InGroove::kHeld && slack > 0 &&
                                     slack > SlackHeld(wrap.surface, before, after, touch));
}

MUJOCABLE_COLD bool Span::CameAside(int i, const WrapMemory& old) const {
  const Wrap& wrap = Wrapped(i);
  const Surface& s = wrap.surface;
  if (!IsGrooved(s) || wrap.permanent || old.touching) return false;
  const Vec3 before = strand_.Before(i), after = strand_.After(i);
  const Passing past = PassingOf(s, before, after);
  return past == Passing::kBeside ||
         (past == Passing::kBottom &&
          !CameThroughMouth(s, PassageFrom(old.point), PassageOf(s, before, after)));
}

bool Span::RoseAside(int element) const {
  for (int i = 0; i < strand_.n; ++i) {
    if (Contact(i) != element - 1) continue;
    const Surface& s = *strand_[i].surface;
    return IsGrooved(s) && !strand_[i].permanent && !strand_[i].touch.touching &&
           LeavesAside(s, strand_.Before(i), strand_.After(i));
  }
  return false;
}

}  // namespace mujocable
