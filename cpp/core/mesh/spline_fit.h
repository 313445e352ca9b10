// The spline of a field: least squares for its coefficients.

#ifndef MUJOCABLE_CORE_MESH_SPLINE_FIT_H_
#define MUJOCABLE_CORE_MESH_SPLINE_FIT_H_

#include <functional>
#include <vector>

#include "core/mesh/field.h"
#include "core/mesh/sample.h"

namespace mujocable {

// Fills the coefficients of a field whose grid and distances are known: value and normal at the
// samples, as smooth as they let it. progress: called with the share that is done, or empty.
void FitSpline(const std::vector<Sample>& samples, const std::function<void(double)>& progress,
               MeshField& f);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_SPLINE_FIT_H_
