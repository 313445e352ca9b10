#include "core/path/single.h"

#include "core/surface/buried.h"
#include "core/surface/cylinder.h"
#include "core/surface/groove.h"
#include "core/surface/sphere.h"

namespace mujocable {
namespace {

// the path past a wrap that takes no part
MUJOCABLE_COLD void WritePast(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                              Release reason, double* memory, const Record& record) {
  Touch past;
  past.way = WayStraight(wrap.surface, a, b);
  Verdict unchecked;
  record.length() +=
      WriteSingle(wrap.surface, a, b, wrap.bias, past, contact, memory, record, unchecked);
  WrapMemory now = LoadMemory(memory);
  now.released = reason;
  StoreMemory(memory, now);
}

// the path where an end is inside
MUJOCABLE_COLD void WriteBuried(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                                const Homotopy& way, double* memory, const Record& record) {
  const Touch touch = TightenBuried(wrap.surface, a, b, way);
  Verdict unchecked;  // its contacts are not on the surface
  record.length() +=
      WriteSingle(wrap.surface, a, b, wrap.bias, touch, contact, memory, record, unchecked);
}

// A grooved wheel: in the groove, above its edges, or derailed.
MUJOCABLE_COLD void SolveGrooved(const Wrap& wrap, const Vec3& a, const Vec3& b, int contact,
                                 const Homotopy& way, const WrapMemory& old, bool authored,
                                 double slack, double* memory, const Record& record,
                                 Verdict& verdict) {
  const Surface& s = wrap.surface;
  Touch touch;
  const InGroove lies = TightenGrooved(s, a, b, way, touch);
  bool in = authored || old.touching || wrap.permanent;
  bool out = !authored && old.released != Release::kNo && !wrap.permanent;
  const Passing past = PassingOf(s, a, b);
  // cable enough to be lifted over a flange
  const bool loose =
      !authored && lies == InGroove::kHeld && slack > 0 && slack > SlackHeld(s, a, b, touch);
  if (!in) {
    // from above it may be at the bottom within one step; one that was lost falls in only taut
    const bool falls =
        past == Passing::kMouth ? !out || slack == 0 : past == Passing::kBottom && !out;
    in = lies == InGroove::kHeld && !loose && falls;
    const bool beside = past == Passing::kBeside || (loose && past == Passing::kBottom);
    out = !in && past != Passing::kClear && (out || beside);
  } else if (!wrap.permanent && (lies == InGroove::kOver || loose)) {
    in = false;
    out = true;
  } else if (lies == InGroove::kOver) {
    touch = KeptOverFlange(s, a, b, way);
  } else if (lies == InGroove::kAbove) {
    in = wrap.permanent;
    if (in) touch = KeptInGroove(s, a, b, way);
    // led aside, it leaves over a flange
    out = !in && !authored && past != Passing::kMouth && LeavesAside(s, a, b);
  }
  if (out) {
    Name(verdict.derailed, contact);
    if (old.touching) ++verdict.derailments;
  }
  if (!in) {
    return WritePast(wrap, a, b, contact, out ? Release::kDerailed : Release::kNo, memory, record);
  }
  Verdict unchecked;  // its contacts are on the edges
  record.length() += WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, unchecked);
}

}  // namespace

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
    way = RememberedWay(s, remembered, wrap.bias, wrap.has_hint);
  }
  const bool out = !authored && IsReleased(remembered);
  const auto finish = [&](const Touch& touch) MUJOCABLE_INLINE {
    // fixed nodes outside; for one that is not the surface gives way
    const double depth = -touch.clearance;
    verdict.penetration = std::max(verdict.penetration, depth);
    if (depth > Allowed(limits, s)) {
      Name(verdict.let_go, contact);
      return WriteBuried(wrap, a, b, contact, touch.way, memory, record);
    }
    if (IsGrooved(s)) {
      const WrapMemory old = authored ? WrapMemory{} : LoadMemory(remembered);
      return SolveGrooved(wrap, a, b, contact, way, old, authored, slack, memory, record, verdict);
    }
    // off the end of a cylinder, until the straight line is clear of it
    if (RunsOff(wrap, touch) || (out && SegmentDepth(s, a, b) > Allowed(limits, s))) {
      Name(verdict.derailed, contact);
      if (!authored && LoadMemory(remembered).touching) ++verdict.derailments;
      return WritePast(wrap, a, b, contact, Release::kDerailed, memory, record);
    }
    if (out) return WritePast(wrap, a, b, contact, Release::kNo, memory, record);
    record.length() += WriteSingle(s, a, b, wrap.bias, touch, contact, memory, record, verdict);
  };
  // each of the closed forms with what follows in one piece
  if (wrap.permanent) return finish(TightenKept(s, a, b, way));
  if (s.inside) return finish(TightenInside(s, a, b));
  if (s.kind == SurfaceKind::kSphere) return finish(sphere::Tighten(s, a, b, way));
  finish(cylinder::Tighten(s, a, b, way));
}

}  // namespace mujocable
