#include "core/path/search/solve.h"

#include <algorithm>
#include <cmath>

#include "core/math/inline.h"
#include "core/path/follow/chain.h"
#include "core/path/follow/parallel.h"
#include "core/surface/groove.h"

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

namespace {

// the arcs of the step before, as long as they were, where they are now
void Carry(const Strand& strand) {
  for (int i = 0; i < strand.n; ++i) {
    Touch& touch = strand[i].touch;
    if (!touch.touching) continue;
    if (IsGrooved(*strand[i].surface)) {
      touch = TightenRound(strand, i);
    } else {
      touch.q = Shoot(*strand[i].surface, touch.p, touch.t_p, touch.arc).q;
    }
  }
}

// the largest corner where a string meets its arcs so; none where a keeper holds it at a point
double Corner(const Strand& start) {
  const StrandCopy strand(start);
  Carry(strand);
  double largest = 0;
  for (int i = 0; i < strand.n; ++i) {
    const Touch& touch = strand[i].touch;
    if (!touch.touching || touch.held || !(touch.arc > 0)) continue;
    const Geodesic g = Shoot(*strand[i].surface, touch.p, touch.t_p, touch.arc);
    const Vec3 in = Unit(g.p - strand.Before(i), g.t_p), out = Unit(strand.After(i) - g.q, g.t_q);
    largest = std::max({largest, Norm(Cross(in, g.t_p)), Norm(Cross(out, g.t_q))});
  }
  return largest;
}

}  // namespace

bool Slipped(const Strand& start, const Strand& found, double explained) {
  const StrandCopy carried(start);
  Carry(carried);
  const double was = carried.Length();
  return was - found.Length() > (explained + kGained) * was;
}

namespace {

// One span on its way: over smooth surfaces by continuity where that leads to a minimum nearby,
// else from afar.
class WholeSpan {
 public:
  explicit WholeSpan(const Strand& strand)
      : strand_(strand),
        n_(strand.n),
        smooth_(strand.Any([](const SpanWrap& w) { return IsSmooth(*w.surface); })),
        spheres_(strand.Any([](const SpanWrap& w) {
          return w.surface->kind == SurfaceKind::kSphere && !w.permanent;
        })),
        kept_(strand.Any([](const SpanWrap& w) { return w.permanent || IsGrooved(*w.surface); })),
        warm_((smooth_ || (spheres_ && n_ > 1)) && Known(strand)),
        touching_(strand.Any([](const SpanWrap& w) { return w.touch.touching; })),
        budget_{.tries = kTries, .sweeps = smooth_ ? kSmoothSweeps : kNoLimit} {}

