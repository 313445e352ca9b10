#include "core/path/follow/neighbors.h"

#include <algorithm>

#include "core/surface/groove.h"

namespace mujocable {

double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch) {
  return Norm(touch.p - a) + touch.arc + Norm(b - touch.q);
}

Touch TightenRound(const Strand& strand, int i) {
  const SpanWrap& w = strand[i];
  const Vec3 before = strand.Before(i), after = strand.After(i);
  Homotopy way = w.touch.way;
  if (w.surface->kind == SurfaceKind::kSphere && !w.hint && !w.permanent) {
    // nothing holds it on the longer way round: there it slips
    way = WayAmong(*w.surface, before, w.touch.p, after);
  }
  if (w.hint) {
    way = strand.n > 1 ? WayAmong(*w.surface, before, *w.hint, after)
                       : WayThrough(*w.surface, before, *w.hint, after);
  }
  if (IsGrooved(*w.surface)) {
    Touch touch;
    const InGroove lies = TightenGrooved(*w.surface, before, after, way, touch);
    if (lies == InGroove::kAbove && w.permanent)
      return KeptInGroove(*w.surface, before, after, way);
    const Passing past = PassingOf(*w.surface, before, after);
    const bool aside = past != Passing::kMouth && past != Passing::kBottom;
    if (!w.touch.touching && !w.permanent && aside) {
      const Homotopy along = touch.way;
      touch = {};
      touch.way = along;
    }
    return touch;
  }
  return w.permanent ? TightenKept(*w.surface, before, after, way)
                     : Tighten(*w.surface, before, after, way);
}

}  // namespace mujocable
