#include "motion_solve.h"

#include <algorithm>

#include "motion_constraints.h"

namespace mujocable {
namespace {

constexpr int kConstraintSteps = 100;

struct Rows {
  double* pull;     // W': load per unit of tension, sign of a retarding force   [cables, dofs]
  double* measure;  // G of the velocity that the integrator makes of a          [cables, dofs]
};

Rows FillRows(const Motion& p, Scratch& scratch) {
  const int n = p.size;
  const Rows rows{scratch.Take<double>(p.n * n), scratch.Take<double>(p.n * n)};
  double *factor = nullptr, *y = nullptr;
  if (p.damped != p.inertia) {
    factor = scratch.Take<double>(n * n);
    y = scratch.Take<double>(n);
    std::copy(p.damped, p.damped + n * n, factor);
    mju_cholFactor(factor, n, mjMINVAL);
  }
  for (int i = 0; i < p.n; ++i) {
    const CableConfig& c = *p.members[i].config;
    const double gain = c.joint_dof >= 0 ? c.take_up.Gain() : 0;
    Place(p, c, p.members[i].load, -1, gain, rows.pull + i * n);
    double* g = rows.measure + i * n;
    Place(p, c, p.members[i].gradient, 1, gain, g);
    if (!factor) continue;
    // the integrator turns inertia a into a change of velocity by its damped inertia
    mju_cholSolve(y, factor, g, n);
    Multiply(p.inertia, y, n, g);
  }
  return rows;
}

}  // namespace

void SolveMotion(const Motion& p, Scratch& scratch, double* tension) {
  const mjData* d = p.d;
  const int n = p.size, count = p.n, nv = static_cast<int>(p.m->nv);
  const double h = p.m->opt.timestep;
  const Rows rows = FillRows(p, scratch);
  double* matrix = scratch.Take<double>(n * n);
  double* response = scratch.Take<double>(count * count);
  double* column = scratch.Take<double>(n);
  double* free_rate = scratch.Take<double>(count);
  double* rate = scratch.Take<double>(count);
  double* work = scratch.Take<double>(ImplicitScratch(count));
  double* reply = scratch.Take<double>(count * n);  // rows: H^-1 w
  ImplicitCable* laws = scratch.Take<ImplicitCable>(count);
  for (int i = 0; i < count; ++i) laws[i] = p.members[i].law;

  // factors `matrix`, then solves for the cables given the force `b`; leaves the acceleration in
  // `a`
  const auto solve = [&](const double* b, double* a) {
    mju_cholFactor(matrix, n, mjMINVAL);
    for (int i = 0; i < count; ++i) mju_cholSolve(reply + i * n, matrix, rows.pull + i * n, n);
    mju_cholSolve(a, matrix, b, n);
    for (int i = 0; i < count; ++i) {
      const double* g = rows.measure + i * n;
      free_rate[i] = p.members[i].rate + h * Product(g, a, n);
      for (int j = 0; j < count; ++j) response[i * count + j] = h * Product(g, reply + j * n, n);
    }
    SolveTensions(laws, count, free_rate, response, work, rate, tension);
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < n; ++k) a[k] -= tension[i] * reply[i * n + k];
    }
  };
  std::copy(p.inertia, p.inertia + n * n, matrix);
  if (p.bonds != Bonds::kAny) {
    if (p.bonds == Bonds::kEqualities) AddEqualities(p, false, n, matrix, p.force);
    solve(p.force, column);
    return;
  }

  double* a = scratch.Take<double>(n);
  double* next = scratch.Take<double>(n);
  double* step = scratch.Take<double>(n);
  double* trial = scratch.Take<double>(n);
  double* constraint = scratch.Take<double>(n);
  double* b = scratch.Take<double>(n);
  double* full = scratch.Take<double>(nv);
  double* jar = scratch.Take<double>(d->nefc);
  std::copy(d->qacc_warmstart, d->qacc_warmstart + nv, full);
  for (int i = 0; i < n; ++i) a[i] = full[p.dof[i]];

  // what the acceleration leaves unbalanced
  const auto residual = [&](const double* x, bool hessian, double* out) {
    EvaluateConstraints(p, x, full, jar, hessian, constraint);
    Multiply(p.inertia, x, n, out);
    for (int k = 0; k < n; ++k) out[k] -= p.force[k] + constraint[k];
    for (int i = 0; i < count; ++i) {
      double slope;
      const double u = p.members[i].rate + h * Product(rows.measure + i * n, x, n);
      const double t = ImplicitTension(laws[i], u, slope);
      for (int k = 0; k < n; ++k) out[k] += t * rows.pull[i * n + k];
    }
  };
  for (int k = 0; k < kConstraintSteps; ++k) {
    residual(a, true, column);
    std::copy(p.inertia, p.inertia + n * n, matrix);
    AddConstraints(p, n, matrix);
    // force of the constraints, taken as linear about `a`
    Multiply(matrix, a, n, b);
    Multiply(p.inertia, a, n, trial);
    for (int i = 0; i < n; ++i) b[i] += p.force[i] + constraint[i] - trial[i];
    solve(b, next);

    double size = 0, change = 0;
    for (int i = 0; i < n; ++i) {
      step[i] = next[i] - a[i];
      size = std::max(size, std::abs(next[i]));
      change = std::max(change, std::abs(step[i]));
    }
    if (change <= 1e-12 * size) return;
    const double start = Product(step, column, n);
    residual(next, false, trial);
    double end = Product(step, trial, n), length = 1;
    if (std::abs(end) > 1e-3 * std::abs(start) && start < 0 && end > 0) {
      // beyond the balance along this step: search it
      double low = 0, high = 1;
      for (int j = 0; j < 30; ++j) {
        length = (low + high) / 2;
        for (int i = 0; i < n; ++i) next[i] = a[i] + length * step[i];
        residual(next, false, trial);
        end = Product(step, trial, n);
        if (std::abs(end) <= 1e-2 * std::abs(start)) break;
        (end > 0 ? high : low) = length;
      }
    }
    for (int i = 0; i < n; ++i) a[i] += length * step[i];
  }
}

}  // namespace mujocable
