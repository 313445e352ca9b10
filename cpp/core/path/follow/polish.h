// The taut string by Newton's method, from a guess nearby.

#ifndef MUJOCABLE_CORE_PATH_FOLLOW_POLISH_H_
#define MUJOCABLE_CORE_PATH_FOLLOW_POLISH_H_

#include "core/path/span.h"
#include "core/path/tolerance.h"

namespace mujocable {

// how a Newton run may end
struct Bounds {
  double reach = kTrust;   // no contact ends further from its start than this          [radii]
  double longest = 1e300;  // nor the path longer                                       [m]
  bool followed = false;   // small steps, none of them across a fold: nothing snapped
  bool saddle = false;     // on no minimum either, if it is not longer
  double start_error = 0;  // out: path error of the guess                              [rad]
  bool certain = false;    // a guess that is a path may still be a maximum: look
  int iterations = 0;      // out: of Newton's method
};

// Newton on the touching wraps of a span, lifted ones left out. The guess need
// not be taut, so its length says nothing. A minimum nearby is what the Jacobian's determinant
// calls one: at a solution it is the product of the curvatures at all contacts and of the reduced
// Hessian of the length, positive at a minimum, negative beyond a fold. An arc that came out
// negative has lifted.
bool Polish(const Strand& strand, Bounds& bounds);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_POLISH_H_
