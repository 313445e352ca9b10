// The cables of a run of instances, one after the other.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_WALK_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_WALK_H_

#include <mujoco/mujoco.h>

#include "plugin/configure/registry.h"

namespace mujocable {

class Walk {
 public:
  // the instances from begin to end, at least one; compared: as in FindInstance
  Walk(const mjModel* m, mjData* d, int begin, int end, bool compared)
      : m_(m), d_(d), end_(end), compared_(compared), instance_(begin) {
    at_least_ = Enter(FindInstance(m, d, begin, compared)) + end - begin - 1;
    // three cables are known to be three, however they are written
    if (end - begin == 2) at_least_ += SizeOf(FindInstance(m, d, begin + 1, compared)) - 1;
  }

  // so many cables there are, if none is refused
  int AtLeast() const { return at_least_; }

  // false: there are no more
  bool Next(Member& cable) {
    while (next_ == stop_) {
      if (++instance_ >= end_) return false;
      Enter(FindInstance(m_, d_, instance_, compared_));
    }
    cable = {instance_, next_++};
    return true;
  }

 private:
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

  const mjModel* m_;
  mjData* d_;
  const int end_;
  const bool compared_;
  int instance_;  // whose cables come now
  const CableConfig *next_, *stop_;
  int at_least_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_WALK_H_
