// Scratch memory of a callback.

#ifndef MUJOCABLE_PLUGIN_SCRATCH_H_
#define MUJOCABLE_PLUGIN_SCRATCH_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace mujocable {

// Scratch memory for the length of one callback: the room that comes with it, MuJoCo's stack
// beyond.
class Scratch {
 public:
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

 protected:
  Scratch(mjData* d, unsigned char* room, size_t size) : d_(d), room_(room), left_(size) {}

 private:
  mjData* d_;
  unsigned char* room_;
  size_t left_;
  bool marked_ = false;
};

// Scratch with room of its own, as much as is mostly used: more would only lie between what is.
template <size_t size>
class ScratchWith : public Scratch {
 public:
  explicit ScratchWith(mjData* d) : Scratch(d, room_, sizeof room_) {}

 private:
  alignas(double) unsigned char room_[size];
};
using SmallScratch = ScratchWith<192>;   // a load on two dozen dofs
using RoomyScratch = ScratchWith<8192>;  // a path of some dozen elements, with its cells

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SCRATCH_H_
