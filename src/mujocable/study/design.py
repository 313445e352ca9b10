"""Design: which routing, pulleys, springs and spools do best, under the limits of a machine.

    result = mujocable.design(
      spec,
      vary={"site:guide.z": (0.01, 0.03), "geom:pulley.radius": (0.004, 0.01)},
      goals={"site:tip.force": "maximize", "flexor.peak_tension": "minimize"},
      limits={"flexor.max_slack": (0.0, 0.002)},
    )
    print(result)
    result.spec_of(result.best).compile()

The search is Optuna's: trees of Parzen estimators for one goal, NSGA-II for several. Points that
are asked for together are simulated together, on all cores or a cluster; who ran them changes
nothing.
"""

import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import BadValue, CableError, UnknownName, suggestion
from mujocable.spec.read import read_cables
from mujocable.study import watch
from mujocable.study import workers as crew
from mujocable.study.journal import Journal, fingerprint
from mujocable.study.motion import Command, fitted, preset, table
from mujocable.study.observed import observed
from mujocable.study.parameters import (
  FORMS,
  at_run_time,
  check,
  parameter,
  settings,
  value_of,
  written,
)
from mujocable.study.point import Own, measure, share
from mujocable.study.sweep import reason

_TOGETHER = 8  # points that are asked for at once, whatever runs them
_BROKEN = ("invalid", "diverged", "flies")  # troubles that no design may have
OF_CABLES = (
  "peak_tension",
  "end_tension",
  "peak_end_tension",
  "rms_tension",
  "efficiency",
  "work_in",
  "work_out",
  "lost",
  "max_slack",
  "stroke",
  "peak_rate",
  "peak_power",
  "saturated",
  "bend_radius",
)


@dataclass(frozen=True)
class Point:
  """One design."""

  values: dict[str, float]  # of the parameters
  measures: dict[str, float]  # goals and limits; NaN where it has none
  broken: str = ""  # why it cannot be used; empty: it can, within the limits or not
  excess: float = 0.0  # how far beyond the limits, relative; 0: within

  @property
  def feasible(self) -> bool:
    """Whether it runs and keeps the limits."""
    return not self.broken and self.excess <= 0


@dataclass(frozen=True)
class Design:
  """All points, and those that no other beats; prints as a report."""

  goals: dict[str, str]
  limits: dict[str, tuple[float, float]]
  given: Point  # the model as it was
  points: tuple[Point, ...]
  front: tuple[Point, ...]  # feasible, not beaten in every goal by another; best first
  notes: tuple[str, ...]
  unsaved: str  # why points are not on disk
  _write: Callable[[Point], mujoco.MjSpec] = field(repr=False)

  @property
  def best(self) -> Point | None:
    """The best one; of several goals the one nearest to the best of each. None: none."""
    return self.front[0] if self.front else None

  def spec_of(self, point: Point) -> mujoco.MjSpec:
    """The model of one design."""
    return self._write(point)

  @property
  def verdict(self) -> str:
    """One sentence."""
    best = self.best
    if best is None:
      return f"None of {len(self.points)} designs keeps the limits."
    texts = []
    for name in self.goals:
      before = self.given.measures[name]
      was = f"{before:.4g}" if math.isfinite(before) else "nothing"
      texts.append(f"{name} from {was} to {best.measures[name]:.4g}")
    more = f"; {len(self.front)} designs on the front" if len(self.goals) > 1 else ""
    return f"{'; '.join(texts)}, within all limits{more}."

  def to_dict(self) -> dict:
    """Plain data, for JSON."""

    def plain(point: Point | None) -> dict | None:
      if point is None:
        return None
      measures = {k: x if math.isfinite(x) else None for k, x in point.measures.items()}
      return {
        "values": point.values,
        "measures": measures,
        "feasible": point.feasible,
        "broken": point.broken,
      }

    return {
      "verdict": self.verdict,
      "goals": self.goals,
      "limits": {k: [None if math.isinf(x) else x for x in v] for k, v in self.limits.items()},
      "given": plain(self.given),
      "best": plain(self.best),
      "front": [plain(point) for point in self.front],
      "points": [plain(point) for point in self.points],
      "notes": list(self.notes),
    }

  def __str__(self) -> str:
    lines = [self.verdict]
    if self.best is not None:
      lines += [f"  {name} = {value:.5g}" for name, value in self.best.values.items()]
    return "\n".join(lines)


