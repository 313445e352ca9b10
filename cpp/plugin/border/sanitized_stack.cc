// Compiled with AddressSanitizer, MuJoCo's headers call stack functions that only a library built
// with it has. The wheel's library has the plain ones: go on to these.

#include <mujoco/mujoco.h>

#ifdef mjUSEASAN

extern "C" {

void PlainMarkStack(mjData* d) __asm__("mj_markStack");
void PlainFreeStack(mjData* d) __asm__("mj_freeStack");

void mj__markStack(mjData* d) { PlainMarkStack(d); }
void mj__freeStack(mjData* d) { PlainFreeStack(d); }
}

#endif
