"""Recording: values of cables over time, as columns."""

import csv
from collections.abc import Iterable
from numbers import Real
from pathlib import Path

import numpy as np

from mujocable.errors import BadValue, suggestion
from mujocable.runtime.view import CableView

# what is recorded of a cable: field -> unit
FIELDS = {
  "take_up": "m",
  "tension": "N",
  "slack": "m",
  "length": "m",
  "rest_length": "m",
  "wrap_angle": "rad",
  "slip_rate": "m/s",
  "dissipation": "W",
  "status": "",
}


class Recording:
  """Columns by name: `time`, `hoist.take_up`, `hoist.tension[0]`, and whatever else is given."""

  def __init__(self, cables: Iterable[CableView], fields: Iterable[str] = tuple(FIELDS)):
    self._cables, self._fields = tuple(cables), tuple(fields)
    for cable in self._cables:
      if not isinstance(cable, CableView):
        raise BadValue(f"Recording(cables): give bind(model, data).values(), got {cable!r}")
    for field in self._fields:
      if not hasattr(CableView, field):
        hint = suggestion(field, [name for name in dir(CableView) if name[0] != "_"])
        raise BadValue(f"Recording(cables, fields): a cable has no {field!r}{hint}")
      if not all(_is_row(getattr(cable, field)) for cable in self._cables):
        raise BadValue(
          f"Recording(cables, fields): {field!r} is neither a number nor one for each contact or"
          " segment"
        )
    self._rows: list[dict[str, float]] = []

  def sample(self, time: float, **more: float) -> None:
    """Adds one row: the time [s], every field of every cable, and more named numbers."""
    row = {"time": time}
    for cable in self._cables:
      for field in self._fields:
        value = getattr(cable, field)
        if isinstance(value, np.ndarray):
          row |= {f"{cable.name}.{field}[{i}]": float(x) for i, x in enumerate(value)}
        else:
          row[f"{cable.name}.{field}"] = float(value)
    self._rows.append(row | more)

  def __len__(self) -> int:
    return len(self._rows)

  def __getitem__(self, name: str) -> np.ndarray:
    return np.array([row[name] for row in self._rows])

  @property
  def names(self) -> list[str]:
    """Names of the columns."""
    return list(self._rows[0]) if self._rows else []

  def columns(self, start: str) -> dict[str, np.ndarray]:
    """The columns whose names start so: `columns("hoist.tension")`."""
    return {name: self[name] for name in self.names if name.startswith(start)}

  def write_csv(self, path: Path | str) -> None:
    """One line of names, one line per row, every digit."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
      writer = csv.DictWriter(file, self.names)
      writer.writeheader()
      writer.writerows(self._rows)


def _is_row(value: object) -> bool:
  return value.ndim == 1 if isinstance(value, np.ndarray) else isinstance(value, Real)
