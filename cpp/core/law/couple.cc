#include "core/law/couple.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/law/cell.h"
#include "core/math/dense.h"

namespace mujocable {
namespace {

// a law of lines ends at last, so this only bounds the work (chosen: the arm took 12 at most, where
// it is pulled at once; couple_test would notice a lower bound)
constexpr int kSteps = 60;
// every third halves the interval: to a thousandth of the step, below which it is given up
constexpr int kSearchSteps = 30;
// a step that is too short goes on so far at most (chosen: test_no_balance would notice 1.5)
constexpr double kFurthest = 10;
constexpr double kBalanced = 1e-12;       // unbalanced force, relative to all forces: rounding
constexpr double kRounding = 1e-9;        // the same, where steps do not make it smaller any more
constexpr double kSmallestPivot = 1e-14;  // of a matrix whose diagonal is scaled to 1

// adds a piece of a cable to a vector of the dofs
void AddPiece(const CoupledCable& c, int piece, double scale, double* to) {
  const double* row = c.row + piece * c.columns;
  const int* place = c.place;
  for (int k = c.range[piece].begin, end = c.range[piece].end; k < end; ++k) {
    to[place[k]] += scale * row[k];
  }
}

// how fast the growth of each cell changes, into `along` [cells]; nullptr: not at all
void AlongCells(const CoupledCable& c, const double* change, double* along) {
  const int *piece = c.piece, *place = c.place;
  const double* rows = c.row;
  const Range* ranges = c.range;
  const int n = c.material.n, columns = c.columns;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    if (change && piece[j] >= 0) {
      const Range range = ranges[piece[j]];
      const double* row = rows + piece[j] * columns;
      for (int k = range.begin; k < range.end; ++k) sum += row[k] * change[place[k]];
    }
    along[j] = sum;
  }
  StoreLanes(along + n, All<Lanes>(0));
}

void EvaluateCable(const CoupledCable& c, double h, const double* change) {
  const Material& m = c.material;
  double* along = m.work;
  AlongCells(c, change, along);
  const double by_rate = h * c.ahead, by_change = h * h * (c.ahead + c.average);
  for (int j = 0; j < m.n; j += kLanes) {
    const Lanes r = LoadLanes(m.rate + j), a = LoadLanes(along + j);
    StoreLanes(m.longer + j, by_rate * r + by_change * a);
    StoreLanes(m.grown + j, h * (r + h * a));
  }
  if (change && c.undamped >= 0) {
    m.grown[0] -= h * h * c.row[c.undamped] * change[c.place[c.undamped]];
  }
  // a motor goes on while the step looks ahead
  if (!c.step.commanded) m.longer[0] += c.ahead * c.step.motor;
}

// Adds how the load of one cable changes with the change of velocity: cells that slip together
// change together. pull, measure: scratch, zero before and after.
void AddCableSlopes(const CoupledCable& c, double h, int n, int width, double* pull,
                    double* measure, double* slopes) {
  const Material& m = c.material;
  const auto slope = [&](int j) { return h * h * (m.hold[j] * (c.ahead + c.average) + m.drag[j]); };
  for (int first = 0, last; first < m.n; first = last + 1) {
    last = first;
    while (last + 1 < m.n && m.slip[last] != 0) ++last;
    const bool given = first == 0 && (c.step.commanded || m.tension[0] >= c.step.axial.max_tension);
    if (given || !(m.tension[first] > 0)) continue;
    if (first == last && !c.pull) {
      // one cell that sticks: few dofs
      const int piece = c.piece[first];
      if (piece < 0) continue;
      const Range range = c.range[piece];
      const double* row = c.row + piece * c.columns;
      const double scale = slope(first);
      for (int k = range.begin; k < range.end; ++k) {
        double* to = slopes + c.place[k] * width;
        for (int l = range.begin; l < range.end; ++l) to[c.place[l]] += scale * row[k] * row[l];
        if (first == 0 && c.undamped >= 0) {
          to[c.place[c.undamped]] -= h * h * m.drag[0] * row[k] * row[c.undamped];
        }
      }
      continue;
    }
    double given_way = 0;
    for (int j = first; j <= last; ++j) {
      const double part = m.tension[j] / m.tension[first];
      given_way += m.give[j] * part;
      const int piece = c.piece[j];
      if (piece < 0) continue;
      const double grows = m.give[j] * slope(j);
      const double* row = c.row + piece * c.columns;
      for (int k = c.range[piece].begin, end = c.range[piece].end; k < end; ++k) {
        measure[c.place[k]] += grows * row[k];
        pull[c.place[k]] += part * row[k];
      }
    }
    if (first == 0 && c.undamped >= 0) {
      measure[c.place[c.undamped]] -= m.give[0] * h * h * m.drag[0] * c.row[c.undamped];
    }
    AddOuter(1 / given_way, c.pull ? c.pull : pull, measure, n, width, slopes);
    std::fill(measure, measure + width, 0.0);
    std::fill(pull, pull + width, 0.0);
  }
}

}  // namespace

