"""Journal: every finished point of a study on disk at once, one line each.

A study that is stopped, killed or runs out of disk keeps what it had; `resume` reads it back. The
first line says what the study is, so that points of another are never mixed in.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from mujocable.errors import BadValue

NAME = "points.jsonl"


def fingerprint(*parts: Any) -> str:
  """A short text that changes with anything that the results depend on."""
  found = hashlib.sha256()
  for part in parts:
    found.update(part if isinstance(part, bytes) else repr(part).encode())
    found.update(b"\0")
  return found.hexdigest()[:32]


class Journal:
  """Points by index, in a folder or in memory alone."""

  def __init__(self, folder: Path | None, print_: str, total: int, *, resume: bool):
    self.done: dict[int, Any] = {}
    self.unsaved = ""  # why points are not on disk; empty: all are
    self._file = None
    if folder is None:
      return
    path = folder / NAME
    known = _read(path)
    if known is not None:
      head, points = known
      mine = head.get("study") == print_
      if resume and not mine:
        raise BadValue(
          f"{path}: holds the points of another study: the model, what varies, the limits or the"
          " motion is not the same; start anew in another folder"
        )
      if resume:
        self.done = points
      elif mine and 0 < len(points) < head.get("total", 0):
        raise BadValue(
          f"{path}: holds {len(points)} of {head['total']} points of this study; resume it, or"
          " start anew in another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    # what was read goes back whole: a line that was cut off in the middle is gone
    temporary = path.with_suffix(".new")
    with temporary.open("w", encoding="utf-8") as file:
      file.write(json.dumps({"study": print_, "total": total}) + "\n")
      for index, point in self.done.items():
        file.write(_line(index, point))
    os.replace(temporary, path)
    self._file = path.open("a", encoding="utf-8")

  def add(self, index: int, point: Any) -> None:
    """One finished point. A disk that is full is noted, not raised: the point stays in memory."""
    self.done[index] = point
    if self._file is None or self.unsaved:
      return
    try:
      self._file.write(_line(index, point))
      self._file.flush()
    except OSError as error:
      self.unsaved = f"{self._file.name}: {error.strerror or error}"

  def close(self) -> None:
    """No more points."""
    if self._file is not None:
      try:
        self._file.close()
      except OSError as error:
        self.unsaved = self.unsaved or f"{self._file.name}: {error.strerror or error}"


def _line(index: int, point: Any) -> str:
  return json.dumps({"index": index, "point": point}) + "\n"


def _read(path: Path) -> tuple[dict, dict[int, Any]] | None:
  if not path.is_file():
    return None
  lines = path.read_text(encoding="utf-8").splitlines()
  try:
    head = json.loads(lines[0])
  except (IndexError, ValueError):
    return {}, {}
  points = {}
  for line in lines[1:]:
    try:
      row = json.loads(line)
      points[int(row["index"])] = row["point"]
    except (ValueError, KeyError, TypeError):
      continue  # cut off while it was written
  return head, points
