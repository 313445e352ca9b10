// Tensions of a bundle where every guide rubs, and did in the step before: as LayMaterial,
// FindTensions and MoveMaterial, a number of every cable at a time. Each guide is one contact, so
// the cells are the segments.

#include <algorithm>

#include "core/bundle/bundle.h"
#include "core/law/coulomb.h"
#include "core/math/exp.h"

namespace mujocable {
namespace {

// a sum in the order of the driver's: every fourth term, then those four
class FourSums {
 public:
  void Add(int j, const Lanes& x) { sum_[j % kLanes] += x; }
  Lanes Total() const { return (sum_[0] + sum_[1]) + (sum_[2] + sum_[3]); }

 private:
  Lanes sum_[kLanes] = {All<Lanes>(0), All<Lanes>(0), All<Lanes>(0), All<Lanes>(0)};
};

class RoughCells {
 public:
  // length, growth: of the segments, beyond the contacts
  RoughCells(const RecordLanes& record, const StateLanes& state, const LaneStep& law,
             const LaneRow& length, const LaneRow& growth, Workspace& workspace)
      : record_(record),
        state_(state),
        law_(law),
        length_(length),
        growth_(growth),
        workspace_(workspace),
        r_(record_.first),
        n_(record.first.ncontact) {}

  // Cells with the material that each had, as LayMaterial; returns a number below zero where that
  // is more than they know of.
  Lanes Lay() {
    const State& s = state_.first;
    Lanes rate = record_.Get(&r_.length_rate()), exponents = zero_, sum = zero_, unknown = zero_;
    for (int i = 0; i <= n_; ++i) {
      const Lanes rest = state_.Get(s.cell() + i);
      sum += rest;
      rest_.Set(i, rest);
      if (i == n_) break;
      const Lanes mu = state_.Get(s.friction() + i), growth = growth_[i];
      const Lanes angle = record_.Get(r_.wrap_angle() + i);
      const Lanes exponent = ConeExponent(mu, angle), ratio = Exp(exponent);
      exponents += exponent;
      ratio_.Set(i, ratio);
      inverse_.Set(i, 1 / ratio);
      grown_.Set(i, step_ * (rate - growth));
      rate = growth;
      unknown += 0 - Abs(state_.Get(s.rubbing() + i) - one_);
    }
    grown_.Set(n_, step_ * rate);
    Lanes first = rest_[0];
    if (!commanded_) first += law_.total - sum;
    rest_.Set(0, first);
    if (!law_.length_rate_only) grown_.Set(0, grown_[0] + ((first + law_.motor) - first));
    const Lanes before = state_.Get(&s.step()), fresh = 0 - Abs(before);
    if (commanded_) unknown += 0 - Abs(before - law_.step);
    return Select(All<Lanes>(kMostExponents) - exponents, 0 - one_,
                  Select(fresh, unknown, 0 - one_));
  }

  // Tensions if nothing moved between the cells, as FreeTensions; returns a number below zero where
  // the cable is taut.
  Lanes Free() {
    FourSums stretches;
    const Lanes infinite = All<Lanes>(INFINITY), whole = law_.stiffness * law_.length;
    const Lanes limited = 0 - law_.most_hold;
    const Lanes rigidity = Select(0 - whole, whole, Select(limited, infinite, whole));
    const Lanes stiffest = Select(limited, law_.most_hold, infinite);
    const Lanes still = Select(limited, All<Lanes>(kHoldDamping), zero_);
    const Lanes damper = commanded_ ? zero_ : law_.damping * law_.length / step_;
    for (int j = 0; j <= n_; ++j) {
      const Lanes stretch = length_[j] - rest_[j], inverse = 1 / Size(j);
      const Lanes own = rigidity * inverse, hold = Least(stiffest, own);
      const Lanes drag = damper * inverse + still * hold;
      stretches.Add(j, stretch);
      give_.Set(j, 1 / (hold + drag));
      free_.Set(j, hold * stretch + drag * grown_[j]);
    }
    return commanded_ ? 0 - one_ : 0 - stretches.Total();
  }

  // Tensions in their cones, as SolveCoulomb: at once where every one of them is, lane by lane
  // where material must move to get there. Lanes beyond the first `lanes` are the first one again.
  void Balance(int lanes) {
    const Lanes most = law_.max_tension;
    const Lanes source = commanded_ ? Least(Most(law_.command, zero_), most) : free_[0];
    Lanes moves = zero_, root = source;
    if (!commanded_) moves = Select(zero_ - root, Select(root - most, zero_, 0 - one_), 0 - one_);
    for (int j = 1; j <= n_; ++j) {
      const Lanes free = free_[j], low = root * inverse_[j - 1], high = root * ratio_[j - 1];
      moves = Select(free - low, 0 - one_, Select(high - free, 0 - one_, moves));
      root = free;
    }
    Lanes tension = root;
    tension_.Set(n_, tension);
    slip_.Set(n_, zero_);
    for (int j = n_; j > 0; --j) {
      const Lanes low = tension * inverse_[j - 1], high = tension * ratio_[j - 1];
      root = j > 1 ? free_[j - 1] : source;
      const Lanes down = Select(root - high * (1 - kEdge), zero_, 0 - one_);
      slip_.Set(j - 1, Select(low * (1 + kEdge) - root, down, one_));
      tension = Most(low, Least(root, high));
      tension_.Set(j - 1, tension);
    }
    double* room = workspace_.Take<double>(5 * (n_ + 1) + CoulombScratch(n_ + 1));
    int* slip = workspace_.Take<int>(n_ + 1);
    for (int k = 0; k < lanes; ++k) {
      if (moves[k] < 0) SolveLane(k, room, slip);
    }
    for (int k = lanes; k < kLanes && moves[0] < 0; ++k) {
      for (const LaneRow& row : {tension_, slip_}) {
        for (int j = 0; j <= n_; ++j) row.Of(k, j) = row.Of(0, j);
      }
    }
  }

