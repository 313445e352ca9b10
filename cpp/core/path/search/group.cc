// Several contacts of a string with one surface.

#include <algorithm>
#include <cmath>

#include "core/path/follow/neighbors.h"
#include "core/path/follow/polish.h"
#include "core/path/search/knots.h"
#include "core/path/search/solve.h"

namespace mujocable {
namespace {

bool IsRing(const SpanWrap& w) { return w.surface->kind == SurfaceKind::kTorus; }

// the last place of the group that begins at g
int Last(const SpanWrap* wraps, int g) { return g + wraps[g].bearings - 1; }

int Touching(const SpanWrap* wraps, int g, Touch* touches) {
  int count = 0;
  for (int i = g; i <= Last(wraps, g); ++i) {
    if (wraps[i].touch.touching) touches[count++] = wraps[i].touch;
  }
  return count;
}

// the first places of a group take the contacts, the rest is lifted
void Assign(const Touch* touches, int count, SpanWrap* wraps, int g) {
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

// what the segments next to a group's contacts do
enum class Segments {
  kClear,   // of its surface
  kPlaced,  // one went under and got a contact of its own
  kUnder,   // the same, and no place is left
};
Segments LookAtGroup(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int g) {
  const Surface& s = *wraps[g].surface;
  Touch touches[kMaxSpanWraps];
  int count = Touching(wraps, g, touches);
  Vec3 from = Before(a, wraps, g);
  for (int k = 0; k <= count; ++k) {
    const Vec3 to = k < count ? touches[k].p : After(b, wraps, n, Last(wraps, g));
    double distance;
    const Vec3 nearest = NearestTo(s, from, to, distance);
    if (distance < -kUnderGroup * s.radius) {
      if (count == wraps[g].bearings) return Segments::kUnder;
      for (int j = count; j > k; --j) touches[j] = touches[j - 1];
      touches[k] = {};
      touches[k].touching = true;
      touches[k].p = touches[k].q = nearest;
      touches[k].t_p = touches[k].t_q = Unit(to - from);
      Assign(touches, count + 1, wraps, g);
      return Segments::kPlaced;
    }
    if (k < count) from = touches[k].q;
  }
  Assign(touches, count, wraps, g);
  return Segments::kClear;
}

// the same of all groups: the worst that there is
Segments LookAtGroups(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n) {
  Segments worst = Segments::kClear;
  for (int g = 0; g < n; g = Last(wraps, g) + 1) {
    if (wraps[g].bearings > 1) worst = std::max(worst, LookAtGroup(a, b, wraps, n, g));
  }
  return worst;
}

// The string over a group as knots, along its arcs or, where none is known, through its hint.
KnotString StringOver(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int g) {
  const Surface& s = *wraps[g].surface;
  const Vec3 from = Before(a, wraps, g), to = After(b, wraps, n, Last(wraps, g));
  Vec3 points[kMaxSpanWraps * kArcKnots];
  int count = 0;
  for (int i = g; i <= Last(wraps, g); ++i) {
    const Touch& touch = wraps[i].touch;
    if (!touch.touching || !(Dot(touch.t_p, touch.t_p) > 0)) continue;
    PointsAlong(s, touch, points + count, kArcKnots);
    count += kArcKnots;
  }
  KnotString string = count > 0          ? KnotString::Along(s, from, to, points, count)
                      : IsRing(wraps[g]) ? KnotString::Along(s, from, to, &wraps[g].touch.p, 1)
                                         : KnotString::Through(s, from, to, wraps[g].touch.p);
  string.Extend();
  return string;
}

// Newton on all contacts of a span, with contacts of groups that come; counts in `result`
bool Polished(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Bounds& bounds, Budget& budget,
              SpanResult& result) {
  for (int round = 0; round < 2 * kMaxSpanWraps; ++round) {
    const bool taut = PolishSmooth(a, b, wraps, n, bounds);
    result.iterations += bounds.iterations;
    if (!taut) return false;
    const Segments segments = LookAtGroups(a, b, wraps, n);
    if (segments == Segments::kUnder) return false;
    if (Settled(a, b, wraps, n, budget) && segments == Segments::kClear) return true;
  }
  return false;
}

// Whether a path that goes through the rings otherwise than the guess is better than none: where a
// side was given, and where the ring jumped across the string. Without a side it must be the hole.
bool Lenient(const SpanWrap* start, int n, bool warm) {
  return warm || std::none_of(start, start + n, [](const SpanWrap& w) {
           return IsRing(w) && w.bearing == 0 && !w.hint;
         });
}

// whether a group is a mesh
bool AnyMesh(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n,
                     [](const SpanWrap& w) { return w.bearings > 1 && !IsRing(w); });
}

// whether all groups are rings, with one contact at most
bool OneEach(const SpanWrap* wraps, int n) {
  return std::all_of(wraps, wraps + n, [](const SpanWrap& w) {
    return w.bearings == 1 || (IsRing(w) && !(w.bearing > 0 && w.touch.touching));
  });
}

// a span of rings without their second places
SpanResult SolveOneEach(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries) {
  SpanCopy first(wraps, 0);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (wraps[i].bearing > 0) continue;
    std::construct_at(&first[count], wraps[i]);
    first[count++].bearings = 1;
  }
  const SpanResult result = SolveSmooth(a, b, first.get(), count, most_tries);
  count = 0;
  for (int i = 0; i < n; ++i) {
    if (wraps[i].bearing == 0) {
      wraps[i].touch = first[count++].touch;
    } else {
      wraps[i].touch.p = wraps[i].touch.q = wraps[i - 1].touch.q;
    }
  }
  return result;
}

// what strings of knots find from a guess
struct Search {
  Vec3 a, b;
  int n;
  bool warm;
  Bounds bounds;
  int most_iterations;  // of Newton's method
  int most_tries;
  Budget budget = {.tries = kGroupTries};

