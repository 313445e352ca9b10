// Gradients of the path (5): how the segments of a cable grow with the dofs.

#ifndef MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_
#define MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_

#include <mujoco/mujoco.h>

#include "config.h"

namespace mujocable {

// Gradients of the path beyond the given touching contacts, ascending: what (9) sums, per dof of
// the cable, row by row [count, dofs]; `whole`, if given: of the length, G of (5) [dofs].
void PathGradients(const mjData* d, const CableConfig& c, const Record& record, const int* contact,
                   int count, double* rows, double* whole);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_
