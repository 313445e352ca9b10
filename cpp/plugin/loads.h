// Core -> mjData: generalized loads (18), and how much the dofs give way to them.

#ifndef MUJOCABLE_PLUGIN_LOADS_H_
#define MUJOCABLE_PLUGIN_LOADS_H_

#include <mujoco/mujoco.h>

#include "config.h"
#include "core/inline.h"
#include "core/pair.h"
#include "scratch.h"

namespace mujocable {

// Generalized load of the tensions in `record`, one entry per dof of the cable: per-body wrenches,
// then one backward pass over the touched bodies.
void GeneralizedLoad(const mjData* d, const CableConfig& c, const Record& record, Scratch& scratch,
                     double* load);

// sum over the dofs of a cable of value^2 times their mobility at qpos0
double MobilityAlong(const mjModel* m, const CableConfig& c, const double* value);

// The load of one contact, and the mobility along it and along CableConfig::levers.
struct LoadMobility {
  double load, lever;
};

// Two lines of pull, each against the dofs that move its ends apart. Off the surface both are the
// straight line between the ends.
MUJOCABLE_INLINE inline LoadMobility LoadOfOne(const mjModel* m, const mjData* d,
                                               const CableConfig& c, const RecordOfOne& record,
                                               double* load) {
  const bool touching = record.Touching(0);
  const Vec3 entry = Load(touching ? record.entry() : record.ends());
  const Vec3 exit = Load(touching ? record.exit() : record.ends());
  const Pair3 point = PairOf(entry, exit);
  const Pair3 direction = PairOf(record.Direction(0), record.Direction(1));
  const Pair tension = {record.tension()[0], record.tension()[1]};
  Pair sum = Both(0);
  for (const BodySlot& body : c.slots) {
    const Pair3 moment = Cross(point - Load(d->subtree_com + 3 * body.root), direction);
    const Pair pull = body.pulls * tension;
    const int dof = c.dofs[body.first_dof];  // of a body they follow each other
    for (int k = 0; k < body.ndof; ++k) {
      const mjtNum* cdof = d->cdof + 6 * (dof + k);
      const Pair share = pull * (Dot(Load(cdof), moment) + Dot(Load(cdof + 3), direction));
      const int i = body.first_dof + k;
      load[i] = share[0] + share[1];
      const Pair value = {load[i], c.levers[i]};
      sum = sum + m->dof_invweight0[dof + k] * (value * value);
    }
  }
  return {sum[0], sum[1]};
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_LOADS_H_
