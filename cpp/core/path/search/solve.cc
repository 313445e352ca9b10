#include "core/path/search/solve.h"

#include <algorithm>

#include "core/path/follow/neighbors.h"

namespace mujocable {
Tightened TightenOne(const Strand& strand, int i, Budget& budget) {
  const SpanWrap& w = strand[i];
  if (!IsSmooth(*w.surface)) return {TightenRound(strand, i)};
  return TightenSmooth(strand.Before(i), strand.After(i), w, budget);
}

double Descend(const Strand& strand, Budget& budget) {
  double largest = 0;
  for (int i = 0; i < strand.n; ++i) {
    const Touch old = strand[i].touch;
    Touch& now = strand[i].touch;
    const auto [found, solved] = TightenOne(strand, i, budget);
    now = found;
    double move = 0;
    if (solved && old.touching && now.touching) {
      move = std::max(Norm(now.p - old.p), Norm(now.q - old.q)) / strand[i].surface->radius;
    } else if (!solved || old.touching != now.touching) {
      move = 1;
    }
    largest = std::max(largest, move);
  }
  return largest;
}

bool Settled(const Strand& strand, Budget& budget) {
  bool settled = true;
  for (int i = 0; i < strand.n; ++i) {
    Touch& touch = strand[i].touch;
    if (strand[i].bearings > 1) continue;
    if (touch.touching) {
      touch.way = Follow(*strand[i].surface, strand.Before(i), strand.After(i), touch.way);
    } else {
      const auto [now, solved] = TightenOne(strand, i, budget);
      settled = settled && solved && !now.touching;
      touch = now;
    }
  }
  return settled;
}

bool Known(const Strand& strand) {
  return !strand.Any([](const SpanWrap& w) {
    return w.hint || (w.touch.touching && Dot(w.touch.t_p, w.touch.t_p) == 0);
  });
}

bool Slipped(const Strand& start, const Strand& found, double explained) {
  // the old arcs, where they are now
  const StrandCopy carried(start);
  for (int i = 0; i < start.n; ++i) {
    Touch& touch = carried[i].touch;
    if (touch.touching) touch.q = Shoot(*carried[i].surface, touch.p, touch.t_p, touch.arc).q;
  }
  const double was = carried.Length();
  return was - found.Length() > (explained + kGained) * was;
}

SpanResult SolveSpan(const Strand& strand, int most_tries) {
  if (strand.n == 0) return {};
  const bool grouped = strand.Any([](const SpanWrap& w) { return w.bearings > 1; });
  return grouped ? SolveGrouped(strand, most_tries) : SolveTogether(strand, most_tries);
}

}  // namespace mujocable
