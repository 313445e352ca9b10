// Memory for the length of one evaluation.

#ifndef MUJOCABLE_CORE_WORKSPACE_H_
#define MUJOCABLE_CORE_WORKSPACE_H_

#include <cstddef>

namespace mujocable {

// Room of its own for a path of some dozen elements with its cells; beyond that, whoever runs the
// evaluation says where more comes from.
class Workspace {
 public:
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // room for n objects, not initialized
  template <typename T>
  T* Take(size_t n) {
    static_assert(alignof(T) <= alignof(double));
    const size_t bytes = (n * sizeof(T) + 7) / 8 * 8;
    if (bytes > left_) return static_cast<T*>(More(bytes));
    T* taken = reinterpret_cast<T*>(room_);
    room_ += bytes;
    left_ -= bytes;
    return taken;
  }

 protected:
  Workspace() = default;
  ~Workspace() = default;

  // so many bytes, aligned for a double, for as long as this object lives
  virtual void* More(size_t bytes) = 0;

 private:
  static constexpr size_t kRoom = 8192;

  unsigned char* room_ = own_;
  size_t left_ = kRoom;
  alignas(double) unsigned char own_[kRoom];
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_WORKSPACE_H_
