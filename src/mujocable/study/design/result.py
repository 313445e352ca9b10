"""Result: the designs that were tried, and those that no other beats."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np


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

      def known(numbers: Mapping[str, float]) -> dict:
        # a mass that follows from a density is no number of the model as it was given
        return {k: x if math.isfinite(x) else None for k, x in numbers.items()}

      return {
        "values": known(point.values),
        "measures": known(point.measures),
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


def front_of(points: Sequence[Point], goals: Mapping[str, str]) -> tuple[Point, ...]:
  """Those that are feasible and not beaten; the one nearest to the best of each goal first."""
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
