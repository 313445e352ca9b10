#include "motion_slip.h"

#include <algorithm>
#include <cmath>

#include "core/dense.h"
#include "motion_constraints.h"

namespace mujocable {
namespace {

constexpr int kSlipSteps = 60;
constexpr int kSearchSteps = 30;
constexpr int kSmall = 12;                // dofs
constexpr double kBalanced = 1e-13;       // unbalanced force, relative to all forces
constexpr double kRounding = 1e-9;        // the same, where steps do not make it much smaller
constexpr double kNear = 0.1;             // the same, of a start that Newton's method leaves behind
constexpr double kSmallestPivot = 1e-14;  // of a matrix whose diagonal is scaled to 1

}  // namespace

SlidingCables::SlidingCables(const Motion& p, Scratch& scratch) : p_(p) {
  const int n = p.size, width = Padded(n);
  const auto take = [&] {
    double* vector = scratch.Take<double>(width);
    std::fill(vector + n, vector + width, 0.0);
    return vector;
  };
  cables_ = scratch.Take<Sliding>(p.n);
  beyond_ = take();
  stretching_ = take();
  loaded_ = take();
  for (int i = 0; i < p.n; ++i) {
    const Member& member = p.members[i];
    const CableConfig& c = *member.config;
    const double gain = c.joint_dof >= 0 ? c.take_up.Gain() : 0;
    Sliding& s = cables_[i];
    s = {};
    s.gradient = take();
    s.pull = take();
    Place(p, c, member.gradient, 1, gain, s.gradient);
    const int contacts = member.slip.n;
    if (contacts == 0) {
      Place(p, c, member.load, -1, gain, s.pull);
      continue;
    }
    s.row = scratch.Take<double>(contacts * n);
    s.range = scratch.Take<Range>(contacts);
    s.growth = scratch.Take<double>(contacts);
    s.slip = scratch.Take<double>(contacts);
    s.ratio = scratch.Take<double>(contacts);
    s.slope = scratch.Take<double>(contacts);
    const int ndof = static_cast<int>(c.dofs.size());
    int* place = scratch.Take<int>(ndof);
    for (int k = 0; k < ndof; ++k) place[k] = p.Local(c.dofs[k]);
    for (int j = 0; j < contacts; ++j) {
      const Range from = member.pieces.range[j];
      const double* value = member.pieces.row + j * ndof;
      Range& to = s.range[j] = {n, 0};
      for (int k = from.begin; k < from.end; ++k) {
        if (place[k] < 0) continue;
        to.begin = std::min(to.begin, place[k]);
        to.end = place[k] + 1;  // both ascend
      }
      for (int k = to.begin; k < to.end; ++k) s.row[j * n + k] = 0;
      for (int k = from.begin; k < from.end; ++k) {
        if (place[k] >= 0) s.row[j * n + place[k]] = value[k];
      }
    }
  }
}

void SlidingCables::Evaluate(const double* z, double* load) {
  const int n = p_.size, width = Padded(n);
  const double h = p_.m->opt.timestep;
  for (int i = 0; i < p_.n; ++i) {
    const Member& member = p_.members[i];
    Sliding& s = cables_[i];
    const double rate = member.rate + h * PaddedProduct(s.gradient, z, width);
    s.tension = ImplicitTension(member.law, rate, s.tension_slope);
    const int contacts = member.slip.n;
    if (contacts > 0) {
      double beyond = 0;
      for (int j = contacts - 1; j >= 0; --j) {
        const double* row = s.row + j * n;
        for (int k = s.range[j].begin; k < s.range[j].end; ++k) beyond += row[k] * z[k];
        s.growth[j] = member.growth[j] + h * beyond;
      }
      EndRatios(member.slip, rate, s.growth, s.slip, s.ratio, s.slope);
      std::copy(s.gradient, s.gradient + n, s.pull);
      for (int j = 0; j < contacts; ++j) AddPiece(s, j, s.ratio[j] - 1, s.pull);
    }
    AddScaled(s.tension, s.pull, width, load);
  }
}

void SlidingCables::AddSlopes(double* columns) {
  const int n = p_.size, width = Padded(n);
  const double h = p_.m->opt.timestep;
  for (int i = 0; i < p_.n; ++i) {
    const ImplicitSlip& slip = p_.members[i].slip;
    const Sliding& s = cables_[i];
    // What grows with the stretch rate: the tension; less, as slip, all that lies beyond a contact.
    std::fill(stretching_, stretching_ + width, 0.0);
    AddScaled(h * s.tension_slope, s.pull, width, stretching_);
    // A piece of the path that grows lets the cable slip at every contact before it, and each of
    // them loads what is beyond it.
    std::fill(beyond_, beyond_ + width, 0.0);
    std::fill(loaded_, loaded_ + width, 0.0);
    for (int j = 0; j < slip.n; ++j) AddPiece(s, j, s.ratio[j], beyond_);
    for (int j = 0; j < slip.n; ++j) {
      const double gain = h * s.tension * s.slope[j];
      AddScaled(gain, beyond_, width, loaded_);
      AddScaled(-gain * slip.fraction[j], beyond_, width, stretching_);
      for (int l = s.range[j].begin; l < s.range[j].end; ++l) {
        AddScaled(s.row[j * n + l], loaded_, width, columns + l * width);
      }
      AddPiece(s, j, -s.ratio[j], beyond_);
    }
    for (int l = 0; l < n; ++l) {
      if (s.gradient[l] != 0) AddScaled(s.gradient[l], stretching_, width, columns + l * width);
    }
  }
}

int SolveSlip(const Motion& p, Scratch& scratch, SlidingCables& cables) {
  const int n = p.size, width = Padded(n), nv = static_cast<int>(p.m->nv);
  const bool bound = p.bonds == Bonds::kAny;
  const auto take = [&](int count) { return scratch.Take<double>(count); };
  const auto vector = [&] {
    double* v = take(width);
    std::fill(v + n, v + width, 0.0);
    return v;
  };
  const auto matrix_of = [&](const double* from) {  // of rows without padding
    double* m = take(n * width);
    for (int i = 0; i < n; ++i) {
      std::copy(from + i * n, from + (i + 1) * n, m + i * width);
      std::fill(m + i * width + n, m + (i + 1) * width, 0.0);
    }
    return m;
  };
  const auto factored = [&](const double* of) {
    double* factor = take(n * n);
    std::copy(of, of + n * n, factor);
    mju_cholFactor(factor, n, mjMINVAL);
    return factor;
  };
  // Where constraints depend on it the unknown is the acceleration, else the change of velocity
  // that the step makes of it. Equalities are part of the matrix.
  double* base = matrix_of(bound ? p.inertia : p.damped);
  double* turned = nullptr;  // damped^-1 inertia, where these differ for the unknown
  double* scale = take(n);
  for (int i = 0; i < n; ++i) scale[i] = 1 / std::sqrt(std::max(base[i * width + i], mjMINVAL));
  if (bound && p.damped != p.inertia) {
    double *factor = factored(p.damped), *solved = take(n);
    turned = matrix_of(p.inertia);
    for (int j = 0; j < n; ++j) {
      mju_cholSolve(solved, factor, p.inertia + j * n, n);  // a column as well
      for (int i = 0; i < n; ++i) turned[i * width + j] = solved[i];
    }
  }
  if (p.bonds == Bonds::kEqualities) {
    AddEqualities(p, p.damped != p.inertia, width, base, p.force);
  }
  double *matrix = take(n * width), *slopes = take(n * width), *lower = take(n * n);
  double *x = vector(), *z = vector(), *load = vector(), *rest = take(n);
  double *step = take(n), *trial = vector(), *best = vector(), *constraint = take(n);
  int* order = scratch.Take<int>(n);
  double *full = nullptr, *jar = nullptr;
  std::fill(constraint, constraint + n, 0.0);
  if (bound) {
    full = take(nv);
    jar = take(p.d->nefc);
    std::copy(p.d->qacc_warmstart, p.d->qacc_warmstart + nv, full);
  }

  // what is left unbalanced, into `rest`; its size, and that of all forces
  double forces = 0;
  const auto balance = [&](const double* at) {
    const double* change = at;
    if (turned) {
      for (int i = 0; i < n; ++i) z[i] = PaddedProduct(turned + i * width, at, width);
      change = z;
    }
    std::fill(load, load + width, 0.0);
    cables.Evaluate(change, load);
    if (bound) EvaluateConstraints(p, at, full, jar, true, constraint);
    double sum = 0;
    forces = 0;
    for (int i = 0; i < n; ++i) {
      const double inertial = PaddedProduct(base + i * width, at, width);
      rest[i] = inertial + load[i] - p.force[i] - constraint[i];
      sum += scale[i] * scale[i] * rest[i] * rest[i];
      const double all =
          std::abs(inertial) + std::abs(load[i]) + std::abs(p.force[i]) + std::abs(constraint[i]);
      forces += scale[i] * scale[i] * all * all;
    }
    forces = std::sqrt(forces);
    return std::sqrt(sum);
  };

  // From where the last step left, or from no change at all: where the first is far off, or costs
  // more to know than a step of Newton's method.
  const bool differs = !bound && p.damped != p.inertia, warm = !differs || n > kSmall;
  for (int i = 0; i < n; ++i) x[i] = warm ? p.d->qacc_warmstart[p.dof[i]] : 0;
  if (warm && differs) {
    Multiply(p.inertia, x, n, rest);
    mju_cholSolve(x, factored(p.damped), rest, n);
  }
  double now = balance(x);
  if (warm && !(now <= kNear * forces)) {
    std::fill(trial, trial + n, 0.0);
    const double still = balance(trial);
    if (still < now || !std::isfinite(now)) {
      std::swap(x, trial);
      now = still;
    } else {
      now = balance(x);
    }
  }
  double least = now, before = 0;
  std::copy(x, x + n, best);

  for (int round = 0; round < kSlipSteps; ++round) {
    if (now <= kBalanced * forces) return round;
    for (int i = 0; i < n; ++i) step[i] = -scale[i] * rest[i];
    // What a step leaves is of second order, and the change of the slopes of first: with those of
    // the step before, the next one leaves twice the square of it.
    if (round > 0 && 2 * now * now <= kBalanced * forces * before) {
      SolveAgain(matrix, order, lower, step, n);
    } else {
      // slopes by the change of velocity, then by the unknown
      std::fill(slopes, slopes + n * width, 0.0);
      cables.AddSlopes(slopes);
      std::copy(base, base + n * width, matrix);
      for (int i = 0; i < n; ++i) {
        double* row = matrix + i * width;
        for (int j = 0; j < n && turned; ++j) {
          AddScaled(slopes[j * width + i], turned + j * width, width, row);
        }
        for (int j = 0; j < n && !turned; ++j) row[j] += slopes[j * width + i];
      }
      if (bound) AddConstraints(p, width, matrix);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) matrix[i * width + j] *= scale[i] * scale[j];
      }
      if (!SolveDense(matrix, step, n, kSmallestPivot, order, lower)) break;
    }
    before = now;
    double start = 0;
    for (int i = 0; i < n; ++i) {
      step[i] *= scale[i];
      start += step[i] * rest[i];
    }

    const auto go = [&](double length) {
      for (int i = 0; i < n; ++i) trial[i] = x[i] + length * step[i];
      return balance(trial);
    };
    double next = go(1);
    if (now <= kRounding * forces && !(next <= 0.5 * now)) {
      if (!(next < now)) balance(x);
      return round;
    }
    if (!(next <= 0.5 * now)) {
      // past the balance along this step: friction turned around; find where
      double end = Product(step, rest, n), low = 0, high = 1;
      if (start < 0 && end > 0) {
        double at_low = start, at_high = end;
        for (int k = 0; k < kSearchSteps && std::abs(end) > 0.1 * std::abs(start); ++k) {
          double length = low + (high - low) * at_low / (at_low - at_high);
          if (k % 3 == 2 || !(length > low && length < high)) length = (low + high) / 2;
          next = go(length);
          end = Product(step, rest, n);
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
  return -1;
}

}  // namespace mujocable
