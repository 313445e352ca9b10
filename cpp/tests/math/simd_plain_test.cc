// The same tests where the compiler has no vectors.

#define MUJOCABLE_PLAIN_PACKS
#include "tests/math/simd_test.cc"
