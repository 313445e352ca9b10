"""Sweep: one motion, many parameters, on all cores or on a cluster.

    result = sweep(spec, ["hoist.friction=0:0.3:7"], duration=4.0, folder=Path("out/sweep"))
    for row in result.rows: print(row["hoist.friction"], row["cable"], row["efficiency"])

Every point is a simulation of its own, summed over all of its steps; where and in which order it
ran changes no bit of it. A finished point is on disk at once.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName
from mujocable.spec.read import read_cables
from mujocable.study.jobs import workers as crew
from mujocable.study.jobs.journal import Journal, fingerprint
from mujocable.study.jobs.point import Own, measure, outcome, own_part, share
from mujocable.study.motion import Command, commanded, stepwise
from mujocable.study.observed import observed
from mujocable.study.parameters import FORMS, Parameter, check, check_value, parameter

_MOST = 1_000_000  # simulations
MEASURES = (
  "peak_tension",
  "end_tension",
  "efficiency",
  "work_in",
  "lost",
  "max_slack",
  "valid",
  "engagement",
  "derailments",
  "saturated",
  "closes",
)


@dataclass(frozen=True)
class Axis:
  """One parameter and the values it takes."""

  parameter: Parameter
  values: tuple[float | str, ...]  # names, where it is a threading

  @property
  def text(self) -> str:
    """As it was asked for, without the values."""
    return self.parameter.text


def axis(text: str) -> Axis:
  """Reads `hoist.friction=0:0.3:7` (from, to, count), `*.stiffness=1e3,1e4`, `site:eye.z=0,0.1`.

  A threading is a choice of names: `hoist.route[1]=low,high` of eyelets, wraps or anchors,
  `hoist.side[2]=over,under` of the side sites of a wrap; `-` is without it.
  """
  name, equals, values = text.rpartition("=")
  if not equals or "." not in name:
    raise BadValue(f"sweep: cannot read {text!r}; accepted: {FORMS}, then =FROM:TO:COUNT or =A,B,C")
  one = parameter(name)
  return Axis(one, _names(text, values) if one.named else _values(text, values))


def _names(text: str, values: str) -> tuple[str, ...]:
  found = tuple(name.strip() for name in values.split(","))
  if not all(found):
    raise BadValue(f"sweep: cannot read the values of {text!r}; accepted: names, as in low,high,-")
  return found


def _values(text: str, values: str) -> tuple[float, ...]:
  try:
    if ":" in values:
      low, high, count = values.split(":")
      if int(count) > _MOST:
        raise BadValue(f"sweep: {count} values of {text!r} are too many; accepted: up to {_MOST}")
      found = np.linspace(float(low), float(high), int(count))
    else:
      found = np.array([float(x) for x in values.split(",")])
  except BadValue:
    raise
  except ValueError:
    found = np.array([])
  if not found.size or not np.all(np.isfinite(found)):
    raise BadValue(f"sweep: cannot read the values of {text!r}; accepted: 0:0.3:7 or 0,0.1,0.2")
  return tuple(float(x) for x in found)


@dataclass
class Sweep:
  """The table, as far as it got."""

  rows: list[dict[str, float | str]] = field(default_factory=list)  # one per point and cable
  total: int = 0  # points
  done: int = 0  # of them
  failed: dict[str, str] = field(default_factory=dict)  # point -> why it has no numbers
  troubles: dict[str, str] = field(default_factory=dict)  # point -> why not to trust it
  notes: tuple[str, ...] = ()  # of the motion
  unsaved: str = ""  # why points are not on disk


def sweep(
  spec: mujoco.MjSpec,
  axes: Sequence[Axis | str],
  *,
  motion: str | Command = "pull",
  duration: float = 4.0,
  keyframe: int | None = None,
  fit_motion: bool = True,
  workers: int = 1,
  cluster: str | None = None,
  folder: Path | None = None,
  resume: bool = False,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
  finished: Callable[[Sweep], None] | None = None,
) -> Sweep:
  """One row per combination and cable: the parameters, then what was measured over all steps.

  peak_tension [N] at the source, end_tension [N] in that step, efficiency (work out / work in),
  work_in [J], lost [J] to friction, max_slack [m], shares of steps valid and saturated, engagement
  (share of steps in which a contact is touched), derailments, what the energy closes to, and
  trouble: why not to trust the row. The motion is fitted to the model as it is given, and the same
  for all points.

  With a `folder` every finished point is in its points.jsonl at once; `resume` goes on from there.
  `finished` sees the table as far as it is, after every point. More than one of `workers` needs a
  main program with the guard `if __name__ == "__main__":`, as everything that starts processes.
  """
  if not (math.isfinite(duration) and duration > 0):
    raise BadValue(f"sweep: duration must be finite and > 0, got {duration!r}")
  if isinstance(axes, str):
    raise BadValue(f"sweep: axes must be a list, such as [{axes!r}]")
  grid = _Grid(spec, [axis(one) if isinstance(one, str) else one for one in axes])
  model = grid.spec.compile()
  command, notes = commanded(model, motion, duration, keyframe=keyframe, fit=fit_motion)
  controls = stepwise(model, command, duration)[:-1]
  shared = share(model, controls, keyframe)
  mark = fingerprint(shared.model, controls.tobytes(), keyframe, grid.texts)  # meshes with it
  result = Sweep(total=len(grid.points), notes=notes)
  journal = Journal(folder, mark, result.total, resume=resume)
  try:
    bar = iter(progress(range(result.total)))
    for index, point in journal.done.items():
      grid.enter(result, index, point)
      next(bar, None)
    running = crew.run(measure, shared, grid.jobs(journal), workers=workers, cluster=cluster)
    with closing(running):
      for index, found in running:
        point = outcome(found)
        journal.add(index, point)
        grid.enter(result, index, point)
        next(bar, None)
        if finished is not None:
          finished(result)
    next(bar, None)
  finally:
    # what is there is kept, also when a key was pressed
    journal.close()
    result.unsaved = journal.unsaved
    result.rows.sort(key=grid.place)
  return result


class _Grid:
  """The question, checked: every combination of the values of all axes, in order."""

  def __init__(self, spec: mujoco.MjSpec, axes: Sequence[Axis]):
    if not axes:
      raise BadValue(f"sweep: nothing varies; accepted: {FORMS}")
    names = [one.text for one in axes]
    for name in names:
      if names.count(name) > 1:
        raise BadValue(f"sweep: {name!r} varies twice; give all its values at once")
    total = math.prod(len(one.values) for one in axes)
    if total > _MOST:
      raise BadValue(f"sweep: {total} combinations are too many; accepted: up to {_MOST}")
    self.spec, self._axes = observed(spec), axes
    self._cables = read_cables(self.spec)
    if not self._cables:
      raise UnknownName("sweep: this model has no cables; mujocable convert makes them of tendons")
    for one in axes:
      check(self.spec, one.parameter, self._cables, threadings=True)
      for value in one.values:
        check_value(self.spec, one.parameter, value, self._cables)
    self.texts = [(one.text, one.values) for one in axes]
    self.points = list(itertools.product(*(one.values for one in axes)))
    self._order: dict[tuple, int] = {values: i for i, values in enumerate(self.points)}
    self._place = {name: i for i, name in enumerate(self._cables)}

  def jobs(self, journal: Journal) -> Iterator[tuple[int, Own | str]]:
    """Those that are not done yet, each made when it is needed."""
    names = [one.parameter for one in self._axes]
    for index, values in enumerate(self.points):
      if index not in journal.done:
        yield index, own_part(self.spec, list(zip(names, values, strict=True)), self._cables)

  def enter(self, result: Sweep, index: int, point: dict[str, Any]) -> None:
    """Writes one finished point into the table."""
    given = {one.text: value for one, value in zip(self._axes, self.points[index], strict=True)}
    label = ", ".join(f"{name}={_shown(value)}" for name, value in given.items())
    why = point.get("failed", "") or "; ".join(point["troubles"])
    if "failed" in point:
      result.failed[label] = why
    elif why:
      result.troubles[label] = why
    for name in self._cables:
      found = point.get("cables", {}).get(name, {})
      numbers = {key: _number(found.get(key)) for key in MEASURES}
      result.rows.append({**given, "cable": name, **numbers, "trouble": why})
    result.done += 1

  def place(self, row: dict[str, float | str]) -> tuple[int, int]:
    """Where a row of the table belongs."""
    point = self._order[tuple(row[one.text] for one in self._axes)]
    return point, self._place[str(row["cable"])]


def _shown(value: float | str) -> str:
  return value if isinstance(value, str) else f"{value:g}"


def _number(value: Any) -> float:
  return math.nan if value is None else float(value)
