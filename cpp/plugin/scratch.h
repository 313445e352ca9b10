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
  ~Scratch() { Free(0); }

  // what is taken after `Here` may be given back by `Back`
  struct Mark {
    Place own;
    int frames;
  };
  Mark Here() {
    open_ = false;
    return {OwnPlace(), frames_};
  }
  void Back(const Mark& mark) {
    BackTo(mark.own);
    Free(mark.frames);
  }

 private:
  void* More(size_t bytes) override {
    if (!open_) {
      mj_markStack(d_);
      ++frames_;
      open_ = true;
    }
    return mj_stackAllocByte(d_, bytes, kAlign);
  }
  void Free(int frames) {
    for (; frames_ > frames; --frames_) mj_freeStack(d_);
    open_ = false;
  }

  mjData* d_;
  int frames_ = 0;     // of MuJoCo's stack, and whether
  bool open_ = false;  // the last one may grow
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SCRATCH_H_
