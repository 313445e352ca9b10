// Core -> mjData: generalized loads (18), and how much the dofs give way to them.

#ifndef MUJOCABLE_PLUGIN_LOADS_H_
#define MUJOCABLE_PLUGIN_LOADS_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "scratch.h"

namespace mujocable {

// Generalized load of the tensions in `record`, one entry per dof of the cable: per-body wrenches,
// then one backward pass over the touched bodies.
void GeneralizedLoad(const mjData* d, const CableConfig& c, const Record& record, Scratch& scratch,
                     double* load);

// sum over the dofs of a cable of value^2 times their mobility at qpos0
double MobilityAlong(const mjModel* m, const CableConfig& c, const double* value);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_LOADS_H_
