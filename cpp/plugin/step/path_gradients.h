// Gradients of the path (5): how the segments of a cable grow with the dofs.

#ifndef MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
#define MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// Gradients of the pieces of a path: from the source to the first of some contacts, from each to
// the next, from the last to the distal end. Few dofs move the ends of a piece apart.
struct Pieces {
  int n;         // one more than there are contacts
  double* row;   // per dof of the cable, set in its range                        [n, dofs]
  Range* range;  // where a row is not zero                                          [n]
};

// contact: touching ones, ascending
Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const int* contact,
                  int count, Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
