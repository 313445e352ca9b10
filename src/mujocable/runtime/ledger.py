"""Ledger: what is known of a cable after a run, and what went wrong with it."""

import math
from dataclasses import asdict, dataclass
from typing import Literal

TroubleKind = Literal["invalid", "derailed", "flies", "saturated", "diverged"]


@dataclass(frozen=True)
class Trouble:
  """Why a run is not to be trusted as it stands."""

  kind: TroubleKind
  name: str  # of the cable or actuator; empty for the whole simulation
  time: float  # when it began [s]
  text: str  # in words

  def __str__(self) -> str:
    return f"{self.name}: {self.text}" if self.name else self.text


@dataclass(frozen=True)
class Account:
  """One cable over all steps.

  Energy that enters the cable (from its motor, or from bodies that pull on it) is in `work_in`;
  energy that leaves it to bodies or back into the motor in `work_out`. What is put in and does not
  come out is stored, rubbed off at the contacts, damped in the cable, or not accounted for:
  `residual`, the rounding of the steps.
  """

  name: str  # of the cable
  duration: float  # [s]
  steps: int  # that were summed
  peak_tension: float  # largest at the source [N]
  peak_time: float  # when [s]
  end_tension: float  # at the distal end in that step [N]
  peak_end_tension: float  # largest at the distal end [N]
  rms_tension: float  # at the source, root of the mean square [N]
  peak_rate: float  # fastest take-up [m/s]
  peak_power: float  # most that the motor gives at once [W]
  stroke: float  # cable taken in between the extremes [m]
  max_slack: float  # [m]
  slack_share: float  # of the steps
  valid: float  # share of the steps with a path
  saturated: float  # share of the steps at the tension limit
  engaged: dict[str, float]  # share of the steps in which it bears on each contact, source first
  derailments: int  # how often it left a groove, or the end of a cylinder
  work_in: float  # energy that entered at either end [J]
  work_out: float  # energy that left at either end [J]
  motor_work: float  # net, of the motor alone [J]
  body_work: float  # net, on the bodies [J]
  stored: float  # elastic energy gained [J]
  friction: dict[str, float]  # heat at each contact [J], source first
  damping: float  # heat inside the cable [J]
  residual: float  # not accounted for [J]

  @property
  def lost(self) -> float:
    """Heat of friction [J]."""
    return sum(self.friction.values())

  @property
  def engagement(self) -> float:
    """Share of the steps in which a contact is touched, the mean of all; 1 where there is none."""
    return sum(self.engaged.values()) / len(self.engaged) if self.engaged else 1.0

  @property
  def efficiency(self) -> float:
    """Work out / work in, with what is still stored given back: 1 - heat / work in.

    NaN where nothing went in, or where the path was lost.
    """
    if not self.work_in > 0 or self.valid < 1:
      return math.nan
    return 1 - (self.lost + self.damping) / self.work_in

  @property
  def closes(self) -> float:
    """What is not accounted for, relative to the work that went in."""
    return abs(self.residual) / self.work_in if self.work_in > 0 else 0.0

  @property
  def worst(self) -> str:
    """The contact with the most heat; empty where none has any."""
    name = max(self.friction, key=self.friction.__getitem__, default="")
    return name if name and self.friction[name] > 0 else ""

  def to_dict(self) -> dict:
    """Plain data, for JSON; what is not defined is None."""
    values = asdict(self) | {
      "lost": self.lost,
      "engagement": self.engagement,
      "efficiency": self.efficiency,
      "closes": self.closes,
      "worst": self.worst,
    }
    return {
      key: None if isinstance(x, float) and not math.isfinite(x) else x for key, x in values.items()
    }
