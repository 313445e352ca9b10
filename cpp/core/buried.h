// An end inside a cylinder or sphere: the surface gives way, as little as it must.
//
// Seen along the axis, the circle shrinks from radius r to r m (2 - m), with m = (distance of the
// end from the axis) / r, and is cut flat through the end, across the direction to it. The string
// runs along the flat to its edge, then around what is left; where nothing is in its way it is
// straight, as a native tendon is. The length and its gradient are continuous: at the surface they
// are those of an end outside, on the axis the string is straight.
//
// The pull on a buried end follows from that length, so that no motion of an end gains energy. It
// need not have the size of the tension: the flat moves with the end and bears on it.

#ifndef MUJOCABLE_CORE_BURIED_H_
#define MUJOCABLE_CORE_BURIED_H_

#include "surface.h"

namespace mujocable {

// The string from a to b, at least one of them inside. way: as Tighten brought it up to date; for a
// sphere its plane says which way round. A buried end is its own entry or exit, and the tangent
// there is minus or plus the gradient of the length.
Touch TightenBuried(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BURIED_H_
