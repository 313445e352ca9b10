// The touching wraps of a span as a chain of geodesics, and Newton's method on it.

#ifndef MUJOCABLE_CORE_PATH_FOLLOW_CHAIN_H_
#define MUJOCABLE_CORE_PATH_FOLLOW_CHAIN_H_

#include "core/math/band.h"
#include "core/path/span.h"
#include "core/path/tolerance.h"

namespace mujocable {

// the touching wraps as geodesics, with the straight segments between them
struct Chain {
  int n = 0;
  // an end that lies on the first or last wrap is where the string is clamped to a drum: there is
  // no segment before it, the contact cannot move
  bool clamped_start = false, clamped_end = false;
  double error = 0;      // largest component of (2)
  double merit = 0;      // the same times the length of the segment, in radii
  double tolerance = 0;  // what rounding lets it reach
  int index[kMaxSpanWraps];
  double length[kMaxSpanWraps + 1];
  Room<Geodesic, kMaxSpanWraps> arc;
  Room<Vec3, kMaxSpanWraps + 1> direction;
};

// velocities and rotations of the end frames under the four natural variations, (4)
struct Variation {
  Vec3 v[kBlock], w[kBlock];
};

Variation AtStart(const Geodesic& g);
Variation AtEnd(const Geodesic& g);

// the touching wraps of a span as a chain; false when a keeper holds one
bool MakeChain(const Strand& strand, Chain& chain);

// a run of Newton's method: how it may go and end, and how it went
struct Run {
  double reach = kTrust;   // no contact ends further from its start than this          [radii]
  double longest = 1e300;  // nor the path longer                                       [m]
  bool followed = false;   // small steps, none of them across a fold: nothing snapped
  // the guess is what descent found: the path is no longer
  bool descended = false;
  bool certain = false;    // a guess that is a path may still be a maximum: look
  double start_error = 0;  // out: path error of the guess                              [rad]
  double sign = 1;         // out: of the last Jacobian's determinant
  bool folded = false;     // out: whether any was negative
  int iterations = 0;      // out
};

// Newton from the first of two chains, as far as it improves; returns the one where it ended. With
// smooth surfaces arcs may become negative.
const Chain& Newton(const Strand& strand, Chain chains[2], Run& run);

// the solved arcs as contacts
void StoreTouches(const Chain& chain, const Strand& strand);

double Length(const Chain& chain);

// Newton on the touching wraps of a span, lifted ones left out; true: a path. The guess need not be
// taut, so its length says nothing. A minimum nearby is what the Jacobian's determinant calls one:
// at a solution it is the product of the curvatures at all contacts and of the reduced Hessian of
// the length, positive at a minimum, negative beyond a fold. An arc that came out negative has
// lifted.
bool Polish(const Strand& strand, Run& run);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_CHAIN_H_
