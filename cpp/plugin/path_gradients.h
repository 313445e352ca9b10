// Gradients of the path (5): how the segments of a cable grow with the dofs.

#ifndef MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_
#define MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "scratch.h"

namespace mujocable {

// places of a row, from `begin` to before `end`
struct Range {
  int begin, end;
};

// Gradients of the pieces of a path, from each of some contacts to the next of them, the last to
// the distal end: few dofs move the ends of a piece apart. What lies beyond a contact, the first
// sum of (9), is the sum of the pieces from there on.
struct Pieces {
  double* row;   // per dof of the cable                                       [contacts, dofs]
  Range* range;  // where a row is not zero                                          [contacts]
};

// contact: touching ones, ascending; whole, if given: the gradient of the length, G of (5) [dofs]
Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const int* contact,
                  int count, Scratch& scratch, double* whole);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_PATH_GRADIENTS_H_
