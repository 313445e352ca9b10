// Scratch memory of a callback.

#ifndef MUJOCABLE_PLUGIN_SCRATCH_H_
#define MUJOCABLE_PLUGIN_SCRATCH_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace mujocable {

// Scratch memory for the length of one callback: room of its own for a path of some dozen elements
// with its cells, MuJoCo's stack beyond.
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
    if (bytes <= left_) {
      T* taken = reinterpret_cast<T*>(room_);
      room_ += bytes;
      left_ -= bytes;
      return taken;
    }
    if (!marked_) mj_markStack(d_);
    marked_ = true;
    return static_cast<T*>(mj_stackAllocByte(d_, bytes, alignof(double)));
  }

 private:
  static constexpr size_t kRoom = 24576;

  mjData* d_;
  unsigned char* room_ = own_;
  size_t left_ = kRoom;
  bool marked_ = false;
  alignas(double) unsigned char own_[kRoom];
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SCRATCH_H_
