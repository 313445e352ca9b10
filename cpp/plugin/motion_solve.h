// Tensions of the cables of a group, found with its motion (21). Friction is that of the present
// slip: each cable has one direction in which it loads the bodies.

#ifndef MUJOCABLE_PLUGIN_MOTION_SOLVE_H_
#define MUJOCABLE_PLUGIN_MOTION_SOLVE_H_

#include "motion.h"

namespace mujocable {

// The constraints are those of MuJoCo's own solver, found by Newton's method with an exact line
// search; inside each Newton step the cables are solved exactly. tension: one per cable
void SolveMotion(const Motion& p, Scratch& scratch, double* tension);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_MOTION_SOLVE_H_