  SpanResult Solve() {
    if (!smooth_ && !warm_) {
      result_.converged = Search();
      return result_;
    }
    const StrandCopy start(strand_);
    if (!smooth_) {
      result_.converged = Search();
      result_.snapped = result_.converged && SnappedFrom(start);
      return result_;
    }
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
    result_.snapped = result_.converged &&
                      (kept_ ? warm_ && SnappedFrom(start)
                             : small && Slipped(start, strand_, n_ * start_error * start_error));
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

  // Over spheres and cylinders, where descent found a path: whether it is another one than that of
  // the step before. What Newton's method follows counts: descent may leap where nothing snaps.
  bool SnappedFrom(const StrandCopy& start) {
    if (kept_) {
      // a string that is held at a point is no chain of arcs for Newton's method
      const double corner = Corner(start);
      return corner < kSmallMove && Slipped(start, strand_, kSlip + n_ * corner * corner);
    }
    const double was = start.Length(), gained = was - strand_.Length();
    if (!(std::abs(gained) > kLeastSlip * was)) return false;
    const StrandCopy found(strand_);
    start.Put(strand_);
    run_ = {};
    if (Polished() && Settled(strand_, budget_)) return false;
    const double error = run_.start_error;
    found.Put(strand_);
    if (!(error < kSmallMove)) return false;
    if (gained > 0 && !Slipped(start, strand_, n_ * error * error)) return false;
    // a soft minimum lets the string run far: in small steps as long as there is no fold
    start.Put(strand_);
    run_ = {.reach = kFar, .followed = true};
    if (Follow()) return false;
    found.Put(strand_);
    if (gained < 0) PassBalls(start);
    return true;
  }

  // Where descent leapt to a longer path: the string led past one ball after the other, on one side
  // and the other, until a path is found that is no longer than the old one; else the shortest.
  MUJOCABLE_COLD void PassBalls(const StrandCopy& start) {
    const double enough = start.Length() * (1 + kLeastSlip);
    const StrandCopy best(strand_);
    for (int k = 0; k < 2 * n_ && best.Length() > enough; ++k) {
      start.Put(strand_);
      LeadAside(k / 2, k % 2 ? -1 : 1);
      budget_.sweeps = kMaxDescent;
      if (Searched() && strand_.Length() < best.Length()) StrandCopy(strand_).Put(best);
    }
    best.Put(strand_);
  }

  // one after the other, then all together
  bool Search() {
    if (n_ == 1) {
      const Tightened found = TightenOne(strand_, 0, budget_);
      strand_[0].touch = found.touch;
      return found.solved;
    }
    if (Searched()) return true;
    if (smooth_) return PolishedFar();
    if (!spheres_) return false;
    // in a plane of symmetry no minimum need be: from beside it, on one side or the other
    for (const double side : {1.0, -1.0}) {
      for (int i = 0; i < n_; ++i) LeadAside(i, side);
      budget_.sweeps = kNoLimit;
      if (Searched()) return true;
    }
    return false;
  }

  // the string over sphere i, as if it passed beside the plane of its neighbors
  void LeadAside(int i, double side) {
    const Surface& s = *strand_[i].surface;
    if (s.kind != SurfaceKind::kSphere || strand_[i].permanent) return;
    const Vec3 before = strand_.Before(i), after = strand_.After(i);
    const Vec3 plane = Cross(before - s.pos, after - s.pos);
    Touch& touch = strand_[i].touch;
    touch = {};
    touch.touching = true;
    touch.p = touch.q = s.pos + side * s.radius * Unit(plane, s.rot.Column(2));
  }

  // descent and Newton's method in turn
  bool Searched() {
    int sweeps = 1;
    for (int round = 0; round < kMaxRounds && budget_.sweeps > 0 && !budget_.Spent(); ++round) {
      double move = 1;
      const int most = std::min(budget_.sweeps, round == 0 ? kMaxFirstDescent : sweeps);
      for (int i = 0; i < most && move > kStill && (i < sweeps || move > kSettling); ++i) {
        move = Sweep();
        resting_ = resting_ && move <= kStill;
      }
      if (!smooth_ && strand_.Any([](const SpanWrap& w) { return w.touch.held; })) break;
      if (PolishedTogether()) return true;
      sweeps = std::min(2 * sweeps + 2, smooth_ ? kMaxSmoothSweeps : kMaxDescent);
    }
    // descent alone converges too, only slower; it is the only way where a keeper holds the string
    budget_.sweeps = std::min(budget_.sweeps, kMaxDescent);
    while (budget_.sweeps > 0 && !budget_.Spent()) {
      if (Sweep() < (smooth_ ? kDescended : kStill)) return smooth_ || !IsSaddle();
    }
    return false;
  }

  double Sweep() {
    --budget_.sweeps;
    ++result_.iterations;
    return Descend(strand_, budget_);
  }

  // whether a string at rest is a path that would run away from its plane
  bool IsSaddle() {
    const StrandCopy still(strand_);
    const bool taut = PolishedTogether();
    if (!taut) still.Put(strand_);
    return !taut && run_.sign < 0;
  }

  bool PolishedTogether() {
    run_ = {.descended = !smooth_, .certain = smooth_ || (spheres_ && !(warm_ && resting_))};
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
  const bool smooth_;   // surfaces without a closed form among its wraps
  const bool spheres_;  // spheres among them: off those a string may slip
  const bool kept_;     // keepers or grooves among them: they may hold the string at a point
  const bool warm_;     // there is a path to follow
  bool touching_;
  bool resting_ = true;  // descent moved nothing: the path of the step before was looked at then
  Budget budget_;
  Run run_;
  SpanResult result_;
};

}  // namespace

SpanResult SolveTogether(const Strand& strand) { return WholeSpan(strand).Solve(); }

SpanResult SolveSpan(const Strand& strand) {
  if (strand.n == 0) return {};
  const bool grouped = strand.Any([](const SpanWrap& w) { return w.bearings > 1; });
  return grouped ? SolveGrouped(strand) : SolveTogether(strand);
}

}  // namespace mujocable
