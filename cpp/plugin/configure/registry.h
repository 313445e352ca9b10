// Immutable configurations, interned for the life of the process and found without a lock.
//
// plugin_data holds a ticket, not a pointer: pickling copies the raw value, also into other
// processes, and a ticket can be checked before it is used.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_REGISTRY_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_REGISTRY_H_

#include <atomic>
#include <cstdint>

#include "core/math/inline.h"
#include "plugin/configure/config.h"

namespace mujocable {

// stores a configuration, or finds the equal one; returns its ticket, 0 when the table is full
uintptr_t Intern(const CableConfig& config);

// the ticket of the configuration with this fingerprint; 0 when this process has none
uintptr_t Find(double fingerprint);

// tickets and what they stand for; grows, never shrinks, and takes memory only as far as it is used
struct ConfigTable {
  static constexpr uintptr_t kMark = 0xCAB1Eull << 32;
  // chosen: so many different cables, of some kilobytes each, fill a large machine (no test would
  // notice)
  static constexpr uintptr_t kMost = uintptr_t{1} << 20;
  std::atomic<uintptr_t> count;
  const CableConfig* config[kMost];
};
extern ConfigTable config_table;

// the configuration of a ticket; nullptr when this process never issued it
inline const CableConfig* Lookup(uintptr_t ticket) {
  const ConfigTable& table = config_table;
  const uintptr_t index = ticket ^ ConfigTable::kMark;  // large for any other mark
  return index < table.count.load(std::memory_order_acquire) ? table.config[index] : nullptr;
}

// configuration of an instance where plugin_data does not hold the right one
const CableConfig* ResolveConfig(const mjModel* m, mjData* d, int instance);

// Configuration of an instance whose ticket stands for `c`. The first callback of a step compares
// it with the model, which may be another one than in the step before; `compared`: this is a later
// callback of the same step.
MUJOCABLE_INLINE inline const CableConfig* Confirm(const mjModel* m, mjData* d, int instance,
                                                   const CableConfig* c, bool compared) {
  if (c && d->plugin_state[m->plugin_stateadr[instance]] == c->fingerprint &&
      (compared || SameSource(m, instance, *c))) [[likely]] {
    return c;
  }
  return ResolveConfig(m, d, instance);
}
inline const CableConfig* FindConfig(const mjModel* m, mjData* d, int instance,
                                     bool compared = false) {
  return Confirm(m, d, instance, Lookup(d->plugin_data[instance]), compared);
}

// where the state of an instance begins
inline double* StateBlock(const mjModel* m, mjData* d, int instance) {
  return d->plugin_state + m->plugin_stateadr[instance];
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_REGISTRY_H_
