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

// length of the shortest cell between contacts
double ShortestCell(const AxialStep& step, const Material& material);

// the contacts at which cells meet, ascending; returns how many
int RubbingContacts(const Material& material, int* contact);

// piece of the path that each cell lies in; -1: on the arc of one contact
void CellPieces(const Material& material, int* piece);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_PIECES_H_
