// Cables that can be solved together, gathered until there are enough.

#ifndef MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
#define MUJOCABLE_PLUGIN_STEP_TOGETHER_H_

#include "core/bundle/bundle.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// cables of a stage that are taken together
struct Called {
  int n;
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
  // cables: how many there are at most
  Together(const Stage& stage, int cables) : stage_(stage), enough_(cables >= kEnough) {
    for (int g = 0; enough_ && g < kGroups; ++g) groups_[g].n = 0;
  }

  void Add(int instance, const CableConfig* c) {
    // those that share a tendon load it one after the other
    const bool branches = c->tendon >= 0 && !c->first_on_tendon;
    if (branches) Finish();
    if (!enough_ || branches || c->record_adr < 0 || c->family < 0) return Alone(instance, c);
    Called& group = groups_[c->family % kGroups];
    if (group.n > 0 && group.config[0]->family != c->family) Empty(group);
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
  // chosen, odd: families whose numbers of guides differ by two have places of their own; two that
  // share one lose nothing but time (no test would notice)
  static constexpr int kGroups = 17;
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
    alone.n = 0;
    alone.Add(instance, c);
    stage_(alone);
  }

  const Stage& stage_;
  const bool enough_;  // for a bundle
  Called groups_[kGroups];
  int held_ = 0;  // cables in them
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
