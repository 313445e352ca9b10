// Memory for the length of one evaluation.

#ifndef MUJOCABLE_CORE_WORKSPACE_H_
#define MUJOCABLE_CORE_WORKSPACE_H_

#include <cstddef>

namespace mujocable {

// Room of its own; beyond that, whoever runs the evaluation says where more comes from. It is
// aligned for four numbers at a time, which the dense systems of the coupled solve gain by.
class Workspace {
 public:
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // room for n objects, not initialized
  template <typename T>
  T* Take(size_t n) {
    static_assert(alignof(T) <= alignof(double));
    const size_t bytes = (n * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    if (bytes > left_) return static_cast<T*>(More(bytes));
    T* taken = reinterpret_cast<T*>(room_);
    room_ += bytes;
    left_ -= bytes;
    return taken;
  }

 protected:
  Workspace() = default;
  ~Workspace() = default;

  static constexpr size_t kAlign = 32;  // of four doubles that are handled at once     [byte]
  // so many bytes, aligned at least for a double, for as long as this object lives
  virtual void* More(size_t bytes) = 0;

 private:
  // enough for two coupled cables of twenty guides (chosen: `arm_pulled` would notice)
  static constexpr size_t kRoom = 32768;

  unsigned char* room_ = own_;
  size_t left_ = kRoom;
  alignas(kAlign) unsigned char own_[kRoom];
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_WORKSPACE_H_
