// Gradients of the path (5): how the segments of a cable grow with the dofs.

#ifndef MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
#define MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// Gradients of the pieces of a path: from the source to the first of some contacts, from each to
// the next, from the last to the distal end. Few dofs move the ends of a piece apart. A spool of
// its own has a column behind those of the dofs: it takes in the first piece.
struct Pieces {
  int n;         // one more than there are contacts
  int columns;   //
  double* row;   //                                                               [n, columns]
  Range* range;  // where a row is not zero                                       [n]
};

// dof of the model that a column belongs to
inline int DofOf(const CableConfig& c, int column) {
  return column < static_cast<int>(c.dofs.size()) ? c.dofs[column] : c.joint_dof;
}

// contact: touching ones, ascending
Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const int* contact,
                  int count, Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
