#include "span_group.h"

#include <algorithm>
#include <cmath>

#include "descent.h"
#include "relax.h"
#include "tighten_smooth.h"

namespace mujocable {
namespace {

constexpr int kEffort = 100;     // tries that the other wraps of the span may make
constexpr int kPieces = 12;      // of an arc, for knots
constexpr double kUnder = 1e-8;  // a segment this deep in the surface has gone under  [radii]
constexpr double kSnap = 1e-3;   // shorter by this share in one step: it snapped

// the last place of the group that begins at g
int Last(const SpanWrap* wraps, int g) { return g + wraps[g].members - 1; }

int Touching(const SpanWrap* wraps, int g, Touch* touches) {
  int count = 0;
  for (int i = g; i <= Last(wraps, g); ++i) {
    if (wraps[i].touch.touching) touches[count++] = wraps[i].touch;
  }
  return count;
}

// the first places of a group take the contacts, the rest is lifted
void Place(const Touch* touches, int count, SpanWrap* wraps, int g) {
  for (int i = g; i <= Last(wraps, g); ++i) {
    Touch& touch = wraps[i].touch;
    if (i - g < count) {
      touch = touches[i - g];
    } else {
      const Vec3 p = count > 0 ? touches[count - 1].q : touch.p;
      touch = {};
      touch.p = touch.q = p;
    }
  }
}

// Whether every segment next to a group's contacts is clear of its surface. Where one is not, it
// gets a contact of its own, if there is a place left.
bool Clear(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int g, bool& placed) {
  const Surface& s = *wraps[g].surface;
  Touch touches[kMaxSpanWraps];
  int count = Touching(wraps, g, touches);
  Vec3 from = Before(a, wraps, g);
  placed = false;
  for (int k = 0; k <= count; ++k) {
    const Vec3 to = k < count ? touches[k].p : After(b, wraps, n, Last(wraps, g));
    double distance;
    const Vec3 nearest = NearestTo(s, from, to, distance);
    if (distance < -kUnder * s.radius) {
      if (count == wraps[g].members) return false;
      for (int j = count; j > k; --j) touches[j] = touches[j - 1];
      touches[k] = {};
      touches[k].touching = true;
      touches[k].p = touches[k].q = nearest;
      touches[k].t_p = touches[k].t_q = Unit(to - from);
      Place(touches, count + 1, wraps, g);
      placed = true;
      return false;
    }
    if (k < count) from = touches[k].q;
  }
  Place(touches, count, wraps, g);
  return true;
}

// The string over a group as knots, along its arcs or, where none is known, through its hint.
KnotString StringOver(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int g) {
  const Surface& s = *wraps[g].surface;
  const Vec3 from = Before(a, wraps, g), to = After(b, wraps, n, Last(wraps, g));
  Vec3 points[kMaxSpanWraps * (kPieces + 1)];
  int count = 0;
  for (int i = g; i <= Last(wraps, g); ++i) {
    const Touch& touch = wraps[i].touch;
    if (!touch.touching || !(Dot(touch.t_p, touch.t_p) > 0)) continue;
    Vec3 x = touch.p, t = touch.t_p;
    for (int k = 0; k <= kPieces; ++k) {
      const Geodesic piece = Shoot(s, x, t, touch.arc / kPieces);
      points[count++] = piece.p;
      x = piece.q;
      t = piece.t_q;
    }
  }
  KnotString string = count > 0 ? KnotString::Along(s, from, to, points, count)
                                : KnotString::Through(s, from, to, wraps[g].touch.p);
  string.Extend();
  return string;
}

bool Polished(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Bounds& bounds, int& iterations,
              int& effort) {
  const double start = bounds.start_error;
  for (int round = 0; round < 2 * kMaxSpanWraps; ++round) {
    if (!PolishSmooth(a, b, wraps, n, bounds, iterations)) return false;
    if (round == 0) bounds.start_error = std::max(start, bounds.start_error);
    bool settled = true;
    for (int i = 0; i < n; ++i) {
      if (wraps[i].members > 1) {
        bool placed;
        if (wraps[i].member == 0 && !Clear(a, b, wraps, n, i, placed)) {
          if (!placed) return false;
          settled = false;
        }
      } else if (!wraps[i].touch.touching) {
        bool solved;
        const Touch now = TightenOne(a, b, wraps, n, i, effort, solved);
        settled = settled && solved && !now.touching;
        wraps[i].touch = now;
      }
    }
    if (settled) return true;
  }
  return false;
}

}  // namespace

bool AnyGroup(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return w.members > 1; });
}

SpanResult SolveGrouped(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  SpanResult result;
  SpanWrap start[kMaxSpanWraps];
  bool warm = true;
  int effort = kEffort;
  for (int i = 0; i < n; ++i) {
    const Touch& touch = wraps[i].touch;
    warm = warm && !wraps[i].hint && !(touch.touching && Dot(touch.t_p, touch.t_p) == 0);
    start[i] = wraps[i];
  }

  // by continuity
  Bounds bounds;
  if (warm && Polished(a, b, wraps, n, bounds, result.iterations, effort)) return result;

  // knots over each group between its neighbors, then all contacts together
  std::copy(start, start + n, wraps);
  double was = 0;
  for (int round = 0; round < 4; ++round) {
    for (int g = 0; g < n; ++g) {
      if (wraps[g].members == 1) {
        bool solved;
        if (round > 0 || !warm) wraps[g].touch = TightenOne(a, b, wraps, n, g, effort, solved);
        continue;
      }
      KnotString string = StringOver(a, b, wraps, n, g);
      if (round == 0) was += string.Length();
      const bool alone = wraps[g].members == n;
      for (int sweeps : {30, 60, 120, 240, 480}) {
        const double move = string.Pull(sweeps);
        Touch touches[kMaxSpanWraps];
        const int count = string.Arcs(touches, wraps[g].members);
        Place(touches, count, wraps, g);
        if (!alone) continue;
        SpanWrap rough[kMaxSpanWraps];
        std::copy(wraps, wraps + n, rough);
        double arc = 0;
        for (int k = 0; k < count; ++k) arc = std::max(arc, touches[k].arc);
        bounds.reach = 1 + 0.2 * arc / wraps[g].surface->radius;
        bounds.longest = (1 + 2e-3) * string.Length();
        if (Polished(a, b, wraps, n, bounds, result.iterations, effort)) {
          const double is = PathLength(a, b, wraps, n);
          result.snapped = warm && was - is > kSnap * was;
          return result;
        }
        std::copy(rough, rough + n, wraps);
        if (move < 1e-6) break;
      }
      g = Last(wraps, g);
    }
    SpanWrap rough[kMaxSpanWraps];
    std::copy(wraps, wraps + n, rough);
    bounds = {1, 1e300, false, 0};
    if (Polished(a, b, wraps, n, bounds, result.iterations, effort)) return result;
    std::copy(rough, rough + n, wraps);
  }
  result.converged = false;
  return result;
}

}  // namespace mujocable
