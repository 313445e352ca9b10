// One cell of a cable in numbers: size, stiffness, energy.

#ifndef MUJOCABLE_CORE_LAW_CELL_H_
#define MUJOCABLE_CORE_LAW_CELL_H_

#include <algorithm>
#include <array>
#include <cmath>

#include "core/law/material.h"

namespace mujocable {

// a cell has at least this part of the path as its length, so that its stiffness is a number
inline constexpr double kShortestCell = 1e-9;

// 1 / count of the sub-contacts
inline constexpr auto kParts = [] {
  std::array<double, kSubcontacts + 1> parts{};
  for (int k = 1; k <= kSubcontacts; ++k) parts[k] = 1.0 / k;
  return parts;
}();

inline double Size(const AxialStep& step, const Material& m, int j) {
  return std::max(m.length[j], kShortestCell * step.length);
}

// stiffness times length of a cell; a commanded cable may have none of its own, and takes the most
inline double Rigidity(const AxialStep& step) {
  const double own = step.axial.stiffness * step.length;
  return own > 0 || step.most_hold == 0 ? own : INFINITY;
}

// Damping of the cells of a commanded cable, in parts of their stiffness times the step: that
// stiffness is not the cable's, nor may it vibrate (chosen; half of it is what a step can follow;
// test_a_wheel_comes_to_rest_on_its_string would notice)
inline constexpr double kHoldDamping = 0.25;

// stiffness of a cell
inline double Hold(const AxialStep& step, double size) {
  const double own = Rigidity(step) / size;
  return step.most_hold == 0 ? own : std::min(own, step.most_hold);
}

// what the energy of a cable's pieces follows from, of one cable or of several
template <typename Number>
struct Elastic {
  Number stiffness, length, onset;  // of the whole cable                          [N/m], [m], [m]
  bool rigid;                       // as in AxialStep
  Number rigidity = stiffness * length, onset_strain = onset / length;
};
template <typename Number>
Elastic<Number> ElasticOf(const AxialStep& step) {
  return {All<Number>(step.axial.stiffness), All<Number>(step.length),
          All<Number>(step.commanded ? 0 : step.axial.transition), step.rigid};
}

// Elastic energy of a piece of this size with this stretch [J]: the work of (13), or of (11). Of
// one piece, or of several at a time.
template <typename Number>
Number StoredEnergy(const Elastic<Number>& cable, const Number& size, const Number& stretch) {
  if (!cable.rigid) return cable.stiffness * OnsetEnergy(stretch, cable.onset);
  // no piece with material is strained by more than 1: beyond, a damper holds what has no length
  const Number zero = All<Number>(0), one = All<Number>(1);
  const Number strain = Select(0 - size, stretch / size, zero);
  const Number taut = Select(strain, zero, strain), beyond = Select(1 - taut, taut - 1, zero);
  const Number x = Select(1 - taut, one, taut);
  // (1 - y) times the integral of psi(z) / (1 - z)^2 up to y, as series: 0.2 % at one half. Of a
  // line, y + (1 - y) ln(1 - y); of z^2 / 2
  const auto of_line = [](const Number& y) {
    return 0.5 * y * y * (1 + y * (1.0 / 3 + y * (1.0 / 6 + y * (1.0 / 10 + y * (1.0 / 15)))));
  };
  const auto of_square = [](const Number& y) {
    return y * y * y *
           (1.0 / 6 + y * (1.0 / 12 + y * (1.0 / 20 + y * (1.0 / 30 + y * (1.0 / 42)))));
  };
  Number energy = of_line(x);
  if (!AllZero(cable.onset_strain)) {
    // what is not there yet where it sets in, and half of that strain further on
    const Number a = cable.onset_strain, begun = Least(x, a), rest = (1 - x) / (1 - begun);
    // (1e-300: where nothing sets in, zero over it is zero)
    const Number lacking = of_line(begun) - of_square(begun) / (a + 1e-300);
    const Number further = 0.5 * a * (x - begun) / (1 - begun);
    energy = energy - Select(begun - x, rest * lacking + further, lacking);
  }
  return cable.rigidity * size * (energy + beyond);
}

// What it costs to take a length of material out of a piece with this tension, over that tension:
// the material was strained too, so its energy comes back only in part (13). pull: the tension over
// the rigidity; onset: the strain over which that sets in.
inline double CostOfMaterial(double pull, double onset) {
  if (!(pull > 0)) return 1;
  const double x = std::min(StretchFor(pull, 1, onset), 0.9);  // as far as any cable goes
  const double begun = std::min(x, onset);
  // the integral of T' / (1 - x); where it sets in, as a series: exact to 1e-4 at an onset of 0.1
  double worth = std::log1p(-begun) - std::log1p(-x);
  if (begun > 0) {
    worth += begun * begun / onset * (1.0 / 2 + begun * (1.0 / 3 + begun * (1.0 / 4)));
  }
  return worth / Onset(x, onset);
}

// What a length of material gives where it leaves a piece with this tension, for CostOfMaterial:
// its strain by constant rigidity. softness: 1 / that; 0: of material that keeps no energy.
template <typename Number>
Number WorthOfMaterial(const Number& tension, const Number& softness) {
  const Number x = tension * softness;
  return tension * (1 + x * (1.0 / 2 + x * (1.0 / 3 + x * (1.0 / 4))));
}

// how much of its friction a contact uses: part of the largest difference of tensions
template <typename Number>
Number ConeOf(const Number& before, const Number& after, const Number& most) {
  const Number zero = All<Number>(0), one = All<Number>(1);
  const Number less = Select(before - after, before, after);
  const Number most_used = less * (most - 1), used = before + after - 2 * less;
  const Number part = used / Select(zero - most_used, most_used, one);
  return Select(zero - most_used, Select(part - 1, part, one), zero);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_CELL_H_
