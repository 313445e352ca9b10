// Whether two blocks of bytes are the same, for a step: in place, without a call.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && defined(__AVX__)
#include <immintrin.h>
#endif

namespace mujocable {

inline bool SameBytes(const char* a, const char* b, size_t size) {
#if defined(__GNUC__)
  using Words = uint64_t __attribute__((vector_size(32)));
#else
  struct Words {
    uint64_t v[4];
    uint64_t operator[](int i) const { return v[i]; }
    Words operator^(const Words& o) const {
      return {{v[0] ^ o.v[0], v[1] ^ o.v[1], v[2] ^ o.v[2], v[3] ^ o.v[3]}};
    }
    Words operator|(const Words& o) const {
      return {{v[0] | o.v[0], v[1] | o.v[1], v[2] | o.v[2], v[3] | o.v[3]}};
    }
  };
#endif
  constexpr size_t kBlock = sizeof(Words);
  if (size < kBlock) return std::memcmp(a, b, size) == 0;
  const auto difference = [&](size_t at) {
    Words x, y;
    std::memcpy(&x, a + at, kBlock);
    std::memcpy(&y, b + at, kBlock);
    return x ^ y;
  };
  Words all = difference(size - kBlock);  // the end, which may overlap the last whole block
  for (size_t at = 0; at + kBlock < size; at += kBlock) all = all | difference(at);
#if defined(__GNUC__) && defined(__AVX__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(all), reinterpret_cast<__m256i>(all));
#else
  return (all[0] | all[1] | all[2] | all[3]) == 0;
#endif
}

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_BYTES_H_
