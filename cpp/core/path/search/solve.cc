#include "core/path/search/solve.h"

#include <algorithm>

#include "core/path/follow/chain.h"
#include "core/path/follow/neighbors.h"

namespace mujocable {
namespace {

// whether `end` is what descent was on its way to: near, and not longer. Newton solves for any
// stationary path; a saddle fails here.
bool Trusted(const SpanWrap* wraps, double start_length, const Chain& end) {
  for (int k = 0; k < end.n; ++k) {
    const SpanWrap& start = wraps[end.index[k]];
    const double reach = kTrust * start.surface->radius;
    if (Norm(end.arc[k].p - start.touch.p) > reach) return false;
    if (Norm(end.arc[k].q - start.touch.q) > reach) return false;
  }
  return Length(end) <= start_length * (1 + kLengthRounding * kRounding);
}

// no path is known yet: hints decide
bool Cold(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return w.hint != nullptr; });
}

bool Held(const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [](const SpanWrap& w) { return w.touch.held; });
}

// Newton on the touching wraps; true when (2) holds
bool Polish(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, SpanResult& result) {
  ChainStorage storage[2];
  Chain chain = storage[0].Make(), next = storage[1].Make();
  if (!MakeChain(a, b, wraps, n, chain)) return false;
  if (chain.n == 0) return true;
  const double start_length = Length(chain);
  Run run;
  Newton(a, b, wraps, false, chain, next, run);
  result.iterations += run.iterations;
  if (!Trusted(wraps, start_length, chain)) return false;
  // a first path shall be a minimum: where the determinant of (2) is negative, descent goes on
  const bool clamped = chain.clamped_start || chain.clamped_end;
  if (run.sign < 0 && !clamped && Cold(wraps, n)) return false;
  StoreTouches(chain, wraps);
  // at the limit of rounding Newton cannot improve; a thousandfold margin is still a path
  return chain.error <= kPathMargin * chain.tolerance;
}

}  // namespace

Tightened TightenOne(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n, int i,
                     Budget& budget) {
  const SpanWrap& w = wraps[i];
  if (!IsSmooth(*w.surface)) return {TightenRound(a, b, wraps, n, i)};
  return TightenSmooth(Before(a, wraps, i), After(b, wraps, n, i), w, budget);
}

double Descend(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const Touch old = wraps[i].touch;
    Touch& now = wraps[i].touch;
    const auto [found, solved] = TightenOne(a, b, wraps, n, i, budget);
    now = found;
    double move = 0;
    if (solved && old.touching && now.touching) {
      move = std::max(Norm(now.p - old.p), Norm(now.q - old.q)) / wraps[i].surface->radius;
    } else if (!solved || old.touching != now.touching) {
      move = 1;
    }
    largest = std::max(largest, move);
  }
  return largest;
}

bool Settled(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, Budget& budget) {
  bool settled = true;
  for (int i = 0; i < n; ++i) {
    Touch& touch = wraps[i].touch;
    if (wraps[i].bearings > 1) continue;
    if (touch.touching) {
      touch.way = Follow(*wraps[i].surface, Before(a, wraps, i), After(b, wraps, n, i), touch.way);
    } else {
      const auto [now, solved] = TightenOne(a, b, wraps, n, i, budget);
      settled = settled && solved && !now.touching;
      touch = now;
    }
  }
  return settled;
}

bool Known(const SpanWrap* wraps, int n) {
  return std::none_of(wraps, wraps + n, [](const SpanWrap& w) {
    return w.hint || (w.touch.touching && Dot(w.touch.t_p, w.touch.t_p) == 0);
  });
}

bool Buried(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n) {
  return std::any_of(wraps, wraps + n, [&](const SpanWrap& w) {
    const Surface& s = *w.surface;
    return !s.inside && std::min(Distance(s, a), Distance(s, b)) < -kBuried * s.radius;
  });
}

bool Slipped(const Vec3& a, const Vec3& b, const SpanWrap* start, const SpanWrap* wraps, int n,
             double explained) {
  const double was = CarriedLength(a, b, start, n), is = PathLength(a, b, wraps, n);
  return was - is > (explained + kGained) * was;
}

SpanResult SolveSpan(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int most_tries) {
  SpanResult result;
  if (n == 0) return result;
  const auto any = [&](const auto& which) { return std::any_of(wraps, wraps + n, which); };
  if (any([](const SpanWrap& w) { return w.bearings > 1; })) {
    return SolveGrouped(a, b, wraps, n, most_tries);
  }
  if (any([](const SpanWrap& w) { return IsSmooth(*w.surface); })) {
    return SolveSmooth(a, b, wraps, n, most_tries);
  }
  if (n == 1) {
    wraps[0].touch = TightenRound(a, b, wraps, 1, 0);
    return result;
  }
  Budget none;  // closed forms cost nothing

  int sweeps = 1;
  for (int round = 0; round < kMaxRounds; ++round) {
    double move = 1;
    const int most = round == 0 ? kMaxFirstDescent : sweeps;
    for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling);
         ++i, ++result.iterations) {
      move = Descend(a, b, wraps, n, none);
    }
    if (Held(wraps, n)) break;
    if (Polish(a, b, wraps, n, result) && Settled(a, b, wraps, n, none)) return result;
    sweeps = std::min(2 * sweeps + 2, kMaxDescent);
  }

  // descent alone converges too, only slower; it is the only way where a keeper holds the string
  for (int i = 0; i < kMaxDescent; ++i, ++result.iterations) {
    if (Descend(a, b, wraps, n, none) < kStill) return result;
  }
  result.converged = false;
  return result;
}

}  // namespace mujocable
