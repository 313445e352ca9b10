"""Fit: which friction, stiffness, damping, pretension and motor lag a machine has, from what was
measured on it.

    result = mujocable.fit(spec, ["pull.csv"], ["flexor.friction", "flexor.stiffness"])
    print(result)                       # values with intervals, and what the data cannot tell
    result.spec.compile()               # the model with the fitted values

Least squares by scipy on simulations of the same commands. What the data cannot tell is said: a
parameter that may be anything, and parameters that can only be told together.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.study.fit.fitted import Column, Fit, Value
from mujocable.study.fit.intervals import intervals
from mujocable.study.fit.problem import Problem, simulated
from mujocable.study.fit.search import Residual, found_from, left_out, search
from mujocable.study.jobs import workers as crew
from mujocable.study.parameters import written


def fit(
  spec: mujoco.MjSpec,
  data: str | Path | Sequence[str | Path],
  parameters: Sequence[str],
  *,
  start: Mapping[str, float] | None = None,
  bounds: Mapping[str, tuple[float, float]] | None = None,
  noise: Mapping[str, float] | None = None,
  keyframe: int | None = None,
  settle: float = 0.0,
  folds: int = 0,
  seed: int = 0,
  workers: int = 1,
  cluster: str | None = None,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Fit:
  """Fits `parameters` (as in a sweep: "flexor.friction", "flexor.friction[2]", "*.stiffness",
  "flexor.lag", "site:eye.z") to measured files (docs/studies.md has their columns).

  `start` and `bounds` by parameter, else from the model; `noise` by column (standard deviation),
  else from what is left over. `settle` [s]: the first command is held so long before the data
  begin. `folds`: so many blocks of rows are left out in turn, and predicted. Intervals are for
  95 %, and widened where what is left over is not white.
  """
  problem = Problem(spec, data, parameters, start, bounds, keyframe, settle)
  with crew.Crew(simulated, problem.shared, workers=workers, cluster=cluster) as workers_:
    problem.workers = workers_
    return _solve(problem, noise or {}, folds, seed, progress)


def _solve(problem: Problem, noise: Mapping[str, float], folds: int, seed: int, progress) -> Fit:
  try:
    import scipy.optimize  # noqa: F401
  except ImportError as error:
    raise ImportError(f'{error}; a fit needs scipy: pip install "mujocable[fit]"') from None
  _check_noise(problem, noise)
  (columns,) = problem.columns([np.array(problem.begin)])
  if isinstance(columns, str):
    raise BadValue(f"fit: the model does not run as it starts: {columns}")

  rounds = iter(progress(range(3 + folds)))
  # every column counts alike
  sigma = [max(float(np.std(c)), 1e-12 + 1e-3 * float(np.abs(c).max())) for c in problem.measured]
  u = found_from(problem, sigma, seed, rounds)
  next(rounds, None)
  # then by what is left over of each
  for _ in range(2):
    sigma = _left_over(problem, noise, u)
    u = search(Residual(problem, sigma), u, 30).x
  next(rounds, None)
  (columns,) = problem.columns([u])
  assert not isinstance(columns, str)
  told = intervals(problem, Residual(problem, sigma), u, columns)
  held_out = left_out(problem, sigma, u, folds, rounds) if folds > 1 else math.nan
  next(rounds, None)
  starts = problem.values(np.array(problem.begin))
  return Fit(
    spec=written(problem.spec, problem.given(u), problem.cables),
    values={
      one.text: Value(one.text, x, low, high, begin, is_told)
      for (one, x), (low, high, is_told), begin in zip(
        problem.given(u), told.intervals, starts, strict=True
      )
    },
    together=told.together,
    columns=_columns(problem, columns),
    correlation=told.correlation,
    held_out=held_out,
    simulations=problem.simulations,
  )


def _names(problem: Problem) -> list[str]:
  return [name for e in problem.experiments for name in e.values]


def _check_noise(problem: Problem, noise: Mapping[str, float]) -> None:
  for name in noise:
    if name not in _names(problem):
      raise BadValue(f"fit: noise of {name!r}, which is no measured column")
    if not (math.isfinite(noise[name]) and noise[name] > 0):
      raise BadValue(f"fit: noise of {name!r} must be finite and > 0, got {noise[name]!r}")


def _left_over(problem: Problem, noise: Mapping[str, float], u: np.ndarray) -> list[float]:
  # standard deviation of every column: the one given, else of what the numbers do not explain
  (columns,) = problem.columns([u])
  if isinstance(columns, str):
    raise BadValue(f"fit: the model does not run with what was found: {columns}")
  sigma = []
  for name, want, have in zip(_names(problem), problem.measured, columns, strict=True):
    left = float(np.sqrt(np.mean((have - want) ** 2)))
    floor = 1e-9 + 1e-6 * float(np.abs(want).max())
    sigma.append(float(noise[name]) if name in noise else max(left, floor))
  return sigma


def _columns(problem: Problem, columns: list[np.ndarray]) -> tuple[Column, ...]:
  found, place = [], 0
  for experiment in problem.experiments:
    commands = experiment.commands.values
    busiest = int(np.ptp(commands, axis=0).argmax()) if commands.size else -1
    command = commands[:, busiest] if busiest >= 0 else experiment.time
    for name, measured in experiment.values.items():
      found.append(
        Column(experiment.name, name, experiment.time, measured, columns[place], command)
      )
      place += 1
  return tuple(found)
