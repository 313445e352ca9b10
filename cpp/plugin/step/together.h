// Cables that can be solved together, gathered until there are enough.

#ifndef MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
#define MUJOCABLE_PLUGIN_STEP_TOGETHER_H_

#include "core/bundle/bundle.h"
#include "plugin/step/mujoco_cable.h"

namespace mujocable {

// cables of a stage that are taken together
struct Called {
  int n;
  Member cable[kLanes];

  void Add(const Member& member) { cable[n++] = member; }
};

// Calls stage(called) for the cables given to it, 1 to kLanes at a time: more than one only where
// they can be a bundle. Those that cannot come after all bundles, so that the code of either stays
// in the nearest cache.
template <typename Stage>
class Together {
 public:
  // cables: how many there are at most
  Together(const Stage& stage, int cables) : stage_(stage), enough_(cables >= kEnough) {
    for (int g = 0; enough_ && g < kGroups; ++g) groups_[g].n = 0;
  }

  void Add(const Member& member) {
    const CableConfig* c = member.config;
    // those that share a tendon load it one after the other
    const bool branches = c->tendon >= 0 && !c->first_on_tendon;
    if (branches) Finish();
    if (!enough_ || branches) return Alone(member);
    if (c->record_adr < 0 || c->family < 0) return PutAside(member);
    Called& group = groups_[c->family % kGroups];
    if (group.n > 0 && group.cable[0].config->family != c->family) Empty(group);
    group.Add(member);
    ++held_;
    if (group.n == kLanes) Empty(group);
  }

  // those that are left
  void Finish() {
    for (int g = 0; held_ > 0 && g < kGroups; ++g) Empty(groups_[g]);
    EmptyAside();
  }

 private:
  // chosen, odd: families whose numbers of guides differ by two have places of their own; two that
  // share one lose nothing but time (no test would notice)
  static constexpr int kGroups = 17;
  // chosen: two cables are faster one by one; `arm` would notice
  static constexpr int kEnough = 3;
  // chosen: the code is changed over for so many at once; `tendons_300` would notice fewer than 8
  static constexpr int kAside = 64;

  void Empty(Called& group) {
    if (group.n >= kEnough) {
      stage_(group);
    } else {
      for (int j = 0; j < group.n; ++j) Alone(group.cable[j]);
    }
    held_ -= group.n;
    group.n = 0;
  }

  void PutAside(const Member& one) {
    if (nside_ == kAside) EmptyAside();
    aside_[nside_++] = one;
  }

  void EmptyAside() {
    for (int k = 0; k < nside_; ++k) Alone(aside_[k]);
    nside_ = 0;
  }

  void Alone(const Member& one) {
    Called alone;
    alone.n = 0;
    alone.Add(one);
    stage_(alone);
  }

  const Stage& stage_;
  const bool enough_;  // for a bundle
  Called groups_[kGroups];
  int held_ = 0;  // cables in them
  Member aside_[kAside];
  int nside_ = 0;
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_STEP_TOGETHER_H_