  // whether a path goes through every ring as often as the guess
  bool AsOften(const SpanWrap* path, const SpanWrap* other) const {
    for (int i = 0; i < n; ++i) {
      if (!IsRing(path[i]) || path[i].bearing > 0) continue;
      const Surface& ring = *path[i].surface;
      const int passes = RingPasses(ring, a, b, path, n);
      // among other wraps the hole is all that a ring without a side asks for, and not even that
      // where the string need not cross its plane: the guess bears on wraps that may be lifted
      const Vec3 axis = ring.rot.Column(2);
      const Vec3 before = Before(a, path, i), after = After(b, path, n, Last(path, i));
      const bool across = Dot(before - ring.pos, axis) * Dot(after - ring.pos, axis) < 0;
      const bool alone = path[i].bearings == n;
      const bool any = !warm && !alone && !other[i].hint && (passes != 0 || !across);
      if (!any && passes != RingPasses(ring, a, b, other, n)) return false;
    }
    return true;
  }

  bool Pull(const SpanWrap* start, SpanWrap* wraps, SpanResult& result);
  bool Descend(const SpanWrap* start, SpanWrap* wraps, SpanResult& result) const;
};

// Each contact by itself, one after the other: slides on where knots creep, a minimum having just
// vanished. From where the knots are; true: a path.
bool Search::Descend(const SpanWrap* start, SpanWrap* wraps, SpanResult& result) const {
  if (AnyMesh(wraps, n) || result.iterations > most_iterations) return false;
  SpanCopy places(wraps, n);
  for (int i = 0; i < n; ++i) places[i].bearings = 1;
  const SpanResult found = SolveSmooth(a, b, places.get(), n, most_tries);
  result.iterations += found.iterations;
  if (!found.converged) return false;
  for (int i = 0; i < n; ++i) wraps[i].touch = places[i].touch;
  if (LookAtGroups(a, b, wraps, n) != Segments::kClear) return false;
  result.snapped = result.snapped || (warm && found.snapped);
  return AsOften(wraps, start);
}

// Knots over each group between its neighbors, then all contacts together; true: a path, in wraps.
bool Search::Pull(const SpanWrap* start, SpanWrap* wraps, SpanResult& result) {
  std::copy(start, start + n, wraps);
  double was = 0;
  const auto polished = [&] {
    return Polished(a, b, wraps, n, bounds, budget, result) && AsOften(wraps, start);
  };
  for (int round = 0; round < kPullRounds; ++round) {
    for (int g = 0; g < n; ++g) {
      if (wraps[g].bearings == 1) {
        if (round > 0 || !warm) wraps[g].touch = TightenOne(a, b, wraps, n, g, budget).touch;
        continue;
      }
      KnotString string = StringOver(a, b, wraps, n, g);
      if (round == 0) was += string.Length();
      const bool alone = wraps[g].bearings == n;
      for (const int sweeps : kKnotLadder) {
        if (sweeps > kMeshSweeps && !(alone && IsRing(wraps[g]))) break;
        if (sweeps > budget.ring_sweeps) return false;
        if (result.iterations > most_iterations) return false;
        if (IsRing(wraps[g])) budget.ring_sweeps -= sweeps;
        const double move = string.Pull(sweeps);
        Touch touches[kMaxSpanWraps];
        const int count = string.Arcs(touches, wraps[g].bearings);
        Assign(touches, count, wraps, g);
        if (!alone) continue;
        SpanCopy rough(wraps, n);
        double arc = 0;
        for (int k = 0; k < count; ++k) arc = std::max(arc, touches[k].arc);
        bounds.reach = kRoughReach + kRoughPerArc * arc / wraps[g].surface->radius;
        if (polished()) {
          const double is = PathLength(a, b, wraps, n);
          if (!IsRing(wraps[g])) result.snapped = warm && was - is > kSlip * was;
          return true;
        }
        rough.Put(wraps);
        if (move < kKnotsStill) break;
      }
      g = Last(wraps, g);
    }
    SpanCopy rough(wraps, n);
    bounds = {.reach = 1};
    if (polished()) return true;
    rough.Put(wraps);
  }
  return false;
}

}  // namespace

