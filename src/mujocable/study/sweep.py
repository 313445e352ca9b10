"""Sweep: one motion, many parameters, in parallel over the cores through mujoco.batch.

    rows = sweep(spec, [axis("hoist.friction=0:0.3:7")], duration=4.0)

What a simulation can hold per run (friction, stiffness, damping, max_tension, home_length) shares
one model; anything else, a place of a site or another field of a Cable, is compiled anew.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import mujoco
import mujoco.batch
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.runtime.parameters import PARAMETERS, checked, parameter_slice
from mujocable.spec.cable import PARAMETERS as FIELDS
from mujocable.spec.read import read_cables
from mujocable.spec.write import add_cable, add_sensor, remove_cable
from mujocable.study.motion import Command, preset

_MOST = 100_000  # simulations
_MEASURED = ("source_tension", "tension", "slack", "status", "dissipation")
_FORMS = "CABLE.PARAMETER=VALUES, *.PARAMETER=VALUES, site:NAME.x=VALUES or geom:NAME.radius=VALUES"
_SPATIAL = {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True)
class Axis:
  """One parameter and the values it takes."""

  text: str  # as it was asked for, without the values
  kind: str  # "cable", "site" or "geom"
  name: str  # of the element; "*": every cable
  field: str
  values: tuple[float, ...]


def axis(text: str) -> Axis:
  """Reads `hoist.friction=0:0.3:7` (from, to, count), `*.stiffness=1e3,1e4`, `site:eye.z=0,0.1`."""
  match = re.fullmatch(r"\s*(?:(site|geom):)?(.+)\.(\w+)\s*=\s*(.+)", text)
  if not match:
    raise BadValue(f"sweep: cannot read {text!r}; accepted: {_FORMS}")
  kind, name, field, values = match.groups()
  return Axis(text.partition("=")[0].strip(), kind or "cable", name, field, _values(text, values))


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


def sweep(
  spec: mujoco.MjSpec,
  axes: Sequence[Axis],
  *,
  motion: str | Command = "pull",
  duration: float = 4.0,
  rate: float = 50.0,
  threads: int | None = None,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> list[dict[str, float | str]]:
  """One row per combination and cable: the parameters, then what was measured.

  peak_tension [N] at the source, end_tension [N] at that moment and their ratio efficiency,
  max_slack [m], lost [J] to friction, valid: share of the samples with a path.
  """
  if not axes:
    raise BadValue(f"sweep: nothing varies; accepted: {_FORMS}")
  total = math.prod(len(one.values) for one in axes)
  if total > _MOST:
    raise BadValue(f"sweep: {total} combinations are too many; accepted: up to {_MOST}")
  for name, value in (("duration", duration), ("rate", rate)):
    if not (math.isfinite(value) and value > 0):
      raise BadValue(f"sweep: {name} must be finite and > 0, got {value!r}")
  spec.compile()  # a copy would silently lose what refers to nothing
  cables = list(read_cables(spec))
  if not cables:
    raise UnknownName("sweep: this model has no cables; mujocable convert makes them of tendons")
  for one in axes:
    _check(spec, one, cables)
  compiled = [one for one in axes if not _at_run_time(one)]
  running = [one for one in axes if _at_run_time(one)]
  groups = list(itertools.product(*(one.values for one in compiled)))
  rows: list[dict[str, float | str]] = []
  for index in progress(range(len(groups))):
    values = groups[index]
    model = _model(spec, compiled, values, cables)
    command = preset(model, motion, duration) if isinstance(motion, str) else motion
    combinations = list(itertools.product(*(one.values for one in running)))
    measures = _roll(model, running, combinations, cables, command, duration, rate, threads)
    for k, combination in enumerate(combinations):
      given = dict(
        zip((one.text for one in (*compiled, *running)), (*values, *combination), strict=True)
      )
      rows += [{**given, "cable": name, **measures[name][k]} for name in cables]
  # in the order that was asked for
  texts = [one.text for one in axes]
  rows = [{**{t: row[t] for t in texts}, **row} for row in rows]
  order = {t: {v: i for i, v in enumerate(one.values)} for t, one in zip(texts, axes, strict=True)}
  rows.sort(key=lambda row: [order[t][float(row[t])] for t in texts])
  return rows


# ------------------------------------ parameters


def _at_run_time(one: Axis) -> bool:
  return one.kind == "cable" and one.field in PARAMETERS


def _check(spec: mujoco.MjSpec, one: Axis, cables: Sequence[str]) -> None:
  where = f"sweep: {one.text!r}"
  if one.kind == "cable":
    if one.name != "*" and one.name not in cables:
      known = f"{listing('cables', cables)}{suggestion(one.name, cables)}"
      raise UnknownName(f"{where}: no cable {one.name!r}; {known}")
    fields = [f for f in dict.fromkeys((*PARAMETERS, *FIELDS)) if f not in _WORDS]
    if one.field not in fields:
      hint = suggestion(one.field, fields)
      raise BadValue(f"{where}: a cable has no {one.field!r}; accepted: {', '.join(fields)}{hint}")
    return
  elements = {e.name for e in (spec.sites if one.kind == "site" else spec.geoms) if e.name}
  if one.name not in elements:
    known = f"{listing(one.kind + 's', sorted(elements))}{suggestion(one.name, elements)}"
    raise UnknownName(f"{where}: no {one.kind} {one.name!r}; {known}")
  accepted = [*_SPATIAL, *(["radius"] if one.kind == "geom" else [])]
  if one.field not in accepted:
    raise BadValue(f"{where}: a {one.kind} has no {one.field!r}; accepted: {', '.join(accepted)}")


_WORDS = ("damping_rate", "friction_law", "friction_mode", "integration")  # fields that are no numbers


def _model(spec, axes: Sequence[Axis], values: Sequence[float], cables) -> mujoco.MjModel:
  spec = spec.copy()
  for one, value in zip(axes, values, strict=True):
    if one.kind == "cable":
      for name in cables if one.name == "*" else [one.name]:
        cable = read_cables(spec)[name]
        remove_cable(spec, name)
        add_cable(spec, replace(cable, **{one.field: value}))
    else:
      element = (spec.site if one.kind == "site" else spec.geom)(one.name)
      if one.field == "radius":
        element.size[0] = value
      else:
        element.pos[_SPATIAL[one.field]] = value
  for name in cables:
    for field in _MEASURED:
      if not any(sensor.name == f"{name}.{field}" for sensor in spec.sensors):
        add_sensor(spec, name, field)
  try:
    return spec.compile()
  except ValueError as error:
    given = ", ".join(f"{a.text}={v:g}" for a, v in zip(axes, values, strict=True))
    raise BadValue(f"sweep: {given or 'the model'}: {str(error).splitlines()[0]}") from None


# ------------------------------------ running


def _roll(model, axes, combinations, cables, command: Command, duration, rate, threads):
  # measures of every cable, one per combination
  options = {} if threads is None else {"nthread": threads}
  batch = mujoco.batch.Batch(model, nsim=len(combinations), **options)
  batch.reset()
  state, ctrl, sensors = batch.bind("plugin_state"), batch.bind("ctrl"), batch.bind("sensordata")
  for column, one in enumerate(axes):
    for name in cables if one.name == "*" else [one.name]:
      place = parameter_slice(model, name, one.field)
      for k, combination in enumerate(combinations):
        size = place.stop - place.start
        state[k, place] = checked(name, one.field, combination[column], size)
  substeps = max(1, round(1 / (rate * model.opt.timestep)))
  interval = substeps * model.opt.timestep
  watched = {name: _Measure(model, name, len(combinations)) for name in cables}
  for sample in range(max(1, round(duration / interval))):
    ctrl[:] = command(sample * interval)
    batch.step(nstep=substeps)
    for measure in watched.values():
      measure.see(sensors, interval)
  return {name: measure.rows() for name, measure in watched.items()}


class _Measure:
  """What one cable did, in every simulation."""

  def __init__(self, model: mujoco.MjModel, name: str, count: int):
    self._at = {field: _columns(model, f"{name}.{field}") for field in _MEASURED}
    self._peak = np.zeros(count)
    self._end, self._slack, self._lost = np.zeros(count), np.zeros(count), np.zeros(count)
    self._valid, self._samples = np.zeros(count), 0

  def see(self, sensors: np.ndarray, interval: float) -> None:
    """Adds one sample."""
    source = sensors[:, self._at["source_tension"]][:, 0]
    harder = source > self._peak
    self._peak = np.where(harder, source, self._peak)
    self._end = np.where(harder, sensors[:, self._at["tension"]][:, -1], self._end)
    self._slack = np.maximum(self._slack, sensors[:, self._at["slack"]][:, 0])
    self._lost += sensors[:, self._at["dissipation"]].sum(axis=1) * interval
    self._valid += sensors[:, self._at["status"]][:, 0] == 0
    self._samples += 1

  def rows(self) -> list[dict[str, float]]:
    """One per simulation."""
    ratio = np.divide(
      self._end, self._peak, out=np.full(self._peak.size, np.nan), where=self._peak > 0
    )
    columns = {
      "peak_tension": self._peak,
      "end_tension": self._end,
      "efficiency": ratio,
      "max_slack": self._slack,
      "lost": self._lost,
      "valid": self._valid / max(1, self._samples),
    }
    return [{key: float(x[k]) for key, x in columns.items()} for k in range(self._peak.size)]


def _columns(model: mujoco.MjModel, sensor: str) -> slice:
  found = model.sensor(sensor)
  begin = int(found.adr[0])
  return slice(begin, begin + int(found.dim[0]))
