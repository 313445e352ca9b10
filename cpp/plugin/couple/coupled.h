// The cables that are solved with the motion of the step.

#ifndef MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_
#define MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_

#include <mujoco/mujoco.h>

#include "core/law/couple.h"
#include "core/law/pieces.h"
#include "core/math/inline.h"
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
  double* swing;  // what its segments that swing take away from the force, nullptr: none do
  double* pull;   // load per unit of tension where the ratios are given, sign of a retarding force;
                  // else nullptr                                                     [columns]
};

// Gathers the n cables that wait for the end of the stage: passive ones, then commanded ones, since
// MuJoCo keeps the order within each kind when it copies a model, but not between them.
WaitingCable* GatherCoupled(const mjModel* m, mjData* d, int plugin, Stage stage, Scratch& scratch,
                            int& n);

// Puts the tensions of a solved cable into the record; returns its load per unit of source tension,
// per dof of the cable.
const double* Settle(WaitingCable& one, Scratch& scratch);

// Called at the end of a stage; plugin: place of the cables among the plugins of MuJoCo. Solves for
// all coupled cables and applies their tensions. Where an actuation stage follows, the passive one
// keeps the sum of the other passive forces, and applies what the acceleration in `d` calls for,
// which inverse dynamics needs.
MUJOCABLE_COLD void Couple(const mjModel* m, mjData* d, int plugin, Stage stage);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_COUPLED_H_
