#include "implicit.h"

#include "dense.h"

namespace mujocable {
namespace {

constexpr int kNewtonSteps = 60;
constexpr int kSweeps = 400;
constexpr double kSmallestPivot = 1e-12;  // of a matrix whose diagonal starts at 1
constexpr double kAccuracy = 1e-13;       // of the rates, relative to their largest

// rate of one cable on its own: rate = free - response T(rate), a monotone equation
double SolveOne(const ImplicitCable& c, double free_rate, double response) {
  double slope, high = free_rate;
  if (!(response > 0)) return free_rate;
  double low = free_rate - response * ImplicitTension(c, free_rate, slope);
  double x = high;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double value = x - free_rate + response * ImplicitTension(c, x, slope);
    if (value == 0) break;
    (value > 0 ? high : low) = x;
    double next = x - value / (1 + response * slope);
    if (!(next > low && next < high)) next = (low + high) / 2;  // kinks
    if (next == x) break;
    x = next;
  }
  return x;
}

}  // namespace

double ImplicitTension(const ImplicitCable& c, double rate, double& slope) {
  const AxialParameters& p = c.axial;
  const double e = c.stretch + c.step * rate,
               gate = p.damping * DampingGate(c.stretch, p.transition);
  const double pull = p.stiffness * Onset(e, p.transition) + gate * (rate - c.motor_rate);
  const double share = 1 - c.weight;
  slope = 0;
  if (!(pull > 0)) return share * c.explicit_tension;
  if (pull >= p.max_tension) return share * c.explicit_tension + c.weight * p.max_tension;
  slope = c.weight * (c.step * p.stiffness * DampingGate(e, p.transition) + gate);
  return share * c.explicit_tension + c.weight * pull;
}

bool SolveTensions(const ImplicitCable* cables, int n, const double* free_rate,
                   const double* response, double* scratch, double* rate, double* tension) {
  const int width = Padded(n);
  double* matrix = scratch;
  double* slope = matrix + n * width;
  double* step = slope + n;
  double* trial = step + n;
  double scale = 0;
  for (int i = 0; i < n; ++i) {
    rate[i] = free_rate[i];
    scale = std::max(scale, std::abs(free_rate[i]));
  }

  // residual of (21) at `x`; fills tensions and slopes
  const auto residual = [&](const double* x, double* out) {
    double largest = 0;
    for (int i = 0; i < n; ++i) tension[i] = ImplicitTension(cables[i], x[i], slope[i]);
    for (int i = 0; i < n; ++i) {
      double sum = x[i] - free_rate[i];
      for (int j = 0; j < n; ++j) sum += response[i * n + j] * tension[j];
      out[i] = sum;
      largest = std::max(largest, std::abs(sum));
    }
    return largest;
  };

  if (n == 1) {
    rate[0] = SolveOne(cables[0], free_rate[0], response[0]);
    tension[0] = ImplicitTension(cables[0], rate[0], slope[0]);
    return response[0] >= 0;
  }

  double* error = slope + 3 * n;
  double now = residual(rate, error);
  for (int k = 0; k < kNewtonSteps; ++k) {
    if (now <= kAccuracy * scale) return true;
    for (int i = 0; i < n; ++i) {
      double* row = matrix + i * width;
      for (int j = 0; j < n; ++j) row[j] = response[i * n + j] * slope[j];
      for (int j = n; j < width; ++j) row[j] = 0;
      row[i] += 1;
      step[i] = -error[i];
    }
    if (!SolveDense(matrix, step, n, kSmallestPivot)) break;
    // kinks: shorten the step until it helps
    double length = 1, best = now;
    for (; length > 1e-3; length /= 2) {
      for (int i = 0; i < n; ++i) trial[i] = rate[i] + length * step[i];
      best = residual(trial, error);
      if (best < (1 - 1e-4 * length) * now) break;
    }
    if (!(best < now)) {
      if (now <= 1e-9 * scale) {
        residual(rate, error);
        return true;  // rounding
      }
      break;
    }
    std::copy(trial, trial + n, rate);
    now = best;
  }
  now = residual(rate, error);
  if (now <= kAccuracy * scale) return true;

  // one after the other: slow, but sure where the response is symmetric
  for (int k = 0; k < kSweeps; ++k) {
    double change = 0;
    for (int i = 0; i < n; ++i) {
      double alone = free_rate[i];
      for (int j = 0; j < n; ++j) {
        if (j != i) alone -= response[i * n + j] * tension[j];
      }
      rate[i] = SolveOne(cables[i], alone, response[i * n + i]);
      const double before = tension[i];
      tension[i] = ImplicitTension(cables[i], rate[i], slope[i]);
      change = std::max(change, std::abs(response[i * n + i] * (tension[i] - before)));
    }
    if (change <= 1e-12 * scale) return true;
  }
  return false;
}

}  // namespace mujocable
