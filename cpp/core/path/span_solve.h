// Several wraps between two fixed nodes, or one without a closed form: solved together.

#ifndef MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_
#define MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_

#include "core/path/verdict.h"

namespace mujocable {

// first, last: the nodes at a and b; first_wrap: of the span, among the memories of the route
void SolveWraps(const Element* elements, const Vec3& a, const Vec3& b, int first, int last,
                int first_wrap, const double* memory, Start start, const RouteLimits& limits,
                double slack, Record& record, Verdict& verdict);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SPAN_SOLVE_H_
