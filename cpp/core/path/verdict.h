// What the solved spans of a route add up to, and the rules that all of them share.

#ifndef MUJOCABLE_CORE_PATH_VERDICT_H_
#define MUJOCABLE_CORE_PATH_VERDICT_H_

#include "core/math/angle.h"
#include "core/path/route.h"
#include "core/path/tolerance.h"

namespace mujocable {

struct Verdict {
  double smoothness = 0, surface_error = 0, penetration = 0;
  int iterations = 0;
  bool converged = true, pierced = false;
  // the contact that something happened at, -1: nowhere
  int loose = -1, slipped = -1, let_go = -1, derailed = -1;
  int derailments = 0;  // wraps that the cable left in this step
};

// the first of them is the one to name
inline void Name(int& contact, int happened) {
  if (contact < 0) contact = happened;
}

// how deep a path may cut into a surface
inline double Allowed(const RouteLimits& limits, const Surface& s) {
  return limits.penetration >= 0 ? limits.penetration : kDefaultDepth * s.radius;
}

// the surface point above x
inline Vec3 Project(const Surface& s, const Vec3& x) { return x - Distance(s, x) * Normal(s, x); }

// angle between two unit vectors
inline double Angle(const Vec3& u, const Vec3& v) { return AngleOf(Norm(Cross(u, v)), Dot(u, v)); }

// Whether a wrap starts where it was authored, not where it is remembered: after a reset that is
// the pose at home, and says nothing of another one. Smooth surfaces without a hint do, since their
// string is followed; so do cylinders whose hinges tell the windings.
inline bool Authored(const Wrap& w, Start start) {
  if (start == Start::kReset) return !w.follows_hinges && (w.has_hint || !IsSmooth(w.surface));
  return start == Start::kAuthored;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_VERDICT_H_
