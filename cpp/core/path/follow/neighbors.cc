#include "core/path/follow/neighbors.h"

#include <algorithm>

#include "core/surface/groove.h"

namespace mujocable {

Vec3 Before(const Vec3& a, const SpanWrap* wraps, int i) {
  for (int j = i - 1; j >= 0; --j) {
    if (wraps[j].touch.touching) return wraps[j].touch.q;
  }
  return a;
}

Vec3 After(const Vec3& b, const SpanWrap* wraps, int n, int i) {
  for (int j = i + 1; j < n; ++j) {
    if (wraps[j].touch.touching) return wraps[j].touch.p;
  }
  return b;
}

double PathLength(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n) {
  double length = 0;
  Vec3 from = a;
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    if (!touch.touching) continue;
    length += Norm(touch.p - from) + touch.arc;
    from = touch.q;
  }
  return length + Norm(b - from);
}

double CarriedLength(const Vec3& a, const Vec3& b, const SpanWrap* start, int n) {
  SpanCopy carried(start, n);
  for (int i = 0; i < n; ++i) {
    Touch& touch = carried[i].touch;
    if (touch.touching) touch.q = Shoot(*carried[i].surface, touch.p, touch.t_p, touch.arc).q;
  }
  return PathLength(a, b, carried.get(), n);
}

double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch) {
  return Norm(touch.p - a) + touch.arc + Norm(b - touch.q);
}

Touch TightenRound(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int i) {
  const SpanWrap& w = wraps[i];
  const Vec3 before = Before(a, wraps, i), after = After(b, wraps, n, i);
  Homotopy way = w.touch.way;
  const bool smooth =
      std::any_of(wraps, wraps + n, [](const SpanWrap& other) { return IsSmooth(*other.surface); });
  if (smooth && w.surface->kind == SurfaceKind::kSphere && !w.hint && !w.permanent) {
    // nothing holds it on the longer way round: there it slips
    way = WayAmong(*w.surface, before, w.touch.p, after);
  }
  if (w.hint) {
    way = n > 1 ? WayAmong(*w.surface, before, *w.hint, after)
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
