// Scratch memory of a callback.

#ifndef MUJOCABLE_PLUGIN_SCRATCH_H_
#define MUJOCABLE_PLUGIN_SCRATCH_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace mujocable {

// Scratch memory for the length of one callback: a small buffer here, MuJoCo's stack beyond it.
class Scratch {
 public:
  explicit Scratch(mjData* d) : d_(d) {}
  ~Scratch() {
    if (marked_) mj_freeStack(d_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // room for n objects, not initialized
  template <typename T>
  T* Take(size_t n) {
    static_assert(alignof(T) <= alignof(double));
    const size_t bytes = (n * sizeof(T) + 7) / 8 * 8;
    if (used_ + bytes <= sizeof buffer_) {
      T* room = reinterpret_cast<T*>(buffer_ + used_);
      used_ += bytes;
      return room;
    }
    if (!marked_) mj_markStack(d_);
    marked_ = true;
    return static_cast<T*>(mj_stackAllocByte(d_, bytes, alignof(double)));
  }

 private:
  mjData* d_;
  bool marked_ = false;
  size_t used_ = 0;
  alignas(double) unsigned char buffer_[4096];
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SCRATCH_H_
