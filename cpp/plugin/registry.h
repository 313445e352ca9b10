// Immutable configurations, interned for the life of the process and found without a lock.
//
// plugin_data holds a ticket, not a pointer: pickling copies the raw value, also into other
// processes, and a ticket can be checked before it is used.

#ifndef MUJOCABLE_PLUGIN_REGISTRY_H_
#define MUJOCABLE_PLUGIN_REGISTRY_H_

#include <cstdint>

#include "config.h"

namespace mujocable {

// stores a configuration, or finds the equal one; returns its ticket, 0 when the table is full
uintptr_t Intern(const CableConfig& config);

// the ticket of the configuration with this fingerprint; 0 when this process has none
uintptr_t Find(double fingerprint);

// the configuration of a ticket; nullptr when this process never issued it
const CableConfig* Lookup(uintptr_t ticket);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_REGISTRY_H_