int CoupledScratch(int n) {
  const int width = Padded(n);
  return 2 * n * width + 12 * width;
}

void EvaluateCables(const CoupledMotion& motion, const double* change, double* load) {
  for (int i = 0; i < motion.ncable; ++i) {
    CoupledCable& c = *motion.cables[i];
    EvaluateCable(c, motion.step, change);
    FindTensions(c.step, c.material);
    if (c.pull) {
      AddScaled(c.material.tension[0], c.pull, motion.width, load);
      continue;
    }
    for (int j = 0; j < c.material.n; ++j) {
      if (c.piece[j] >= 0) AddPiece(c, c.piece[j], c.material.tension[j], load);
    }
  }
}

bool EvaluateOlder(const CoupledMotion& motion) {
  bool any = false;
  for (int i = 0; i < motion.ncable; ++i) {
    CoupledCable& c = *motion.cables[i];
    Material& m = c.material;
    EvaluateCable(c, motion.step, nullptr);
    const double growth = std::accumulate(m.grown, m.grown + m.n, c.step.motor);
    if (c.step.commanded || !(growth > 0)) continue;
    const double back = (1 + c.ahead) * growth / c.step.length;
    for (int j = 0; j < m.n; ++j) m.longer[j] -= back * m.length[j];
    FindTensions(c.step, m);
    any = true;
  }
  return any;
}

namespace {

// Newton's method on the balance of forces, in the scale of each dof's inertia.
class Newton {
 public:
  Newton(const CoupledMotion& motion, double* scratch);
  int Solve();
  const double* found() const { return x_; }  // where Solve ended

 private:
  // Into rest_; returns its size, and sets forces_. rests: at the start, where no velocity changes.
  double Balance(const double* at, bool rests = false);
  double Go(double length);  // the balance at that length of the step
  double Along() const { return Dot(step_, rest_, width_); }  // what is left, along the step
  double AllForces() const;
  const double* Change(const double* at);           // of velocity per step, by the unknown
  const double* EndVelocity(const double* change);  // where the step ends
  void AddSwings(const double* change);             // to load_
  void AddSwingSlopes();
  bool FindStep();  // into step_; false where the slopes have no inverse
  double FitLength(double now, double start, double next);  // of a step that does not do

