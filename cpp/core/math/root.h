// Where a function of one number vanishes, or a convex one is least.

#ifndef MUJOCABLE_CORE_MATH_ROOT_H_
#define MUJOCABLE_CORE_MATH_ROOT_H_

#include <cmath>

namespace mujocable {

// tries after which the best is taken as it is: halvings alone would leave rounding
inline constexpr int kMaxRootSteps = 60;

// The root of f between two places where it has values of either sign, to `exact`: false position,
// an end that stays put for long counts half.
template <typename Function>
double RootBetween(double low, double high, double at_low, double at_high, double exact,
                   const Function& f) {
  double u = INFINITY;
  int side = 0;
  for (int i = 0; i < kMaxRootSteps && high - low > exact; ++i) {
    const double before = u;
    u = low - at_low * (high - low) / (at_high - at_low);
    if (!(u > low && u < high)) u = 0.5 * (low + high);
    const double now = f(u);
    if (now == 0 || std::abs(u - before) < exact) return u;
    const int end = (now > 0) == (at_high > 0) ? 1 : -1;
    (end > 0 ? high : low) = u;
    (end > 0 ? at_high : at_low) = now;
    if (end == side) (end > 0 ? at_low : at_high) *= 0.5;
    side = end;
  }
  return 0.5 * (low + high);
}

// Where in [0, 1] a convex function is least, by its slope, to `exact`: from the guess u.
template <typename Slope>
double LeastAt(double u, double exact, const Slope& slope) {
  const double here = slope(u);
  if (here == 0) return u;
  const double end = here > 0 ? 0 : 1, there = slope(end);
  if (there == 0 || (there > 0) == (here > 0)) return end;
  return here > 0 ? RootBetween(end, u, there, here, exact, slope)
                  : RootBetween(u, end, here, there, exact, slope);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_ROOT_H_
