// An inside wrap: the cable goes through a tube or a hollow ball, and bears on its inner side.
//
// Where the straight line misses the circle, seen along the axis, the cable is led to it: it bends
// at the one point of the circle over which it is shortest, the same angle on both sides. Where the
// line goes through, or an end is inside, nothing is touched.

#ifndef MUJOCABLE_CORE_SURFACE_INSIDE_H_
#define MUJOCABLE_CORE_SURFACE_INSIDE_H_

#include "core/surface/surface.h"

namespace mujocable {

// cylinder and sphere
Touch TightenInside(const Surface& s, const Vec3& a, const Vec3& b);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_INSIDE_H_
