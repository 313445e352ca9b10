// One cylinder or sphere between two fixed nodes: a closed form, straight into the record.

#ifndef MUJOCABLE_CORE_PATH_SINGLE_H_
#define MUJOCABLE_CORE_PATH_SINGLE_H_

#include <algorithm>
#include <cmath>

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

// Its parts are in the header, to be inlined.

// whether a string has run off the end of a cylinder, with all of its contact
MUJOCABLE_INLINE inline bool RunsOff(const Wrap& wrap, const Touch& touch) {
  const Surface& s = wrap.surface;
  if (!touch.touching || s.kind != SurfaceKind::kCylinder) return false;
  if (wrap.endless || wrap.permanent || IsGrooved(s)) return false;
  const Pair height = Dot(s.rot.Column(2), PairOf(touch.p, touch.q) - s.pos);
  return Least(height) > s.half_length || Most(height) < -s.half_length;
}

// Which way round the string went in the step before. Nothing but a hint holds it on the longer way
// around a sphere.
MUJOCABLE_INLINE inline Homotopy RememberedWay(const RoundSurface& s, const double* remembered,
                                               double bias, bool hinted) {
  const WrapMemory old = LoadMemory(remembered);
  Homotopy way;
  way.swept = old.swept + bias;
  way.shorter = !hinted;
  if (ArcShowsWay(s) && old.touching) way.plane = Rotate(s.rot, Cross(old.point, old.tangent));
  return way;
}

// What a closed form claims, measured: entry and exit lie on the surface, and the segments run
// along the tangents there, so that no corner is left.
MUJOCABLE_INLINE inline void CheckSingle(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                         const Touch& touch, double& overrun, Verdict& verdict) {
  const Pair3 point = PairOf(touch.p, touch.q), from_center = point - s.pos;
  Pair height = Both(0);
  if (s.kind == SurfaceKind::kCylinder) {
    height = Dot(s.rot.Column(2), from_center);
    overrun = Overrun(s, height);
  }
  // to first order, without a root
  const Pair off = Dot(from_center, from_center) - height * height - s.radius * s.radius;
  verdict.surface_error = std::max(verdict.surface_error, MostSize(off) / (2 * s.radius));

  if (touch.held) return;
  const Pair length = {touch.before, touch.after};
  const Pair3 astray =
      (point - PairOf(a, b)) - (Pair{1, -1} * length) * PairOf(touch.t_p, touch.t_q);
  const Pair kinks = Dot(astray, astray) / (length * length);
  const double square = Most(Select(length - kShortSegment * s.radius, Both(0), kinks));
  verdict.smoothness = std::max(verdict.smoothness, std::sqrt(square));
}

// path and memory of one closed form; returns the length of the path
MUJOCABLE_INLINE inline double WriteSingle(const RoundSurface& s, const Vec3& a, const Vec3& b,
                                           double bias, const Touch& touch, int contact,
                                           double* memory, const Record& record, Verdict& verdict) {
  double overrun = 0;
  if (touch.touching) CheckSingle(s, a, b, touch, overrun, verdict);
  record.touching()[contact] = touch.touching;
  record.wrap_angle()[contact] = touch.turn;
  record.arc()[contact] = touch.arc;
  record.overrun()[contact] = overrun;
  Store(record.entry() + 3 * contact, touch.p);
  Store(record.exit() + 3 * contact, touch.q);
  WrapMemory now;
  now.touching = touch.touching;
  now.swept = touch.way.swept - bias;
  double length;
  if (touch.touching) [[likely]] {
    Store(record.direction() + 3 * contact, touch.t_p);
    Store(record.direction() + 3 * (contact + 1), touch.t_q);
    record.segment()[contact] = touch.before;
    record.segment()[contact + 1] = touch.after;
    length = touch.before + touch.arc + touch.after;
    if (ArcShowsWay(s)) {
      now.point = Unrotate(s.rot, touch.p - s.pos);
      now.tangent = Unrotate(s.rot, touch.t_p);
    }
  } else {
    // one straight segment, the next one has no length
    const Vec3 d = b - a;
    length = Norm(d);
    const Vec3 e = length > kShortSegment * s.radius ? (1 / length) * d : Vec3{};
    Store(record.direction() + 3 * contact, e);
    Store(record.direction() + 3 * (contact + 1), e);
    record.segment()[contact] = length;
    record.segment()[contact + 1] = 0;
  }
  StoreMemory(memory, now);
  return length;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SINGLE_H_
