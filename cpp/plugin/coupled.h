// The material of a cable on MuJoCo's data, and the cables that are solved with the motion of the
// step.

#ifndef MUJOCABLE_PLUGIN_COUPLED_H_
#define MUJOCABLE_PLUGIN_COUPLED_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "core/couple.h"
#include "core/state.h"
#include "path_gradients.h"
#include "scratch.h"

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

// one cable in the coupled solve
struct CoupledMember {
  int instance;
  const CableConfig* config;
  State state;
  Record record;
  CoupledCable cable;  // rows and pull are set by the motion
  Pieces pieces;
  double* pull;  // load per unit of tension where the ratios are given, sign of a retarding force;
                 // else nullptr                                                       [dofs]
};

// Cables whose record asks to be solved with the motion; of all kinds, or passive ones alone.
int CountCoupled(const mjModel* m, mjData* d, int slot, bool passive_only);
void GatherCoupled(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch& scratch,
                   CoupledMember* members);

// Puts the tensions of a solved cable into the record; returns its load per unit of source tension,
// per dof of the cable.
const double* Settle(const mjData* d, CoupledMember& member, Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLED_H_
