#include "core/path/single.h"

#include <algorithm>
#include <cmath>

#include "core/surface/buried.h"
#include "core/surface/cylinder.h"
#include "core/surface/sphere.h"

namespace mujocable {
namespace {

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

// path and memory of one closed form
MUJOCABLE_INLINE inline void WriteSingle(const RoundSurface& s, const Vec3& a, const Vec3& b,
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
  record.length() += length;
}

// a path whose contacts are not on the surface
MUJOCABLE_COLD void WriteUnchecked(const Wrap& wrap, const Vec3& a, const Vec3& b,
                                   const Touch& touch, int contact, double* memory,
                                   const Record& record) {
  Verdict unchecked;
  WriteSingle(wrap.surface, a, b, wrap.bias, touch, contact, memory, record, unchecked);
}

// the path past a wrap that takes no part
MUJOCABLE_COLD void WritePast(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                              Release reason, double* memory, const Record& record) {
  Touch past;
  past.way = WayStraight(wrap.surface, a, b);
  WriteUnchecked(wrap, a, b, past, contact, memory, record);
  WrapMemory now = LoadMemory(memory);
  now.released = reason;
  if (IsGrooved(wrap.surface)) now.point = Remembered(PassageOf(wrap.surface, a, b));
  StoreMemory(memory, now);
}

}  // namespace

OnWheel LiesOnWheel(const Wrap& wrap, const Vec3& a, const Vec3& b, const Homotopy& way,
                    const double* remembered, double slack, Touch& touch) {
  const Surface& s = wrap.surface;
  const InGroove lies = TightenGrooved(s, a, b, way, touch);
  if (wrap.permanent) {
    if (lies == InGroove::kOver) touch = KeptOverFlange(s, a, b, way);
    if (lies == InGroove::kAbove) touch = KeptInGroove(s, a, b, way);
    return OnWheel::kIn;
  }
  const Passing past = PassingOf(s, a, b);
  const WrapMemory old = remembered ? LoadMemory(remembered) : WrapMemory{};
  // without cable enough to be lifted over a flange
  const bool held =
      lies == InGroove::kHeld && !(remembered && slack > 0 && slack > SlackHeld(s, a, b, touch));
  if (!remembered || old.touching) {
    if (held) return OnWheel::kIn;
    if (lies != InGroove::kAbove) return OnWheel::kOut;
    // led aside, it leaves over a flange
    const double lost = touch.before + touch.arc + touch.after - Norm(b - a);
    const bool jumps = past != Passing::kMouth || lost > kJerk * s.radius;
    return remembered && LeavesAside(s, a, b) && jumps ? OnWheel::kOut : OnWheel::kPast;
  }
  if (past == Passing::kClear) return OnWheel::kPast;
  // from above it may be at the bottom within one step; one that was lost falls in only taut
  const bool lost = old.released != Release::kNo, mouth = past == Passing::kMouth;
  const bool falls = mouth ? !lost || slack == 0
                           : past == Passing::kBottom && !lost &&
                                 CameThroughMouth(s, PassageFrom(old.point), PassageOf(s, a, b));
  if (held && falls) return OnWheel::kIn;
  return lies == InGroove::kAbove && mouth && !lost ? OnWheel::kPast : OnWheel::kOut;
}

void SolveSingle(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                 const double* remembered, Start start, const RouteLimits& limits, double slack,
                 double* memory, const Record& record, Verdict& verdict) {
  const Surface& s = wrap.surface;
  const bool authored = Authored(wrap, start);
  Homotopy way;
  if (authored) {
    way = wrap.has_hint ? WayThrough(s, a, wrap.hint, b) : WayStraight(s, a, b);
    way.swept += std::copysign(2 * kPi * wrap.turns, way.swept);
  } else {
    // nothing but a hint holds it on the longer way around a sphere
    const WrapMemory old = LoadMemory(remembered);
    way.swept = old.swept + wrap.bias;
    way.shorter = !wrap.has_hint;
    if (ArcShowsWay(s) && old.touching) way.plane = Rotate(s.rot, Cross(old.point, old.tangent));
  }
  const bool out = !authored && IsReleased(remembered);
  const auto finish = [&](const Touch& touch) MUJOCABLE_INLINE {
    // fixed nodes outside; for one that is not the surface gives way
    const double depth = -touch.clearance;
    verdict.penetration = std::max(verdict.penetration, depth);
    if (depth > Allowed(limits, s)) {
      Name(verdict.let_go, contact);
      const Touch buried = TightenBuried(s, a, b, touch.way);
      return WriteUnchecked(wrap, a, b, buried, contact, memory, record);
    }
    bool past = out, left = false;
    if (IsGrooved(s)) {
      Touch held;
      const OnWheel lies =
          LiesOnWheel(wrap, a, b, way, authored ? nullptr : remembered, slack, held);
      if (lies == OnWheel::kIn) return WriteUnchecked(wrap, a, b, held, contact, memory, record);
      past = true;
      left = lies == OnWheel::kOut;
    } else {
      // off the end of a cylinder, until the straight line is clear of it
      left = RunsOff(wrap, touch) || (out && SegmentDepth(s, a, b) > Allowed(limits, s));
    }
    if (left) {
      Name(verdict.derailed, contact);
      if (!authored && LoadMemory(remembered).touching) ++verdict.derailments;
    }
    if (!(past || left)) [[likely]]
      return WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, verdict);
    WritePast(wrap, a, b, contact, left ? Release::kDerailed : Release::kNo, memory, record);
  };
  // each of the closed forms with what follows in one piece
  if (wrap.permanent) return finish(TightenKept(s, a, b, way));
  if (s.inside) return finish(TightenInside(s, a, b));
  if (s.kind == SurfaceKind::kSphere) return finish(sphere::Tighten(s, a, b, way));
  finish(cylinder::Tighten(s, a, b, way));
}

}  // namespace mujocable
