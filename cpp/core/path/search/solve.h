// The shortest string of a span: followed where it can be, searched where it must be.
//
// Follow starts from the path of the step before and does bounded work: closed forms over parallel
// cylinders (follow/parallel), Newton's method on the contacts as they were (follow/polish),
// contacts that go one by one; one that comes is tightened alone, out of the budget at most. It
// ends on the minimum that the old path has become, or declines: where a minimum has vanished, the
// string must run further than tangents foretell, or nothing is known yet. Search starts from afar
// and may do much work, all of it out of one budget. Its means, the cheap ones first:
//
//   descent    each wrap tightened between its neighbors, round after round
//   shorten    one arc, moved aside and turned downhill, where descent and knots would creep
//   knots      a chain of points pulled taut over one surface: needs no arc to start from
//   group      the same for a surface with several contacts, through the holes of rings as before
//
// Whatever they find is handed to Newton's method, which alone says that it is a path.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_
#define MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_

#include "core/path/span.h"

namespace mujocable {

// Solves (2) for the wraps that touch and finds which ones do. A single cylinder or sphere has a
// closed form. With smooth surfaces: Newton from the guess, as long as it leads to a minimum
// nearby; else a chain of knots is pulled taut over each of them.
// Several: block descent (each wrap tightened between its neighbors)
// finds the contacts, Newton with natural geodesic variations (3)-(4) makes them exact.
// most_tries: of a search over smooth surfaces.
SpanResult SolveSpan(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_
