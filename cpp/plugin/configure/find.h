// The configuration of an instance, found from whatever MuJoCo hands us.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_FIND_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_FIND_H_

#include <mujoco/mujoco.h>

#include "core/math/inline.h"
#include "core/state.h"
#include "plugin/configure/registry.h"

namespace mujocable {

// configuration of an instance where plugin_data does not hold the right one
const CableConfig* ResolveConfig(const mjModel* m, mjData* d, int instance);

// Configuration of an instance. The first callback of a step compares it with the model, which may
// be another one than in the step before; `compared`: this is a later callback of the same step.
MUJOCABLE_INLINE inline const CableConfig* FindConfig(const mjModel* m, mjData* d, int instance,
                                                      bool compared = false) {
  const CableConfig* c = Lookup(d->plugin_data[instance]);
  if (c && d->plugin_state[m->plugin_stateadr[instance]] == c->fingerprint &&
      (compared || SameSource(m, instance, *c))) [[likely]] {
    return c;
  }
  return ResolveConfig(m, d, instance);
}

// where the state of an instance begins
inline double* StateBlock(const mjModel* m, mjData* d, int instance) {
  return d->plugin_state + m->plugin_stateadr[instance];
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_FIND_H_
