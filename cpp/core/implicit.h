// Implicit tension (19)-(21): the axial law at the end of a step, for all cables of a model at
// once.
//
// The stretch rate of cable i at the end of the step is rate_i = free_i - sum_j response_ij T_j:
// what the bodies would do without the cables, less what the tensions change. The tensions follow
// the axial law at that rate, so a stiff cable sees its own effect within the step.

#ifndef MUJOCABLE_CORE_IMPLICIT_H_
#define MUJOCABLE_CORE_IMPLICIT_H_

#include "axial.h"
#include "dense.h"

namespace mujocable {

// a cable whose tension is found together with the motion of the step
struct ImplicitCable {
  AxialParameters axial;
  double stretch = 0;           // at the start of the step                            [m]
  double motor_rate = 0;        // part of the stretch rate that damping does not see   [m/s]
  double step = 0;              //                                                     [s]
  double explicit_tension = 0;  // the law at the start of the step                     [N]
  double weight = 1;            // 0: explicit, 1: implicit, between: a blend
};

// (19) tension where the stretch rate at the end of the step is `rate`, and its slope [N s/m]
double ImplicitTension(const ImplicitCable& c, double rate, double& slope);

// share of the implicit law of a cable that the step resolves to this degree: 0 below `soft`, 1
// above twice that, smooth between. `ratio`: how much of its tension a cable undoes within one step
// (20).
inline constexpr double kSoft = 0.05;
inline double ImplicitWeight(double ratio, double soft = kSoft) {
  if (!(ratio > soft)) return 0;
  const double x = ratio / soft - 1;
  return x < 1 ? x * x * (3 - 2 * x) : 1;
}

// numbers of scratch that SolveTensions needs
inline int ImplicitScratch(int n) { return n * Padded(n) + 4 * n; }

// Solves (21) for the tensions and rates of n cables. response: row-major [n, n], [m/s per N].
// Newton's method; where that stalls, one cable after the other until they agree. Returns false
// where neither converged: `tension` then is the best found, never negative and never above limit.
bool SolveTensions(const ImplicitCable* cables, int n, const double* free_rate,
                   const double* response, double* scratch, double* rate, double* tension);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_IMPLICIT_H_
