"""Cable: one tension member from its source to its distal end, as frozen data."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Literal, get_args

from mujocable.errors import BadRoute, BadValue
from mujocable.spec import checks
from mujocable.spec.catalogue import Material, material
from mujocable.spec.route import ELEMENTS, Element
from mujocable.spec.takeup import TAKE_UPS, TakeUp, TendonDrive, TensionCommand

FrictionLaw = Literal["memory", "sliding"]
FrictionMode = Literal["velocity", "forward", "reverse"]


@dataclass(frozen=True)
class Cable:
  """A cable: its route, how it stretches, how it rubs, and what takes it in.

  Give exactly one of `stiffness` and `EA` (neither is needed where the tension is given, by a
  TensionCommand or a TendonDrive), or a `material` of the catalogue, which fills EA, max_tension
  and radius where they are not given. Where None is the default, the engine's own default applies.

  Fields, in SI units:
    name: of the cable, its sensor and its actuator.
    route: the elements from the source to the distal end: Anchor, then Eyelets, Wraps, Rings and
      Sheaths, then Anchor.
    stiffness: force per stretch of the whole cable [N/m].
    EA: axial rigidity [N]; the stiffness is EA over the home length.
    damping: force per rate of stretch [N s/m].
    damping_rate: "stretch", which counts what a motor takes in, or "length" of the path alone.
    friction: Coulomb coefficient of every contact that has none of its own.
    friction_law: "memory" sticks and slides; "sliding" is the paper's law, which never sticks.
    friction_mode: of the sliding law: along the "velocity", or always "forward" or "reverse".
    slip_speed: of the sliding law: slip at which friction is developed [m/s].
    max_tension: the source gives way above it [N].
    take_up: what shortens the cable; None: nothing does.
    transition: stretch over which stiffness and damping set in [m].
    reserve: stretch without any force, before the cable pulls [m].
    pretension: tension at home [N].
    pretension_offset: cable taken in at home [m]; negative is slack.
    home_length: unstretched length at zero take-up [m]; None: as routed at qpos0.
    radius: of the cable, added to every surface [m].
    integration: "auto" solves a cable that is stiff for the step with the motion; or "explicit".
    max_smoothness: kink above which a path is not accepted as valid [rad].
    max_penetration: depth of a cut into a surface above which it is not [m].
    material: of the catalogue; a name needs `radius`.
  """

  name: str  # of the instance, its sensor and its actuator
  route: Sequence[Element]  # source first: Anchor; Eyelets, Wraps, Rings, Sheaths; Anchor

  _: KW_ONLY
  stiffness: float | None = None  # kappa [N/m]
  EA: float | None = None  # axial rigidity [N]; stiffness = EA / home length
  damping: float = 0.0  # d [N s/m]
  damping_rate: str = "stretch"  # what damping acts on: "stretch" rate, or path "length" rate
  friction: float = 0.0  # Coulomb coefficient of every contact that has none of its own
  friction_law: FrictionLaw = "memory"  # it sticks and slides; or "sliding", which never sticks
  friction_mode: FrictionMode | None = None  # sliding law: along "velocity", "forward", "reverse"
  slip_speed: float | None = None  # sliding law, v_s [m/s]: friction is developed well above it
  max_tension: float = math.inf  # [N]
  take_up: TakeUp | None = None  # None: passive, fixed rest length
  transition: float = 0.0  # a [m]: stretch over which stiffness and damping set in
  reserve: float = 0.0  # s [m]: slack that is taken up before the cable pulls
  pretension: float | None = None  # [N] at home
  pretension_offset: float | None = None  # p [m]: taken in at home; negative is slack
  home_length: float | None = None  # L_0 [m]; None: the routed length at qpos0
  radius: float = 0.0  # [m] of the cable: offsets every surface
  integration: str = "auto"  # "auto": implicit where it is stiff for the step; or "explicit"
  max_smoothness: float | None = None  # [rad]: a kink above it makes the path invalid
  max_penetration: float | None = None  # [m]: a penetration above it makes the path invalid
  material: str | Material | None = None  # of the catalogue; a name needs `radius`

  def __post_init__(self):
    checks.text("cable", "name", self.name)
    owner = f"cable {self.name!r}"
    if self.material is not None:
      _fill(owner, self, self.material)
    object.__setattr__(self, "route", _clean_route(owner, self.route))
    for name, check in _NUMBERS.items():
      value = getattr(self, name)
      if value is not None or name not in _OPTIONAL:
        object.__setattr__(self, name, check(owner, name, value))
    for name, accepted in _WORDS.items():
      if getattr(self, name) is not None or name not in _OPTIONAL:
        checks.choice(owner, name, getattr(self, name), accepted)
    if self.take_up is not None and not isinstance(self.take_up, TakeUp):
      accepted = ", ".join(kind.__name__ for kind in TAKE_UPS.values())
      raise BadValue(f"{owner}: take_up must be None or one of {accepted}, got {self.take_up!r}")
    _check_pairs(owner, self)


_NUMBERS = {
  "stiffness": checks.positive,
  "EA": checks.positive,
  "damping": checks.not_negative,
  "friction": checks.not_negative,
  "slip_speed": checks.positive,
  "max_tension": checks.positive_or_inf,
  "transition": checks.not_negative,
  "reserve": checks.not_negative,
  "pretension": checks.not_negative,
  "pretension_offset": checks.number,
  "home_length": checks.positive,
  "radius": checks.not_negative,
  "max_smoothness": checks.positive,
  "max_penetration": checks.not_negative,
}
_WORDS = {
  "damping_rate": ("stretch", "length"),
  "friction_law": get_args(FrictionLaw),
  "friction_mode": get_args(FrictionMode),
  "integration": ("auto", "explicit"),
}
_DEFAULTS = {f.name: f.default for f in fields(Cable)}
_OPTIONAL = {name for name, default in _DEFAULTS.items() if default is None}

_ELEMENTS = ", ".join(kind.__name__ for kind in ELEMENTS)

# config keys that are fields of Cable under the same name
PARAMETERS = (*_NUMBERS, *_WORDS)


def config_of(cable: Cable) -> dict[str, str]:
  """The parameters that differ from their defaults, as config strings with every digit."""
  config = {}
  for name in PARAMETERS:
    value = getattr(cable, name)
    if value != _DEFAULTS[name]:
      config[name] = value if isinstance(value, str) else repr(value)
  return config


def parameters_of(cable: str, config: dict[str, str]) -> dict:
  """The same parameters read from config strings."""
  return {
    name: read_number(cable, name, config[name]) if name in _NUMBERS else config[name]
    for name in PARAMETERS
    if config.get(name)
  }


def read_number(cable: str, name: str, value: str) -> float:
  """One number written in the config."""
  try:
    return float(value)
  except ValueError:
    raise BadValue(f"cable {cable!r}: {name} must be a number, got {value!r}") from None


def _fill(owner: str, cable: Cable, given: object) -> None:
  # what the material knows, where nothing else was said; the result is a cable without a material
  if isinstance(given, str):
    if not checks.number(owner, "radius", cable.radius) > 0:
      raise BadValue(f"{owner}: material {given!r} needs the radius of the cable [m]")
    given = material(given, 2 * cable.radius)
  elif not isinstance(given, Material):
    raise BadValue(f"{owner}: material must be a name or a Material, got {given!r}")
  filled: dict = {"radius": cable.radius or given.radius, "material": None}
  if cable.stiffness is None and cable.EA is None:
    filled["EA"] = given.EA
  if cable.max_tension == math.inf:
    filled["max_tension"] = given.max_tension
  for name, value in filled.items():
    object.__setattr__(cable, name, value)


def _clean_route(owner: str, route: object) -> tuple[Element, ...]:
  if isinstance(route, str) or not isinstance(route, Sequence):
    raise BadRoute(f"{owner}: route must be a list of {_ELEMENTS}, got {route!r}")
  for index, element in enumerate(route):
    if not isinstance(element, ELEMENTS):
      raise BadRoute(f"{owner}: route[{index}] must be one of {_ELEMENTS}, got {element!r}")
  return tuple(route)


def _check_pairs(owner: str, cable: Cable) -> None:
  for name in ("friction_mode", "slip_speed"):
    if cable.friction_law != "sliding" and getattr(cable, name) is not None:
      raise BadValue(
        f"{owner}: {name} belongs to friction without memory: remove it, friction now sticks and "
        'slides by itself; or set friction_law="sliding" to keep the old law'
      )
  given = [name for name in ("stiffness", "EA") if getattr(cable, name) is not None]
  if len(given) == 2:
    raise BadValue(f"{owner}: give stiffness [N/m] or EA [N], not both")
  if not given and not isinstance(cable.take_up, TensionCommand | TendonDrive):
    raise BadValue(f"{owner}: stiffness [N/m] or EA [N] is missing")
  if cable.pretension is not None and cable.pretension_offset is not None:
    raise BadValue(f"{owner}: give pretension [N] or pretension_offset [m], not both")
