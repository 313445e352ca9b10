// An end inside a cylinder or sphere: the surface gives way, as little as it must.
//
// Seen along the axis, the circle shrinks to x^2 (3 - 2 x) of its radius r, with x = 2 m - 1 and
// m r the distance of the end from the axis; what is left is cut flat through the end, across the
// direction to it. The string runs along the flat to its edge, then around what is left. Where
// nothing is in its way, and half way to the axis and beyond, it is straight, as a native tendon
// is. The length and its gradient are continuous: at the surface they are those of an end outside.
//
// The pull on a buried end follows from that length, so that no motion of an end gains energy. It
// need not have the size of the tension: the flat moves with the end and bears on it.

#ifndef MUJOCABLE_CORE_SURFACE_BURIED_H_
#define MUJOCABLE_CORE_SURFACE_BURIED_H_

#include "core/surface/surface.h"

namespace mujocable {

// The string from a to b, at least one of them inside. way: as Tighten brought it up to date; for a
// sphere its plane says which way round. A buried end is its own entry or exit, and the tangent
// there is minus or plus the gradient of the length.
Touch TightenBuried(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// An inside wrap: the cable goes through a tube or a hollow ball, and bears on its inner side.
// Where the straight line misses the circle, seen along the axis, the cable is led to it: it bends
// at the one point of the circle over which it is shortest, the same angle on both sides. Where the
// line goes through, or an end is inside, nothing is touched.
Touch TightenInside(const Surface& s, const Vec3& a, const Vec3& b);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_BURIED_H_
