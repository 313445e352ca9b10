#include "core/path/take_part.h"

#include <algorithm>

#include "core/surface/groove.h"

namespace mujocable {

Part TakePart(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
              int first_wrap, const double* memory, Start start, const RouteLimits& limits,
              Verdict& verdict) {
  Part part;
  part.a = a;
  part.b = b;
  int slot = first_wrap;
  for (int e = first + 1; e < last; ++e) {
    const Wrap& wrap = *elements[e].wrap;
    const Surface& s = wrap.surface;
    part.Out(first, e) = Release::kNo;
    part.grooves = part.grooves || IsGrooved(s);
    const double* old = memory + kWrapMemory * slot;
    slot += MemorySlots(s);
    if (start == Start::kWarm && IsReleased(old)) part.Drop(first, e, LoadMemory(old).released);
    for (const bool source : {true, false}) {
      const Vec3& x = source ? a : b;
      if (ClearlyOutside(s, x) || s.inside) [[likely]]
        continue;
      const double depth = -Distance(s, x);
      verdict.penetration = std::max(verdict.penetration, depth);
      if (depth <= Allowed(limits, s)) continue;
      Name(part.deep, e - 1);
      const int begin = e - wrap.member, end = begin + wrap.members - 1;  // of its contacts
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

}  // namespace mujocable
