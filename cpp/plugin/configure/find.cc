#include "plugin/configure/find.h"

#include <algorithm>
#include <string>

namespace mujocable {

const CableConfig* ResolveConfig(const mjModel* m, mjData* d, int instance) {
  // this data served another model or another process: whose state is it?
  const uintptr_t ticket = Find(*StateBlock(m, d, instance));
  const CableConfig* c = Lookup(ticket);
  if (c && SameSource(m, instance, *c)) {
    d->plugin_data[instance] = ticket;
    return c;
  }

  // a state that is not ours: ask the model
  CableConfig config;
  std::string error;
  if (!BuildConfig(m, instance, config, error)) return nullptr;
  d->plugin_data[instance] = Intern(config);
  return Lookup(d->plugin_data[instance]);
}

void ResetState(const CableConfig& c, double* block) {
  const State state{block, c.ncontact, c.nwrap};
  state.fingerprint() = c.fingerprint;
  state.steps() = 0;
  state.take_up() = 0;
  state.derailments() = state.told() = state.slack() = 0;
  state.stiffness() = c.axial.stiffness;
  state.damping() = c.axial.damping;
  state.home_length() = c.axial.home_length;
  state.max_tension() = c.axial.max_tension;
  state.pretension() = c.axial.pretension;
  state.mobility() = c.mobility;
  for (int i = 0; i < c.ncontact; ++i) state.friction()[i] = c.elements[i + 1].friction;
  std::fill(state.rubbing(), state.end(), 0.0);
  std::copy(c.memory.begin(), c.memory.end(), state.memory());
}

}  // namespace mujocable