  // material where the tensions ask for it, as MoveMaterial
  void Move() {
    const Lanes per_second = All<Lanes>(1 / law_.step), first = tension_[0];
    const Lanes rigidity = law_.stiffness * law_.length;
    const Lanes keeps = Select(0 - law_.most_hold, zero_, 0 - rigidity);
    const Lanes softness = Select(keeps, 1 / rigidity, zero_);
    Lanes passed = zero_, after = zero_;  // sign of what slips behind this cell
    Lanes behind = WorthOfMaterial(tension_[n_], softness);
    for (int j = n_; j >= 0; --j) {
      Lanes slips = zero_;
      if (j > 0) {
        slips = 0 - Abs(slip_[j - 1]);
      } else {
        slips = commanded_ ? 0 - one_ : Select(first - law_.max_tension, zero_, 0 - one_);
      }
      const Lanes taken = Select(after + slips, give_[j] * (free_[j] - tension_[j]), zero_);
      passed += taken;
      rest_.Set(j, rest_[j] + taken);
      if (j == 0) break;
      after = slips;
      const int i = j - 1;
      const Lanes worth = WorthOfMaterial(tension_[i], softness), lost = (behind - worth) * passed;
      behind = worth;
      const Lanes slip = Select(slips, passed, zero_);
      record_.Set(r_.slip() + i, slip);
      record_.Set(r_.slip_rate() + i, slip * per_second);
      record_.Set(r_.slip_total() + i, state_.Get(state_.first.slip_total() + i) + slip);
      record_.Set(r_.dissipation() + i,
                  Select(slips, Select(zero_ - lost, lost, zero_) * per_second, zero_));
      record_.Set(r_.stuck() + i, Select(slips, zero_, one_));
      passed = slip;
    }
  }

  // what the record says of cells and contacts, as ShowCells
  void Show() {
    const Elastic<Lanes> elastic = ElasticOf(law_, true);
    FourSums energy;
    Lanes before = zero_;
    record_.Set(&r_.source_tension(), tension_[0]);
    for (int j = 0; j <= n_; ++j) {
      const Lanes rest = rest_[j];
      energy.Add(j, StoredEnergy(elastic, Size(j), length_[j] - rest));
      record_.Set(r_.tension() + j, tension_[j]);
      record_.Set(r_.cell() + j, rest);
      const Lanes divided = before;
      before += rest;
      record_.Set(r_.segment_rest() + j, before - divided);
      if (j == n_) break;
      record_.Set(r_.cone() + j, ConeOf(tension_[j], tension_[j + 1], ratio_[j]));
      record_.Set(r_.rubbing() + j, one_);
      record_.Set(r_.mark() + j, zero_);
    }
    record_.Set(&r_.energy(), StoredIn(law_, energy.Total()));
  }

  const LaneRow& tension() const { return tension_; }

 private:
  Lanes Size(int j) const { return Most(length_[j], shortest_); }

  void SolveLane(int k, double* room, int* slip) {
    const int n = n_ + 1;
    double *free = room, *give = free + n, *ratio = give + n, *inverse = ratio + n;
    double *tension = inverse + n, *scratch = tension + n;
    // (the last ratio is of no contact, and nobody asks for it)
    for (int j = 0; j < n; ++j) {
      free[j] = free_.Of(k, j);
      give[j] = give_.Of(k, j);
      ratio[j] = ratio_.Of(k, j);
      inverse[j] = inverse_.Of(k, j);
    }
    SolveCoulomb({n, free, give, ratio, inverse, commanded_, law_.command[k], law_.max_tension[k]},
                 scratch, tension, slip);
    for (int j = 0; j < n; ++j) tension_.Of(k, j) = tension[j];
    for (int i = 0; i < n_; ++i) slip_.Of(k, i) = slip[i];
  }

  const RecordLanes record_;
  const StateLanes state_;
  const LaneStep& law_;
  const LaneRow length_, growth_;
  Workspace& workspace_;
  const Record& r_;
  const int n_;  // contacts
  const bool commanded_ = law_.commanded;
  const Lanes zero_ = All<Lanes>(0), one_ = All<Lanes>(1), step_ = All<Lanes>(law_.step);
  const Lanes shortest_ = kShortestCell * law_.length;
  // per cell; ratio, inverse and slip per contact
  const LaneRow rest_{workspace_, n_ + 1}, grown_{workspace_, n_ + 1}, give_{workspace_, n_ + 1},
      free_{workspace_, n_ + 1}, ratio_{workspace_, n_ + 1}, inverse_{workspace_, n_ + 1},
      tension_{workspace_, n_ + 1}, slip_{workspace_, n_ + 1};
};

}  // namespace

LaneRow Bundle::TightenRough(const LaneStep& law, bool* alone) const {
  RoughCells cells(record_, state_, law, course_->length, course_->growth, cable_[0]->workspace_);
  const Lanes unknown = cells.Lay(), taut = cells.Free();
  cells.Balance(n_);
  cells.Move();
  cells.Show();
  const Lanes tension = cells.tension()[0];
  for (int j = 0; j < n_; ++j) {
    const bool usual = (law.commanded || law.transition[j] == 0) && unknown[j] >= 0 &&
                       taut[j] < 0 && tension[j] > 0;
    alone[j] = alone[j] || !usual;
  }
  return cells.tension();
}

}  // namespace mujocable
