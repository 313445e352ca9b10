// A wrap between its neighbors on the string, and the string's length over all of them.

#ifndef MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_
#define MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_

#include "core/path/span.h"

namespace mujocable {

// total length of a string over one arc
double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch);

// wrap i, a cylinder or sphere, alone between its neighbors: closed forms
Touch TightenRound(const Strand& strand, int i);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_NEIGHBORS_H_
