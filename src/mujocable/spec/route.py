"""Route: the ordered elements of a cable, from the source (motor end) to the distal end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args
from urllib.parse import unquote

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
    checks.text("Anchor", "site", self.site)


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
    checks.text("Eyelet", "site", self.site)
    _set_friction(self, f"Eyelet {self.site!r}")


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
    checks.text("Wrap", "geom", self.geom)
    owner = f"Wrap {self.geom!r}"
    _set_friction(self, owner)
    _set_side(self, owner)
    if not isinstance(self.permanent, bool):
      raise BadValue(f"{owner}: permanent must be True or False, got {self.permanent!r}")
    if self.rounding is not None:
      object.__setattr__(self, "rounding", checks.positive(owner, "rounding", self.rounding))
    object.__setattr__(self, "turns", checks.count(owner, "turns", self.turns, MAX_TURNS))
    checks.choice(owner, "mode", self.mode, get_args(WrapMode))
    contacts = checks.count(owner, "contacts", self.contacts, MAX_CONTACTS)
    if contacts < 1:
      raise BadValue(f"{owner}: contacts must be at least 1, got {self.contacts!r}")
    object.__setattr__(self, "contacts", contacts)
    if not isinstance(self.groove, bool):
      object.__setattr__(self, "groove", checks.positive(owner, "groove", self.groove))
    if self.half_angle is not None:
      half = checks.positive(owner, "half_angle", self.half_angle)
      if not half < math.pi / 2:
        raise BadValue(f"{owner}: half_angle must be less than pi / 2, got {half!r}")
      if not self.groove:
        raise BadValue(f"{owner}: half_angle is of a groove; give groove too")
      object.__setattr__(self, "half_angle", half)
    if not isinstance(self.endless, bool):
      raise BadValue(f"{owner}: endless must be True or False, got {self.endless!r}")


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
    checks.text("Ring", "site", self.site)
    owner = f"Ring {self.site!r}"
    for name in ("radius", "tube"):
      object.__setattr__(self, name, checks.positive(owner, name, getattr(self, name)))
    if self.tube >= self.radius:
      raise BadValue(
        f"{owner}: tube must be smaller than radius, or no hole is left;"
        f" got tube {self.tube:g}, radius {self.radius:g}"
      )
    _set_friction(self, owner)
    _set_side(self, owner)


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
    checks.text("Sheath", "entry_site", self.entry_site)
    owner = f"Sheath {self.entry_site!r}"
    checks.text(owner, "exit_site", self.exit_site)
    if self.exit_site == self.entry_site:
      raise BadRoute(f"{owner}: exit_site must be another site than entry_site")
    object.__setattr__(self, "length", checks.positive(owner, "length", self.length))
    _set_friction(self, owner)
    if self.bend is not None:
      object.__setattr__(self, "bend", checks.not_negative(owner, "bend", self.bend))


Surface = Wrap | Ring  # what a cable bears on where it must
Element = Anchor | Eyelet | Wrap | Ring | Sheath
ELEMENTS = (Anchor, Eyelet, Wrap, Ring, Sheath)


def _set_friction(element: Eyelet | Surface | Sheath, owner: str) -> None:
  if element.friction is not None:
    friction = checks.not_negative(owner, "friction", element.friction)
    object.__setattr__(element, "friction", friction)


def _set_side(element: Surface, owner: str) -> None:
  if isinstance(element.side, str):
    checks.text(owner, "side", element.side)
  elif element.side is not None:
    object.__setattr__(element, "side", checks.vector(owner, "side", element.side, 3))


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


# ------------------------------------ text form: config `contacts` and `route`


def contacts_text(route: Sequence[Element]) -> str:
  """The options of every contact in route order: `wrap friction=0.1; eyelet; wrap permanent`.

  One entry per contact, always: the engine must know their number before it sees the tuple.
  """
  return "; ".join(_contact_text(element) for element in route if not isinstance(element, Anchor))


def route_text(route: Sequence[Element]) -> str:
  """The whole route by name: `anchor motor; wrap sheave side=over friction=0.1; anchor hook`."""
  entries = []
  for element in route:
    kind, *options = (
      ["anchor"] if isinstance(element, Anchor) else _contact_text(element).split(" ")
    )
    if isinstance(element, Surface) and isinstance(element.side, str):
      options.append(f"side={encoded(element.side)}")
    if isinstance(element, Sheath):
      options.append(f"exit={encoded(element.exit_site)}")
    entries.append(" ".join([kind, encoded(target(element)), *options]))
  return "; ".join(entries)


def encoded(name: str) -> str:
  """A name as one word of a config string: blanks, semicolons and % become %20, %3B, %25."""
  code = {" ": "%20", ";": "%3B", "%": "%25", "\t": "%09", "\n": "%0A", "\r": "%0D"}
  return "".join(code.get(letter, letter) for letter in name)


def decoded(word: str) -> str:
  """The name that `encoded` wrote."""
  return unquote(word)


def _contact_text(element: Eyelet | Surface | Sheath) -> str:
  words = [type(element).__name__.lower()]
  if isinstance(element, Ring):
    words += [f"radius={element.radius!r}", f"tube={element.tube!r}"]
  if isinstance(element, Sheath):
    words.append(f"length={element.length!r}")
    words += [f"bend={element.bend!r}"] if element.bend is not None else []
  if isinstance(element, Surface) and element.side and not isinstance(element.side, str):
    words.append("side=" + ",".join(repr(x) for x in element.side))
  if element.friction is not None:
    words.append(f"friction={element.friction!r}")
  if isinstance(element, Wrap) and element.permanent:
    words.append("permanent")
  if isinstance(element, Wrap) and element.rounding is not None:
    words.append(f"rounding={element.rounding!r}")
  if isinstance(element, Wrap) and element.turns:
    words.append(f"turns={element.turns}")
  if isinstance(element, Wrap) and element.mode != "obstacle":
    words.append(f"mode={element.mode}")
  if isinstance(element, Wrap) and element.contacts != 1:
    words.append(f"contacts={element.contacts}")
  if isinstance(element, Wrap) and element.groove:
    words.append("groove" if element.groove is True else f"groove={element.groove!r}")
  if isinstance(element, Wrap) and element.half_angle is not None:
    words.append(f"half_angle={element.half_angle!r}")
  if isinstance(element, Wrap) and element.endless:
    words.append("endless")
  return " ".join(words)


def parse_contacts(cable: str, value: str) -> list[dict]:
  """The options of each contact, from config `contacts`."""
  entries = []
  for entry in value.split(";") if value else []:
    words = entry.split()
    if words and words[0] in ("wrap", "eyelet", "ring", "sheath"):
      words = words[1:]
    entries.append(_parse_options(cable, words))
  return entries


def parse_route(cable: str, value: str) -> list[Element]:
  """The elements written in config `route`: `anchor SITE; wrap GEOM side=SITE; anchor SITE`."""
  kinds = {"anchor": Anchor, "eyelet": Eyelet, "wrap": Wrap, "ring": Ring, "sheath": Sheath}
  elements = []
  for entry in filter(str.strip, value.split(";")):
    kind, *words = entry.split()
    if kind not in kinds or not words:
      accepted = (
        "'anchor SITE', 'eyelet SITE', 'wrap GEOM', 'ring SITE radius=NUMBER tube=NUMBER',"
        " 'sheath SITE exit=SITE length=NUMBER'"
      )
      raise BadRoute(
        f"cable {cable!r}: cannot read {entry.strip()!r} in route; accepted: {accepted}"
      )
    elements.append(build(cable, kinds[kind], words[0], _parse_options(cable, words[1:])))
  return elements


def build(cable: str, kind: type, name: str, options: dict) -> Element:
  """An element from its name and options; an option it does not have is an error."""
  if kind is Sheath and "exit" in options:
    options = {**options, "exit_site": options["exit"]}
    del options["exit"]
  try:
    return kind(name, **options)
  except TypeError:
    owner, given = f"cable {cable!r}: {kind.__name__.lower()} {name!r}", ", ".join(options)
    missing = [key for key in ("radius", "tube") if kind is Ring and key not in options]
    if missing:
      raise BadRoute(f"{owner} needs radius=NUMBER and tube=NUMBER [m]") from None
    if kind is Sheath and not {"exit_site", "length"} <= set(options):
      raise BadRoute(f"{owner} needs exit=SITE and length=NUMBER [m]") from None
    accepted = ", ".join(kind.__match_args__[1:]) or "none"
    raise BadRoute(f"{owner} cannot have {given}; options here: {accepted}") from None


def _parse_options(cable: str, words: Sequence[str]) -> dict:
  options = {}
  for word in words:
    key, _, value = word.partition("=")
    try:
      if word in ("permanent", "endless", "groove"):
        options[word] = True
      elif key in (
        "friction",
        "radius",
        "tube",
        "rounding",
        "groove",
        "half_angle",
        "length",
        "bend",
      ):
        options[key] = float(value)
      elif key in ("turns", "contacts"):
        options[key] = int(value)
      elif key == "side" and "," in value:
        options["side"] = tuple(float(x) for x in value.split(","))
      elif key in ("side", "mode", "exit") and value:
        options[key] = value
      else:
        raise ValueError
    except ValueError:
      accepted = (
        "friction=NUMBER, side=SITE, side=X,Y,Z, permanent, endless, groove, groove=DEPTH,"
        " half_angle=RADIANS, rounding=NUMBER, turns=COUNT, mode=MODE, contacts=COUNT,"
        " for a ring radius=NUMBER, tube=NUMBER,"
        " for a sheath exit=SITE, length=NUMBER, bend=RADIANS"
      )
      raise BadRoute(
        f"cable {cable!r}: cannot read option {word!r}; accepted: {accepted}"
      ) from None
  return options
