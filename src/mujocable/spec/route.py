"""Route: the ordered elements of a cable, from the source (motor end) to the distal end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mujocable.errors import BadRoute, BadValue
from mujocable.spec import checks


@dataclass(frozen=True)
class Anchor:
  """An end of the cable, fixed to a site. The first and the last element of every route."""

  site: str

  def __post_init__(self):
    checks.text("Anchor", "site", self.site)


@dataclass(frozen=True)
class Eyelet:
  """A hard guide: the cable slides through a site and always bears on it."""

  site: str
  friction: float | None = None  # Coulomb coefficient; None: the cable's

  def __post_init__(self):
    checks.text("Eyelet", "site", self.site)
    _set_friction(self, f"Eyelet {self.site!r}")


@dataclass(frozen=True)
class Wrap:
  """A surface that the cable bears on where it must, and leaves where it can.

  `side` picks the way round: the name of a site, or a point [m] in the geom's frame, on the side
  where the cable shall run. Without it the shorter way at qpos0 is taken and remembered.
  """

  geom: str
  side: str | Sequence[float] | None = None
  friction: float | None = None  # Coulomb coefficient; None: the cable's
  permanent: bool = False  # never lifts (a sheave with a groove)

  def __post_init__(self):
    checks.text("Wrap", "geom", self.geom)
    owner = f"Wrap {self.geom!r}"
    _set_friction(self, owner)
    if isinstance(self.side, str):
      checks.text(owner, "side", self.side)
    elif self.side is not None:
      object.__setattr__(self, "side", checks.vector(owner, "side", self.side, 3))
    if not isinstance(self.permanent, bool):
      raise BadValue(f"{owner}: permanent must be True or False, got {self.permanent!r}")


Element = Anchor | Eyelet | Wrap


def _set_friction(element: Eyelet | Wrap, owner: str) -> None:
  if element.friction is not None:
    friction = checks.not_negative(owner, "friction", element.friction)
    object.__setattr__(element, "friction", friction)


def target(element: Element) -> str:
  """The site or geom that an element stands on."""
  return element.geom if isinstance(element, Wrap) else element.site


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
      raise BadRoute(f"{owner}: {found} is inside the route; accepted there: Eyelet, Wrap")
  for index, (one, two) in enumerate(pairwise(route)):
    if isinstance(one, Wrap) == isinstance(two, Wrap) and target(one) == target(two):
      pair = f"{label(index, one)} and {label(index + 1, two)}"
      what = (
        "are the same surface twice in a row"
        if isinstance(one, Wrap)
        else "make a zero-length span"
      )
      raise BadRoute(f"{owner}: {pair} {what}")


# ------------------------------------ text form: config `contacts` and `route`


def contacts_text(route: Sequence[Element]) -> str:
  """The options of every contact in route order: `wrap friction=0.1; eyelet; wrap permanent`.

  One entry per contact, always: the engine must know their number before it sees the tuple.
  """
  return "; ".join(_contact_text(element) for element in route if not isinstance(element, Anchor))


def _contact_text(element: Eyelet | Wrap) -> str:
  words = [type(element).__name__.lower()]
  if isinstance(element, Wrap) and element.side is not None and not isinstance(element.side, str):
    words.append("side=" + ",".join(repr(x) for x in element.side))
  if element.friction is not None:
    words.append(f"friction={element.friction!r}")
  if isinstance(element, Wrap) and element.permanent:
    words.append("permanent")
  return " ".join(words)


def parse_contacts(cable: str, value: str) -> list[dict]:
  """The options of each contact, from config `contacts`."""
  entries = []
  for entry in value.split(";") if value else []:
    words = entry.split()
    if words and words[0] in ("wrap", "eyelet"):
      words = words[1:]
    entries.append(_parse_options(cable, words))
  return entries


def parse_route(cable: str, value: str) -> list[Element]:
  """The elements written in config `route`: `anchor SITE; wrap GEOM side=SITE; anchor SITE`."""
  kinds = {"anchor": Anchor, "eyelet": Eyelet, "wrap": Wrap}
  elements = []
  for entry in filter(str.strip, value.split(";")):
    kind, *words = entry.split()
    if kind not in kinds or not words:
      accepted = "'anchor SITE', 'eyelet SITE', 'wrap GEOM'"
      raise BadRoute(
        f"cable {cable!r}: cannot read {entry.strip()!r} in route; accepted: {accepted}"
      )
    elements.append(build(cable, kinds[kind], words[0], _parse_options(cable, words[1:])))
  return elements


def build(cable: str, kind: type, name: str, options: dict) -> Element:
  """An element from its name and options; an option it does not have is an error."""
  try:
    return kind(name, **options)
  except TypeError:
    owner, given = f"cable {cable!r}: {kind.__name__.lower()} {name!r}", ", ".join(options)
    accepted = ", ".join(kind.__match_args__[1:]) or "none"
    raise BadRoute(f"{owner} cannot have {given}; options here: {accepted}") from None


def _parse_options(cable: str, words: Sequence[str]) -> dict:
  options = {}
  for word in words:
    key, _, value = word.partition("=")
    try:
      if word == "permanent":
        options["permanent"] = True
      elif key == "friction":
        options["friction"] = float(value)
      elif key == "side" and "," in value:
        options["side"] = tuple(float(x) for x in value.split(","))
      elif key == "side" and value:
        options["side"] = value
      else:
        raise ValueError
    except ValueError:
      accepted = "friction=NUMBER, side=SITE, side=X,Y,Z, permanent"
      raise BadRoute(
        f"cable {cable!r}: cannot read option {word!r}; accepted: {accepted}"
      ) from None
  return options