SpanResult SolveGrouped(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries) {
  SpanResult result;
  SpanCopy start(wraps, n);
  const bool warm = Known(wraps, n);
  Search search{a, b, n, warm, {}, kGroupIterations, most_tries};
  if (std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return IsSpline(*w.surface); })) {
    search.most_iterations = kGroupIterationsSpline;
    search.budget.tries *= kSplinePrice;
  }

  // one contact with each ring, as long as that will do
  bool opened = false, second_best = false;
  SpanCopy best(wraps, 0);
  if (OneEach(wraps, n)) {
    result = SolveOneEach(a, b, wraps, n, most_tries);
    if (result.converged) {
      const bool through = result.followed || search.AsOften(wraps, start.get());
      const bool clear = LookAtGroups(a, b, wraps, n) == Segments::kClear;
      result.cleared = clear;
      if (through && clear) return result;
      opened = through;
      second_best = clear;
      if (second_best) best.Take(wraps, n);
    }
    // an end inside a surface: no path, whatever is done
    if (Buried(a, b, wraps, n)) return result;
  }
  if (!opened) {
    start.Put(wraps);
    result.snapped = false;
  }
  SpanCopy one(wraps, n);
  result.converged = result.cleared = true;
  result.followed = false;

  // by continuity, from there
  Bounds bounds;
  if (opened || warm) {
    if (Polished(a, b, wraps, n, bounds, search.budget, result)) return result;
    if (bounds.start_error < kSmallMove) {
      // a soft minimum lets the string run far: in small steps as long as there is no fold
      one.Put(wraps);
      bounds = {.reach = kFar, .followed = true};
      if (Polished(a, b, wraps, n, bounds, search.budget, result)) return result;
    }
  }
  // from strings of knots
  const double start_error = bounds.start_error;
  result.converged = (opened && search.Pull(one.get(), wraps, result)) ||
                     search.Pull(start.get(), wraps, result) ||
                     search.Descend(start.get(), wraps, result);
  if (result.converged && warm && start_error < kSmallMove) {
    const double corners = start_error * start_error;
    result.snapped = result.snapped || Slipped(a, b, start.get(), wraps, n, corners);
  }
  if (!result.converged && second_best) {
    best.Put(wraps);
    result.converged = Lenient(start.get(), n, warm);
    result.snapped = warm;
  }
  result.cleared = result.converged;
  return result;
}

}  // namespace mujocable
