// A span with smooth surfaces among its wraps.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_SMOOTH_H_
#define MUJOCABLE_CORE_PATH_SEARCH_SMOOTH_H_

#include "core/path/span.h"

namespace mujocable {

// Newton from the step before, as long as it leads to a minimum nearby; else the wraps one after
// the other, then all together.
SpanResult SolveSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_SMOOTH_H_
