"""Sweep: one motion, many parameters, on all cores or on a cluster.

    result = sweep(spec, ["hoist.friction=0:0.3:7"], duration=4.0, folder=Path("out/sweep"))
    for row in result.rows: print(row["hoist.friction"], row["cable"], row["efficiency"])

Every point is a simulation of its own, summed over all of its steps; where and in which order it
ran changes no bit of it. A finished point is on disk at once.
"""

import itertools
import math
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import BadValue, CableError, UnknownName
from mujocable.spec.read import read_cables
from mujocable.study import workers as crew
from mujocable.study.journal import Journal, fingerprint
from mujocable.study.motion import Command, fitted, preset, table
from mujocable.study.observed import observed
from mujocable.study.parameters import (
  FORMS,
  Parameter,
  at_run_time,
  check,
  check_value,
  parameter,
  settings,
  written,
)
from mujocable.study.point import Own, measure, share

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
      found = np.linspace(float(low), float(high), int(count))
    else:
      found = np.array([float(x) for x in values.split(",")])
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
  axes = [axis(one) if isinstance(one, str) else one for one in axes]
  if not axes:
    raise BadValue(f"sweep: nothing varies; accepted: {FORMS}")
  total = math.prod(len(one.values) for one in axes)
  if total > _MOST:
    raise BadValue(f"sweep: {total} combinations are too many; accepted: up to {_MOST}")
  if not (math.isfinite(duration) and duration > 0):
    raise BadValue(f"sweep: duration must be finite and > 0, got {duration!r}")
  spec = observed(spec)
  model = spec.compile()
  cables = read_cables(spec)
  if not cables:
    raise UnknownName("sweep: this model has no cables; mujocable convert makes them of tendons")
  for one in axes:
    check(spec, one.parameter, cables, threadings=True)
    for value in one.values:
      check_value(spec, one.parameter, value, cables)
  command, notes = motion, ()
  if isinstance(motion, str):
    command = preset(model, motion, duration, keyframe=keyframe)
    if fit_motion:
      command = fitted(model, command, keyframe=keyframe)
      notes = command.notes
  step = float(model.opt.timestep)
  controls = table(command, step * np.arange(max(1, round(duration / step))))  # type: ignore[arg-type]
  shared = share(model, controls, keyframe)
  texts = [(one.text, one.values) for one in axes]
  journal = Journal(
    folder,
    fingerprint(spec.to_xml(), controls.tobytes(), keyframe, texts),
    total,
    resume=resume,
  )
  points = list(itertools.product(*(one.values for one in axes)))
  result = Sweep(total=total, notes=notes)

  def jobs() -> Iterator[tuple[int, Own | str]]:
    for index, values in enumerate(points):
      if index not in journal.done:
        yield index, _own(spec, axes, values, cables)

  try:
    for index, point in journal.done.items():
      _enter(result, axes, points[index], cables, point)
    todo = total - len(journal.done)
    bar = iter(progress(range(total)))
    for _ in range(total - todo):
      next(bar, None)
    running = crew.run(_point, shared, jobs(), workers=workers, cluster=cluster)
    with closing(running):
      for index, found in running:
        point = {"failed": found.reason} if isinstance(found, crew.Failure) else found
        journal.add(index, point)
        _enter(result, axes, points[index], cables, point)
        next(bar, None)
        if finished is not None:
          finished(result)
    next(bar, None)
  finally:
    # what is there is kept, also when a key was pressed
    journal.close()
    result.unsaved = journal.unsaved
    order: dict[tuple, int] = {values: i for i, values in enumerate(points)}
    names = [one.text for one in axes]
    place = {name: i for i, name in enumerate(cables)}
    result.rows.sort(key=lambda r: (order[tuple(r[n] for n in names)], place[str(r["cable"])]))
  return result


def _own(spec, axes: Sequence[Axis], values: Sequence[float | str], cables) -> Own | str:
  given = [(one.parameter, value) for one, value in zip(axes, values, strict=True)]
  compiled = [(one, value) for one, value in given if not at_run_time(one, cables)]
  running = [(one, value) for one, value in given if at_run_time(one, cables)]
  packed = None
  if compiled:
    try:
      packed = pickle.dumps(written(spec, compiled, cables).compile())
    except (ValueError, CableError) as error:
      return reason(error)
  return Own(tuple(settings(running, cables)), packed)


def reason(error: Exception) -> str:
  """All that MuJoCo and the plugin said, in one line."""
  lines = [line.strip().removeprefix("Error: ") for line in str(error).splitlines()]
  lines = list(dict.fromkeys(line for line in lines if line))
  # that the plugin refused says nothing where its own words follow
  said = [line for line in lines if not line.startswith("engine error: plugin->init failed")]
  return "; ".join(said or lines)


def _point(shared, own: Own | str) -> dict[str, Any]:
  # a model that does not compile is a point without numbers
  return {"failed": own} if isinstance(own, str) else measure(shared, own)


def _enter(
  result: Sweep, axes, values: Sequence[float | str], cables, point: dict[str, Any]
) -> None:
  given = {one.text: value for one, value in zip(axes, values, strict=True)}
  label = ", ".join(f"{name}={shown(value)}" for name, value in given.items())
  why = point.get("failed", "") or "; ".join(point["troubles"])
  if "failed" in point:
    result.failed[label] = why
  elif why:
    result.troubles[label] = why
  for name in cables:
    found = point.get("cables", {}).get(name, {})
    numbers = {key: _number(found.get(key)) for key in MEASURES}
    result.rows.append({**given, "cable": name, **numbers, "trouble": why})
  result.done += 1


def shown(value: float | str) -> str:
  """A value of an axis in short."""
  return value if isinstance(value, str) else f"{value:g}"


def _number(value: Any) -> float:
  return math.nan if value is None else float(value)
