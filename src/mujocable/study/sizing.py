"""Sizing: which motor, spool and cable a task asks for.

run = simulate(model, command, duration)
sizing = mujocable.sizing(run.accounts["hoist"], spool=0.04, material="steel 7x19", safety=5)
sizing.torque, sizing.speed, sizing.diameter
"""

import math
from dataclasses import asdict, dataclass

from mujocable import checks
from mujocable.catalogue import MATERIALS, Material, material
from mujocable.errors import BadValue
from mujocable.runtime.account import Account

# usual diameters of small ropes and braids [m]
DIAMETERS = tuple(
  1e-3 * x
  for x in (
    *(0.3, 0.36, 0.45, 0.54, 0.6, 0.72, 0.8, 1.0, 1.2, 1.5),
    *(2.0, 2.4, 3.2, 4.0, 4.8, 6.4, 8.0, 9.5, 12.7),
  )
)


@dataclass(frozen=True)
class Sizing:
  """What the motor and the cable must be able to do."""

  cable: str  # its name
  tension: float  # most [N]
  rate: float  # fastest take-up [m/s]
  power: float  # most that the motor gives at once [W]
  stroke: float  # cable taken in [m]
  spool: float  # radius [m]
  torque: float  # most, at the spool [N m]
  rms_torque: float  # for the heat of the motor [N m]
  speed: float  # fastest, of the spool [rad/s]
  turns: float  # of the spool
  spools: tuple[float, float] | None  # radii that a given motor can drive [m]; None: not asked
  material: str  # of the catalogue
  diameter: float  # of the cable [m]
  safety: float  # breaking load / most tension, of that cable
  stretch: float  # at the most tension, of its length

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return asdict(self)

  def __str__(self) -> str:
    rpm = 60 * self.speed / (2 * math.pi)
    lines = [
      f"{self.cable}: up to {self.tension:.4g} N, {self.rate:.3g} m/s, {self.power:.3g} W",
      f"  motor: {self.torque:.3g} N m ({self.rms_torque:.3g} N m rms), {rpm:.3g} rpm at a spool of"
      f" {1e3 * self.spool:.3g} mm radius, {self.turns:.3g} turns",
      f"  cable: {self.material}, {1e3 * self.diameter:.3g} mm, safety {self.safety:.3g}, stretches"
      f" by {self.stretch:.2%}",
    ]
    if self.spools is not None:
      low, high = (1e3 * x for x in self.spools)
      fine = low <= high
      text = f"{low:.3g} to {high:.3g} mm" if fine else "none: it is too slow or too weak"
      lines.append(f"  spool radii that the given motor can drive: {text}")
    return "\n".join(lines)


def sizing(
  account: Account,
  *,
  spool: float,
  material: str = "steel 7x19",
  safety: float = 5.0,
  motor: tuple[float, float] | None = None,
) -> Sizing:
  """From what a cable did in a run: the motor at a spool of this radius [m], and the thinnest cable
  of the catalogue whose breaking load is `safety` times the peak tension.

  `motor`: (torque [N m], speed [rad/s]) of one at hand, for the spools that it can drive.
  """
  if not isinstance(account, Account):
    raise BadValue(f"sizing: account must be that of a cable (Follower, Run), got {account!r}")
  spool = checks.positive("sizing", "spool", spool)
  safety = checks.positive("sizing", "safety", safety)
  if not account.peak_tension > 0:
    raise BadValue(f"sizing: cable {account.name!r} never pulls in this run")
  chosen = _thinnest(account, material, safety)
  spools = None
  if motor is not None:
    torque, speed = checks.vector("sizing", "motor", motor, 2)
    for x in (torque, speed):
      checks.positive("sizing", "motor", x)
    spools = account.peak_rate / speed, torque / account.peak_tension
  return Sizing(
    cable=account.name,
    tension=account.peak_tension,
    rate=account.peak_rate,
    power=account.peak_power,
    stroke=account.stroke,
    spool=spool,
    torque=spool * account.peak_tension,
    rms_torque=spool * account.rms_tension,
    speed=account.peak_rate / spool,
    turns=account.stroke / (2 * math.pi * spool),
    spools=spools,
    material=chosen.name,
    diameter=chosen.diameter,
    safety=chosen.max_tension / account.peak_tension,
    stretch=account.peak_tension / chosen.EA,
  )


def _thinnest(account: Account, name: str, safety: float) -> Material:
  for diameter in DIAMETERS:
    found = material(name, diameter)
    if found.max_tension >= safety * account.peak_tension:
      return found
  thickest = material(name, DIAMETERS[-1])
  raise BadValue(
    f"sizing: no {name!r} up to {1e3 * DIAMETERS[-1]:g} mm holds {safety:g} times"
    f" {account.peak_tension:.4g} N of cable {account.name!r}; the thickest breaks at"
    f" {thickest.max_tension:.4g} N; materials: {', '.join(sorted(MATERIALS))}"
  )
