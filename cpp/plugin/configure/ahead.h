// The memory of the cables whose turn is next, asked for while this one is solved: of hundreds of
// cables none is still in the nearest cache a step later. Changes no result.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstddef>

#include "plugin/configure/registry.h"

namespace mujocable {

inline constexpr size_t kLine = 64;  // of a cache: what one request brings               [byte]

// Chosen, in lines: what a cable of a few contacts has. In `tendons_700`, which would notice,
// asking for all that there is takes 3 % longer, asking for nothing 8 %.
inline constexpr size_t kStateAhead = 4 * kLine, kRecordAhead = 12 * kLine;

// asks for the memory from `begin` on
inline void AskFor(const void* begin, size_t bytes) {
#if defined(__GNUC__)
  const char* at = static_cast<const char*>(begin);
  for (size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(at + i);
#endif
}

// chosen: fewer cables stay in the nearest cache; `tendons_300` and `hand` would notice
inline constexpr int kMany = 24;

// the configuration of the cable that many places on, or of the last one; nullptr: there are few
inline const CableConfig* Ahead(const mjModel* m, const mjData* d, int instance, int by) {
  const int n = static_cast<int>(m->nplugin);
  return n < kMany ? nullptr : Lookup(d->plugin_data[std::min(instance + by, n - 1)]);
}

// what the stages of a cable read and write, beside configuration and state
inline void AskForWork(const mjData* d, const CableConfig& c) {
  AskFor(c.nodes.data(), c.nodes.size() * sizeof c.nodes[0]);
  AskFor(c.slots.data(), c.slots.size() * sizeof c.slots[0]);
  AskFor(c.slot_of_element.data(), 1);
  AskFor(c.dofs.data(), 1);
  AskFor(c.wraps.data(), c.wraps.size() * sizeof c.wraps[0]);
  if (c.record_adr >= 0) AskFor(d->sensordata + c.record_adr, kRecordAhead);
}

// Called where the passive stage looks at a cable: of the cable after the next one, the
// configuration and the state; of the next one what these lead to, unless its turn comes later.
inline void AskForNext(const mjModel* m, const mjData* d, int instance) {
  const CableConfig *next = Ahead(m, d, instance, 1), *after = Ahead(m, d, instance, 2);
  if (!next || !after) return;
  const int last = static_cast<int>(m->nplugin) - 1, i = std::min(instance + 1, last);
  AskFor(after, sizeof *after);
  AskFor(d->plugin_state + m->plugin_stateadr[std::min(i + 1, last)], kStateAhead);
  AskFor(next->source.data(), next->source.size());
  AskFor(m->plugin_attr + m->plugin_attradr[i], next->source.size());
  if (next->family >= 0) AskForWork(d, *next);
}

// Called before the end of a cable's step: of one to come, all that is moved.
inline void AskForEnd(const mjModel* m, const mjData* d, int instance) {
  // chosen: moving a few numbers takes less time than bringing them, so that their turn is some
  // cables away; `tendons_700` would notice
  constexpr int kSoon = 3, kLater = 6;
  if (const CableConfig* far = Ahead(m, d, instance, kLater)) {
    AskFor(far, 1);
    AskFor(&far->record_adr, 1);
  }
  const CableConfig* c = Ahead(m, d, instance, kSoon);
  if (!c || c->record_adr < 0) return;
  const Record record = RecordOf(d, *c);
  const int i = std::min(instance + kSoon, static_cast<int>(m->nplugin) - 1);
  AskFor(d->plugin_state + m->plugin_stateadr[i], kStateAhead);
  AskFor(record.block, 2 * kLine);
  AskFor(record.slip_total(), 2 * kLine);
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
