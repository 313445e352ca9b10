// Several contacts of a string with one surface: where it spans hollows, or bears on a solid twice.
//
// Such a wrap has as many places in its span as it may have contacts, one after the other. The
// string takes the first ones and leaves the rest lifted; contacts appear where a segment goes
// under, split where an arc would have to bend outward, and merge again.
//
// A ring has two places, since a string may bear on both sides of its hole. The second is opened
// only where the string over one contact goes under, and whatever is found goes through the hole as
// often as the string did before.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_GROUP_H_
#define MUJOCABLE_CORE_PATH_SEARCH_GROUP_H_

#include "core/path/span.h"

namespace mujocable {

// whether a wrap of the span may have more than one contact
bool AnyGroup(const SpanWrap* wraps, int n);

// a span with such wraps
SpanResult SolveGrouped(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_GROUP_H_