  const CoupledMotion& motion_;
  const int n_, width_;
  double *matrix_, *slopes_;
  double *load_, *rest_, *step_, *bond_, *change_, *pull_, *measure_, *scale_, *inertial_,
      *velocity_;
  double *x_, *trial_, *best_;
  double* place_[3];   // where these three are
  double forces_ = 0;  // size of all forces, those of cables as sums
};

Newton::Newton(const CoupledMotion& motion, double* scratch)
    : motion_(motion), n_(motion.n), width_(motion.width), x_(motion.start) {
  const auto take = [&](int count) {
    double* taken = scratch;
    scratch += count;
    return taken;
  };
  matrix_ = take(n_ * width_);
  slopes_ = motion.turned ? take(n_ * width_) : matrix_;
  double* const vectors = scratch;
  for (double** v : {&load_, &rest_, &step_, &bond_, &change_, &pull_, &measure_, &scale_,
                     &inertial_, &velocity_, place_, place_ + 1}) {
    *v = take(width_);
  }
  std::fill(vectors, scratch, 0.0);
  place_[2] = x_;
  // forces by the root of the inertia
  for (int i = 0; i < n_; ++i) scale_[i] = 1 / std::sqrt(motion.base[i * width_ + i]);
}

const double* Newton::Change(const double* at) {
  if (!motion_.turned) return at;
  Multiply(motion_.turned, at, n_, width_, change_);
  return change_;
}

const double* Newton::EndVelocity(const double* change) {
  std::copy(motion_.velocity, motion_.velocity + width_, velocity_);
  AddScaled(motion_.step, change, width_, velocity_);
  return velocity_;
}

void Newton::AddSwings(const double* change) {
  const double* velocity = EndVelocity(change);
  for (int i = 0; i < motion_.ncable; ++i) {
    const CoupledCable& c = *motion_.cables[i];
    for (const Swinging* s = c.swings; s < c.swings + c.nswing; ++s) {
      VisitLoads(*s, c.place, motion_.step, velocity,
                 [&](int column, double load) { load_[c.place[column]] += load; });
    }
  }
}

double Newton::Balance(const double* at, bool rests) {
  const double *change = Change(at), *load = rests ? motion_.at_rest : nullptr;
  if (!load) {
    std::fill(load_, load_ + width_, 0.0);
    EvaluateCables(motion_, change, load_);
    if (motion_.velocity) AddSwings(change);
    load = load_;
  }
  if (motion_.others) motion_.others->Evaluate(at, bond_);
  if (!rests) Multiply(motion_.base, at, n_, width_, inertial_);
  Lanes sum = All<Lanes>(0), sum_of_all = All<Lanes>(0);
  for (int i = 0; i < width_; i += kLanes) {
    const Lanes a = LoadLanes(inertial_ + i), b = LoadLanes(load + i);
    const Lanes c = LoadLanes(motion_.force + i), d = LoadLanes(bond_ + i);
    const Lanes rest = a + b - c - d, scale = LoadLanes(scale_ + i), left = scale * rest;
    const Lanes all = scale * (Abs(a) + Abs(b) + Abs(c) + Abs(d));
    StoreLanes(rest_ + i, rest);
    sum = sum + left * left;
    sum_of_all = sum_of_all + all * all;
  }
  forces_ = std::sqrt(Sum(sum_of_all));
  return std::sqrt(Sum(sum));
}

// The size of all forces, with those of cables that hold each other: these leave no load and yet
// the rounding of each, as where a straight arm is pulled alike from all sides.
double Newton::AllForces() const {
  double sum = forces_;
  for (int i = 0; i < motion_.ncable; ++i) {
    const CoupledCable& c = *motion_.cables[i];
    for (int j = 0; j < c.material.n; ++j) {
      if (c.piece[j] < 0) continue;
      const double* row = c.row + c.piece[j] * c.columns;
      const Range range = c.range[c.piece[j]];
      double size = 0;
      for (int k = range.begin; k < range.end; ++k) size += std::abs(scale_[c.place[k]] * row[k]);
      sum += c.material.tension[j] * size;
    }
  }
  return sum;
}

double Newton::Go(double length) {
  for (int i = 0; i < width_; i += kLanes) {
    StoreLanes(trial_ + i, LoadLanes(x_ + i) + length * LoadLanes(step_ + i));
  }
  return Balance(trial_);
}

void Newton::AddSwingSlopes() {
  const double h = motion_.step, *velocity = EndVelocity(Change(x_));
  for (int i = 0; i < motion_.ncable; ++i) {
    const CoupledCable& c = *motion_.cables[i];
    for (const Swinging* s = c.swings; s < c.swings + c.nswing; ++s) {
      mujocable::AddSwingSlopes(*s, c.place, h, velocity, h, width_, slopes_);
    }
  }
}

bool Newton::FindStep() {
  // slopes by the change of velocity, then by the unknown
  std::copy(motion_.base, motion_.base + n_ * width_, matrix_);
  if (motion_.turned) std::fill(slopes_, slopes_ + n_ * width_, 0.0);
  for (int i = 0; i < motion_.ncable; ++i) {
    AddCableSlopes(*motion_.cables[i], motion_.step, n_, width_, pull_, measure_, slopes_);
  }
  if (motion_.velocity) AddSwingSlopes();
  for (int i = 0; i < n_ && motion_.turned; ++i) {
    for (int l = 0; l < n_; ++l) {
      AddScaled(slopes_[i * width_ + l], motion_.turned + l * width_, width_, matrix_ + i * width_);
    }
  }
  if (motion_.others) motion_.others->AddSlopes(width_, matrix_);
  for (int i = 0; i < n_; ++i) step_[i] = -rest_[i];
  return SolveDense(matrix_, step_, n_, kSmallestPivot, scale_);
}

// Goes on along a step that is too short. Past the balance along it another contact began to slip
// or to stick: finds where. now, next: the balance before the step and after it; start: Along()
// before.
double Newton::FitLength(double now, double start, double next) {
  double end = Along(), low = 0, high = 1;
  if (end < 0 && end > start) {
    // softer along the step than its slopes say: as far as both ends of it tell
    const double further = Go(std::min(start / (start - end), kFurthest));
    return further < next ? further : Go(1);
  }
  if (!(start < 0 && end > 0)) {
    for (double length = 0.5; !(next < now) && length > 1e-3; length /= 2) next = Go(length);
    return next;
  }
  double at_low = start, at_high = end;
  for (int k = 0; k < kSearchSteps && std::abs(end) > 0.1 * std::abs(start); ++k) {
    double length = low + (high - low) * at_low / (at_low - at_high);
    if (k % 3 == 2 || !(length > low && length < high)) length = (low + high) / 2;
    next = Go(length);
    end = Along();
    (end > 0 ? high : low) = length;
    (end > 0 ? at_high : at_low) = end;
  }
  return next;
}

int Newton::Solve() {
  double now = Balance(x_, std::all_of(x_, x_ + n_, [](double y) { return y == 0; }));
  if (!std::isfinite(now)) {
    std::fill(x_, x_ + n_, 0.0);
    now = Balance(x_);
  }
  double least = now;
  best_ = x_;
  int round = 0;
  for (; round < kSteps; ++round) {
    // mostly one step is enough, and then nobody asks for more than the sums
    if (now <= kBalanced * forces_) return round;
    if (round > 0 && now <= kBalanced * AllForces()) return round;
    trial_ = *std::find_if(place_, place_ + 2, [&](double* y) { return y != x_ && y != best_; });
    if (!FindStep()) break;
    const double start = Along();
    double next = Go(1);
    if (!(next <= 0.5 * now) && now <= kRounding * AllForces()) {
      if (next < now) {
        x_ = trial_;
      } else {
        Balance(x_);
      }
      return round + 1;
    }
    if (!(next <= 0.5 * now)) next = FitLength(now, start, next);
    if (!std::isfinite(next)) break;
    x_ = trial_;
    now = next;
    if (now < least) {
      least = now;
      best_ = x_;
    }
  }
  x_ = best_;
  Balance(x_);
  return -std::max(round, 1);
}

}  // namespace

int SolveCoupled(CoupledMotion& motion, double* scratch) {
  Newton newton(motion, scratch);
  const int solves = newton.Solve();
  if (newton.found() != motion.start) std::copy_n(newton.found(), motion.n, motion.start);
  return solves;
}

}  // namespace mujocable
