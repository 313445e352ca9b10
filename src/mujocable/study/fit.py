"""Fit: which friction, stiffness, damping, pretension and motor lag a machine has, from what was
measured on it.

    result = mujocable.fit(spec, ["pull.csv"], ["flexor.friction", "flexor.stiffness"])
    print(result)                       # values with intervals, and what the data cannot tell
    result.spec.compile()               # the model with the fitted values

Least squares by scipy on simulations of the same commands. What the data cannot tell is said: a
parameter that may be anything, and parameters that can only be told together.
"""

import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName
from mujocable.spec.read import read_cables
from mujocable.study import workers as crew
from mujocable.study.measured import Experiment, Reader, read_experiment
from mujocable.study.observed import observed
from mujocable.study.parameters import (
  FORMS,
  Parameter,
  at_run_time,
  check,
  parameter,
  settings,
  value_of,
  write_settings,
  written,
)
from mujocable.study.point import Own, unpacked
from mujocable.study.simulate import start
from mujocable.study.sweep import reason

_POSITIVE = {  # fitted as logarithms: field -> (least, most, start where the model has none)
  "stiffness": (1.0, 1e8, 1e4),
  "EA": (1.0, 1e9, 1e4),
  "damping": (1e-4, 1e5, 1.0),
  "lag": (1e-4, 10.0, 0.05),
  "home_length": (1e-4, 1e4, 1.0),
  "max_tension": (1e-3, 1e7, 100.0),
  "frictionloss": (1e-9, 1e4, 1e-3),
  "armature": (1e-12, 1e4, 1e-5),
  "radius": (1e-5, 10.0, 0.01),
  "spool": (1e-5, 10.0, 0.01),
  "mass": (1e-6, 1e5, 1.0),
}
_LINEAR = {  # field -> (least, most, start, scale)
  "friction": (0.0, 3.0, 0.1, 0.1),
  "pretension": (0.0, 1e5, 1.0, 1.0),
  "pretension_offset": (-1.0, 1.0, 0.0, 1e-3),
}
_PLACE = 0.01  # scale of where something sits [m]
_SPAN = 0.05  # how far it may be moved [m]
_DIFFERENCE = 2e-3  # of the scale, for slopes
_UNKNOWN = 0.5  # half of an interval / value, from which a combination counts as not told
_RANK = 1e-6  # singular values below this share of the largest are none
_SURE = 0.95  # of the intervals
_DRAWS, _BEGINS = 24, 2  # starts that are looked at, and followed
_TRIES = 12  # places at which one parameter is tried
_BLUR = 0.1  # width of the running mean of the first search, of the length of the data


@dataclass(frozen=True)
class Value:
  """One fitted parameter."""

  name: str
  value: float
  low: float  # of the 95 % interval
  high: float
  start: float  # where the fit began
  told: bool  # whether the data determine it


@dataclass(frozen=True)
class Column:
  """One measured column of one experiment, against the fit."""

  experiment: str
  name: str
  time: np.ndarray
  measured: np.ndarray
  fitted: np.ndarray
  command: np.ndarray  # the command that moves most, for loops

  @property
  def rms(self) -> float:
    """Of the difference."""
    return float(np.sqrt(np.mean((self.measured - self.fitted) ** 2)))

  @property
  def explained(self) -> float:
    """Share of the variance that the fit explains, at most 1."""
    spread = float(np.var(self.measured))
    return 1 - self.rms**2 / spread if spread > 0 else math.nan


