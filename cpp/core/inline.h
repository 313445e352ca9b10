// Small functions of the step that must not become calls, however often they are used.

#ifndef MUJOCABLE_CORE_INLINE_H_
#define MUJOCABLE_CORE_INLINE_H_

#if defined(__GNUC__)
#define MUJOCABLE_INLINE __attribute__((always_inline))
#else
#define MUJOCABLE_INLINE
#endif

#endif  // MUJOCABLE_CORE_INLINE_H_
