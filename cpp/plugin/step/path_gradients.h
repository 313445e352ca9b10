// Gradients of the path (5): how the segments of a cable grow with the dofs.

#ifndef MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
#define MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "core/law/pieces.h"
#include "core/law/swing.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// Gradients of the pieces of a path. Few dofs move the ends of a piece apart. A spool of its own
// has a column behind those of the dofs: it takes in the first piece.
struct Pieces {
  int n;         //
  int columns;   //
  double* row;   //                                                               [n, columns]
  Range* range;  // where a row is not zero                                       [n]
};

// dof of the model that a column belongs to
inline int DofOf(const CableConfig& c, int column) {
  return column < static_cast<int>(c.dofs.size()) ? c.dofs[column] : c.joint_dof;
}

Pieces PathPieces(const mjData* d, const CableConfig& c, const Record& record, const Piece* piece,
                  int n, Scratch& scratch);

// How much the bodies give way to each piece of the path, by their mobility at qpos0, times the
// whole length over its own: the sum, from the distal end on until it is beyond `enough`    [1/kg]
double MobilityAlong(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                     const Piece* piece, int n, double enough, Scratch& scratch);

// How the ends of a segment move against each other; bodies that carry both do not count.
struct Sideways {
  Sway* dofs;     //                                                                   [n]
  int n;          //
  double length;  // of the segment, or the way that its ends go across it in the step: beyond that
                  // a tension turns no further                                            [m]
  double mobility;  // how much they give way, over that length; joints that the integrator damps
                    // give way less                                                 [1/(kg m)]

  // how much of its swing a segment of this tension undoes in a step (24)
  double Swung(double step, double tension) const { return step * step * tension * mobility; }
};
Sideways SidewaysOf(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                    int segment, Scratch& scratch);

// The same at most: as if its ends gave way in one direction only. That is enough to know of most
// segments.
double MostSwungBy(const mjModel* m, const mjData* d, const CableConfig& c, const Record& record,
                   int segment, double tension);

// how much they give way along one row of gradients
double MobilityAlong(const mjModel* m, const CableConfig& c, const double* row, const Range& range);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_PATH_GRADIENTS_H_
