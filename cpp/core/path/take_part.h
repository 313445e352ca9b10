// Which wraps of a span take part: not those with an end inside, nor those that the cable has left.

#ifndef MUJOCABLE_CORE_PATH_TAKE_PART_H_
#define MUJOCABLE_CORE_PATH_TAKE_PART_H_

#include "core/path/span.h"
#include "core/path/verdict.h"
#include "core/state.h"

namespace mujocable {

// the ends of a span, as the string sees them, and which of its wraps take part
struct Part {
  Vec3 a, b;
  int on_a = -1, on_b = -1;    // the element that this end was taken to the surface of
  int deep = -1;               // the first contact with a surface that an end is inside, -1: none
  bool grooves = false;        // a wrap of the span has one
  bool all = true;             // all of them take part
  Release out[kMaxSpanWraps];  // why a wrap does not, from the first

  Release& Out(int first, int element) { return out[element - first - 1]; }
  void Drop(int first, int element, Release reason) {
    Out(first, element) = reason;
    all = false;
  }
};

// Ends inside surfaces: a hair below a neighboring one an end lies on it; else that surface takes
// no part, until the path is clear of it. first, last: the nodes at a and b.
Part TakePart(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
              int first_wrap, const double* memory, Start start, const RouteLimits& limits,
              Verdict& verdict);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_TAKE_PART_H_
