// Whether two blocks of bytes are the same, for a step: in place, without a call.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_

#include <cstddef>
#include <cstring>

#include "core/math/simd.h"

namespace mujocable {

inline bool SameBytes(const char* a, const char* b, size_t size) {
  constexpr size_t kBlock = sizeof(LaneBits);
  if (size < kBlock) return std::memcmp(a, b, size) == 0;
  const auto difference = [&](size_t at) {
    LaneBits x, y;
    std::memcpy(&x, a + at, kBlock);
    std::memcpy(&y, b + at, kBlock);
    return x ^ y;
  };
  LaneBits all = difference(size - kBlock);  // the end, which may overlap the last whole block
  for (size_t at = 0; at + kBlock < size; at += kBlock) all = all | difference(at);
  return AllZero(all);
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_
