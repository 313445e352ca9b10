#include "core/path/search/solve.h"

#include <algorithm>

#include "core/path/follow/chain.h"
#include "core/path/follow/neighbors.h"

namespace mujocable {
namespace {

// whether `end` is what descent was on its way to: near, and not longer. Newton solves for any
// stationary path; a saddle fails here.
bool Trusted(const Strand& strand, double start_length, const Chain& end) {
  for (int k = 0; k < end.n; ++k) {
    const SpanWrap& start = strand[end.index[k]];
    const double reach = kTrust * start.surface->radius;
    if (Norm(end.arc[k].p - start.touch.p) > reach) return false;
    if (Norm(end.arc[k].q - start.touch.q) > reach) return false;
  }
  return Length(end) <= start_length * (1 + kLengthRounding * kRounding);
}

// Newton on the touching wraps; true when (2) holds
bool Polish(const Strand& strand, SpanResult& result) {
  Chain chains[2];
  if (!MakeChain(strand, chains[0])) return false;
  if (chains[0].n == 0) return true;
  const double start_length = Length(chains[0]);
  Run run;
  const Chain& chain = Newton(strand, false, chains, run);
  result.iterations += run.iterations;
  if (!Trusted(strand, start_length, chain)) return false;
  // a first path, where hints decide, shall be a minimum: where the determinant of (2) is negative,
  // descent goes on
  const bool clamped = chain.clamped_start || chain.clamped_end;
  const bool cold = strand.Any([](const SpanWrap& w) { return w.hint != nullptr; });
  if (run.sign < 0 && !clamped && cold) return false;
  StoreTouches(chain, strand);
  // at the limit of rounding Newton cannot improve; a thousandfold margin is still a path
  return chain.error <= kPathMargin * chain.tolerance;
}

}  // namespace

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

bool Buried(const Strand& strand) {
  return strand.Any([&](const SpanWrap& w) {
    const Surface& s = *w.surface;
    const double nearer = s.inside ? 0 : std::min(Distance(s, strand.a), Distance(s, strand.b));
    return nearer < -kBuried * s.radius;
  });
}

bool Slipped(const Strand& start, const Strand& found, double explained) {
  const double was = CarriedLength(start);
  return was - found.Length() > (explained + kGained) * was;
}

SpanResult SolveSpan(const Strand& strand, int most_tries) {
  SpanResult result;
  if (strand.n == 0) return result;
  if (strand.Any([](const SpanWrap& w) { return w.bearings > 1; })) {
    return SolveGrouped(strand, most_tries);
  }
  if (strand.Any([](const SpanWrap& w) { return IsSmooth(*w.surface); })) {
    return SolveSmooth(strand, most_tries);
  }
  if (strand.n == 1) {
    strand[0].touch = TightenRound(strand, 0);
    return result;
  }
  Budget none;  // closed forms cost nothing

  int sweeps = 1;
  for (int round = 0; round < kMaxRounds; ++round) {
    double move = 1;
    const int most = round == 0 ? kMaxFirstDescent : sweeps;
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(strand, none);
    }
    if (strand.Any([](const SpanWrap& w) { return w.touch.held; })) break;
    if (Polish(strand, result) && Settled(strand, none)) return result;
    sweeps = std::min(2 * sweeps + 2, kMaxDescent);
  }

  // descent alone converges too, only slower; it is the only way where a keeper holds the string
  for (int i = 0; i < kMaxDescent; ++i, ++result.iterations) {
    if (Descend(strand, none) < kStill) return result;
  }
  result.converged = false;
  return result;
}

}  // namespace mujocable
