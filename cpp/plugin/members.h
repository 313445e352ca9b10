// The cables that are solved with the motion of the step, each with what the solver asks of it.

#ifndef MUJOCABLE_PLUGIN_MEMBERS_H_
#define MUJOCABLE_PLUGIN_MEMBERS_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "core/implicit.h"
#include "core/implicit_slip.h"
#include "core/state.h"
#include "path_gradients.h"
#include "scratch.h"

namespace mujocable {

// one cable in the coupled solve; vectors have one entry per dof of the cable
struct Member {
  int instance;
  const CableConfig* config;
  Record record;      // `tension` holds ratios to the source tension until the end
  ImplicitCable law;  // of the source tension
  double rate;        // of the stretch, now
  double* load;       // per unit of source tension, for the present slip: -w of (15); where none
                      // of its contacts rubs with the slip at the end
  double* gradient;   // of the length: G of (5)
  ImplicitSlip slip;  // n = 0: friction is that of the present slip
  int* contact;       // that rub
  double* growth;     // of the path beyond them, now                                 [m/s]
  Pieces pieces;      // gradients of the path from each of them to the next
};

// parameters of the axial law as the state has them
AxialParameters AxialOf(const CableConfig& c, const State& state);

// Cables whose record asks to be solved with the motion; of all kinds, or passive ones alone.
int CountMembers(const mjModel* m, mjData* d, int slot, bool passive_only);
void GatherMembers(const mjModel* m, mjData* d, int slot, bool passive_only, Scratch& scratch,
                   Member* members);

// Puts the tensions of a solved cable into the record; returns the load per unit of source tension.
// slips, ratios: of the contacts that rub, and of the tensions beyond them to that of the source.
const double* Settle(Member& member, double tension, const double* slips, const double* ratios,
                     Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_MEMBERS_H_
