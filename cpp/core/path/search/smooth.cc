// A span with smooth surfaces among its wraps.

#include <algorithm>
#include <cmath>

#include "core/path/follow/neighbors.h"
#include "core/path/follow/polish.h"
#include "core/path/search/solve.h"

namespace mujocable {
namespace {

// One span on its way: by continuity where that leads to a minimum nearby, else from afar.
class SmoothSpan {
 public:
  SmoothSpan(const Strand& strand, int most_tries)
      : strand_(strand), n_(strand.n), start_(strand), warm_(Known(strand)) {
    touching_ = strand.Any([](const SpanWrap& w) { return w.touch.touching; });
    budget_ = {.tries = kTries * (1 + n_), .sweeps = warm_ ? kWarmSweeps : kColdSweeps};
    // from afar as many tries over splines as over anything, though they cost more
    const bool spline = strand.Any([](const SpanWrap& w) { return IsSpline(*w.surface); });
    if (!warm_ && spline) budget_.tries *= kSplinePrice;
    budget_.tries = std::min(budget_.tries, most_tries);
  }

  SpanResult Solve() {
    result_.followed = warm_;
    if (warm_ && Follow()) return result_;
    const double start_error = bounds_.start_error;
    const bool small = warm_ && start_error < kSmallMove;
    if (small && touching_) {
      // a soft minimum lets the string run far: in small steps as long as there is no fold
      start_.Put(strand_);
      bounds_ = {.reach = kFar, .followed = true};
      if (Follow()) return result_;
    }
    result_.followed = false;
    start_.Put(strand_);
    result_.converged = Search();
    result_.snapped =
        small && result_.converged && Slipped(start_, strand_, n_ * start_error * start_error);
    return result_;
  }

 private:
  // Newton on the touching wraps, within the bounds
  bool Polished() {
    const bool taut = PolishSmooth(strand_, bounds_);
    result_.iterations += bounds_.iterations;
    return taut;
  }

  // Newton from the step before, then the lifted wraps
  bool Follow() {
    for (int round = 0; round < kFollowRounds; ++round) {
      if (touching_ && !Polished()) return false;
      if (Settled(strand_, budget_)) return true;
      touching_ = true;
      if (n_ == 1) return true;  // touched down, already taut
    }
    return false;
  }

  // one after the other, then all together
  bool Search() {
    if (n_ == 1) {
      const Tightened found = TightenSmooth(strand_.a, strand_.b, strand_[0], budget_);
      strand_[0].touch = found.touch;
      return found.solved;
    }
    if (Buried(strand_)) budget_.sweeps = 1;
    int sweeps = 1;
    for (int round = 0; round < kMaxRounds && budget_.sweeps > 0 && !budget_.Spent(); ++round) {
      double move = 1;
      const int most = std::min(budget_.sweeps, round == 0 ? kMaxFirstDescent : sweeps);
      for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling); ++i) {
        move = Sweep();
      }
      if (PolishedTogether()) return true;
      sweeps = std::min(2 * sweeps + 2, kMaxSmoothSweeps);
    }
    while (budget_.sweeps > 0 && !budget_.Spent()) {
      if (Sweep() < kDescended) return true;
    }
    return false;
  }

  double Sweep() {
    --budget_.sweeps;
    ++result_.iterations;
    return Descend(strand_, budget_);
  }

  bool PolishedTogether() {
    bounds_ = {};
    bounds_.certain = true;
    return Polished() && Settled(strand_, budget_);
  }

  const Strand strand_;
  const int n_;
  const StrandCopy start_;  // the guess
  const bool warm_;         // there is a path to follow
  bool touching_;
  Budget budget_;
  Bounds bounds_;
  SpanResult result_;
};

}  // namespace

SpanResult SolveSmooth(const Strand& strand, int most_tries) {
  return SmoothSpan(strand, most_tries).Solve();
}

}  // namespace mujocable
