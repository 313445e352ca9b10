"""Cable: one tension member from its source to its distal end, as frozen data."""

import functools
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING

from mujocable import checks
from mujocable.catalogue import Material, material
from mujocable.errors import BadRoute, BadValue
from mujocable.spec.laws import AXIAL, CHECKS, LIMITS, SLIDING, Axial, Integration, Limits, Sliding
from mujocable.spec.route import ELEMENTS, Element
from mujocable.spec.takeup import TAKE_UPS, TakeUp, TendonDrive, TensionCommand


@dataclass(frozen=True)
class Cable:
  """A cable: its route, how it stretches, how it rubs, and what takes it in.

  `Cable("hoist", route, Axial(stiffness=2e5, damping=50.0), friction=0.1)` is a passive one.

  Fields, in SI units:
    name: of the cable, its sensor and its actuator.
    route: the elements from the source to the distal end: Anchor, then Eyelets, Wraps, Rings and
      Sheaths, then Anchor.
    axial: how it stretches: an Axial with stiffness or EA, damping, pretension, a tension limit.
    friction: Coulomb coefficient of every contact that has none of its own: the cable sticks,
      slides and remembers. Or a Sliding, the law of the paper, which never sticks.
    take_up: what shortens the cable: a LengthCommand, SpoolAngle, SpoolRate, SpoolJoint,
      TensionCommand or TendonDrive; None: nothing does.
    radius: of the cable, added to every surface [m].
    material: of the catalogue: fills EA, max_tension and radius where they are not given, and is
      None afterwards; a name needs `radius`.
    integration: "auto" solves a cable that is stiff for the step with the motion; "explicit"
      takes the force of the present state.
    limits: which paths count as valid.
  """

  name: str
  route: Sequence[Element]
  axial: Axial = Axial()
  _: KW_ONLY
  friction: float | Sliding = 0.0
  take_up: TakeUp | None = None
  radius: float = 0.0  # [m]
  material: str | Material | None = None
  integration: Integration = "auto"
  limits: Limits = Limits()

  def __post_init__(self):
    checks.text("cable", "name", self.name)
    owner = f"cable {self.name!r}"
    for name, kind in (("axial", Axial), ("limits", Limits)):
      if not isinstance(getattr(self, name), kind):
        found = f"an {kind.__name__}" if name == "axial" else f"a {kind.__name__}"
        raise BadValue(f"{owner}: {name} must be {found}, got {getattr(self, name)!r}")
    if self.material is not None:
      _fill(owner, self, self.material)
    object.__setattr__(self, "route", _clean_route(owner, self.route))
    for name in ("radius", "integration"):
      object.__setattr__(self, name, CHECKS[name](owner, name, getattr(self, name)))
    if not isinstance(self.friction, Sliding):
      object.__setattr__(self, "friction", checks.not_negative(owner, "friction", self.friction))
    if self.take_up is not None and not isinstance(self.take_up, TakeUp):
      accepted = ", ".join(kind.__name__ for kind in TAKE_UPS.values())
      raise BadValue(f"{owner}: take_up must be None or one of {accepted}, got {self.take_up!r}")
    given = isinstance(self.take_up, TensionCommand | TendonDrive)
    if self.axial.stiffness is None and self.axial.EA is None and not given:
      raise BadValue(f"{owner}: stiffness [N/m] or EA [N] is missing: Axial(stiffness=...)")

  @property
  def coefficient(self) -> float:
    """Coulomb coefficient of every contact that has none of its own, whatever the law."""
    return self.friction.coefficient if isinstance(self.friction, Sliding) else self.friction

  if not TYPE_CHECKING:

    def __getattr__(self, name: str):
      moved = f"; it moved: {_MOVED[name][0]}" if name in _MOVED else ""
      raise AttributeError(f"a Cable has no {name!r}{moved}")


# former field of Cable -> how it is read and how it is given now
_MOVED = {
  **{name: (f"cable.axial.{name}", f"axial=Axial({name}=...)") for name in AXIAL},
  **{
    key: (f"cable.friction.{name}", f"friction=Sliding(coefficient, {name}=...)")
    for key, name in SLIDING.items()
    if key != "friction"
  },
  "friction_law": ("cable.friction, a number or a Sliding", "friction=Sliding(coefficient)"),
  **{key: (f"cable.limits.{name}", f"limits=Limits({name}=...)") for key, name in LIMITS.items()},
}


def _refuse_moved(init):
  # keywords of former versions, with what is written instead
  @functools.wraps(init)
  def wrapper(self, *args, **given):
    for name in given:
      if name in _MOVED:
        raise BadValue(f"Cable has no {name!r} of its own any more: write {_MOVED[name][1]}")
    init(self, *args, **given)

  return wrapper


if not TYPE_CHECKING:
  Cable.__init__ = _refuse_moved(Cable.__init__)


def _fill(owner: str, cable: Cable, given: object) -> None:
  # what the material knows, where nothing else was said; the result is a cable without a material
  if isinstance(given, str):
    if not checks.number(owner, "radius", cable.radius) > 0:
      raise BadValue(f"{owner}: material {given!r} needs the radius of the cable [m]")
    given = material(given, 2 * cable.radius)
  elif not isinstance(given, Material):
    raise BadValue(f"{owner}: material must be a name or a Material, got {given!r}")
  axial = cable.axial
  if axial.stiffness is None and axial.EA is None:
    axial = replace(axial, EA=given.EA)
  if axial.max_tension == math.inf:
    axial = replace(axial, max_tension=given.max_tension)
  filled = {"axial": axial, "radius": cable.radius or given.radius, "material": None}
  for name, value in filled.items():
    object.__setattr__(cable, name, value)


_ELEMENTS = ", ".join(kind.__name__ for kind in ELEMENTS)


def _clean_route(owner: str, route: object) -> tuple[Element, ...]:
  if isinstance(route, str) or not isinstance(route, Sequence):
    raise BadRoute(f"{owner}: route must be a list of {_ELEMENTS}, got {route!r}")
  for index, element in enumerate(route):
    if not isinstance(element, ELEMENTS):
      raise BadRoute(f"{owner}: route[{index}] must be one of {_ELEMENTS}, got {element!r}")
  return tuple(route)
