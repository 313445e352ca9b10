"""Replicate: a file that MuJoCo crashes on while it reads it, told before.

MuJoCo copies the model for every <replicate>. Its copy of a plugin's sensor that names no object is
a crash of the process; for one whose object is replicated it reads memory that is gone.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class _Place(NamedTuple):
  inside: str  # tag of the element around
  copied: bool  # by a <replicate> somewhere above


def crashing_sensor(path: Path) -> str | None:
  """The first sensor that MuJoCo would crash on, if any."""
  replicates, copied, sensors = False, set(), []
  for element, place in _elements(path, path.parent, _Place("", False), set()):
    replicates = replicates or element.tag == "replicate"
    if place.copied:
      copied.add(element.get("name"))
    if place.inside == "sensor" and element.tag == "plugin":
      sensors.append(element)
  if not replicates:
    return None
  bad = (s for s in sensors if not s.get("objname") or s.get("objname") in copied)
  return next((s.get("name") or s.get("instance") or "without a name" for s in bad), None)


def _elements(
  path: Path, folder: Path, place: _Place, seen: set[Path]
) -> Iterator[tuple[ET.Element, _Place]]:
  # Every element with where it stands, those of included files too: what stands in their root
  # stands where the include does. Files are named as seen from the folder of the first.
  if path in seen:
    return
  seen.add(path)
  try:
    root = ET.parse(path).getroot()
  except (OSError, ET.ParseError):
    return  # MuJoCo says what is wrong
  waiting = [(root, place._replace(inside=place.inside or root.tag))]
  while waiting:
    parent, where = waiting.pop()
    for child in parent:
      yield child, where
      if child.tag == "include" and child.get("file"):
        yield from _elements(folder / child.get("file", ""), folder, where, seen)
      else:
        waiting.append((child, _Place(child.tag, where.copied or child.tag == "replicate")))
