// A string on a smooth surface shortens itself downhill, while it keeps to the surface.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_SHORTEN_H_
#define MUJOCABLE_CORE_PATH_SEARCH_SHORTEN_H_

#include <algorithm>

#include "core/path/budget.h"
#include "core/surface/surface.h"

namespace mujocable {

// The arc between the points of the geodesic of `touch` where a goes out of sight and b comes into
// sight, nearest to where it began and ended: what is left of an arc, or how far it grows, when its
// ends have moved by more than the curvature there foretells (over the flat face of a box).
bool Trim(const Surface& s, const Vec3& a, const Vec3& b, Budget& budget, Touch& touch);

// What a try with an arc of this length costs: one of a few turns counts once; where the cable runs
// outside an ellipsoid every point needs its foot point, over a spline every cell is a step.
inline int Price(const Surface& s, double arc) {
  const bool mesh = s.kind == SurfaceKind::kMesh;
  const double whole = (mesh ? kTryExtentsMesh : kTryExtents) * Extent(s);
  const int turns = 1 + static_cast<int>(std::clamp(arc / whole, 0.0, 1e3));
  return turns * (IsSpline(s) ? kSplinePrice : s.offset > 0 ? kOffsetPrice : 1);
}

// Shortens the string over one surface: the arc is moved aside and turned, its ends follow where
// the segments stay tangent to the surface. Newton's direction with the curvature made positive,
// the length as judge. Runs down long slopes where knots would creep; ends near a minimum (true),
// or where there is no arc left. Every try has its price.
bool Shorten(const Vec3& a, const Vec3& b, const Surface& s, double corner, Budget& budget,
             Touch& touch);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_SHORTEN_H_
