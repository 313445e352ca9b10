// The memory of the cables whose turn is next, asked for while this one is solved: of hundreds of
// cables none is still in the nearest cache a step later. Changes no result.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_

#include <mujoco/mujoco.h>

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

// what a step of every cable reads of its configuration
inline void AskForConfig(const CableConfig& c) {
  const auto ask = [](const void* begin, const void* end) {
    AskFor(begin, static_cast<const char*>(end) - static_cast<const char*>(begin));
  };
  ask(&c, &c.levers + 1);
  ask(&c.source, &c.sensors + 1);
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

// The configurations that the tickets of a run stand for, one after the other, each looked up once;
// those to come are known ahead.
class Upcoming {
 public:
  Upcoming(const mjModel* m, const mjData* d, int begin, int end)
      : m_(m), d_(d), end_(end), many_(end - begin >= kMany) {
    for (int i = begin; many_ && i < begin + kAhead; ++i) LookUp(i);
  }

  // Of instance i, or nullptr; i counts up. `ask` is called where there are many.
  const CableConfig* Next(int i, void (Upcoming::*ask)(int) const) {
    if (!many_) return Lookup(d_->plugin_data[i]);
    LookUp(i + kAhead);
    (this->*ask)(i);
    return At(i);
  }

  // Where the passive stage looks at a cable: of the cable after the next one, the configuration
  // and the state; of the next one what these lead to, unless its turn comes later.
  void AskForNext(int i) const {
    if (const CableConfig* after = At(i + 2)) {
      AskForConfig(*after);
      AskFor(d_->plugin_state + m_->plugin_stateadr[i + 2], kStateAhead);
    }
    const CableConfig* next = At(i + 1);
    if (!next) return;
    AskFor(next->source.data(), next->source.size());
    AskFor(m_->plugin_attr + m_->plugin_attradr[i + 1], next->source.size());
    if (next->family >= 0) AskForWork(d_, *next);
  }

  // before the end of a cable's step: of one to come, all that is moved
  void AskForEnd(int i) const {
    // chosen: moving a few numbers takes less time than bringing them, so that their turn is some
    // cables away; `tendons_700` would notice
    constexpr int kSoon = 3;
    if (const CableConfig* far = At(i + kAhead)) {
      AskFor(far, 1);
      AskFor(&far->record_adr, 1);
    }
    const CableConfig* c = At(i + kSoon);
    if (!c || c->record_adr < 0) return;
    const Record record = RecordOf(d_, *c);
    AskFor(d_->plugin_state + m_->plugin_stateadr[i + kSoon], kStateAhead);
    AskFor(record.block, 2 * kLine);
    AskFor(record.slip_total(), 2 * kLine);
  }

 private:
  // chosen: fewer cables stay in the nearest cache; `tendons_300` and `hand` would notice
  static constexpr int kMany = 24;
  // as far as any of these looks; a power of two above that, so that places are bits
  static constexpr int kAhead = 6, kRing = 8;

  const CableConfig* At(int i) const { return ring_[i & (kRing - 1)]; }
  void LookUp(int i) { ring_[i & (kRing - 1)] = i < end_ ? Lookup(d_->plugin_data[i]) : nullptr; }

  const mjModel* m_;
  const mjData* d_;
  const int end_;
  const bool many_;
  const CableConfig* ring_[kRing];
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
