// Pull-only axial law (11): stretch and its rate -> tension.

#ifndef MUJOCABLE_CORE_LAW_AXIAL_H_
#define MUJOCABLE_CORE_LAW_AXIAL_H_

#include <algorithm>
#include <cmath>

#include "core/math/simd.h"
#include "core/record.h"

namespace mujocable {

struct AxialParameters {
  double stiffness = 0;           // kappa                                              [N/m]
  double damping = 0;             // d                                                  [N s/m]
  double transition = 0;          // a: width over which stiffness and damping set in    [m]
  double reserve = 0;             // s: dead band before the cable pulls                 [m]
  double pretension = 0;          // p: cable taken in at home                           [m]
  double home_length = 0;         // L_0                                                [m]
  double max_tension = 0;         // Tmax                                               [N]
  bool rigid = false;             // it keeps its rigidity, stiffness times length, not kappa
  bool length_rate_only = false;  // damping on the length rate alone, as in the paper
};

// psi_a and its integral, eta_a
inline double Onset(double e, double a) {
  if (e <= 0) return 0;
  return e < a ? e * e / (2 * a) : e - a / 2;
}
template <typename Number>  // one, or several at a time
Number OnsetEnergy(const Number& e, const Number& a) {
  const Number taut = 0.5 * (e * e);
  if (AllZero(a)) return Select(0 - e, taut, All<Number>(0));
  const Number begun = e * e * e / (6 * a);
  const Number whole = taut - 0.5 * (a * e) + a * a * (1.0 / 6);
  return Select(0 - e, Select(e - a, begun, whole), All<Number>(0));
}
inline double DampingGate(double e, double a) {
  if (e <= 0) return 0;
  return e < a ? e / a : 1;
}

// stretch at which the elastic tension is `tension`
inline double StretchFor(double tension, double stiffness, double a) {
  const double psi = tension / stiffness;
  return psi >= a / 2 ? psi + a / 2 : std::sqrt(2 * a * psi);
}

// tension of a cable, or of one piece of it that nothing divides, at this stretch and its rate
inline double AxialTension(const AxialParameters& p, double e, double rate) {
  const double pull =
      p.stiffness * Onset(e, p.transition) + p.damping * DampingGate(e, p.transition) * rate;
  return std::min(std::max(pull, 0.0), p.max_tension);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_AXIAL_H_
