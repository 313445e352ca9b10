// Cells and the pieces of the path between contacts that rub, and how stiff they are for a step.

#ifndef MUJOCABLE_CORE_LAW_PIECES_H_
#define MUJOCABLE_CORE_LAW_PIECES_H_

#include "core/law/material.h"

namespace mujocable {

// How much of its tension a cable undoes within one step (22), per mobility: an explicit step is
// stable where it undoes no more than 4 times the tension of a spring and 2 of a damper. sharing:
// cables that do so to the same bodies.
inline double UndoneBy(int sharing, const AxialStep& step) {
  return sharing * step.step * (step.step * step.axial.stiffness + 2 * step.axial.damping);
}
// of these, half: the mobility is the one at qpos0
inline constexpr double kMostUndone = 2;

// Most of its swing that a segment may undo within a step (24), per mobility: an explicit step is
// stable where that is below 4, for one segment alone; its neighbors and other cables add to it.
// Chosen: test_swing would notice four times as much, `arm` half of it.
inline constexpr double kMostSwing = 1;

// the path from one contact that rubs, or from the source, to the next, or to the distal end
struct Piece {
  int contact;    // at which it begins, -1: the source
  double length;  // of the cell between both, with its marks at their even places         [m]
};

// Cuts a path into pieces, from the source on; returns how many, at most one more than contacts.
int CutPath(const Record& record, const double* friction, const ContactCut* cuts, Piece* piece);

// piece of the path that each cell lies in, as they are laid; -1: on the arc of one contact
void CellPieces(const Record& record, int* piece);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_PIECES_H_
