// Friction at the end of a step (22): the ratios of (13) for the slip that the step leads to.
//
// The slip of every contact follows from the rates at the end of the step, and the tension beyond
// it from the slip: where friction could turn a light sheave around within one step, it sees that
// it does.

#ifndef MUJOCABLE_CORE_IMPLICIT_SLIP_H_
#define MUJOCABLE_CORE_IMPLICIT_SLIP_H_

#include "lanes.h"

namespace mujocable {

// the contacts of a cable that rub, source first
struct ImplicitSlip {
  int n = 0;
  const double* exponent = nullptr;  // mu phi of (13)
  const double* fraction = nullptr;  // l_i / L of (8)
  const double* now = nullptr;       // slip at the start of the step                   [m/s]
  double slip_speed = 1;             // v_s of (10)                                     [m/s]
  double weight = 0;                 // of the slip at the end; 0: explicit
};

// Given the rates at the end of the step, of the stretch and of the path beyond each contact:
// slip [m/s] that friction sees, ratio of the tension beyond each contact to that of the source,
// and how fast the logarithm of its own factor grows with the slip at the end [s/m].
inline void EndRatios(const ImplicitSlip& s, double stretch_rate, const double* growth,
                      double* slip, double* ratio, double* slope) {
  const double inverse = 1 / s.slip_speed, steepness = s.weight * inverse;
  // contacts one by one or four at a time, which round alike; returns what multiplies the tension
  const auto factor = [&]<typename Number>(const Number& grows, const Number& fraction,
                                           const Number& now, const Number& exponent, Number& u,
                                           Number& steep) {
    const Number end = grows - stretch_rate * fraction;
    u = now + s.weight * (end - now);
    const Number direction = Tanh(u * All<Number>(inverse));
    steep = steepness * exponent * (1 - direction * direction);
    return Exp(direction * exponent);
  };
  double product = 1;
  int i = 0;
  for (; i + kLanes <= s.n; i += kLanes) {
    Lanes u, steep;
    const Lanes factors = factor(LoadLanes(growth + i), LoadLanes(s.fraction + i),
                                 LoadLanes(s.now + i), LoadLanes(s.exponent + i), u, steep);
    StoreLanes(slip + i, u);
    StoreLanes(slope + i, steep);
    for (int j = 0; j < kLanes; ++j) ratio[i + j] = product *= factors[j];
  }
  for (; i < s.n; ++i) {
    ratio[i] = product *=
        factor(growth[i], s.fraction[i], s.now[i], s.exponent[i], slip[i], slope[i]);
  }
}

// Weight of a cable whose contacts would undo `ratio` of their slip within one step (23). Explicit
// friction is stable below 2, and a mixture as long as the weight is above (ratio - 2) / (2 ratio):
// the blend of a cable that is alone begins at 1.75 and ends at 3.5. Several cables may load the
// same bodies, and what each of them would undo adds up.
inline constexpr double kSlipSoft = 0.5, kSlipSoftAlone = 1.75;

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_IMPLICIT_SLIP_H_
