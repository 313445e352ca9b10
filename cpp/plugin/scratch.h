// Scratch memory of a callback.

#ifndef MUJOCABLE_PLUGIN_SCRATCH_H_
#define MUJOCABLE_PLUGIN_SCRATCH_H_

#include <mujoco/mujoco.h>

#include "core/workspace.h"

namespace mujocable {

// Scratch memory for the length of one callback: beyond its own room it takes MuJoCo's stack.
class Scratch final : public Workspace {
 public:
  explicit Scratch(mjData* d) : d_(d) {}
  ~Scratch() {
    if (open_) mj_freeStack(d_);
  }

 private:
  void* More(size_t bytes) override {
    if (!open_) mj_markStack(d_);
    open_ = true;
    return mj_stackAllocByte(d_, bytes, kAlign);
  }

  mjData* d_;
  bool open_ = false;  // a frame of MuJoCo's stack is
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SCRATCH_H_
