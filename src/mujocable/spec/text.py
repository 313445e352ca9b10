"""Text: a route in words, as the config keys `route` and `contacts` have it.

Which options there are, and how each is written, stands in the engine's table.
"""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import NamedTuple
from urllib.parse import quote, unquote

from mujocable.errors import BadRoute
from mujocable.spec import tables
from mujocable.spec.route import ELEMENTS, Anchor, Element, target

KINDS: dict[str, type] = {kind.__name__.lower(): kind for kind in ELEMENTS}
_FIELDS = {"exit": "exit_site"}  # of other options it is the key itself


class Option(NamedTuple):
  """One option of the elements of a route."""

  key: str
  elements: Sequence[str]  # that may have it
  value: str  # as messages write it; empty: the word stands alone, in brackets: it may
  geoms: Sequence[str]  # that it needs; none: any will do
  refusal: str  # for the others

  @property
  def field(self) -> str:
    """Its field in the classes of the elements."""
    return _FIELDS.get(self.key, self.key)

  @property
  def alone(self) -> bool:
    """Whether the word may stand without a value."""
    return not self.value or self.value.startswith("[")

  def __str__(self) -> str:
    word = f"{self.key}={self.value.strip('[]')}"
    return f"{self.key}, {word}" if self.alone and self.value else word if self.value else self.key


# by key, in the order in which they are written
OPTIONS = {
  key: Option(key, elements.split(), value, geoms.split(), refusal)
  for key, elements, value, geoms, refusal in (row.split("|") for row in tables.OPTIONS)
}


# class of an element -> its options, each with its default
_DEFAULTS = {
  kind: [
    (option, field.default)
    for option in OPTIONS.values()
    for field in fields(kind)
    if field.name == option.field and word in option.elements
  ]
  for word, kind in KINDS.items()
}


def given(element: Element) -> dict[str, object]:
  """The options of an element that differ from their defaults, by key."""
  values = ((o.key, getattr(element, o.field), default) for o, default in _DEFAULTS[type(element)])
  return {key: value for key, value, default in values if value != default}


def contacts_text(route: Sequence[Element]) -> str:
  """The options of every contact in route order: `wrap friction=0.1; eyelet; wrap permanent`.

  One entry per contact, always: the engine must know their number before it sees the tuple, which
  has the names.
  """
  inner = [element for element in route if not isinstance(element, Anchor)]
  return "; ".join(" ".join([_kind(e), *_words(e, names=False)]) for e in inner)


def route_text(route: Sequence[Element]) -> str:
  """The whole route by name: `anchor motor; wrap sheave side=over friction=0.1; anchor hook`."""
  return "; ".join(" ".join([_kind(e), encoded(target(e)), *_words(e, names=True)]) for e in route)


def encoded(name: str) -> str:
  """A name as one word of a config string: blanks, commas, semicolons, % as %20, %2C, %3B, %25."""
  return "".join(quote(x, safe="") if x.isspace() or x in ",;%" else x for x in name)


def decoded(word: str) -> str:
  """The name that `encoded` wrote."""
  return unquote(word)


def _kind(element: Element) -> str:
  return type(element).__name__.lower()


def _words(element: Element, names: bool) -> list[str]:
  words = []
  for key, value in given(element).items():
    if value is True:
      words.append(key)
    elif isinstance(value, tuple):
      words.append(f"{key}={','.join(map(repr, value))}")
    elif not isinstance(value, str):
      words.append(f"{key}={value!r}")
    elif names or not OPTIONS[key].value.startswith("SITE"):
      words.append(f"{key}={encoded(value)}")
  return words


def parse_contacts(cable: str, value: str) -> list[dict]:
  """The options of each contact, from config `contacts`."""
  entries, parts = [], value.split(";")
  if not parts[-1].strip():  # a separator at the end opens no new part
    parts.pop()
  for entry in parts:
    words = entry.split()
    named = bool(words) and words[0] in KINDS and words[0] != "anchor"
    entries.append(_parse_options(cable, words[0] if named else "", words[named:]))
  return entries


def parse_route(cable: str, value: str, contacts: str = "") -> list[Element]:
  """The elements written in config `route`: `anchor SITE; wrap GEOM side=SITE; anchor SITE`.

  Options in config `contacts` count beside those of the route, and before them.
  """
  found: list[tuple[type, str, dict]] = []
  for entry in filter(str.strip, value.split(";")):
    kind, *words = entry.split()
    if kind not in KINDS or not words:
      accepted = (
        "'anchor SITE', 'eyelet SITE', 'wrap GEOM', 'ring SITE radius=NUMBER tube=NUMBER',"
        " 'sheath SITE exit=SITE length=NUMBER'"
      )
      raise BadRoute(
        f"cable {cable!r}: cannot read {entry.strip()!r} in route; accepted: {accepted}"
      )
    found.append((KINDS[kind], words[0], _parse_options(cable, kind, words[1:])))
  more, inner = parse_contacts(cable, contacts), found[1:-1]
  if len(more) > len(inner):
    raise BadRoute(f"cable {cable!r}: {len(more)} entries in contacts for {len(inner)} contacts")
  for (_, _, options), others in zip(inner, more, strict=False):
    options.update(others)
  return [build(cable, *one) for one in found]


def build(cable: str, kind: type, name: str, values: dict) -> Element:
  """An element from its name and options by key; an option it does not have is an error."""
  owner = f"cable {cable!r}: {kind.__name__.lower()} {name!r}"
  if not values.keys() <= {option.key for option, _ in _DEFAULTS[kind]}:
    accepted = ", ".join(option.key for option, _ in _DEFAULTS[kind]) or "none"
    raise BadRoute(f"{owner} cannot have {', '.join(values)}; options here: {accepted}")
  needed = [option for option, default in _DEFAULTS[kind] if default is MISSING]
  if any(option.key not in values for option in needed):
    raise BadRoute(f"{owner} needs {' and '.join(map(str, needed))} [m]")
  return kind(name, **{OPTIONS[key].field: value for key, value in values.items()})


def _parse_options(cable: str, kind: str, words: Sequence[str]) -> dict:
  values = {}
  for word in words:
    key, equals, value = word.partition("=")
    if key in values:
      raise BadRoute(f"cable {cable!r}: {key} is given twice in {' '.join(words)!r}; give it once")
    try:
      values[key] = _parse(OPTIONS[key], value if equals else None)
    except (KeyError, ValueError):
      mine = [str(o) for o in OPTIONS.values() if not kind or kind in o.elements]
      raise BadRoute(
        f"cable {cable!r}: cannot read option {word!r}; accepted: {', '.join(mine) or 'none'}"
      ) from None
  return values


def _parse(option: Option, value: str | None):
  # a value as its class takes it; ValueError where it cannot be read
  if option.alone and value is None:
    return True
  if not option.value or not value:
    raise ValueError
  if option.key == "side" and "," in value:
    return tuple(float(x) for x in value.split(","))
  if option.value == "COUNT":
    count = float(value)
    return int(count) if count.is_integer() else int(value)  # which refuses it
  return value if option.key in ("side", "exit", "mode") else float(value)
