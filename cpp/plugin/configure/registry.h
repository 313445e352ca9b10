// Immutable instances, interned for the life of the process and found without a lock.
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

// stores an instance, or finds the equal one; returns its ticket, 0 when the table is full
uintptr_t Intern(const Instance& instance);

// the ticket of the instance with this fingerprint, for models of this signature or, without one,
// of any; 0 when this process has none
uintptr_t Find(double fingerprint, const uint64_t* signature = nullptr);

// tickets and what they stand for; grows, never shrinks, and takes memory only as far as it is used
struct InstanceTable {
  static constexpr uintptr_t kMark = 0xCAB1Eull << 32;
  // chosen: so many different cables, of some kilobytes each, fill a large machine (no test would
  // notice)
  static constexpr uintptr_t kMost = uintptr_t{1} << 20;
  std::atomic<uintptr_t> count;
  const Instance* instance[kMost];
};
extern InstanceTable instance_table;

// what a ticket stands for; nullptr when this process never issued it
inline const Instance* Lookup(uintptr_t ticket) {
  const InstanceTable& table = instance_table;
  const uintptr_t index = ticket ^ InstanceTable::kMark;  // large for any other mark
  return index < table.count.load(std::memory_order_acquire) ? table.instance[index] : nullptr;
}

// the instance where plugin_data does not hold the right one
const Instance* ResolveInstance(const mjModel* m, mjData* d, int number);

// The instance of this number in the model. The first callback of a step compares it with the
// model, which may be another one than in the step before; `compared`: this is a later callback of
// the same step.
MUJOCABLE_INLINE inline const Instance* FindInstance(const mjModel* m, mjData* d, int number,
                                                     bool compared = false) {
  const Instance* instance = Lookup(d->plugin_data[number]);
  if (instance && d->plugin_state[m->plugin_stateadr[number]] == instance->fingerprint &&
      (compared || SameSource(m, number, *instance))) [[likely]] {
    return instance;
  }
  return ResolveInstance(m, d, number);
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_REGISTRY_H_
