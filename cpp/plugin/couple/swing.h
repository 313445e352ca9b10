// Segments that swing: which they are, and what they pull with in the end.
//
// A tension T holds the ends of a segment of length l like a spring of T / l across it, and takes
// them past each other where they are light. Where bodies are light and segments short, as at the
// tip of a tentacle, a step does not resolve that, and with the direction at its beginning the
// bodies flutter (24).

#ifndef MUJOCABLE_PLUGIN_COUPLE_SWING_H_
#define MUJOCABLE_PLUGIN_COUPLE_SWING_H_

#include "plugin/couple/coupled.h"

namespace mujocable {

// Finds those of a cable, with the tensions that its material has; returns whether there are any.
bool FindSwings(const mjModel* m, const mjData* d, WaitingCable& one, Scratch& scratch);

// Tells the cable what they take away from the force, where the step ends with these velocities.
void SettleSwings(double step, const double* velocity, Scratch& scratch, WaitingCable& one);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_COUPLE_SWING_H_
