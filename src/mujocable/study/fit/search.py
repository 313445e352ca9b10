"""Least squares for the free numbers of a fit, from several starts."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from mujocable.study.fit.problem import Problem

DIFFERENCE = 2e-3  # of the scale, for slopes
_DRAWS, _BEGINS = 24, 2  # starts that are looked at, and followed
_TRIES = 12  # places at which one parameter is tried
_BLUR = 0.1  # width of the running mean of the first search, of the length of the data


class Residual:
  """Weighted differences and their slopes; rows may be left out."""

  def __init__(
    self,
    problem: Problem,
    sigma: list[float],
    kept: list[np.ndarray] | None = None,
    blur: float = 0.0,
  ):
    self.problem, self.sigma = problem, sigma
    self._kept, self._blur = kept, blur
    self._memory: dict[bytes, np.ndarray] = {}

  def weigh(self, columns: list[np.ndarray] | str) -> np.ndarray:
    """One vector of all columns."""
    measured = self.problem.measured
    parts = []
    for i, (want, sigma) in enumerate(zip(measured, self.sigma, strict=True)):
      rows = slice(None) if self._kept is None else self._kept[i]
      # a simulation that fails is far from everything
      have = np.full(want.size, 1e3 * sigma) + want if isinstance(columns, str) else columns[i]
      left = ((have - want) / sigma)[rows]
      width = round(self._blur * left.size)
      if width > 1:
        # a running mean: what rings has no phase to be wrong about
        left = np.convolve(left, np.full(width, 1 / width), "valid")
      parts.append(left)
    return np.concatenate(parts)

  def __call__(self, u: np.ndarray) -> np.ndarray:
    key = np.asarray(u, float).tobytes()
    if key not in self._memory:
      self._memory[key] = self.weigh(self.problem.columns([u])[0])
    return self._memory[key]

  def slopes(self, u: np.ndarray, steps: np.ndarray | None = None) -> np.ndarray:
    """Central differences over `steps` of the scales (or small ones), one-sided at a bound; all
    simulations at once.
    """
    problem, points, spans = self.problem, [], []
    wide = np.full(u.size, DIFFERENCE) if steps is None else steps
    for i, scale in enumerate(problem.scale):
      step = wide[i] * scale
      up, down = u.copy(), u.copy()
      up[i] = min(u[i] + step, problem.high[i])
      down[i] = max(u[i] - step, problem.low[i])
      points += [up, down]
      spans.append(up[i] - down[i])
    found = [self.weigh(columns) for columns in problem.columns(points)]
    pairs = zip(found[::2], found[1::2], spans, strict=True)
    return np.stack([(a - b) / span for a, b, span in pairs], axis=1)


def search(residual: Residual, u: np.ndarray, most: int) -> Any:
  """Least squares from `u`, with at most so many evaluations: scipy's result."""
  from scipy.optimize import least_squares

  problem = residual.problem
  low, high = np.array(problem.low), np.array(problem.high)
  inside = np.clip(u, low + 1e-9 * (high - low), high - 1e-9 * (high - low))
  return least_squares(
    residual,
    inside,
    jac=residual.slopes,  # type: ignore[arg-type]
    bounds=(low, high),
    x_scale=np.array(problem.scale),
    max_nfev=most,
    ftol=1e-10,
    xtol=1e-9,
    gtol=1e-10,
  )


def found_from(
  problem: Problem, sigma: list[float], seed: int, rounds: Iterator[int]
) -> np.ndarray:
  """The numbers with the least residual: from the given start, and from the best of some others."""
  first = np.array(problem.begin)
  residual, blurred = Residual(problem, sigma), Residual(problem, sigma, blur=_BLUR)
  random = np.random.default_rng(seed)
  draws = [first, *(_draw(problem, first, random) for _ in range(_DRAWS))]
  simulated = problem.columns(draws)
  costs = [float(np.sum(blurred.weigh(c) ** 2)) for c in simulated]
  next(rounds, None)
  # roughly from the best few and from the given start; the best two on; then all the way
  begins = dict.fromkeys([*np.argsort(costs, kind="stable")[:_BEGINS], 0])
  rough = [_scan(problem, residual, search(blurred, draws[i], 8).x) for i in begins]
  rough.sort(key=lambda u: float(np.sum(residual(u) ** 2)))
  best = min((search(residual, u, 10) for u in rough[:2]), key=lambda one: one.cost)
  return search(residual, best.x, 60).x


def _draw(problem: Problem, first: np.ndarray, random: np.random.Generator) -> np.ndarray:
  # anywhere for a friction, within a factor of 30 for what is positive, nearby for places
  u = first.copy()
  for i in range(u.size):
    u[i] = random.uniform(*_likely(problem, first, i))
  return u


def _likely(problem: Problem, u: np.ndarray, i: int) -> tuple[float, float]:
  friction = problem.parameters[i].field == "friction"
  span = 3.4 if problem.is_log[i] else (6 if friction else 3) * problem.scale[i]
  return max(problem.low[i], u[i] - span), min(problem.high[i], u[i] + span)


def _scan(problem: Problem, residual: Residual, u: np.ndarray) -> np.ndarray:
  # each number over its likely range, the others where they are: out of narrow valleys
  for i in range(u.size):
    low, high = _likely(problem, u, i)
    tries = []
    for value in (u[i], *np.linspace(low, high, _TRIES)):
      tries.append(u.copy())
      tries[-1][i] = value
    costs = [float(np.sum(residual.weigh(c) ** 2)) for c in problem.columns(tries)]
    u = tries[int(np.argmin(costs))]
  return u


def left_out(
  problem: Problem, sigma: list[float], u: np.ndarray, folds: int, rounds: Iterator[int]
) -> float:
  """Residual on blocks of rows that were left out in turn / on those that were fitted."""
  outside = inside = 0.0
  count_out = count_in = 0
  for fold in range(folds):
    kept, gone = [], []
    for want in problem.measured:
      block = np.arange(want.size) * folds // want.size == fold
      kept.append(~block)
      gone.append(block)
    found = search(Residual(problem, sigma, kept), u, 8)
    (columns,) = problem.columns([found.x])
    out = Residual(problem, sigma, gone).weigh(columns)
    fitted = Residual(problem, sigma, kept).weigh(columns)
    outside, count_out = outside + float(out @ out), count_out + out.size
    inside, count_in = inside + float(fitted @ fitted), count_in + fitted.size
    next(rounds, None)
  return math.sqrt((outside / count_out) / max(inside / count_in, 1e-300))
