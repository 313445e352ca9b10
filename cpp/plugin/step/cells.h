// The material of a cable on MuJoCo's data: its cells, and how stiff they are for the step.

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

// How much of its tension a cable undoes within one step (22), per mobility: an explicit step is
// stable where it undoes no more than 4 times the tension of a spring and 2 of a damper.
double UndoneBy(const CableConfig& c, const AxialStep& step);
// of these, half: the mobility is the one at qpos0
inline constexpr double kMostUndone = 2;

// pieces of the path between contacts that rub
int CountPieces(const CableConfig& c, const State& state, const Record& record);

// length of the shortest cell between contacts
double ShortestCell(const AxialStep& step, const Material& material);

// the contacts at which cells meet, ascending; returns how many
int RubbingContacts(const Material& material, int* contact);

// piece of the path that each cell lies in; -1: on the arc of one contact
void CellPieces(const Material& material, int* piece);

// how much a spool of its own gives way to the cable                                   [1/kg]
double SpoolMobility(const mjModel* m, const CableConfig& c);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_CELLS_H_
