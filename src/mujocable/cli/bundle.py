"""Bundle: the experiments and benchmarks that come with the package, run as their own programs.

They lie at the top of the source tree; the wheel carries them in `mujocable/_bundle`.
"""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

import mujocable
from mujocable.cli import console
from mujocable.cli.console import Problem

_PACKAGE = Path(mujocable.__file__).resolve().parent


def folder(name: str) -> Path:
  """The folder that holds the package `name`: of the wheel, or of the source tree."""
  for place in (_PACKAGE / "_bundle", _PACKAGE.parents[1]):
    if (place / name / "__main__.py").is_file():
      return place
  raise Problem(f"this installation has no {name}; install a wheel or run from the source tree")


def module(name: str):
  """A module of a bundled package."""
  place = str(folder(name.partition(".")[0]))
  if place not in sys.path:
    sys.path.insert(0, place)
  with console.extra("reproduce"):
    return importlib.import_module(name)


def run(name: str, arguments: Sequence[str]) -> int:
  """Runs the program of a bundled package with these arguments; returns its exit code."""
  program = module(f"{name}.__main__")
  before = sys.argv
  sys.argv = [f"mujocable {name}", *arguments]
  try:
    with console.extra("reproduce"):
      return program.main()
  except SystemExit as done:  # argparse
    return done.code if isinstance(done.code, int) else 1
  finally:
    sys.argv = before
