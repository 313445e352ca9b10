// Closed forms: of one cylinder or sphere between its neighbors, and of a span over cylinders that
// are parallel. Seen along them the string is planar, with tangents from circle to circle.

#ifndef MUJOCABLE_CORE_PATH_FOLLOW_PARALLEL_H_
#define MUJOCABLE_CORE_PATH_FOLLOW_PARALLEL_H_

#include "core/path/span.h"

namespace mujocable {

// wrap i, a cylinder or sphere, alone between its neighbors on the string
Touch TightenRound(const Strand& strand, int i);

// whether a span is one over two or more parallel cylinders, none of them with a keeper
bool AreParallel(const Strand& strand);

// Follows the string over such wraps from the contacts and the ways round that it had. False where
// a contact comes, goes, or all but vanishes between surfaces that touch: SolveSpan knows what to
// do then, from the same guess; the wraps may have changed. apart: no segment comes near a surface
// that it does not end on; false: it may.
bool FollowParallel(const Strand& strand, bool& apart);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_PARALLEL_H_
