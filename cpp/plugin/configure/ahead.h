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
// asking for all that there is takes 3 % longer, asking for nothing 8 %. (A longer text is read
// line after line, which caches notice by themselves.)
inline constexpr size_t kStateAhead = 4 * kLine, kRecordAhead = 12 * kLine, kTextAhead = 8 * kLine;

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
  ask(&c.record_adr, &c.sensors + 1);
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

// The cables of a run of instances, one after the other; where there are many, those to come are
// known ahead.
class Upcoming {
 public:
  // compared: as in FindInstance
  Upcoming(const mjModel* m, mjData* d, int begin, int end, bool compared)
      : m_(m), d_(d), end_(end), compared_(compared), instance_(begin) {
    at_least_ = Enter(FindInstance(m, d, begin, compared)) + end - begin - 1;
    // three cables are known to be three, however they are written
    if (end - begin == 2) at_least_ += SizeOf(FindInstance(m, d, begin + 1, compared)) - 1;
    many_ = at_least_ >= kMany;
  }

  // so many cables there are, if none is refused
  int AtLeast() const { return at_least_; }

  // The next cable, false: there is none. `ask` is called where there are many; a run is gone
  // through with it or without, not with both.
  bool Next(Member& cable) {
    while (next_ == stop_) {
      if (++instance_ >= end_) return false;
      if (many_) AskForInstances();
      Enter(FindInstance(m_, d_, instance_, compared_));
    }
    cable = {instance_, next_++};
    return true;
  }
  bool Next(Member& cable, void (Upcoming::*ask)() const) {
    if (!many_) return Next(cable);
    for (int k = 0; turn_ == 0 && k < kAhead; ++k) Take(k);
    Take(turn_ + kAhead);
    (this->*ask)();
    cable = At(0);
    ++turn_;
    return cable.config;
  }

  // Where the passive stage looks at a cable: of the cable after the next one, the configuration
  // and the state; of the next one what these lead to, unless its turn comes later.
  void AskForNext() const {
    if (const Member& after = At(2); after.config) {
      AskForConfig(*after.config);
      AskFor(StateOf(m_, d_, after), kStateAhead);
    }
    if (const CableConfig* next = At(1).config; next && next->family >= 0) AskForWork(d_, *next);
  }

  // before the end of a cable's step: of one to come, all that is moved
  void AskForEnd() const {
    // chosen: moving a few numbers takes less time than bringing them, so that their turn is some
    // cables away; `tendons_700` would notice
    constexpr int kSoon = 3;
    if (const CableConfig* far = At(kAhead).config) {
      AskFor(far, 1);
      AskFor(&far->record_adr, 1);
    }
    const Member& soon = At(kSoon);
    if (!soon.config || soon.config->record_adr < 0) return;
    const Record record = RecordOf(d_, *soon.config);
    AskFor(StateOf(m_, d_, soon), kStateAhead);
    AskFor(record.block, 2 * kLine);
    AskFor(record.slip_total(), 2 * kLine);
  }

 private:
  // chosen: fewer cables stay in the nearest cache; `tendons_300` and `hand` would notice
  static constexpr int kMany = 24;
  // as far as any of these looks; a power of two above that, so that places are bits
  static constexpr int kAhead = 6, kRing = 8;

  const Member& At(int ahead) const { return ring_[(turn_ + ahead) & (kRing - 1)]; }
  void Take(int turn) {
    Member& to = ring_[turn & (kRing - 1)];
    if (!Next(to)) to = {end_, nullptr};
  }

  static int SizeOf(const Instance* found) {
    return found ? static_cast<int>(found->cables.size()) : 0;
  }
  // the cables of an instance come next; returns how many
  int Enter(const Instance* found) {
    const int size = SizeOf(found);
    next_ = found ? found->cables.data() : nullptr;
    stop_ = next_ + size;
    return size;
  }

  // what it takes to find the next two
  void AskForInstances() const {
    if (instance_ + 2 < end_) {
      const Instance* after = Lookup(d_->plugin_data[instance_ + 2]);
      if (after) AskFor(after, sizeof *after);
    }
    if (instance_ + 1 == end_) return;
    const Instance* next = Lookup(d_->plugin_data[instance_ + 1]);
    if (!next) return;
    AskFor(next->cables.data(), 1);
    AskFor(d_->plugin_state + m_->plugin_stateadr[instance_ + 1], 1);
    if (compared_) return;
    const size_t text = std::min(next->source.size(), kTextAhead);
    AskFor(next->source.data(), text);
    AskFor(m_->plugin_attr + m_->plugin_attradr[instance_ + 1], text);
  }

  const mjModel* m_;
  mjData* d_;
  const int end_;
  const bool compared_;
  int instance_;  // whose cables come now
  const CableConfig *next_, *stop_;
  int at_least_;
  bool many_;
  int turn_ = 0;
  Member ring_[kRing];
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_AHEAD_H_
