"""Take-up: what takes cable in at the source, and what its command means.

A commanded cable has a MuJoCo actuator with the cable's name; `range` becomes its ctrlrange (None:
no limits). Positive commands take cable in (shorten it).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from mujocable import checks

Range = tuple[float, float] | None


@dataclass(frozen=True)
class LengthCommand:
  """The command is the length taken in [m].

  Fields, in SI units:
    range: of the command; None: no limits.
    lag: time constant of the motor [s].
    rate_limit: fastest take-up [m/s].
  """

  range: Range
  lag: float = 0.0
  rate_limit: float = math.inf
  kind: ClassVar[str] = "length"

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class SpoolAngle:
  """The command is the angle of a massless spool [rad].

  Fields, in SI units:
    radius: of the spool [m].
    range: of the command; None: no limits.
    lag: time constant of the motor [s].
    rate_limit: fastest take-up [m/s], measured on the cable.
  """

  radius: float
  range: Range
  lag: float = 0.0
  rate_limit: float = math.inf
  kind: ClassVar[str] = "spool_angle"

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class SpoolRate:
  """The command is the rate of a massless spool [rad/s], integrated in `act`.

  Fields, in SI units:
    radius: of the spool [m].
    range: of the command; None: no limits.
  """

  radius: float
  range: Range
  kind: ClassVar[str] = "spool_rate"

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class SpoolJoint:
  """A hinge (or slide) of the model takes in radius * (q - q0) and feels the reaction -T * radius.

  A negative radius is wound the other way and pays out: two antagonists share a spool with +r and
  -r. No actuator: drive the joint. For a drum that is a Wrap with the Anchor on it use no take-up
  at all: its windings and its reaction follow from the route.

  Fields, in SI units:
    joint: its name.
    radius: of the spool, not 0 [m]; for a slide joint: cable taken in per length of travel.
  """

  joint: str
  radius: float
  kind: ClassVar[str] = "spool_joint"

  def __post_init__(self):
    checks.text("SpoolJoint", "joint", self.joint)
    _clean(self)


@dataclass(frozen=True)
class TensionCommand:
  """The command is the tension at the source [N], never negative.

  Fields, in SI units:
    range: of the command; None: no limits.
    lag: time constant of the motor [s].
  """

  range: Range
  lag: float = 0.0
  kind: ClassVar[str] = "tension"

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class TendonDrive:
  """The cable pulls with what a tendon of the model pulls with: its actuators, spring and damper.

  MuJoCo still computes the tendon's length and force; the force then acts along the cable, with its
  friction, and never as a push. `mujocable.convert` writes these.

  Fields, in SI units:
    tendon: its name.
    share: part of the tendon's force: 1 / divisor for the branch of a pulley.
  """

  tendon: str
  share: float = 1.0
  kind: ClassVar[str] = "tendon"

  def __post_init__(self):
    checks.text("TendonDrive", "tendon", self.tendon)
    _clean(self)


Command = LengthCommand | SpoolAngle | SpoolRate | TensionCommand  # has an actuator
TakeUp = Command | SpoolJoint | TendonDrive

TAKE_UPS: dict[str, type] = {
  kind.kind: kind
  for kind in (LengthCommand, SpoolAngle, SpoolRate, SpoolJoint, TensionCommand, TendonDrive)
}

# field -> config key, of the numbers that travel in the plugin's config
CONFIG_KEYS = {
  "radius": "spool_radius",
  "lag": "lag",
  "rate_limit": "rate_limit",
  "share": "share",
}


def filtered(take_up: Command) -> bool:
  """Whether the command passes through an activation state first."""
  return getattr(take_up, "lag", 0.0) > 0 or getattr(take_up, "rate_limit", math.inf) < math.inf


def _clean(take_up: TakeUp) -> None:
  # every number the kind has, checked and stored as float
  owner = type(take_up).__name__
  numbers = {
    "radius": checks.not_zero if isinstance(take_up, SpoolJoint) else checks.positive,
    "share": checks.positive,
    "lag": checks.not_negative,
    "rate_limit": checks.positive_or_inf,
  }
  for name, check in numbers.items():
    if hasattr(take_up, name):
      object.__setattr__(take_up, name, check(owner, name, getattr(take_up, name)))
  if not isinstance(take_up, SpoolJoint | TendonDrive):
    least = 0.0 if isinstance(take_up, TensionCommand) else None
    value = checks.interval(owner, "range", take_up.range, least)
    object.__setattr__(take_up, "range", value)
