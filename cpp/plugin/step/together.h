// Cables that can be solved together, gathered until there are enough.

#ifndef MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
#define MUJOCABLE_PLUGIN_STEP_TOGETHER_H_

#include "core/bundle/bundle.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// cables of a stage that are taken together
struct Called {
  int n = 0;
  int instance[kLanes];
  const CableConfig* config[kLanes];

  void Add(int i, const CableConfig* c) {
    instance[n] = i;
    config[n++] = c;
  }
};

// Calls stage(called) for the cables given to it, 1 to kLanes at a time: more than one only where
// they can be a bundle.
template <typename Stage>
class Together {
 public:
  explicit Together(const Stage& stage) : stage_(stage) {}

  void Add(int instance, const CableConfig* c) {
    // cables that share a tendon load it one after the other, and the first of them, which may have
    // all of it as its share, before those that branch off
    if (c->share != 1) Finish();
    if (!Bundle::Takes(*c) || c->record_adr < 0 || c->share != 1) {
      return Alone(instance, c);
    }
    Called& group = groups_[c->ncontact % kGroups];
    if (group.n > 0 && group.config[0]->ncontact != c->ncontact) Empty(group);
    group.Add(instance, c);
    ++held_;
    if (group.n == kLanes) Empty(group);
  }

  // those that are left
  void Finish() {
    if (held_ == 0) return;
    for (Called& group : groups_) Empty(group);
  }

 private:
  // chosen: routes have few guides; one that has more shares a place, and nothing but time is lost
  // (no test would notice)
  static constexpr int kGroups = 16;
  // chosen: two cables are faster one by one; `arm` would notice
  static constexpr int kEnough = 3;

  void Empty(Called& group) {
    if (group.n >= kEnough) {
      stage_(group);
    } else {
      for (int j = 0; j < group.n; ++j) Alone(group.instance[j], group.config[j]);
    }
    held_ -= group.n;
    group.n = 0;
  }

  void Alone(int instance, const CableConfig* c) {
    Called alone;
    alone.Add(instance, c);
    stage_(alone);
  }

  const Stage& stage_;
  Called groups_[kGroups];
  int held_ = 0;  // cables in them
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
