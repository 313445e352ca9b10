// All wraps of a span together, one contact each.

#include <algorithm>
#include <cmath>

#include "core/path/follow/chain.h"
#include "core/path/search/solve.h"

namespace mujocable {
namespace {

// One span on its way: over smooth surfaces by continuity where that leads to a minimum nearby,
// else from afar.
class WholeSpan {
 public:
  WholeSpan(const Strand& strand, int most_tries)
      : strand_(strand),
        n_(strand.n),
        smooth_(strand.Any([](const SpanWrap& w) { return IsSmooth(*w.surface); })),
        warm_(smooth_ && Known(strand)) {
    // closed forms cost nothing
    budget_ = {.tries = kNoLimit, .sweeps = kNoLimit};
    if (!smooth_) return;
    touching_ = strand.Any([](const SpanWrap& w) { return w.touch.touching; });
    budget_ = {.tries = kTries * (1 + n_), .sweeps = warm_ ? kWarmSweeps : kColdSweeps};
    // from afar as many tries over splines as over anything, though they cost more
    const bool spline = strand.Any([](const SpanWrap& w) { return IsSpline(*w.surface); });
    if (!warm_ && spline) budget_.tries *= kSplinePrice;
    budget_.tries = std::min(budget_.tries, most_tries);
  }

  SpanResult Solve() {
    if (!smooth_) {
      result_.converged = Search();
      return result_;
    }
    const StrandCopy start(strand_);
    result_.followed = warm_;
    if (warm_ && Follow()) return result_;
    const double start_error = run_.start_error;
    const bool small = warm_ && start_error < kSmallMove;
    if (small && touching_) {
      // a soft minimum lets the string run far: in small steps as long as there is no fold
      start.Put(strand_);
      run_ = {.reach = kFar, .followed = true};
      if (Follow()) return result_;
    }
    result_.followed = false;
    start.Put(strand_);
    result_.converged = Search();
    result_.snapped =
        small && result_.converged && Slipped(start, strand_, n_ * start_error * start_error);
    return result_;
  }

 private:
  // Newton on the touching wraps, within the run
  bool Polished() {
    const bool taut = Polish(strand_, run_);
    result_.iterations += run_.iterations;
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
      const Tightened found = TightenOne(strand_, 0, budget_);
      strand_[0].touch = found.touch;
      return found.solved;
    }
    if (smooth_ && Buried(strand_)) budget_.sweeps = 1;
    int sweeps = 1;
    for (int round = 0; round < kMaxRounds && budget_.sweeps > 0 && !budget_.Spent(); ++round) {
      double move = 1;
      const int most = std::min(budget_.sweeps, round == 0 ? kMaxFirstDescent : sweeps);
      for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling); ++i) {
        move = Sweep();
      }
      if (!smooth_ && strand_.Any([](const SpanWrap& w) { return w.touch.held; })) break;
      if (PolishedTogether()) return true;
      sweeps = std::min(2 * sweeps + 2, smooth_ ? kMaxSmoothSweeps : kMaxDescent);
    }
    // descent alone converges too, only slower; it is the only way where a keeper holds the string
    budget_.sweeps = std::min(budget_.sweeps, kMaxDescent);
    while (budget_.sweeps > 0 && !budget_.Spent()) {
      if (Sweep() < (smooth_ ? kDescended : kStill)) return true;
    }
    return smooth_ && PolishedFar();
  }

  double Sweep() {
    --budget_.sweeps;
    ++result_.iterations;
    return Descend(strand_, budget_);
  }

  bool PolishedTogether() {
    run_ = {.descended = !smooth_, .certain = smooth_};
    return Polished() && Settled(strand_, budget_);
  }

  // where descent creeps: far in small strides, not uphill
  bool PolishedFar() {
    const StrandCopy descended(strand_);
    run_ = {.reach = kFar, .longest = strand_.Length(), .followed = true};
    if (Polished() && Settled(strand_, budget_)) return true;
    descended.Put(strand_);
    return false;
  }

  const Strand strand_;
  const int n_;
  const bool smooth_;  // surfaces without a closed form among its wraps
  const bool warm_;    // there is a path to follow
  bool touching_ = true;
  Budget budget_;
  Run run_;
  SpanResult result_;
};

}  // namespace

SpanResult SolveTogether(const Strand& strand, int most_tries) {
  return WholeSpan(strand, most_tries).Solve();
}

}  // namespace mujocable
