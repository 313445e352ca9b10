"""MuJoCable: cables for MuJoCo that pull, wrap, rub and go slack.

`import mujocable` registers the engine plugin `mujocable.cable`.
"""

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
from mujocable.spec.laws import Axial, Limits, Sliding
from mujocable.spec.read import read_cables
from mujocable.spec.route import Anchor, Eyelet, Ring, Sheath, Wrap
from mujocable.spec.takeup import (
  LengthCommand,
  SpoolAngle,
  SpoolJoint,
  SpoolRate,
  TendonDrive,
  TensionCommand,
)
from mujocable.spec.write import add_cable, add_sensor, remove_cable, replace_cable

if TYPE_CHECKING:
  from mujocable.study.check import check
  from mujocable.study.convert import convert
  from mujocable.study.design import design
  from mujocable.study.fit import fit
  from mujocable.study.sizing import sizing
  from mujocable.study.sweep import sweep
  from mujocable.viewer.report import report

__version__ = "0.1.0"

# what arrives late, when it is asked for: not needed by every simulation
_LATE = {
  "check": "mujocable.study.check",
  "convert": "mujocable.study.convert",
  "design": "mujocable.study.design",
  "fit": "mujocable.study.fit",
  "report": "mujocable.viewer.report",
  "sizing": "mujocable.study.sizing",
  "sweep": "mujocable.study.sweep",
}

__all__ = [
  "Anchor",
  "Axial",
  "Cable",
  "CableError",
  "CableView",
  "Cables",
  "Eyelet",
  "LengthCommand",
  "Limits",
  "MeshFit",
  "Ring",
  "Sheath",
  "Sliding",
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
  "check",
  "convert",
  "design",
  "fit",
  "hush",
  "parameter_slice",
  "read_cables",
  "register",
  "remove_cable",
  "replace_cable",
  "report",
  "sizing",
  "sweep",
]

announce()  # the environments, to Gymnasium where it is used


def __dir__() -> list[str]:
  own = {name for name in globals() if f"{__name__}.{name}" in sys.modules}  # that are loaded
  return sorted({*__all__, *own, "__doc__", "__file__", "__name__", "__path__", "__version__"})


def __getattr__(name: str):
  if name not in _LATE:
    raise AttributeError(f"module 'mujocable' has no attribute {name!r}")
  value = globals()[name] = getattr(importlib.import_module(_LATE[name]), name)
  return value
