"""Motion: what the actuators are told over time: a preset, or the rows of a CSV file."""

import csv
import math
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion

Command = Callable[[float], np.ndarray]  # time [s] -> controls, shape (nu,)

_SMOOTH = (10.0, -15.0, 6.0)  # of the step without a jerk: 10 s^3 - 15 s^4 + 6 s^5


def smooth(share):
  """A step from 0 to 1 that starts and ends without a jerk."""
  s = np.clip(share, 0.0, 1.0)
  return s**3 * (_SMOOTH[0] + s * (_SMOOTH[1] + s * _SMOOTH[2]))


def preset(model: mujoco.MjModel, name: str, duration: float) -> Command:
  """A motion by name, over the range of every control."""
  if name not in PRESETS:
    hint = suggestion(name, PRESETS)
    raise BadValue(f"motion must be one of {', '.join(PRESETS)}, got {name!r}{hint}")
  if not (math.isfinite(duration) and duration > 0):
    raise BadValue(f"motion: duration must be finite and > 0, got {duration!r}")
  low, high = control_ranges(model)
  rest = np.clip(0.0, low, high)
  shape = PRESETS[name]
  return lambda time: rest + shape(time / duration, model.nu) * (high - rest)


def control_ranges(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
  """Least and most of every control; 0 to 1 where there is no range."""
  limited = model.actuator_ctrllimited.astype(bool)
  low = np.where(limited, model.actuator_ctrlrange[:, 0], 0.0)
  high = np.where(limited, model.actuator_ctrlrange[:, 1], 1.0)
  return low, high


def control_names(model: mujoco.MjModel) -> list[str]:
  """A name for every control: that of its actuator, numbered where there are several."""
  names = []
  for actuator in range(model.nactuator):
    name = model.actuator(actuator).name or f"actuator_{actuator}"
    count = int(model.actuator_ctrlnum[actuator])
    names += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
  return names


def from_csv(model: mujoco.MjModel, path: Path) -> tuple[Command, float]:
  """The rows of a file, with straight lines between; also how long they last [s].

  The first line names the columns: `time` and any actuators; the others stay at rest.
  """
  with path.open(newline="", encoding="utf-8-sig") as file:
    rows = list(csv.reader(file))
  rows = [row for row in rows if any(cell.strip() for cell in row)]
  if not rows:
    raise BadValue(f"{path}: the file is empty; its first line must name 'time' and actuators")
  header = [cell.strip() for cell in rows[0]]
  if "time" not in header:
    raise BadValue(f"{path}: no column 'time'; the first line is {', '.join(header)}")
  names = control_names(model)
  for name in header:
    if name != "time" and name not in names:
      known = f"{listing('actuators', names)}{suggestion(name, names)}"
      raise UnknownName(f"{path}: column {name!r} is not an actuator of this model; {known}")
  table = _numbers(path, header, rows[1:])
  time = table[:, header.index("time")]
  if time.size == 0 or np.any(np.diff(time) <= 0):
    raise BadValue(f"{path}: column 'time' must have at least one row and only grow")
  low, high = control_ranges(model)
  rest = np.clip(0.0, low, high)
  given = [(names.index(name), table[:, i]) for i, name in enumerate(header) if name != "time"]

  def command(moment: float) -> np.ndarray:
    control = rest.copy()
    for index, values in given:
      control[index] = np.interp(moment, time, values)
    return control

  return command, float(time[-1])


def _numbers(path: Path, header: list[str], rows: list[list[str]]) -> np.ndarray:
  table = np.zeros((len(rows), len(header)))
  for i, row in enumerate(rows):
    if len(row) != len(header):
      raise BadValue(f"{path}: line {i + 2} has {len(row)} cells, the first line {len(header)}")
    for j, cell in enumerate(row):
      try:
        table[i, j] = float(cell)
      except ValueError:
        table[i, j] = math.nan
      if not math.isfinite(table[i, j]):
        raise BadValue(f"{path}: line {i + 2}, column {header[j]!r}: {cell!r} is not a number")
  return table


# ------------------------------------ shapes: share of the duration, number of controls -> 0 to 1


def _rest(share: float, count: int) -> np.ndarray:
  return np.zeros(count)


def _ramp(share: float, count: int) -> np.ndarray:
  return np.full(count, smooth(share))


def _pull(share: float, count: int) -> np.ndarray:
  return np.full(count, smooth(share / 0.4) - smooth((share - 0.6) / 0.4))


def _turns(share: float, count: int) -> np.ndarray:
  # one after the other, each up and down again
  each = share * count - np.arange(count)
  return smooth(2 * each) - smooth(2 * each - 1)


def _waves(share: float, count: int) -> np.ndarray:
  phase = 2 * np.pi * (2 * share + np.arange(count) / max(1, count))
  start = smooth(share / 0.1)  # from rest
  return start * 0.5 * (1 - np.cos(phase))


PRESETS: dict[str, Callable[[float, int], np.ndarray]] = {
  "rest": _rest,  # no command
  "ramp": _ramp,  # to the end of the range
  "pull": _pull,  # to the end of the range and back
  "turns": _turns,  # the same, one actuator after the other
  "waves": _waves,  # cosines, shifted against each other
}
