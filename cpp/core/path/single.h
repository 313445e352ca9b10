// One cylinder or sphere between two fixed nodes: a closed form, straight into the record.

#ifndef MUJOCABLE_CORE_PATH_SINGLE_H_
#define MUJOCABLE_CORE_PATH_SINGLE_H_

#include "core/math/inline.h"
#include "core/math/pair.h"
#include "core/path/verdict.h"
#include "core/state.h"
#include "core/surface/groove.h"

namespace mujocable {

// No iteration and no guess but the class. contact: of the record; remembered, memory: of the wrap,
// from the step before and for the next one;
// slack: of the cable in the step before [m].
void SolveSingle(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                 const double* remembered, Start start, const RouteLimits& limits, double slack,
                 double* memory, const Record& record, Verdict& verdict);

// whether a string has run off the end of a cylinder, with all of its contact
MUJOCABLE_INLINE inline bool RunsOff(const Wrap& wrap, const Touch& touch) {
  const Surface& s = wrap.surface;
  if (!touch.touching || s.kind != SurfaceKind::kCylinder) return false;
  if (wrap.endless || wrap.permanent || IsGrooved(s)) return false;
  const Pair height = Dot(s.rot.Column(2), PairOf(touch.p, touch.q) - s.pos);
  return Least(height) > s.half_length || Most(height) < -s.half_length;
}

enum class OnWheel {
  kIn,    // in its groove, held by flanges or by a keeper
  kPast,  // past the wheel, which takes no part
  kOut,   // out of the groove: derailed
};

// Where the cable between the neighbors a and b of a grooved wheel is. remembered: from the step
// before, nullptr where the route starts as it was authored. touch: the cable in the groove.
OnWheel LiesOnWheel(const Wrap& wrap, const Vec3& a, const Vec3& b, const Homotopy& way,
                    const double* remembered, double slack, Touch& touch);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SINGLE_H_
