"""Laws: how a cable stretches, how it rubs, and which paths count as valid. Frozen data."""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields
from functools import partial
from typing import Literal, get_args

from mujocable import checks
from mujocable.errors import BadValue

DampingRate = Literal["stretch", "length"]
FrictionMode = Literal["velocity", "forward", "reverse"]
Integration = Literal["auto", "explicit"]


@dataclass(frozen=True, kw_only=True)
class Axial:
  """How a cable stretches: the tension at the source from stretch and its rate.

  Give exactly one of `stiffness` and `EA`. Neither is needed where the tension is given, by a
  TensionCommand or a TendonDrive, or where the cable has a material. A given tension obeys
  `max_tension`; damping, transition, reserve and pretension have no effect on it.

  Fields, in SI units:
    stiffness: force per stretch of the whole cable, at home [N/m]. Without friction it has that at
      every length, as MuJoCo's tendons; with friction the rigidity that this is at home.
    EA: axial rigidity [N], at every length: the stiffness is EA over the length of the path.
    damping: force per rate of stretch [N s/m].
    damping_rate: "stretch", which counts what a motor takes in, or "length" of the path alone.
    transition: stretch over which stiffness and damping set in [m].
    reserve: stretch without any force, before the cable pulls [m].
    max_tension: the source gives way above it [N].
    pretension: tension at home [N].
    pretension_offset: cable taken in at home [m]; negative is slack.
    home_length: unstretched length at zero take-up [m]; None: as routed at qpos0.
  """

  stiffness: float | None = None  # kappa [N/m]
  EA: float | None = None  # [N]
  damping: float = 0.0  # d [N s/m]
  damping_rate: DampingRate = "stretch"
  transition: float = 0.0  # a [m]
  reserve: float = 0.0  # s [m]
  max_tension: float = math.inf  # [N]
  pretension: float | None = None  # [N]
  pretension_offset: float | None = None  # p [m]
  home_length: float | None = None  # L_0 [m]

  def __post_init__(self):
    _clean(self, AXIAL)
    if self.stiffness is not None and self.EA is not None:
      raise BadValue("Axial: give stiffness [N/m] or EA [N], not both")
    if self.pretension is not None and self.pretension_offset is not None:
      raise BadValue("Axial: give pretension [N] or pretension_offset [m], not both")


@dataclass(frozen=True)
class Sliding:
  """Friction of the paper: it follows the slip at every instant, has no memory and never sticks.

  Fields, in SI units:
    coefficient: of every contact that has none of its own.
    mode: the direction: along the "velocity" of the slip, or always "forward" or "reverse".
    slip_speed: with mode "velocity": slip at which friction is developed [m/s].
  """

  coefficient: float
  _: KW_ONLY
  mode: FrictionMode = "velocity"
  slip_speed: float = 0.01  # v_s [m/s]

  def __post_init__(self):
    _clean(self, SLIDING)


@dataclass(frozen=True, kw_only=True)
class Limits:
  """Which paths count as valid; a path beyond them is kept and still pulls.

  Fields, in SI units:
    smoothness: kink between a segment and its arc, above which a path is not valid [rad].
    penetration: depth of a cut into a surface, above which it is not [m]; None: 1e-6 radii.
  """

  smoothness: float = 1e-6  # [rad]
  penetration: float | None = None  # [m]

  def __post_init__(self):
    _clean(self, LIMITS)


# config key -> what it accepts
CHECKS = {
  "stiffness": checks.positive,
  "EA": checks.positive,
  "damping": checks.not_negative,
  "damping_rate": partial(checks.choice, accepted=get_args(DampingRate)),
  "transition": checks.not_negative,
  "reserve": checks.not_negative,
  "max_tension": checks.positive_or_inf,
  "pretension": checks.not_negative,
  "pretension_offset": checks.number,
  "home_length": checks.positive,
  "radius": checks.not_negative,
  "friction": checks.not_negative,
  "friction_law": partial(checks.choice, accepted=("memory", "sliding")),
  "friction_mode": partial(checks.choice, accepted=get_args(FrictionMode)),
  "slip_speed": checks.positive,
  "integration": partial(checks.choice, accepted=get_args(Integration)),
  "max_smoothness": checks.positive,
  "max_penetration": checks.not_negative,
}

# config key -> field of the law
AXIAL = {field.name: field.name for field in fields(Axial)}
SLIDING = {"friction": "coefficient", "friction_mode": "mode", "slip_speed": "slip_speed"}
LIMITS = {"max_smoothness": "smoothness", "max_penetration": "penetration"}


def _clean(law: Axial | Sliding | Limits, keys: Mapping[str, str]) -> None:
  # every value checked, numbers stored as float
  optional = {field.name for field in fields(law) if field.default is None}
  for key, name in keys.items():
    value = getattr(law, name)
    if value is not None or name not in optional:
      object.__setattr__(law, name, CHECKS[key](type(law).__name__, name, value))
