// The taut string over smooth surfaces by Newton, and over one of them from afar.

#ifndef MUJOCABLE_CORE_PATH_TIGHTEN_SMOOTH_H_
#define MUJOCABLE_CORE_PATH_TIGHTEN_SMOOTH_H_

#include "core/path/chain.h"

namespace mujocable {

// an end this deep inside a surface leaves no path over it                          [radii]
inline constexpr double kBuried = 1e-3;

inline constexpr double kFar = 4;  // how far a string is followed                     [radii]
inline constexpr double kSmallMove = 0.1;  // path error below which a step counts as small [rad]

// how a Newton run on smooth surfaces may end
struct Bounds {
  double reach = kTrust;   // no contact ends further from its start than this          [radii]
  double longest = 1e300;  // nor the path longer                                       [m]
  bool followed = false;   // small steps, none of them across a fold: nothing snapped
  double start_error = 0;  // out: path error of the guess                              [rad]
  bool certain = false;    // a guess that is a path already is no minimum for that
};

// Newton on the touching wraps of a span with smooth surfaces, lifted ones left out. The guess need
// not be taut, so its length says nothing. A minimum nearby is what the Jacobian's determinant
// calls one: at a solution it is the product of the curvatures at all contacts and of the reduced
// Hessian of the length, positive at a minimum, negative beyond a fold. An arc that came out
// negative has lifted.
bool PolishSmooth(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Bounds& bounds,
                  int& iterations);

// The string over one smooth surface, from the guess in w.touch. Not solved: the best that knots
// know, or the guess. `effort`: tries it may still make, shared by all wraps of a span.
Touch TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, int& effort, bool& solved);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_TIGHTEN_SMOOTH_H_
