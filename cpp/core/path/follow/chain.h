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

// how a Newton run went
struct Run {
  // in: no contact moves or turns further in one step                                [radii, rad]
  double stride = kNewtonStride;
  bool certain = false;  // in: look at the determinant, also of a guess that is a path already
  double sign = 1;       // of the last Jacobian's determinant
  bool folded = false;   // whether any was negative
  int iterations = 0;
};

// Newton from the first of two chains, as far as it improves; returns the one where it ended. With
// smooth surfaces arcs may become negative.
const Chain& Newton(const Strand& strand, bool smooth, Chain chains[2], Run& run);

// the solved arcs as contacts
void StoreTouches(const Chain& chain, const Strand& strand);

double Length(const Chain& chain);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_FOLLOW_CHAIN_H_
