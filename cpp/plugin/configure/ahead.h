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
// asking for all that there is takes 3 % longer, asking for nothing 6 %.
inline constexpr size_t kStateAhead = 4 * kLine, kRecordAhead = 12 * kLine;

// asks for the memory from `begin` on
inline void AskFor(const void* begin, size_t bytes) {
#if defined(__GNUC__)
  const char* at = static_cast<const char*>(begin);
  for (size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(at + i);
#endif
}

// Called by a cable before its passive stage: of the cable after the next one, the configuration
// and the state; of the next one what these lead to.
inline void AskForNext(const mjModel* m, const mjData* d, int instance) {
  // chosen: fewer cables stay in the nearest cache; `tendons_300` and `hand` would notice
  constexpr int kMany = 24;
  const int n = static_cast<int>(m->nplugin);
  if (n < kMany) return;
  const int next = std::min(instance + 1, n - 1), after = std::min(instance + 2, n - 1);
  if (const CableConfig* c = Lookup(d->plugin_data[after])) {
    AskFor(c, sizeof *c);
    AskFor(d->plugin_state + m->plugin_stateadr[after], kStateAhead);
  }
  const CableConfig* c = Lookup(d->plugin_data[next]);
  if (!c) return;
  AskFor(c->source.data(), c->source.size());
  AskFor(m->plugin_attr + m->plugin_attradr[next], c->source.size());
  AskFor(c->nodes.data(), c->nodes.size() * sizeof c->nodes[0]);
  AskFor(c->slots.data(), c->slots.size() * sizeof c->slots[0]);
  AskFor(c->slot_of_element.data(), 1);
  AskFor(c->dofs.data(), 1);
  if (c->record_adr >= 0) AskFor(d->sensordata + c->record_adr, kRecordAhead);
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
