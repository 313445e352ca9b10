// Block descent on a span: each wrap tightened between its neighbors. The length grows only where a
// segment had cut the surface that it ends on.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_DESCENT_H_
#define MUJOCABLE_CORE_PATH_SEARCH_DESCENT_H_

#include "core/path/budget.h"
#include "core/path/span.h"

namespace mujocable {

// wrap i alone, between its neighbors; not solved: the best that was found
Tightened TightenOne(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int i,
                     Budget& budget);

// one sweep of block descent; returns the largest move of a contact, in radii, at least 1 where one
// was not solved
double Descend(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget);

// every lifted wrap still lifted, with neighbors as solved; brings all classes up to date
bool Settled(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_DESCENT_H_
