// Hash: FNV-1a over bytes.

#ifndef MUJOCABLE_CORE_MATH_HASH_H_
#define MUJOCABLE_CORE_MATH_HASH_H_

#include <cstddef>
#include <cstdint>

namespace mujocable {

class Hash {
 public:
  void Bytes(const void* data, size_t size) {
    const unsigned char* bytes = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 1099511628211u;
  }
  void Number(double x) { Bytes(&x, sizeof x); }
  void Numbers(const double* x, size_t n) { Bytes(x, n * sizeof *x); }

  uint64_t Bits() const { return value_; }
  // as a double that is exact and never zero
  double Value() const { return static_cast<double>(1 + (value_ >> 12)); }

 private:
  uint64_t value_ = 1469598103934665603u;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_HASH_H_
