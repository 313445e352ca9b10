"""Route: the ordered elements of a cable, from the source (motor end) to the distal end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Literal, get_args

from mujocable import checks
from mujocable.errors import BadRoute, BadValue

WrapMode = Literal["obstacle", "guided"]
MAX_TURNS = 1000  # of a Wrap, at the start
MAX_CONTACTS = 16  # of a mesh


@dataclass(frozen=True)
class Anchor:
  """An end of the cable, fixed to a site. The first and the last element of every route.

  Fields, in SI units:
    site: its name.
  """

  site: str

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class Eyelet:
  """A hard guide: the cable slides through a site and always bears on it.

  Fields, in SI units:
    site: its name.
    friction: Coulomb coefficient; None: the cable's.
  """

  site: str
  friction: float | None = None

  def __post_init__(self):
    _clean(self)


@dataclass(frozen=True)
class Wrap:
  """A surface that the cable bears on where it must, and leaves where it can.

  `side` picks the way round: the name of a site, or a point [m] in the geom's frame, on the side
  where the cable shall run. Without it the shorter way at qpos0 is taken and remembered.

  Geoms: cylinder, sphere, ellipsoid, capsule, box, mesh. The edges of a box are rounded by
  `rounding` [m], inside the geom, and by the radius of the cable; one of the two must be given.
  A mesh must bound a solid; it means the smooth surface through its vertices, and edges that turn
  by more than 40 degrees are rounded, as little as can be where `rounding` is not given. A cable
  bridges hollows and may bear on a mesh in up to `contacts` places, each one contact of the view;
  with mode "guided" it keeps to the surface, hollows included.

  With `groove` the cable runs in the mid plane of a cylinder between two flanges, and bends aside
  at their edge, r + depth from the axis (True: a tenth of the radius deep). It derails where its
  fleet angle at the edge is more than acos(r / (r + depth)), and where it is off the end of a plain
  cylinder; it returns where the straight cable falls into the groove, or is clear of the cylinder.
  A side site inside a cylinder or sphere asks for an inside wrap: the cable goes through it.

  Fields, in SI units:
    geom: its name.
    side: name of a site, or a point [m].
    friction: Coulomb coefficient; None: the cable's.
    permanent: a keeper holds the cable: it never lifts nor derails; cylinder and sphere.
    rounding: of the edges of a box or mesh [m].
    turns: full turns around a cylinder at the start, beyond the way that `side` picks.
    mode: of a mesh: an "obstacle" has its hollows bridged, "guided" follows them.
    contacts: of a mesh: in how many separate places the cable may bear on it.
    groove: of a cylinder, in its mid plane: True or the depth [m].
    half_angle: of a V groove, which grips by 1 / sin of it [rad].
    endless: of a cylinder: the cable cannot run off its end.
  """

  geom: str
  side: str | Sequence[float] | None = None
  friction: float | None = None
  permanent: bool = False
  rounding: float | None = None
  turns: int = 0
  mode: WrapMode = "obstacle"
  contacts: int = 1
  groove: bool | float = False
  half_angle: float | None = None
  endless: bool = False

  def __post_init__(self):
    owner = _clean(self)
    if self.half_angle is not None and not self.half_angle < math.pi / 2:
      raise BadValue(f"{owner}: half_angle must be less than pi / 2, got {self.half_angle!r}")
    if self.half_angle is not None and not self.groove:
      raise BadValue(f"{owner}: half_angle is of a groove; give groove too")


@dataclass(frozen=True)
class Ring:
  """A torus fixed to a site, its axis the site's z: a grommet, with contact migrating on its rim.

  `side` picks where the cable bears, like that of a Wrap, a point being in the site's frame.
  Without it the cable runs through the hole, on the rim nearest to the straight line at qpos0.
  Where it bears on both sides of the hole, both are one contact: from the first entry to the last
  exit, the wrap angle of both.

  Fields, in SI units:
    site: its name.
    radius: from the axis to the center of the tube [m].
    tube: radius of the tube [m].
    side: name of a site, or a point [m].
    friction: Coulomb coefficient; None: the cable's.
  """

  site: str
  radius: float
  tube: float
  side: str | Sequence[float] | None = None
  friction: float | None = None

  def __post_init__(self):
    owner = _clean(self)
    if self.tube >= self.radius:
      raise BadValue(
        f"{owner}: tube must be smaller than radius, or no hole is left;"
        f" got tube {self.tube:g}, radius {self.radius:g}"
      )


@dataclass(frozen=True)
class Sheath:
  """A Bowden sheath: a housing of constant length from one site to another.

  The cable enters along the z axis of the entry site and leaves along that of the exit site. Both
  sites take the load of the cable outside: the housing carries the rest. Friction acts over all
  that the sheath bends: `bend`, or, without it, the least that a housing of this length turns from
  one end to the other as the bodies stand, and the corners where the cable enters and leaves it.
  A view shows two contacts: the entry with all of the housing, then the exit.

  Fields, in SI units:
    entry_site: where the cable goes in, nearer to the source.
    exit_site: where it comes out.
    length: of the cable inside [m].
    friction: Coulomb coefficient; None: the cable's.
    bend: angle by which it bends in all [rad]; None: as the two ends stand.
  """

  entry_site: str
  exit_site: str
  length: float
  friction: float | None = None
  bend: float | None = None

  def __post_init__(self):
    owner = _clean(self)
    if self.exit_site == self.entry_site:
      raise BadRoute(f"{owner}: exit_site must be another site than entry_site")


Surface = Wrap | Ring  # what a cable bears on where it must
Element = Anchor | Eyelet | Wrap | Ring | Sheath
ELEMENTS = (Anchor, Eyelet, Wrap, Ring, Sheath)


def _side(owner: str, name: str, value: object):
  # a site by name, or a point
  check = checks.text if isinstance(value, str) else partial(checks.vector, size=3)
  return check(owner, name, value)


def _groove(owner: str, name: str, value: object) -> bool | float:
  return value if isinstance(value, bool) else checks.positive(owner, name, value)


# field -> what it accepts
_CHECKS = {
  "exit_site": checks.text,
  "side": _side,
  "friction": checks.not_negative,
  "permanent": checks.flag,
  "rounding": checks.positive,
  "turns": partial(checks.count, most=MAX_TURNS),
  "mode": partial(checks.choice, accepted=get_args(WrapMode)),
  "contacts": partial(checks.count, most=MAX_CONTACTS, least=1),
  "groove": _groove,
  "half_angle": checks.positive,
  "endless": checks.flag,
  "radius": checks.positive,
  "tube": checks.positive,
  "length": checks.positive,
  "bend": checks.not_negative,
}


def _clean(element: "Element") -> str:
  # every value checked, numbers stored as float; returns how messages call the element
  kind = type(element).__name__
  first, *others = fields(element)
  owner = f"{kind} {checks.text(kind, first.name, getattr(element, first.name))!r}"
  for field in others:
    value = getattr(element, field.name)
    if value is not None or field.default is not None:
      object.__setattr__(element, field.name, _CHECKS[field.name](owner, field.name, value))
  return owner


def target(element: Element) -> str:
  """The site or geom that an element stands on; of a sheath, where it begins."""
  if isinstance(element, Sheath):
    return element.entry_site
  return element.geom if isinstance(element, Wrap) else element.site


def contact_count(element: Element) -> int:
  """How many contacts of the record an element has."""
  if isinstance(element, Wrap):
    return element.contacts
  return 0 if isinstance(element, Anchor) else 1 + isinstance(element, Sheath)


def label(index: int, element: Element) -> str:
  """How messages call an element: `wrap 3 'pulley_a'`, counted from 0 like route[3]."""
  return f"{type(element).__name__.lower()} {index} {target(element)!r}"


def check_order(cable: str, route: Sequence[Element]) -> None:
  """Anchor, then Eyelets and Wraps, then Anchor; no element twice in a row."""
  owner = f"cable {cable!r}"
  if len(route) < 2:
    raise BadRoute(f"{owner}: a route needs at least 2 elements, an Anchor at each end")
  for which, index in (("first", 0), ("last", len(route) - 1)):
    if not isinstance(route[index], Anchor):
      found = label(index, route[index])
      raise BadRoute(f"{owner}: the {which} element must be an Anchor, got {found}")
  for index, element in enumerate(route[1:-1], 1):
    if isinstance(element, Anchor):
      found = label(index, element)
      raise BadRoute(
        f"{owner}: {found} is inside the route; accepted there: Eyelet, Wrap, Ring, Sheath"
      )
  for index, (one, two) in enumerate(pairwise(route)):
    same_kind = isinstance(one, Wrap) == isinstance(two, Wrap)
    leaves = one.exit_site if isinstance(one, Sheath) else target(one)
    # a sheath may begin where another one ends
    joined = isinstance(one, Sheath) and isinstance(two, Sheath)
    same_kind = same_kind and not joined and isinstance(one, Ring) == isinstance(two, Ring)
    if same_kind and leaves == target(two):
      pair = f"{label(index, one)} and {label(index + 1, two)}"
      what = (
        "are the same surface twice in a row"
        if isinstance(one, Surface)
        else "make a zero-length span"
      )
      raise BadRoute(f"{owner}: {pair} {what}")
