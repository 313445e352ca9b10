// Several wraps between two fixed nodes, or one without a closed form, solved together: a span of a
// route on its way from elements to the record.

#ifndef MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_
#define MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_

#include <algorithm>
#include <new>

#include "core/path/span.h"
#include "core/path/tolerance.h"
#include "core/path/verdict.h"
#include "core/state.h"

namespace mujocable {

// first, last: the nodes at a and b; first_wrap: of the span, among the memories of the route
void SolveWraps(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
                int first_wrap, const double* memory, Start start, const RouteLimits& limits,
                double slack, Record& record, Verdict& verdict);

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

// One span, step by step: guess, solve, look what left, write. It has the wraps between the fixed
// nodes `first` and `last` of the route.
class Span {
 public:
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  Span(const Element* elements, const Part& part, int first, int last, int first_wrap)
      : elements_(elements), first_(first), last_(last), strand_{part.a, part.b, room_.get()} {
    // a ring has a second place, where there is room
    int room = kMaxSpanWraps - (last - first - 1), row = first_wrap;
    for (int e = first + 1; e < last; ++e) {
      const Wrap& w = *elements[e].wrap;
      const int rows = MemoryRows(w.surface);
      if (part.out[e - first - 1] == Release::kNo) {
        const bool twice = rows > 1 && room-- > 0;
        for (int k = 0; k <= twice; ++k) {
          const int bearing = twice ? k : w.bearing, bearings = twice ? 2 : w.bearings;
          place_[strand_.n] = {e - 1, row + k};
          new (strand_.wraps + strand_.n++)
              SpanWrap{&w.surface, w.permanent, w.guided, bearing, bearings};
        }
      }
      row += rows;
    }
  }

  bool Follow(const double* memory);
  // whether any wrap starts where it was authored
  bool Guess(const double* memory, Start start);
  bool Wind(Start start);
  void Solve(bool cold, const double* memory, Verdict& verdict);
  // Path and memory into the record, and whether arcs lie on their surfaces and meet segments
  // without a corner. Returns whether any contact is beyond the end of a cylinder.
  bool Write(const RouteLimits& limits, Record& record, Verdict& verdict) const;
  // whether segments pass outside of surfaces
  void Check(const RouteLimits& limits, Verdict& verdict) const;
  // Whether the span must be solved again, with fewer wraps taking part. a, b: where its ends are.
  // memory: of the step before, nullptr where there is none
  bool Reconsider(const Vec3& a, const Vec3& b, const double* memory, double slack,
                  const Record& record, Part& part) const;
  // the wraps that take no part, and what has happened; memory: nullptr where there is none
  void Finish(Part& part, int first_wrap, const double* memory, const RouteLimits& limits,
              double slack, Record& record, Verdict& verdict) const;

 private:
  const Wrap& Wrapped(int i) const { return *elements_[place_[i].contact + 1].wrap; }
  // Calls visit(from, to, before, after) for each segment, with the wraps that it leaves and meets;
  // -1, strand_.n: an end of the span.
  template <typename Visit>
  void VisitSegments(const Visit& visit) const {
    int before = -1;
    for (int j = 0; j <= strand_.n; ++j) {
      if (j < strand_.n && !strand_[j].touch.touching) continue;
      visit(before < 0 ? strand_.a : strand_[before].touch.q,
            j < strand_.n ? strand_[j].touch.p : strand_.b, before, j);
      before = j;
    }
  }
  // the second place of a ring shares its contact
  bool Second(int i) const { return i > 0 && i < strand_.n && Contact(i) == Contact(i - 1); }
  int Contact(int i) const { return place_[i].contact; }
  // whether the string has left wrap i
  bool Leaves(int i, const double* memory, double slack) const;
  // the contact that has moved furthest since the step before, in radii
  int MostMoved(const double* memory) const;
  // A wrap that takes no part, and whether it may again: where the path is clear of it. Returns
  // whether the string has left it. old: its memory of the step before, nullptr where there is none
  bool WriteOut(int element, int row, Release reason, const double* old, const RouteLimits& limits,
                double slack, Record& record) const;
  SpanResult SolveCold();
  SpanResult SolveBackward(const Strand& guess);
  double FromHints() const;
  double Depth() const;
  Vec3 Passed(const Surface& s) const;
  Vec3 ShorterWay(int i) const;
  void GuessAuthored(int i);
  void GuessRemembered(int i, const WrapMemory& memory);
  void Remember(int i, const Record& record) const;
  double Cut(int i) const;  // how deep segments cut the surface of wrap i

  const Element* elements_;
  int first_, last_;
  bool apart_ = false;    // it saw that no segment comes near a surface that it does not end on
  bool cleared_ = false;  // the solver saw to it that no segment cuts the surface it ends on
  struct Place {
    int contact, row;  // of the record, of the memory
  } place_[kMaxSpanWraps];
  Room<SpanWrap, kMaxSpanWraps> room_;
  Strand strand_;  // over what is in use of it
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_
