"""Rows: commands and measurements at given times, from CSV files."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.runtime.controls import control_names
from mujocable.study.motion.levels import levels


@dataclass(frozen=True)
class Rows:
  """Commands at given times, straight lines between."""

  time: np.ndarray  # [s]
  values: np.ndarray  # (n, nu)

  def __call__(self, time: float) -> np.ndarray:
    return self.table(np.array([time]))[0]

  def table(self, times: np.ndarray) -> np.ndarray:
    """Controls at many times [s], shape (n, nu)."""
    columns = [np.interp(times, self.time, column) for column in self.values.T]
    return np.stack(columns, axis=1) if columns else np.zeros((len(times), 0))


def from_csv(model: mujoco.MjModel, path: Path, keyframe: int | None = None) -> tuple[Rows, float]:
  """The rows of a file, with straight lines between; also how long they last [s].

  The first line names the columns: `time` and any actuators; the others stay at rest.
  """
  header, numbers = read_table(path)
  names = control_names(model)
  for name in header:
    if name != "time" and name not in names:
      known = f"{listing('actuators', names)}{suggestion(name, names)}"
      raise UnknownName(f"{path}: column {name!r} is not an actuator of this model; {known}")
  time = numbers[:, header.index("time")]
  values = np.tile(levels(model, keyframe).rest, (time.size, 1))
  for i, name in enumerate(header):
    if name != "time":
      values[:, names.index(name)] = numbers[:, i]
  return Rows(time, values), float(time[-1])


def read_table(path: Path) -> tuple[list[str], np.ndarray]:
  """The names and the numbers of a CSV file that has a column `time`, which grows."""
  with path.open(newline="", encoding="utf-8-sig") as file:
    rows = list(enumerate(csv.reader(file), 1))
  rows = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
  if not rows:
    raise BadValue(f"{path}: the file is empty; its first line must name 'time' and actuators")
  header = [cell.strip() for cell in rows[0][1]]
  if "time" not in header:
    raise BadValue(f"{path}: no column 'time'; the first line is {', '.join(header)}")
  for name in header:
    if header.count(name) > 1:
      raise BadValue(f"{path}: column {name!r} stands twice; give it once")
  numbers = _numbers(path, header, rows[1:])
  time = numbers[:, header.index("time")]
  if time.size == 0 or np.any(np.diff(time) <= 0):
    raise BadValue(f"{path}: column 'time' must have at least one row and only grow")
  return header, numbers


def _numbers(path: Path, header: list[str], rows: list[tuple[int, list[str]]]) -> np.ndarray:
  table = np.zeros((len(rows), len(header)))
  for i, (line, row) in enumerate(rows):
    if len(row) != len(header):
      raise BadValue(f"{path}: line {line} has {len(row)} cells, the first line {len(header)}")
    for j, cell in enumerate(row):
      try:
        table[i, j] = float(cell)
      except ValueError:
        table[i, j] = math.nan
      if not math.isfinite(table[i, j]):
        raise BadValue(f"{path}: line {line}, column {header[j]!r}: {cell!r} is not a number")
  return table
