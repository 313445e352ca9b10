// A wrap between its neighbors on the string, and the string's length over all of them.

#ifndef MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_
#define MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_

#include "core/path/span.h"

namespace mujocable {

// the exit point before wrap i, and the entry point after it
Vec3 Before(const Vec3& a, const SpanWrap* wraps, int i);
Vec3 After(const Vec3& b, const SpanWrap* wraps, int n, int i);

// length of a path over the wraps that touch, taut or not
double PathLength(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n);

// the same over the arcs of the step before, where they are now
double CarriedLength(const Vec3& a, const Vec3& b, const SpanWrap* start, int n);

// total length of a string over one arc
double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch);

// wrap i, a cylinder or sphere, alone between its neighbors: closed forms
Touch TightenRound(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int i);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_
