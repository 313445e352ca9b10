// The hole of a ring: how often a path goes through it.
//
// Counted with sign, against the disc that the center line of the tube spans: the one number that a
// string between fixed ends keeps as long as it does not cut through the tube.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_RING_PASSES_H_
#define MUJOCABLE_CORE_PATH_SEARCH_RING_PASSES_H_

#include "core/path/span.h"

namespace mujocable {

// of the straight line from a to b, +1 along the axis of the ring
int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b);

// of a path over wraps, as their arcs say, taut or not
int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_RING_PASSES_H_
