"""What a fit found: values with intervals, what they explain, what the data cannot tell."""

import math
from dataclasses import asdict, dataclass

import mujoco
import numpy as np


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
      "values": {name: asdict(one) for name, one in self.values.items()},
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


def _none(value: float) -> float | None:
  return None if math.isnan(value) else value
