"""MuJoCable: cables for MuJoCo that pull, wrap, rub and go slack.

`import mujocable` registers the engine plugin `mujocable.cable`.
"""

import importlib
import sys
from pathlib import Path

# first: at its own end it may call register() through the entry point
import mujoco  # noqa: F401

from mujocable.errors import CableError, LibraryError
from mujocable.runtime.library import register

try:
  register()  # before the rest is imported: another MuJoCo is refused with a clear message
except LibraryError as error:
  # at the command line one line is enough
  if Path(sys.argv[0]).stem == "mujocable" or "mujocable.cli" in sys.orig_argv:
    sys.stderr.write(f"error: {error}\n")
    sys.exit(3)
  raise

from mujocable.runtime.environments import announce
from mujocable.runtime.parameters import hush, parameter_slice
from mujocable.runtime.view import Cables, CableView, MeshFit, SolveStatus, bind
from mujocable.spec.cable import Cable
from mujocable.spec.read import read_cables
from mujocable.spec.route import Anchor, Eyelet, Ring, Wrap
from mujocable.spec.takeup import (
  LengthCommand,
  SpoolAngle,
  SpoolJoint,
  SpoolRate,
  TendonDrive,
  TensionCommand,
)
from mujocable.spec.write import add_cable, add_sensor, remove_cable, replace_cable

__version__ = "0.1.0"

__all__ = [
  "Anchor",
  "Cable",
  "CableError",
  "CableView",
  "Cables",
  "Eyelet",
  "LengthCommand",
  "MeshFit",
  "Ring",
  "SolveStatus",
  "SpoolAngle",
  "SpoolJoint",
  "SpoolRate",
  "TendonDrive",
  "TensionCommand",
  "Wrap",
  "add_cable",
  "add_sensor",
  "bind",
  "hush",
  "parameter_slice",
  "read_cables",
  "register",
  "remove_cable",
  "replace_cable",
]


announce()  # the environments, to Gymnasium where it is used


# what arrives late: not needed by every simulation; the report brings matplotlib along
_LATE = {
  "check": "mujocable.study.check",
  "convert": "mujocable.study.convert",
  "design": "mujocable.study.design",
  "fit": "mujocable.study.fit",
  "report": "mujocable.viewer.report",
  "sizing": "mujocable.study.sizing",
  "sweep": "mujocable.study.sweep",
}


def __dir__() -> list[str]:
  return sorted({*globals(), *_LATE})


def __getattr__(name: str):
  if name in _LATE:
    return getattr(importlib.import_module(_LATE[name]), name)
  raise AttributeError(f"module 'mujocable' has no attribute {name!r}")
