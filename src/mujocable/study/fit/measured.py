"""Measured: what an experiment recorded, by the names that `mujocable run` writes.

Column `time` [s]; commands by the name of their actuator (or `ctrl.NAME`); everything else is what
was measured: `flexor.tension[0]` [N] at the motor, `flexor.tension[-1]` at the far end,
`qpos.mcp` [rad or m], `force.NAME` of an actuator, `length.NAME` of a native tendon,
`sensor.NAME` of a sensor of the model.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, suggestion
from mujocable.runtime.controls import control_names
from mujocable.runtime.view import bind
from mujocable.study.motion import Rows, read_table
from mujocable.study.motion.levels import levels
from mujocable.study.simulate import Columns

_CABLE = ("tension", "take_up", "length", "slack", "wrap_angle", "stretch", "rest_length")


@dataclass(frozen=True)
class Experiment:
  """One file."""

  name: str
  time: np.ndarray  # [s], from 0
  commands: Rows
  values: dict[str, np.ndarray]  # measured, by column


def read_experiment(model: mujoco.MjModel, path: Path, keyframe: int | None = None) -> Experiment:
  """Reads a CSV file; refuses columns that the model cannot show."""
  header, table = read_table(path)
  names = control_names(model)
  time = table[:, header.index("time")]
  time = time - time[0]
  rows = np.tile(levels(model, keyframe).rest, (time.size, 1))
  values: dict[str, np.ndarray] = {}
  reader = Reader(model, mujoco.MjData(model))
  given = False
  for i, name in enumerate(header):
    plain = name.removeprefix("ctrl.")
    if name == "time":
      continue
    if plain in names:
      rows[:, names.index(plain)] = table[:, i]
      given = True
    elif reader.knows(name):
      values[name] = table[:, i]
    else:
      known = [*names, *reader.names]
      raise UnknownName(
        f"{path}: column {name!r} is no actuator and nothing that this model can show; accepted:"
        f" actuators ({', '.join(names) or 'none'}), CABLE.tension[0], qpos.JOINT, force.ACTUATOR,"
        f" sensor.SENSOR{suggestion(name, known)}"
      )
  if not values:
    raise BadValue(f"{path}: nothing was measured: only 'time' and commands are in the file")
  if names and not given:
    raise BadValue(
      f"{path}: no command is in the file; a column for one of {', '.join(names)} is needed"
    )
  if time.size < 3:
    raise BadValue(f"{path}: {time.size} rows are too few to fit anything")
  return Experiment(path.name, time, Rows(time, rows), values)


class Reader:
  """Reads columns from a running simulation, by name."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData):
    self._data = data
    self._views = bind(model, data)
    self._columns = Columns(model)
    self.names = [
      *(f"{cable}.{field}" for cable in self._views for field in _CABLE),
      *self._columns.names,
    ]

  def knows(self, name: str) -> bool:
    """Whether there is such a column."""
    return name in self._columns.names or self._of_cable(name) is not None

  def _of_cable(self, name: str) -> tuple[str, str, int | None] | None:
    match = re.fullmatch(r"(.+)\.(\w+)(?:\[(-?\d+)\])?", name)
    if not match or match[1] not in self._views or match[2] not in _CABLE:
      return None
    index = None if match[3] is None else int(match[3])
    many = match[2] in ("tension", "wrap_angle")
    if many != (index is not None):
      return None
    if index is not None:
      size = getattr(self._views[match[1]], match[2]).size
      if not -size <= index < size:
        return None
    return match[1], match[2], index

  def getter(self, name: str):
    """A function that reads the column now, and whether it is state (known before the step)."""
    data = self._data
    if name in self._columns.names:
      field, index = self._columns.place(name)
      array = getattr(data, field)
      return (lambda: float(array[index])), field in ("qpos", "ctrl")
    found = self._of_cable(name)
    assert found is not None, name
    cable, field, index = found
    view = self._views[cable]
    if index is None:
      return (lambda: float(getattr(view, field))), False
    return (lambda: float(getattr(view, field)[index])), False
