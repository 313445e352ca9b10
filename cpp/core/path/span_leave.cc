// Which wraps of a span take part: not those with an end inside, nor those that the cable has left,
// as it does where an end does not bear, out of a groove, off the end of a cylinder.

#include <algorithm>
#include <cmath>

#include "core/path/single.h"
#include "core/path/span_solve.h"

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
    if (!Leaves(i, memory, slack)) continue;
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
    const double* old = memory ? memory + kWrapMemory * row : nullptr;
    if (out != Release::kNo && WriteOut(e, row, out, old, limits, slack, record)) {
      Name(verdict.derailed, e - 1);
      if (old && LoadMemory(old).touching) ++verdict.derailments;
    }
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
    if (!old.touching && !now.touching) continue;
    const Surface& s = *strand_[i].surface;
    const double moved = old.touching != now.touching
                             ? INFINITY
                             : Norm(now.p - s.pos - Rotate(s.rot, old.point)) / s.radius;
    if (moved > furthest) furthest = moved, most = i;
  }
  return Contact(most);
}

MUJOCABLE_COLD bool Span::Leaves(int i, const double* memory, double slack) const {
  const Wrap& wrap = Wrapped(i);
  const Touch& found = strand_[i].touch;
  if (!IsGrooved(wrap.surface)) return RunsOff(wrap, found);
  const double* old = memory ? memory + kWrapMemory * place_[i].row : nullptr;
  Touch touch;
  const OnWheel lies =
      LiesOnWheel(wrap, strand_.Before(i), strand_.After(i), found.way, old, slack, touch);
  // at the start nothing is lost that the string does not bear on
  if (!memory) return found.touching && lies == OnWheel::kOut;
  return lies == OnWheel::kOut || found.touching != (lies == OnWheel::kIn);
}

}  // namespace mujocable
