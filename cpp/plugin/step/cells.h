// The material of a cable on MuJoCo's data: its cells, and whether the step resolves them.

#ifndef MUJOCABLE_PLUGIN_STEP_CELLS_H_
#define MUJOCABLE_PLUGIN_STEP_CELLS_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// Whether the step resolves a cable (22): the sum over its cells of how much of its tension each
// undoes within one step is so small that an explicit step follows it. lever_mobility: as in
// levers.h; load: per unit of tension, without friction; a material without cells is one.
bool Resolved(const mjModel* m, const mjData* d, const CableConfig& c, const AxialStep& step,
              double lever_mobility, const Material& material, const Record& record,
              const double* load, Scratch& scratch);

// the contacts at which cells meet, ascending; returns how many
int RubbingContacts(const Material& material, int* contact);

// piece of the path that each cell lies in; -1: on the arc of one contact
void CellPieces(const Material& material, int* piece);

// how much a spool of its own gives way to the cable                                   [1/kg]
double SpoolMobility(const mjModel* m, const CableConfig& c);

// sum over some dofs of value^2 times their mobility at qpos0
double MobilityOf(const mjModel* m, const CableConfig& c, const double* row, const Range& range);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_CELLS_H_
