"""Replicate: a file that MuJoCo crashes on while it reads it, told before.

MuJoCo copies the model for every <replicate>, and its copy of a plugin's sensor that names no
object is a crash of the process.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path


def crashing_sensor(path: Path) -> str | None:
  """The first sensor that MuJoCo would crash on, if any."""
  replicates, bare = False, None
  for element, inside in _elements(path, path.parent, "", set()):
    replicates = replicates or element.tag == "replicate"
    if inside == "sensor" and element.tag == "plugin" and not element.get("objname"):
      bare = bare or element.get("name") or element.get("instance") or "without a name"
  return bare if replicates else None


def _elements(
  path: Path, folder: Path, around: str, seen: set[Path]
) -> Iterator[tuple[ET.Element, str]]:
  # Every element with the name of the one around it, those of included files too: what stands in
  # their root stands where the include does. Files are named as seen from the folder of the first.
  if path in seen:
    return
  seen.add(path)
  try:
    root = ET.parse(path).getroot()
  except (OSError, ET.ParseError):
    return  # MuJoCo says what is wrong
  for parent in root.iter():
    inside = around if parent is root and around else parent.tag
    for child in parent:
      yield child, inside
      if child.tag == "include" and child.get("file"):
        yield from _elements(folder / child.get("file", ""), folder, inside, seen)
