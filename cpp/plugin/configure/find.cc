#include "plugin/configure/find.h"

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

}  // namespace mujocable
