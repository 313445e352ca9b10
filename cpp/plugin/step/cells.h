// The material of a cable on MuJoCo's data: its cells, and whether the step resolves them.

#ifndef MUJOCABLE_PLUGIN_STEP_CELLS_H_
#define MUJOCABLE_PLUGIN_STEP_CELLS_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "core/state.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// parameters of the axial law as the state has them
AxialParameters AxialOf(const CableConfig& c, const State& state);

// the axial law of this step; command: the tension, where that is commanded
AxialStep StepOf(const mjModel* m, const CableConfig& c, const State& state, const Record& record,
                 double command);

// whether material is counted contact by contact: friction with memory, and a contact that has any
bool Rubs(const CableConfig& c, const State& state);
// whether tension ratios follow from the slip of the moment: friction without memory
bool Slides(const CableConfig& c, const State& state);

// room for the cells of a cable
Material TakeMaterial(const CableConfig& c, Scratch& scratch);

// cells of a cable where its bodies are now
void Lay(const mjData* d, const CableConfig& c, const State& state, const AxialStep& step,
         const Record& record, Material& material);

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
