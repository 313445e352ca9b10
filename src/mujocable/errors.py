"""Every exception of the package. A message names the cable, the element and what was accepted."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urlsplit

_MAX_LISTED = 8  # names printed before a list is cut short


class CableError(ValueError):
  """A cable that cannot be built, written or read."""


class BadValue(CableError):
  """A parameter with a wrong type, sign or size."""


class BadRoute(CableError):
  """Elements that do not form a route."""


class UnknownName(CableError):
  """A name that is not in the model, or is there as something else."""


class RepeatedName(CableError):
  """A cable name that the model already uses."""


class UnknownCable(CableError, KeyError):
  """A cable that the model does not have; also a KeyError."""

  def __str__(self) -> str:
    return str(self.args[0])


class LibraryError(ImportError):
  """The engine library is missing, broken or built for another MuJoCo."""


class NoDisplay(RuntimeError):
  """A window was asked for where none can open."""


def listing(kind: str, names: Iterable[str]) -> str:
  """Says which names exist: `geoms here: 'a', 'b'`, cut short when there are many."""
  names = [name for name in names if name]
  if not names:
    return f"no named {kind} here"
  shown = ", ".join(repr(name) for name in names[:_MAX_LISTED])
  more = len(names) - _MAX_LISTED
  return f"{kind} here: {shown}" + (f" and {more} more" if more > 0 else "")


def suggestion(name: object, names: Iterable[str]) -> str:
  """Says which existing name looks like this one, or nothing."""
  near = get_close_matches(str(name), [n for n in names if n], n=1)
  return f"; did you mean {near[0]!r}?" if near else ""


def pip_install(extra: str) -> str:
  """The command that adds an extra, for the way in which this package came here."""
  place = installed_from()
  if place.endswith(".whl"):
    return f'pip install "mujocable[{extra}] @ {place}"'
  return f'pip install "{place or "mujocable"}[{extra}]"'


def installed_from() -> str:
  """The folder of the sources, the address of a wheel file, or nothing: a package index."""
  from importlib.metadata import PackageNotFoundError, distribution  # late: not needed to simulate

  try:
    text = distribution("mujocable").read_text("direct_url.json")
  except PackageNotFoundError:
    return str(Path(__file__).resolve().parents[2])  # a source tree on the path
  url = json.loads(text)["url"] if text else ""
  if url.startswith("file:") and not url.endswith(".whl"):
    return unquote(urlsplit(url).path)
  return url
