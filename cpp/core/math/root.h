// Where a function of one number vanishes, or a convex one is least.

#ifndef MUJOCABLE_CORE_MATH_ROOT_H_
#define MUJOCABLE_CORE_MATH_ROOT_H_

#include <algorithm>
#include <cmath>

namespace mujocable {

// tries after which the best is taken as it is: three for each halving that a double has
inline constexpr int kMaxRootSteps = 156;

// The root of f between two places where it has values of either sign, to `exact`: false position,
// an end that stays put counts half, and if that does not help the interval is halved.
template <typename Function>
double RootBetween(double low, double high, double at_low, double at_high, double exact,
                   const Function& f) {
  int same = 0;  // how often the upper end has moved without the lower one; negative: the other way
  for (int i = 0; i < kMaxRootSteps && high - low > exact; ++i) {
    double u = low - at_low * (high - low) / (at_high - at_low);
    if (!(u > low && u < high) || std::abs(same) > 2) u = 0.5 * (low + high);
    // beside an end by what matters: a root next to it is closed in at once
    u = std::clamp(u, low + 0.5 * exact, high - 0.5 * exact);
    const double now = f(u);
    if (now == 0) return u;
    const bool upper = (now > 0) == (at_high > 0);
    (upper ? high : low) = u;
    (upper ? at_high : at_low) = now;
    same = upper ? std::max(same, 0) + 1 : std::min(same, 0) - 1;
    if (std::abs(same) > 1) (upper ? at_low : at_high) *= 0.5;
  }
  return 0.5 * (low + high);
}

// Where in [0, 1] a convex function is least, by its slope, to `exact`: from the guess u.
template <typename Slope>
double LeastAt(double u, double exact, const Slope& slope) {
  const double here = slope(u), end = here > 0 ? 0 : 1;
  if (here == 0 || u == end) return u;
  const double there = slope(end);
  if (there == 0 || (there > 0) == (here > 0)) return end;
  return here > 0 ? RootBetween(end, u, there, here, exact, slope)
                  : RootBetween(u, end, here, there, exact, slope);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_ROOT_H_