def design(
  spec: mujoco.MjSpec,
  *,
  vary: Mapping[str, tuple[float, float]],
  goals: Mapping[str, str],
  limits: Mapping[str, tuple[float, float]] | None = None,
  motion: str | Command = "pull",
  duration: float = 4.0,
  fit_motion: bool = False,
  keyframe: int | None = None,
  trials: int = 100,
  seed: int = 0,
  workers: int = 1,
  cluster: str | None = None,
  folder: Path | None = None,
  resume: bool = False,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Design:
  """Searches `vary` (parameter -> low, high) for the best `goals` (measure -> "maximize" or
  "minimize") within `limits` (measure -> low, high).

  Measures: CABLE.efficiency, .peak_tension, .lost, .max_slack, .stroke, .bend_radius and the like;
  site:NAME.travel [m], site:NAME.force [N] (the site held where it is), joint:NAME.travel,
  sensor:NAME.peak. Every design runs the same commands. A design whose path is lost, whose load
  flies or which diverges is never chosen.
  """
  study = _Study(spec, vary, goals, limits or {}, motion, duration, fit_motion, keyframe)
  if trials < 1:
    raise BadValue(f"design: trials must be at least 1, got {trials!r}")
  mark = fingerprint(
    spec.to_xml(), study.controls.tobytes(), keyframe, dict(vary), dict(goals), seed, trials
  )
  journal = Journal(folder, mark, trials + 1, resume=resume)
  try:
    with crew.Crew(_job, study.shared, workers=workers, cluster=cluster) as team:
      points = _search(study, team, journal, trials, seed, progress)
  finally:
    journal.close()
  given, *tried = points
  return Design(
    goals=dict(goals),
    limits=study.limits,
    given=given,
    points=tuple(tried),
    front=_front(tried if study.outside(given) else points, goals),
    notes=study.notes,
    unsaved=journal.unsaved,
    _write=study.write,
  )


# ------------------------------------ what is asked


class _Study:
  """The question, checked, and how one point of it is measured."""

  def __init__(self, spec, vary, goals, limits, motion, duration, fit_motion, keyframe):
    if not vary:
      raise BadValue(f"design: nothing varies; accepted: {FORMS}")
    if not goals:
      raise BadValue("design: no goal is given; accepted: a measure, to maximize or minimize")
    spec = observed(spec)
    model = spec.compile()
    self.spec, self.cables = spec, read_cables(spec)
    self.parameters = [parameter(text) for text in vary]
    for one, span in zip(self.parameters, vary.values(), strict=True):
      check(spec, one, self.cables)
      low, high = span
      if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise BadValue(f"design: {one.text!r} must vary from low to high, got {span!r}")
    for name, how in goals.items():
      if how not in ("maximize", "minimize"):
        raise BadValue(f"design: goal {name!r} must be 'maximize' or 'minimize', got {how!r}")
    for name, (low, high) in limits.items():
      if not low < high:
        raise BadValue(f"design: limit {name!r} must be low < high, got {low!r}, {high!r}")
    self.vary, self.goals = dict(vary), dict(goals)
    self.limits = {name: (float(low), float(high)) for name, (low, high) in limits.items()}
    self.measures = list(dict.fromkeys([*goals, *limits]))
    for name in self.measures:
      self._check_measure(name)
    self.watched = [m for m in self.measures if watch.parts(m) and not m.endswith(".force")]
    self.held = [m for m in self.measures if watch.parts(m) and m.endswith(".force")]
    command, self.notes = motion, ()
    if isinstance(motion, str):
      command = preset(model, motion, duration, keyframe=keyframe)
      if fit_motion:
        command = fitted(model, command, keyframe=keyframe)
        self.notes = command.notes
    step = float(model.opt.timestep)
    self.controls = table(command, step * np.arange(max(1, round(duration / step))))  # type: ignore[arg-type]
    self.shared = share(model, self.controls, keyframe, self.watched)

  def _check_measure(self, name: str) -> None:
    cable, _, what = name.rpartition(".")
    if cable in self.cables:
      if what not in OF_CABLES:
        hint = suggestion(what, OF_CABLES)
        raise BadValue(
          f"design: {name!r}: a cable has no measure {what!r}; accepted: {', '.join(OF_CABLES)}"
          f"{hint}"
        )
      return
    if watch.parts(name) is None and ":" not in name:
      hint = suggestion(cable, self.cables)
      raise UnknownName(f"design: {name!r}: no cable {cable!r} in this model{hint}")
    watch.check(self.spec, name)

  def outside(self, point: Point) -> bool:
    """Whether a point is not among those that are searched."""
    spans = self.vary.items()
    return not all(low <= point.values[name] <= high for name, (low, high) in spans)

  def write(self, point: Point) -> mujoco.MjSpec:
    """The model of a point."""
    given = [(one, point.values[one.text]) for one in self.parameters]
    return written(self.spec, given, self.cables)

  def jobs(self, values: Sequence[float]) -> list[Own | str]:
    """One run as it is, and one with the sites held whose force is asked for."""
    given = list(zip(self.parameters, values, strict=True))
    compiled = [(one, x) for one, x in given if not at_run_time(one, self.cables)]
    running = tuple(settings([g for g in given if g not in compiled], self.cables))
    try:
      changed = written(self.spec, compiled, self.cables)
      found: list[Own | str] = []
      if self.watched or any(not watch.parts(m) for m in self.measures):
        packed = pickle.dumps(changed.compile()) if compiled else None
        found.append(Own(running, packed))
      if self.held:
        sites = [str(watch.parts(m)[1]) for m in self.held]  # type: ignore[index]
        packed = pickle.dumps(watch.held(changed, sites).compile())
        found.append(Own(running, packed, tuple(self.held)))
      return found
    except (ValueError, CableError) as error:
      return [reason(error)]

  def point(self, values: Sequence[float], results: Sequence[Any]) -> Point:
    """What the runs of one point add up to."""
    named = {one.text: float(x) for one, x in zip(self.parameters, values, strict=True)}
    measures, broken = dict.fromkeys(self.measures, math.nan), []
    for result in results:
      if isinstance(result, crew.Failure):
        broken.append(result.reason)
      elif "failed" in result:
        broken.append(result["failed"])
      else:
        broken += [t for t in result["troubles"] if t.startswith(_BROKEN)]
        measures |= {k: float(x) for k, x in result["watched"].items() if k in measures}
        # where sites are held the cables do not do their job
        if not any(k in self.held for k in result["watched"]):
          measures |= self._of_cables(result)
    excess = 0.0
    for name, (low, high) in self.limits.items():
      value = measures[name]
      size = max(abs(low) if math.isfinite(low) else 0, abs(high) if math.isfinite(high) else 0)
      if math.isnan(value):
        excess = math.inf
      else:
        excess = max(excess, max(low - value, value - high) / (size or 1.0))
    if not broken and any(math.isnan(measures[name]) for name in self.goals):
      broken.append("a goal has no value here")
    return Point(named, measures, "; ".join(broken), max(0.0, excess))

  def _of_cables(self, result: dict[str, Any]) -> dict[str, float]:
    found = {}
    for name in self.measures:
      cable, _, what = name.rpartition(".")
      if cable in self.cables:
        value = (
          result["bends"].get(cable) if what == "bend_radius" else result["cables"][cable][what]
        )
        found[name] = math.nan if value is None else float(value)
    return found


def _job(shared, own: Own | str) -> dict[str, Any]:
  return {"failed": own} if isinstance(own, str) else measure(shared, own)


# ------------------------------------ the search


def _search(study: _Study, team: crew.Crew, journal, trials: int, seed: int, progress):
  try:
    import optuna
  except ImportError as error:
    raise ImportError(f'{error}; a design needs Optuna: pip install "mujocable[design]"') from None
  optuna.logging.set_verbosity(optuna.logging.ERROR)
  if len(study.goals) == 1:
    start = max(10, 4 * len(study.vary))
    sampler: Any = optuna.samplers.TPESampler(seed=seed, n_startup_trials=start)
  else:
    size = max(16, min(50, trials // 5))
    sampler = optuna.samplers.NSGAIISampler(seed=seed, population_size=size)
  directions = list(study.goals.values())
  asked = optuna.create_study(directions=directions, sampler=sampler)
  spans: dict[str, Any] = {
    name: optuna.distributions.FloatDistribution(low, high)
    for name, (low, high) in study.vary.items()
  }
  home = [value_of(study.spec, one, study.cables) for one in study.parameters]
  points = _measured(study, team, journal, [(0, home)])
  bar = iter(progress(range(trials)))
  done = 0
  while done < trials:
    batch = [asked.ask(spans) for _ in range(min(_TOGETHER, trials - done))]
    values = [[trial.params[name] for name in study.vary] for trial in batch]
    numbers = range(done + 1, done + 1 + len(batch))
    found = _measured(study, team, journal, list(zip(numbers, values, strict=True)))
    for trial, point in zip(batch, found, strict=True):
      trial.set_constraint("limits", 1e6 if point.broken else min(point.excess, 1e6))
      if point.broken:
        asked.tell(trial, [_worst(how) for how in directions])
      else:
        asked.tell(trial, [point.measures[name] for name in study.goals])
      next(bar, None)
    points += found
    done += len(batch)
  next(bar, None)
  return points


def _worst(how: str) -> float:
  return -1e12 if how == "maximize" else 1e12


def _measured(study: _Study, team: crew.Crew, journal: Journal, asked) -> list[Point]:
  # every run of every point at once; those that are on disk are not run again
  jobs: list[tuple[int, Own | str]] = []
  for index, values in asked:
    if index not in journal.done:
      jobs += [(index, job) for job in study.jobs(values)]
  results: dict[int, list[Any]] = {}
  for (index, _), result in zip(jobs, team.all([job for _, job in jobs]), strict=True):
    results.setdefault(index, []).append(result)
  for index, _ in asked:
    if index in results:
      plain = [{"failed": r.reason} if isinstance(r, crew.Failure) else r for r in results[index]]
      journal.add(index, plain)
  return [study.point(values, journal.done[index]) for index, values in asked]


def _front(points: Sequence[Point], goals: Mapping[str, str]) -> tuple[Point, ...]:
  # not beaten by any other; the one nearest to the best of each goal first
  good = [point for point in points if point.feasible]
  if not good:
    return ()
  signs = np.array([1.0 if how == "maximize" else -1.0 for how in goals.values()])
  table_ = np.array([[p.measures[name] for name in goals] for p in good]) * signs
  kept = []
  for i, row in enumerate(table_):
    beaten = np.any(np.all(table_ >= row, axis=1) & np.any(table_ > row, axis=1))
    if not beaten and not any(np.array_equal(row, table_[k]) for k in kept):
      kept.append(i)
  front = table_[kept]
  span = np.ptp(front, axis=0)
  away = (front.max(axis=0) - front) / np.where(span > 0, span, 1.0)
  order = np.argsort(np.linalg.norm(away, axis=1), kind="stable")
  return tuple(good[kept[i]] for i in order)


# ------------------------------------ from a file

_KEYS = {
  "model": str,
  "motion": str,
  "commands": str,
  "duration": (int, float),
  "fit_motion": bool,
  "keyframe": str,
  "trials": int,
  "seed": int,
  "vary": dict,
  "goals": dict,
  "limits": dict,
  "sizing": dict,
}


def read_study(path: Path) -> dict[str, Any]:
  """A study from a TOML file; refuses keys that mean nothing."""
  import tomllib  # pyright: ignore[reportMissingImports]  # from Python 3.11 on

  try:
    with path.open("rb") as file:
      found = tomllib.load(file)
  except tomllib.TOMLDecodeError as error:
    raise BadValue(f"{path}: {error}") from None
  for key, value in found.items():
    if key not in _KEYS:
      raise BadValue(
        f"{path}: no key {key!r}; accepted: {', '.join(_KEYS)}{suggestion(key, _KEYS)}"
      )
    if not isinstance(value, _KEYS[key]) or (_KEYS[key] is not bool and isinstance(value, bool)):
      raise BadValue(f"{path}: {key} has the wrong type: {value!r}")
  if "model" not in found:
    raise BadValue(f"{path}: the key 'model' is missing: an MJCF file, or a robot by name")
  for key in ("vary", "limits"):
    for name, span in found.get(key, {}).items():
      fine = isinstance(span, list) and len(span) == 2
      if not fine or not all(isinstance(x, int | float) for x in span):
        raise BadValue(f"{path}: {key} {name!r} must be [low, high], got {span!r}")
      found[key][name] = float(span[0]), float(span[1])
  return found
