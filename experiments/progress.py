"""Progress: a bar for long runs; `rich` where it is installed, plain text otherwise."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

_WIDTH = 30  # of the plain bar [characters]


class Bar(Protocol):
  """Something that counts steps and names the one under way."""

  def start(self, what: str) -> None: ...
  def done(self) -> None: ...


@contextmanager
def bar(title: str, total: int) -> Iterator[Bar]:
  """A progress bar of `total` steps; silent in numbers, never in errors."""
  try:
    import rich.progress as rich
  except ImportError:
    yield _Plain(title, total)
    return
  columns = (
    rich.TextColumn("{task.description}"),
    rich.BarColumn(),
    rich.MofNCompleteColumn(),
    rich.TimeElapsedColumn(),
  )
  with rich.Progress(*columns) as progress:
    yield _Rich(progress, title, total)


class _Rich:
  def __init__(self, progress, title: str, total: int):
    self._progress, self._title = progress, title
    self._task = progress.add_task(title, total=total)

  def start(self, what: str) -> None:
    self._progress.update(self._task, description=f"{self._title}: {what:<24}")

  def done(self) -> None:
    self._progress.advance(self._task)


class _Plain:
  def __init__(self, title: str, total: int):
    self._title, self._total, self._count = title, total, 0
    self._begun = time.monotonic()
    self._live = sys.stdout.isatty()

  def start(self, what: str) -> None:
    if self._live:
      self._print(what, "\r")

  def done(self) -> None:
    self._count += 1
    if self._live and self._count == self._total:
      self._print("done", "\n")
    elif not self._live and self._count * 10 // self._total > (self._count - 1) * 10 // self._total:
      self._print("", "\n")  # a log file gets ten lines, not hundreds

  def _print(self, what: str, end: str) -> None:
    filled = _WIDTH * self._count // self._total
    seconds = time.monotonic() - self._begun
    line = f"{'#' * filled:-<{_WIDTH}} {self._count}/{self._total} {seconds:4.0f} s"
    print(f"{self._title}: [{line}] {what:<24}", end=end, flush=True)
