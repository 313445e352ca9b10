// What of a step must not become a call, however often it is used, and what must.

#ifndef MUJOCABLE_CORE_MATH_INLINE_H_
#define MUJOCABLE_CORE_MATH_INLINE_H_

#if defined(__GNUC__)
#define MUJOCABLE_INLINE __attribute__((always_inline))
#define MUJOCABLE_COLD __attribute__((noinline))  // rare, and would only be in the way
#else
#define MUJOCABLE_INLINE
#define MUJOCABLE_COLD
#endif

#endif  // MUJOCABLE_CORE_MATH_INLINE_H_
