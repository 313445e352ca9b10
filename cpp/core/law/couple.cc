#include "core/law/couple.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/math/dense.h"

namespace mujocable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSteps = 60;
constexpr int kSearchSteps = 30;
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

// how fast the growth of each cell changes, into `along` [cells]
void AlongCells(const CoupledCable& c, const double* change, double* along) {
  const int *piece = c.piece, *place = c.place;
  const double* rows = c.row;
  const Range* ranges = c.range;
  const int n = c.material.n, columns = c.columns;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    if (piece[j] >= 0) {
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
    const double* load = c.pull ? c.pull : pull;
    const double scale = 1 / given_way;
    for (int l = 0; l < n; ++l) {
      if (measure[l] != 0) AddScaled(scale * measure[l], load, width, slopes + l * width);
    }
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
    CoupledCable& c = motion.cables[i];
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

int SolveCoupled(CoupledMotion& motion, double* scratch) {
  const int n = motion.n, width = motion.width;
  const auto take = [&](int count) {
    double* taken = scratch;
    scratch += count;
    return taken;
  };
  double *matrix = take(n * width), *slopes = motion.turned ? take(n * width) : matrix;
  double* const vectors = scratch;
  double *load = take(width), *rest = take(width), *step = take(width), *trial = take(width);
  double *best = take(width), *bond = take(width), *change = take(width), *pull = take(width);
  double *measure = take(width), *scale = take(width), *inverse = take(width);
  double* inertial = take(width);
  std::fill(vectors, scratch, 0.0);
  double* x = motion.start;
  const double* base = motion.base;
  // of forces: their squares by the inertia
  for (int i = 0; i < n; ++i) scale[i] = base[i * width + i];
  for (int i = n; i < width; ++i) scale[i] = kInfinity;
  for (int i = 0; i < width; i += kLanes) {
    const Lanes square = 1 / LoadLanes(scale + i);
    StoreLanes(inverse + i, square);
    StoreLanes(scale + i, Sqrt(square));
  }

  // what is left unbalanced, into `rest`; its size, and that of all forces
  double forces = 0;
  const auto balance = [&](const double* at) {
    const double* z = at;
    if (motion.turned) {
      Multiply(motion.turned, at, n, width, change);
      z = change;
    }
    std::fill(load, load + width, 0.0);
    EvaluateCables(motion, z, load);
    if (motion.others) motion.others->Evaluate(at, bond);
    Multiply(base, at, n, width, inertial);
    Lanes sum = All<Lanes>(0), sum_of_all = All<Lanes>(0);
    for (int i = 0; i < width; i += kLanes) {
      const Lanes a = LoadLanes(inertial + i), b = LoadLanes(load + i);
      const Lanes c = LoadLanes(motion.force + i), d = LoadLanes(bond + i);
      const Lanes left = a + b - c - d, all = Abs(a) + Abs(b) + Abs(c) + Abs(d);
      StoreLanes(rest + i, left);
      sum = sum + left * left * LoadLanes(inverse + i);
      sum_of_all = sum_of_all + all * all * LoadLanes(inverse + i);
    }
    forces = std::sqrt(Sum(sum_of_all));
    return std::sqrt(Sum(sum));
  };

  double now = balance(x);
  if (!std::isfinite(now)) {
    std::fill(x, x + n, 0.0);
    now = balance(x);
  }
  double least = now;
  std::copy(x, x + n, best);
  int round = 0;
  for (; round < kSteps; ++round) {
    if (now <= kBalanced * forces) return round;
    // slopes by the change of velocity, then by the unknown
    std::copy(base, base + n * width, matrix);
    if (motion.turned) std::fill(slopes, slopes + n * width, 0.0);
    for (int i = 0; i < motion.ncable; ++i) {
      AddCableSlopes(motion.cables[i], motion.step, n, width, pull, measure, slopes);
    }
    for (int j = 0; j < n && motion.turned; ++j) {
      for (int l = 0; l < n; ++l) {
        AddScaled(motion.turned[j * width + l], slopes + l * width, width, matrix + j * width);
      }
    }
    if (motion.others) motion.others->AddSlopes(width, matrix);
    // rows and columns by the root of the diagonal
    for (int i = 0; i < n; ++i) {
      double* column = matrix + i * width;
      for (int j = 0; j < width; j += kLanes) {
        StoreLanes(column + j, scale[i] * (LoadLanes(column + j) * LoadLanes(scale + j)));
      }
      step[i] = -scale[i] * rest[i];
    }
    if (!SolveDense(matrix, step, n, kSmallestPivot)) break;
    double start = 0;
    for (int i = 0; i < n; ++i) {
      step[i] *= scale[i];
      start += step[i] * rest[i];
    }

    const auto along = [&] {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += step[i] * rest[i];
      return sum;
    };
    const auto go = [&](double length) {
      for (int i = 0; i < n; ++i) trial[i] = x[i] + length * step[i];
      return balance(trial);
    };
    double next = go(1);
    if (now <= kRounding * forces && !(next <= 0.5 * now)) {
      if (!(next < now)) balance(x);
      return round + 1;
    }
    if (!(next <= 0.5 * now)) {
      // past the balance along this step: another contact began to slip or to stick; find where
      double end = along(), low = 0, high = 1;
      if (start < 0 && end > 0) {
        double at_low = start, at_high = end;
        for (int k = 0; k < kSearchSteps && std::abs(end) > 0.1 * std::abs(start); ++k) {
          double length = low + (high - low) * at_low / (at_low - at_high);
          if (k % 3 == 2 || !(length > low && length < high)) length = (low + high) / 2;
          next = go(length);
          end = along();
          (end > 0 ? high : low) = length;
          (end > 0 ? at_high : at_low) = end;
        }
      } else {
        for (double length = 0.5; !(next < now) && length > 1e-3; length /= 2) next = go(length);
      }
    }
    if (!std::isfinite(next)) break;
    std::swap(x, trial);
    now = next;
    if (now < least) {
      least = now;
      std::copy(x, x + n, best);
    }
  }
  balance(best);
  return -std::max(round, 1);
}

}  // namespace mujocable