@dataclass(frozen=True)
class Fit:
  """The values, what they explain, and what the data cannot tell; prints as a report."""

  spec: mujoco.MjSpec  # the model with the fitted values
  values: dict[str, Value]
  together: tuple[str, ...]  # combinations that the data do not tell apart, in words
  columns: tuple[Column, ...]
  correlation: np.ndarray  # of the parameters
  held_out: float  # residual on rows that were not fitted / on rows that were; NaN: not asked
  simulations: int

  @property
  def told(self) -> bool:
    """Whether the data determine every parameter."""
    return all(one.told for one in self.values.values())

  @property
  def verdict(self) -> str:
    """One sentence."""
    loose = [name for name, one in self.values.items() if not one.told]
    if loose:
      return f"The data cannot tell {', '.join(loose)}; do not use these numbers."
    worst = min(
      (c.explained for c in self.columns if not math.isnan(c.explained)), default=math.nan
    )
    text = f"All {len(self.values)} parameters are determined; at least {worst:.1%} of every column"
    text += " is explained"
    if not math.isnan(self.held_out):
      text += f"; on rows that were left out the difference is {self.held_out:.2f} times as large"
    return text + "."

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return {
      "verdict": self.verdict,
      "told": self.told,
      "values": {
        name: {
          "value": one.value,
          "low": one.low,
          "high": one.high,
          "start": one.start,
          "told": one.told,
        }
        for name, one in self.values.items()
      },
      "not_told_apart": list(self.together),
      "columns": [
        {"experiment": c.experiment, "name": c.name, "rms": c.rms, "explained": _none(c.explained)}
        for c in self.columns
      ],
      "correlation": self.correlation.tolist(),
      "held_out": _none(self.held_out),
      "simulations": self.simulations,
    }

  def __str__(self) -> str:
    lines = [self.verdict]
    width = max(map(len, self.values))
    for one in self.values.values():
      known = f"{one.low:.4g} to {one.high:.4g}" if one.told else "cannot be told"
      lines.append(f"  {one.name:<{width}}  {one.value:.5g}  ({known})")
    lines += [f"  {text}" for text in self.together]
    for c in self.columns:
      lines.append(f"  {c.experiment} {c.name}: rms {c.rms:.3g}, {c.explained:.2%} explained")
    return "\n".join(lines)


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
  "flexor.lag", "site:eye.z") to measured files (docs/fit.md has their columns).

  `start` and `bounds` by parameter, else from the model; `noise` by column (standard deviation),
  else from what is left over. `settle` [s]: the first command is held so long before the data
  begin. `folds`: so many blocks of rows are left out in turn, and predicted. Intervals are for
  95 %, and widened where what is left over is not white.
  """
  problem = _Problem(spec, data, parameters, start, bounds, keyframe, settle)
  with crew.Crew(_simulated, problem.shared, workers=workers, cluster=cluster) as workers_:
    problem.workers = workers_
    return _solve(problem, noise or {}, folds, seed, progress)


# ------------------------------------ simulations


@dataclass(frozen=True)
class _Shared:
  model: bytes  # pickled
  experiments: tuple[Experiment, ...]
  keyframe: int | None
  settle: float


def _simulated(shared: _Shared, own: Own | str) -> list[np.ndarray] | str:
  # every measured column of every experiment, one after the other; or why not
  if isinstance(own, str):
    return own
  model = pickle.loads(own.model) if own.model is not None else unpacked(shared.model)
  found = []
  for experiment in shared.experiments:
    columns = _run(model, experiment, own, shared)
    if not all(np.isfinite(c).all() for c in columns):
      return "the simulation diverged"
    found += columns
  return found


def _run(model, experiment: Experiment, own: Own, shared: _Shared) -> list[np.ndarray]:
  data = start(model, shared.keyframe)
  write_settings(model, data, own.settings)
  h = float(model.opt.timestep)
  first = experiment.commands.values[0]
  data.ctrl[:] = first
  if shared.settle > 0:
    mujoco.mj_step(model, data, nstep=round(shared.settle / h))
  reader = Reader(model, data)
  getters = [reader.getter(name) for name in experiment.values]
  place = experiment.time / h
  last = math.floor(place[-1] + 1e-9) + 1
  controls = experiment.commands.table(h * np.arange(last + 1))
  # only the steps around a measurement are read
  wanted = np.zeros(last + 2, bool)
  below = np.minimum(np.floor(place + 1e-9).astype(int), last - 1)
  wanted[below] = wanted[below + 1] = True
  seen = np.zeros((len(getters), last + 1))
  for k in range(last + 1):
    data.ctrl[:] = controls[k]
    if wanted[k]:
      for i, (get, is_state) in enumerate(getters):
        if is_state:
          seen[i, k] = get()
    mujoco.mj_step(model, data)
    if wanted[k]:
      for i, (get, is_state) in enumerate(getters):
        if not is_state:
          seen[i, k] = get()
  share = np.clip(place - below, 0.0, 1.0)
  return [(1 - share) * row[below] + share * row[below + 1] for row in seen]


class _Problem:
  """Parameters as free numbers u, and the columns that belong to them."""

  def __init__(self, spec, data, parameters, start, bounds, keyframe, settle):
    if not parameters:
      raise BadValue(f"fit: nothing is asked for; accepted: {FORMS}")
    files = [data] if isinstance(data, str | Path) else list(data)
    if not files:
      raise BadValue("fit: no measured file is given")
    spec = observed(spec)
    model = spec.compile()
    self.spec, self.cables = spec, read_cables(spec)
    if not self.cables:
      raise UnknownName("fit: this model has no cables; mujocable convert makes them of tendons")
    self.parameters = [parameter(text) for text in parameters]
    for one in self.parameters:
      check(spec, one, self.cables)
    self.experiments = tuple(read_experiment(model, Path(f), keyframe) for f in files)
    self.shared = _Shared(pickle.dumps(model), self.experiments, keyframe, settle)
    for kind, given in (("start", start), ("bounds", bounds)):
      for name in given or {}:
        if name not in [one.text for one in self.parameters]:
          raise BadValue(f"fit: {kind} of {name!r}, which is not fitted")
    self.is_log, self.low, self.high, self.scale, self.begin = [], [], [], [], []
    for one in self.parameters:
      self._limits(one, (start or {}).get(one.text), (bounds or {}).get(one.text))
    self.measured = [c for e in self.experiments for c in e.values.values()]
    self.workers: crew.Crew
    self.simulations = 0

  def _limits(self, one: Parameter, begin: float | None, span: tuple[float, float] | None) -> None:
    own = value_of(self.spec, one, self.cables)
    is_log = one.field in _POSITIVE
    if is_log:
      low, high, usual = _POSITIVE[one.field]
      scale = 1.0
    elif one.field in _LINEAR:
      low, high, usual, scale = _LINEAR[one.field]
    else:
      usual, scale = (0.0 if math.isnan(own) else own), _PLACE
      low, high = usual - _SPAN, usual + _SPAN
    if span is not None:
      low, high = map(float, span)
    fine = math.isfinite(own) and own != 0
    value = float(begin) if begin is not None else (own if fine else usual)
    if not (low < high and (not is_log or low > 0)):
      raise BadValue(f"fit: bounds of {one.text!r} must be low < high, got {low:g}, {high:g}")
    if begin is not None and not low <= value <= high:
      raise BadValue(f"fit: start of {one.text!r} must lie in {low:g} to {high:g}, got {value:g}")
    value = min(max(value, low), high)
    put = math.log if is_log else float
    self.is_log.append(is_log)
    self.low.append(put(low))
    self.high.append(put(high))
    self.scale.append(scale)
    self.begin.append(put(value))

  def values(self, u: np.ndarray) -> list[float]:
    """The parameters that the free numbers stand for."""
    return [math.exp(x) if log else float(x) for x, log in zip(u, self.is_log, strict=True)]

  def given(self, u: np.ndarray) -> list[tuple[Parameter, float]]:
    """The same, with their names."""
    return list(zip(self.parameters, self.values(u), strict=True))

  def _own(self, u: np.ndarray) -> Own | str:
    given = self.given(u)
    compiled = [(one, x) for one, x in given if not at_run_time(one, self.cables)]
    running = [(one, x) for one, x in given if at_run_time(one, self.cables)]
    packed = None
    if compiled:
      try:
        packed = pickle.dumps(written(self.spec, compiled, self.cables).compile())
      except ValueError as error:
        return reason(error)
    return Own(tuple(settings(running, self.cables)), packed)

  def columns(self, many: Sequence[np.ndarray]) -> list[list[np.ndarray] | str]:
    """Simulated columns for many sets of numbers."""
    self.simulations += len(many)
    found: list[Any] = self.workers.all([self._own(u) for u in many])
    return [one.reason if isinstance(one, crew.Failure) else one for one in found]


# ------------------------------------ least squares


class _Residual:
  """Weighted differences and their slopes; rows may be left out."""

  def __init__(
    self,
    problem: _Problem,
    sigma: list[float],
    kept: list[np.ndarray] | None = None,
    blur: float = 0.0,
  ):
    self._problem, self._sigma = problem, sigma
    self._kept, self._blur = kept, blur
    self._memory: dict[bytes, np.ndarray] = {}

  def weigh(self, columns: list[np.ndarray] | str) -> np.ndarray:
    """One vector of all columns."""
    measured = self._problem.measured
    parts = []
    for i, (want, sigma) in enumerate(zip(measured, self._sigma, strict=True)):
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
      self._memory[key] = self.weigh(self._problem.columns([u])[0])
    return self._memory[key]

  def slopes(self, u: np.ndarray) -> np.ndarray:
    """Central differences, one-sided at a bound; all simulations at once."""
    problem, points, spans = self._problem, [], []
    for i, scale in enumerate(problem.scale):
      step = _DIFFERENCE * scale
      up, down = u.copy(), u.copy()
      up[i] = min(u[i] + step, problem.high[i])
      down[i] = max(u[i] - step, problem.low[i])
      points += [up, down]
      spans.append(up[i] - down[i])
    found = [self.weigh(columns) for columns in problem.columns(points)]
    pairs = zip(found[::2], found[1::2], spans, strict=True)
    return np.stack([(a - b) / span for a, b, span in pairs], axis=1)


def _solve(problem: _Problem, noise, folds: int, seed: int, progress) -> Fit:
  try:
    from scipy.optimize import least_squares
  except ImportError as error:
    raise ImportError(f'{error}; a fit needs scipy: pip install "mujocable[fit]"') from None
  names = [name for e in problem.experiments for name in e.values]
  for name in noise:
    if name not in names:
      raise BadValue(f"fit: noise of {name!r}, which is no measured column")
    if not (math.isfinite(noise[name]) and noise[name] > 0):
      raise BadValue(f"fit: noise of {name!r} must be finite and > 0, got {noise[name]!r}")
  first = np.array(problem.begin)
  (columns,) = problem.columns([first])
  if isinstance(columns, str):
    raise BadValue(f"fit: the model does not run as it starts: {columns}")

  def search(residual: _Residual, u: np.ndarray, most: int):
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

  rounds = iter(progress(range(3 + folds)))
  # every column counts alike; from the given start, and from the best of some others
  sigma = [max(float(np.std(c)), 1e-12 + 1e-3 * float(np.abs(c).max())) for c in problem.measured]
  residual, blurred = _Residual(problem, sigma), _Residual(problem, sigma, blur=_BLUR)
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
  found = search(residual, best.x, 60)
  next(rounds, None)
  # then by what is left over of each
  for _ in range(2):
    (columns,) = problem.columns([found.x])
    if isinstance(columns, str):
      raise BadValue(f"fit: the model does not run with what was found: {columns}")
    sigma = []
    for name, want, have in zip(names, problem.measured, columns, strict=True):
      left = float(np.sqrt(np.mean((have - want) ** 2)))
      floor = 1e-9 + 1e-6 * float(np.abs(want).max())
      sigma.append(float(noise[name]) if name in noise else max(left, floor))
    residual = _Residual(problem, sigma)
    found = search(residual, found.x, 30)
  next(rounds, None)
  slopes = residual.slopes(found.x)
  (columns,) = problem.columns([found.x])
  assert not isinstance(columns, str)
  values, together, correlation = _intervals(problem, residual, found.x, slopes, columns, sigma)
  held_out = _left_out(problem, sigma, found.x, folds, search, rounds) if folds > 1 else math.nan
  next(rounds, None)
  spec = written(problem.spec, problem.given(found.x), problem.cables)
  starts = problem.values(first)
  return Fit(
    spec=spec,
    values={
      one.text: Value(one.text, x, low, high, begin, told)
      for (one, x), (low, high, told), begin in zip(
        problem.given(found.x), values, starts, strict=True
      )
    },
    together=together,
    columns=_columns(problem, columns),
    correlation=correlation,
    held_out=held_out,
    simulations=problem.simulations,
  )


def _draw(problem: _Problem, first: np.ndarray, random: np.random.Generator) -> np.ndarray:
  # anywhere for a friction, within a factor of 30 for what is positive, nearby for places
  u = first.copy()
  for i in range(u.size):
    u[i] = random.uniform(*_likely(problem, first, i))
  return u


def _likely(problem: _Problem, u: np.ndarray, i: int) -> tuple[float, float]:
  friction = problem.parameters[i].field == "friction"
  span = 3.4 if problem.is_log[i] else (6 if friction else 3) * problem.scale[i]
  return max(problem.low[i], u[i] - span), min(problem.high[i], u[i] + span)


def _scan(problem: _Problem, residual: _Residual, u: np.ndarray) -> np.ndarray:
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


def _intervals(problem, residual, u, slopes, columns, sigma):
  # covariance of the free numbers, widened where the residuals are not white
  from scipy.stats import t as student

  scaled = slopes * np.array(problem.scale)
  count, size = scaled.shape
  reach = float(student.ppf(0.5 + _SURE / 2, max(1, count - size)))
  weighted = residual.weigh(columns)
  spread = float(np.sqrt(weighted @ weighted / max(1, count - size)))
  widen = 1.0
  for want, have, s in zip(problem.measured, columns, sigma, strict=True):
    left = (have - want) / s
    if left @ left > 0:
      rho = float(np.clip(left[1:] @ left[:-1] / (left @ left), 0.0, 0.99))
      widen = max(widen, math.sqrt((1 + rho) / (1 - rho)))
  _, singular, directions = np.linalg.svd(scaled, full_matrices=False)
  strongest = max(float(singular[0]), 1e-300)
  fine = singular > _RANK * strongest
  apart = np.where(fine, spread * widen / np.maximum(singular, 1e-300), np.inf)
  # uncertainty relative to the size of each parameter
  size_of = [
    1.0 if log else max(abs(x), scale) / scale
    for x, log, scale in zip(u, problem.is_log, problem.scale, strict=True)
  ]
  told, together = np.ones(size, bool), []
  for k in range(size):
    direction = directions[k] / np.array(size_of)
    if reach * apart[k] * np.abs(direction).max() > _UNKNOWN:
      members = np.abs(direction) > 0.1 * np.abs(direction).max()
      told &= ~members
      who = [one.text for one, is_in in zip(problem.parameters, members, strict=True) if is_in]
      if len(who) > 1:
        text = f"{' and '.join(who)} cannot be told apart: one may rise as another falls"
      else:
        text = f"{who[0]} has no effect on what was measured, or too small a one"
      together.append(text)
  inverse = directions.T * np.where(fine, apart, 0.0) ** 2 @ directions
  deviation = np.sqrt(np.maximum(np.diag(inverse), 0.0)) * np.array(problem.scale)
  scale = np.sqrt(np.maximum(np.diag(inverse), 1e-300))
  correlation = inverse / np.outer(scale, scale)
  values = []
  for i in range(size):
    low, high = u[i] - reach * deviation[i], u[i] + reach * deviation[i]
    low, high = max(low, problem.low[i]), min(high, problem.high[i])
    if not told[i]:
      low, high = problem.low[i], problem.high[i]
    put = math.exp if problem.is_log[i] else float
    values.append((put(low), put(high), bool(told[i])))
  return values, tuple(together), correlation


def _left_out(problem, sigma, u, folds: int, search, rounds) -> float:
  # blocks of rows in turn: fitted without them, then predicted
  outside = inside = 0.0
  count_out = count_in = 0
  for fold in range(folds):
    kept, gone = [], []
    for want in problem.measured:
      block = np.arange(want.size) * folds // want.size == fold
      kept.append(~block)
      gone.append(block)
    found = search(_Residual(problem, sigma, kept), u, 8)
    (columns,) = problem.columns([found.x])
    out = _Residual(problem, sigma, gone).weigh(columns)
    fitted = _Residual(problem, sigma, kept).weigh(columns)
    outside, count_out = outside + float(out @ out), count_out + out.size
    inside, count_in = inside + float(fitted @ fitted), count_in + fitted.size
    next(rounds, None)
  return math.sqrt((outside / count_out) / max(inside / count_in, 1e-300))


def _columns(problem: _Problem, columns: list[np.ndarray]) -> tuple[Column, ...]:
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


def _none(value: float) -> float | None:
  return None if math.isnan(value) else value
