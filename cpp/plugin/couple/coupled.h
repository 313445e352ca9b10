// The cables that are solved with the motion of the step.

#ifndef MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_
#define MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "core/law/pieces.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"
#include "plugin/step/mujoco_cable.h"
#include "plugin/step/path_gradients.h"

namespace mujocable {

// one cable in the coupled solve
struct WaitingCable {
  const CableConfig* config;
  MujocoCable* driver;
  Record record;
  CoupledCable cable;  // places of the columns and pull are set by the motion
  const Piece* piece;
  Pieces pieces;  // their gradients
  double* swing;  // what its segments that swing take away from the force, nullptr: none do
  double* pull;   // load per unit of tension where the ratios are given, sign of a retarding force;
                  // else nullptr                                                     [columns]
};

// how many cables wait for the end of the stage
struct WaitingCount {
  int passive = 0, commanded = 0;
};
WaitingCount CountCoupled(const mjModel* m, mjData* d, int plugin);

// Gathers as many as were counted: passive ones, then commanded ones, since MuJoCo keeps the order
// within each kind when it copies a model, but not between them. count.commanded = 0: passive ones
// alone.
void GatherCoupled(const mjModel* m, mjData* d, int plugin, const WaitingCount& count,
                   Scratch& scratch, WaitingCable* waiting);

// Puts the tensions of a solved cable into the record; returns its load per unit of source tension,
// per dof of the cable.
const double* Settle(WaitingCable& one, Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_
