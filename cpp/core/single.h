// One cylinder or sphere between two fixed nodes: a closed form, straight into the record.

#ifndef MUJOCABLE_CORE_SINGLE_H_
#define MUJOCABLE_CORE_SINGLE_H_

#include "tally.h"

namespace mujocable {

// No iteration and no guess but the class. contact: of the record; remembered, memory: of the wrap,
// from the step before and for the next one. Returns how far the nearer node is off the surface.
template <typename Count, typename Contact>
double SolveSingle(const Wrap& wrap, const Vec3& a, const Vec3& b, Contact contact,
                   const double* remembered, Start start, const RouteLimits& limits, double* memory,
                   const BasicRecord<Count>& record, Tally& tally);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SINGLE_H_
