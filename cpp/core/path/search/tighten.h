// The taut string over one smooth surface, from afar.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_TIGHTEN_H_
#define MUJOCABLE_CORE_PATH_SEARCH_TIGHTEN_H_

#include "core/path/budget.h"
#include "core/path/span.h"

namespace mujocable {

// From the guess in w.touch. Not solved: the best that knots know, or the guess.
Tightened TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_TIGHTEN_H_
