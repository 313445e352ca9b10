// Core -> mjData: generalized loads (18), and how much the dofs give way to them.

#ifndef MUJOCABLE_PLUGIN_STEP_LOADS_H_
#define MUJOCABLE_PLUGIN_STEP_LOADS_H_

#include <mujoco/mujoco.h>

#include "core/bundle/bundle.h"
#include "core/law/wrench.h"
#include "plugin/configure/config.h"
#include "plugin/scratch.h"

namespace mujocable {

// Wrenches of the slots, times `unit`, as a generalized load, one entry per dof of the cable: one
// backward pass, in which a body hands on to its parent what it cannot bear.
void Project(const mjData* d, const CableConfig& c, Wrench* wrench, double unit, double* load);

// the same of cables whose slots are alike, and the mobility along each load, as MobilityAlong
void Project(const mjModel* m, const mjData* d, const CableConfig* const* c,
             const LaneWrenches& wrench, const Lanes& unit, const LaneRow& load, Lanes& mobility);

// the same of the tensions in `record`
void GeneralizedLoad(const mjData* d, const CableConfig& c, const Record& record, Scratch& scratch,
                     double* load);

// sum over the dofs of a cable of value^2 times their mobility at qpos0
double MobilityAlong(const mjModel* m, const CableConfig& c, const double* value);

// the first body that is pushed from outside, or one past the last: mostly nothing is
inline int FirstPushed(const mjModel* m, const mjData* d) {
  int k = 6;
  while (k + kLanes <= 6 * m->nbody && AllZero(LoadLanes(d->xfrc_applied + k))) k += kLanes;
  return k / 6;
}

// adds the pull of a cable to qfrc_passive; load: per unit of tension, per dof of c, `stride` apart
void AddPassive(const mjModel* m, mjData* d, const Cable& cable, const CableConfig& c,
                double tension, const double* load, int stride = 1);

// the moment row of a commanded cable, where it is the cable's own: one place per dof; else nullptr
double* OwnRow(mjData* d, const CableConfig& c);

// writes the moment row of a commanded cable; load as above
void WriteMoment(mjData* d, const CableConfig& c, const double* load);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_LOADS_H_
