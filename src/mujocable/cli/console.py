"""Console: what every verb shares: colors, progress, loading a model, failing with a message."""

import functools
import importlib
import importlib.util
import itertools
import json
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import mujoco
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track

import mujocable.models
from mujocable.cli.replicate import crashing_sensor
from mujocable.errors import CableError, pip_install, suggestion
from mujocable.study.jobs.point import reason

# exit codes; 0: all is well
# something was found wrong; bad input; an extra is not installed; a run not to be trusted; Ctrl-C
FOUND, USAGE, MISSING, TROUBLE, INTERRUPTED = 1, 2, 3, 4, 130

# what goes to a file or a pipe has no edge at which numbers must be cut
_NO_EDGE = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 200
# (emoji: "a:b:c" is what the user wrote, not a picture)
out = Console(highlight=False, emoji=False, width=_NO_EDGE)
err = Console(stderr=True, highlight=False, emoji=False)

# of the name of a cable in the name of a file: systems take up to 255 bytes, of which a letter has
# up to four
_LONGEST = 55

T = TypeVar("T")


class Problem(Exception):
  """Bad input, in words for the user."""


class MissingExtra(Exception):
  """A package that only some verbs need is not installed."""


def verb(function: Callable[..., Any]) -> Callable[..., Any]:
  """Turns what goes wrong into a message and an exit code."""

  @functools.wraps(function)
  def guarded(*args, **kwargs):
    try:
      code = function(*args, **kwargs)
    except MissingExtra as error:
      say(error)
      raise typer.Exit(MISSING) from None
    except (Problem, CableError, OSError) as error:
      say(error)
      raise typer.Exit(USAGE) from None
    raise typer.Exit(code or 0)

  return guarded


def run(app: typer.Typer, arguments: list[str] | None) -> int:
  """Runs an application; returns its exit code."""
  try:
    app(args=arguments, prog_name="mujocable")
  except SystemExit as done:
    return done.code if isinstance(done.code, int) else 1
  return 0


def say(error: Exception | str) -> None:
  """Prints what went wrong, on the error stream."""
  err.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True)


def progress(text: str, total: int | None = None) -> Callable[[Iterable[T]], Iterable[T]]:
  """A progress bar on the error stream, around anything with a length, or with this one."""
  return lambda items: track(items, text, total, console=err, transient=not err.is_terminal)


def print_json(data: Any, folder: Path | None = None, written: Sequence[str] = ()) -> None:
  """Plain JSON on the output stream, whatever the terminal; with the files that were written."""
  if folder is not None:
    data = data | {"folder": str(folder), "written": list(written)}
  sys.stdout.write(json.dumps(data, indent=2) + "\n")


def tell_files(folder: Path, written: Sequence[str]) -> None:
  """Which files were written."""
  out.print(f"written to {escape(str(folder))}: {escape(', '.join(written))}", soft_wrap=True)


def tell_notes(notes: Iterable[str]) -> None:
  """Where a motion stops short, on the error stream."""
  for note in notes:
    err.print(f"[cyan]note:[/] {escape(note)}", soft_wrap=True)


def tell_unsaved(why: str) -> None:
  """Why something is not on disk."""
  say(f"not on disk: {why}; the results printed here are complete")


def tell_stopped(text: str) -> int:
  """That a study was stopped by the user; returns the exit code."""
  err.print(f"[yellow]{escape(f'stopped: {text}; --resume goes on')}[/]", soft_wrap=True)
  return INTERRUPTED


def file_names(cables: Iterable[str]) -> dict[str, str]:
  """The names of cables as parts of the names of files, each its own."""
  found: dict[str, str] = {}
  for name in cables:
    plain = name.replace("/", "_").replace(":", "_")[:_LONGEST]
    numbered = (f"{plain}_{k}" for k in itertools.count(2))
    found[name] = next(x for x in itertools.chain([plain], numbered) if x not in found.values())
  return found


def between(text: str, begin: str, end: str, new: str) -> str:
  """The text with something new between two markers; ValueError where one is missing."""
  before, _, rest = text.partition(begin)
  _, found, after = rest.partition(end)
  if not found:
    raise ValueError(f"the markers are missing; needed are the lines {begin!r} and {end!r}")
  return f"{before}{begin}\n\n{new}\n{end}{after}"


def refresh(file: Path, insert: Callable[[str], str]) -> None:
  """Rewrites a file as `insert` says, which may refuse it."""
  try:
    file.write_text(insert(file.read_text(encoding="utf-8")), encoding="utf-8")
  except ValueError as error:
    raise Problem(f"{file}: {error}") from None


@contextmanager
def extra(name: str):
  """Imports that need an extra go inside: a missing package is named with its cure."""
  try:
    yield
  except ImportError as error:
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("mujocable"):
      raise
    cure = "" if "pip install" in str(error) else f"; install it: {pip_install(name)}"
    raise MissingExtra(f"{error}{cure}") from None


# ------------------------------------ models


def robots() -> dict[str, str]:
  """The robots of the package: name -> what they are."""
  found = {}
  for module in pkgutil.iter_modules(mujocable.models.__path__):
    if module.ispkg:
      package = importlib.import_module(f"mujocable.models.{module.name}")
      if hasattr(package, "build"):
        found[module.name] = (package.__doc__ or "").strip().splitlines()[0].rstrip(".")
  return found


def robot(name: str):
  """The module of a robot; its `build()` makes the MjSpec."""
  return importlib.import_module(f"mujocable.models.{name}")


def load(model: str) -> mujoco.MjSpec:
  """A model from a file, or a robot by name."""
  path = Path(model)
  if path.is_file():
    if sensor := crashing_sensor(path):
      raise Problem(
        f"{path}: sensor {sensor!r}: MuJoCo crashes on a file with <replicate> and a plugin sensor"
        " that names no object, or one that is replicated; give it"
        ' objtype="site" objname="...", a site outside; where every copy has a cable, <attach> them'
      )
    try:
      return quietly(lambda: mujoco.MjSpec.from_file(str(path)))
    except ValueError as error:
      raise Problem(f"{path}: {reason(error)}") from None
  known = robots()
  if model in known:
    return robot(model).build()
  if path.suffix or path.exists():
    what = "is a folder" if path.is_dir() else "is not a file"
    raise Problem(f"{model!r} {what}; give an MJCF file, or a robot: {', '.join(known)}")
  hint = suggestion(model, known)
  raise Problem(f"no file and no robot {model!r}; robots: {', '.join(known)}{hint}")


def compiled(spec: mujoco.MjSpec) -> mujoco.MjModel:
  """The compiled model; refusals of MuJoCo and of our plugin in one line each."""
  try:
    return quietly(spec.compile)
  except ValueError as error:
    raise Problem(reason(error)) from None


def quietly(function: Callable[[], T]) -> T:
  """Without the compiler's warnings, which are shown once, in our colors."""
  with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = function()
  for text in dict.fromkeys(str(one.message) for one in caught):
    err.print(f"[yellow]warning:[/] {escape(text)}", soft_wrap=True)
  return result


def fresh_folder(path: Path) -> Path:
  """A folder for results, made where it is missing."""
  if path.exists() and not path.is_dir():
    raise Problem(f"{path} is a file; --out takes a folder")
  path.mkdir(parents=True, exist_ok=True)
  return path
