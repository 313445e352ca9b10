// Several contacts of a string with one surface.

#include <algorithm>
#include <cmath>

#include "core/path/follow/chain.h"
#include "core/path/search/knots.h"
#include "core/path/search/solve.h"

namespace mujocable {
namespace {

bool IsRing(const SpanWrap& w) { return w.surface->kind == SurfaceKind::kTorus; }

// the last place of the group that begins at g
int Last(const Strand& strand, int g) { return g + strand[g].bearings - 1; }

// the first places of a group take the contacts, the rest is lifted
void Assign(const Touch* touches, int count, const Strand& strand, int g) {
  for (int i = g; i <= Last(strand, g); ++i) {
    Touch& touch = strand[i].touch;
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
Segments LookAtGroup(const Strand& strand, int g) {
  const Surface& s = *strand[g].surface;
  Touch touches[kMaxSpanWraps];
  int count = 0;
  for (int i = g; i <= Last(strand, g); ++i) {
    if (strand[i].touch.touching) touches[count++] = strand[i].touch;
  }
  Vec3 from = strand.Before(g);
  for (int k = 0; k <= count; ++k) {
    const Vec3 to = k < count ? touches[k].p : strand.After(Last(strand, g));
    double distance;
    const Vec3 nearest = NearestTo(s, from, to, distance);
    if (distance < -kUnderGroup * s.radius) {
      if (count == strand[g].bearings) return Segments::kUnder;
      for (int j = count; j > k; --j) touches[j] = touches[j - 1];
      touches[k] = {};
      touches[k].touching = true;
      touches[k].p = touches[k].q = nearest;
      touches[k].t_p = touches[k].t_q = Unit(to - from);
      Assign(touches, count + 1, strand, g);
      return Segments::kPlaced;
    }
    if (k < count) from = touches[k].q;
  }
  Assign(touches, count, strand, g);
  return Segments::kClear;
}

// the same of all groups: the worst that there is
Segments LookAtGroups(const Strand& strand) {
  Segments worst = Segments::kClear;
  for (int g = 0; g < strand.n; g = Last(strand, g) + 1) {
    if (strand[g].bearings > 1) worst = std::max(worst, LookAtGroup(strand, g));
  }
  return worst;
}

// The string over a group as knots, along its arcs or, where none is known, through its hint.
KnotString StringOver(const Strand& strand, int g) {
  const Surface& s = *strand[g].surface;
  const Vec3 from = strand.Before(g), to = strand.After(Last(strand, g)), &hint = strand[g].touch.p;
  Vec3 points[kMaxSpanWraps * kArcKnots];
  int count = 0;
  for (int i = g; i <= Last(strand, g); ++i) {
    const Touch& touch = strand[i].touch;
    if (!touch.touching || !(Dot(touch.t_p, touch.t_p) > 0)) continue;
    PointsAlong(s, touch, points + count, kArcKnots);
    count += kArcKnots;
  }
  KnotString string = count > 0           ? KnotString::Along(s, from, to, points, count)
                      : IsRing(strand[g]) ? KnotString::Along(s, from, to, &hint, 1)
                                          : KnotString::Through(s, from, to, hint);
  string.Extend();
  return string;
}

// Newton on all contacts of a span, with contacts of groups that come; counts in `result`
bool Polished(const Strand& strand, Run& run, Budget& budget, SpanResult& result) {
  for (int round = 0; round < 2 * kMaxSpanWraps; ++round) {
    const bool taut = Polish(strand, run);
    result.iterations += run.iterations;
    if (!taut) return false;
    const Segments segments = LookAtGroups(strand);
    if (segments == Segments::kUnder) return false;
    if (Settled(strand, budget) && segments == Segments::kClear) return true;
  }
  return false;
}

// whether a group is a mesh
bool AnyMesh(const Strand& strand) {
  return strand.Any([](const SpanWrap& w) { return w.bearings > 1 && !IsRing(w); });
}

// whether all groups are rings, with one contact at most
bool OneEach(const Strand& strand) {
  return !AnyMesh(strand) &&
         !strand.Any([](const SpanWrap& w) { return w.bearing > 0 && w.touch.touching; });
}

// a span of rings without their second places
SpanResult SolveOneEach(const Strand& strand) {
  StrandCopy first(strand);
  first.n = 0;
  for (int i = 0; i < strand.n; ++i) {
    if (strand[i].bearing > 0) continue;
    first[first.n] = strand[i];
    first[first.n++].bearings = 1;
  }
  const SpanResult result = SolveTogether(first);
  for (int i = 0, k = 0; i < strand.n; ++i) {
    if (strand[i].bearing == 0) {
      strand[i].touch = first[k++].touch;
    } else {
      strand[i].touch.p = strand[i].touch.q = strand[i - 1].touch.q;
    }
  }
  return result;
}

// One span on its way: the string as it was, followed or searched.
struct Search {
  const StrandCopy& start;                 // the guess
  const Strand& strand;                    // what is found
  const bool warm;                         // the guess is a path to follow
  int most_iterations = kGroupIterations;  // of Newton's method
  Budget budget = {.tries = kTries};
  Run run = {};  // of what was followed
  SpanResult result = {};

  bool AsOften(const Strand& guess) const;
  bool Follow(const StrandCopy& here);
  bool Pull(const StrandCopy& guess);
  bool Descend();
  bool OneOnEach();
};

// whether the path goes through every ring as often as a guess
bool Search::AsOften(const Strand& guess) const {
  for (int i = 0; i < strand.n; ++i) {
    if (!IsRing(strand[i]) || strand[i].bearing > 0) continue;
    const Surface& ring = *strand[i].surface;
    const int passes = RingPasses(ring, strand);
    // among other wraps the hole is all that a ring without a side asks for, and not even that
    // where the string need not cross its plane: the guess bears on wraps that may be lifted
    const Vec3 axis = ring.rot.Column(2);
    const Vec3 before = strand.Before(i), after = strand.After(Last(strand, i));
    const bool across = Dot(before - ring.pos, axis) * Dot(after - ring.pos, axis) < 0;
    const bool alone = strand[i].bearings == strand.n;
    const bool any = !warm && !alone && !guess[i].hint && (passes != 0 || !across);
    if (!any && passes != RingPasses(ring, guess)) return false;
  }
  return true;
}

// By continuity, from `here`. A soft minimum lets the string run far: in small steps as long as
// there is no fold.
bool Search::Follow(const StrandCopy& here) {
  if (Polished(strand, run, budget, result)) return true;
  if (!(run.start_error < kSmallMove)) return false;
  here.Put(strand);
  run = {.reach = kFar, .followed = true};
  return Polished(strand, run, budget, result);
}

// Knots over each group between its neighbors, then all contacts together; true: a path.
bool Search::Pull(const StrandCopy& guess) {
  guess.Put(strand);
  const auto polished = [&](double reach) {
    const StrandCopy rough(strand);
    Run near = {.reach = reach};
    if (Polished(strand, near, budget, result) && AsOften(guess)) return true;
    rough.Put(strand);
    return false;
  };
  double was = 0;
  for (int round = 0; round < kPullRounds; ++round) {
    for (int g = 0; g < strand.n; g = Last(strand, g) + 1) {
      if (strand[g].bearings == 1) {
        if (round > 0 || !warm) strand[g].touch = TightenOne(strand, g, budget).touch;
        continue;
      }
      KnotString string = StringOver(strand, g);
      if (round == 0) was += string.Length();
      const bool ring = IsRing(strand[g]), alone = strand[g].bearings == strand.n;
      for (const int sweeps : kKnotLadder) {
        if (sweeps > kMeshSweeps && !(alone && ring)) break;
        if (result.iterations > most_iterations) return false;
        const double move = string.Pull(sweeps);
        Touch touches[kMaxSpanWraps];
        const int count = string.Arcs(touches, strand[g].bearings);
        Assign(touches, count, strand, g);
        if (!alone) continue;
        double arc = 0;
        for (int k = 0; k < count; ++k) arc = std::max(arc, touches[k].arc);
        if (polished(kRoughReach + kRoughPerArc * arc / strand[g].surface->radius)) {
          if (!ring) result.snapped = warm && was - strand.Length() > kSlip * was;
          return true;
        }
        if (move < kKnotsStill) break;
      }
    }
    if (polished(kRoughReach)) return true;
  }
  return false;
}

// Each contact by itself, one after the other: slides on where knots creep, a minimum having just
// vanished. From where the knots are; true: a path.
bool Search::Descend() {
  if (AnyMesh(strand) || result.iterations > most_iterations) return false;
  const StrandCopy places(strand);
  for (int i = 0; i < strand.n; ++i) places[i].bearings = 1;
  const SpanResult found = SolveTogether(places);
  result.iterations += found.iterations;
  if (!found.converged) return false;
  for (int i = 0; i < strand.n; ++i) strand[i].touch = places[i].touch;
  if (LookAtGroups(strand) != Segments::kClear) return false;
  result.snapped = result.snapped || (warm && found.snapped);
  return AsOften(start);
}

// With meshes, where no string of knots led to a path: one contact on each body, which is sought as
// if it had no other place.
bool Search::OneOnEach() {
  if (!AnyMesh(strand)) return false;
  const StrandCopy best(strand);
  start.Put(strand);
  for (int g = 0; g < strand.n; g = Last(strand, g) + 1) {
    int known = g;
    while (known < Last(strand, g) && !strand[known].touch.touching) ++known;
    const Touch one = strand[known].touch;
    Assign(&one, 1, strand, g);
  }
  const SpanResult found = SolveOneEach(strand);
  result.iterations += found.iterations;
  if (found.converged && LookAtGroups(strand) == Segments::kClear && AsOften(start)) {
    result.snapped = warm && found.snapped;
    return true;
  }
  best.Put(strand);
  return false;
}

}  // namespace

SpanResult SolveGrouped(const Strand& strand) {
  const StrandCopy start(strand);
  const bool warm = Known(strand);
  Search search{start, strand, warm};
  if (strand.Any([](const SpanWrap& w) { return IsSpline(*w.surface); })) {
    search.most_iterations = kGroupIterationsSpline;
  }

  // one contact with each ring, as long as that will do
  SpanResult& result = search.result;
  bool opened = false, second_best = false;
  if (OneEach(strand)) {
    result = SolveOneEach(strand);
    if (result.converged) {
      opened = result.followed || search.AsOften(start);
      second_best = result.cleared = LookAtGroups(strand) == Segments::kClear;
      if (opened && second_best) return result;
    }
  }
  const StrandCopy best(strand);
  if (!opened) {
    start.Put(strand);
    result.snapped = false;
  }
  result.converged = result.cleared = true;
  result.followed = false;
  const StrandCopy here(strand);
  if ((opened || warm) && search.Follow(here)) return result;

  // from strings of knots
  result.converged =
      (opened && search.Pull(here)) || search.Pull(start) || search.Descend() || search.OneOnEach();
  const double start_error = search.run.start_error;
  if (result.converged && warm && start_error < kSmallMove) {
    result.snapped = result.snapped || Slipped(start, strand, start_error * start_error);
  }
  if (!result.converged && second_best) {
    // A path that goes through the rings otherwise than the guess is better than none where a side
    // was given, and where the ring jumped across the string. Without a side it must be the hole.
    best.Put(strand);
    const auto free = [](const SpanWrap& w) { return IsRing(w) && w.bearing == 0 && !w.hint; };
    result.converged = warm || !start.Any(free);
    result.snapped = warm;
  }
  result.cleared = result.converged;
  return result;
}

}  // namespace mujocable
