"""Library: the engine plugin, found, checked against the running MuJoCo, and loaded once."""

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_void_p
from pathlib import Path

import mujoco

from mujocable.errors import LibraryError

MUJOCO_VERSION = "4.0.0"  # the only MuJoCo this package works with: struct layouts change

_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_OFF = "off"  # value of MUJOCABLE_LIBRARY where no engine is wanted
_library: ctypes.CDLL | None = None

# name -> result, arguments; m and d are the addresses of an mjModel and an mjData
_PROTOTYPES = {
  "mujocable_version": (c_int, []),
  "mujocable_error": (c_char_p, []),
  "mujocable_attributes": (c_char_p, []),
  "mujocable_ncontact": (c_int, [c_void_p, c_int]),
  "mujocable_field": (c_int, [c_void_p, c_int, c_char_p, POINTER(c_int), POINTER(c_int)]),
  "mujocable_parameter": (c_int, [c_void_p, c_int, c_char_p, POINTER(c_int), POINTER(c_int)]),
  "mujocable_record_size": (c_int, [c_void_p, c_int]),
  "mujocable_sensor_address": (c_int, [c_void_p, c_void_p, c_int]),
  "mujocable_read": (c_int, [c_void_p, c_void_p, c_int, POINTER(c_double)]),
  "mujocable_points": (c_int, [c_void_p, c_void_p, c_int, POINTER(c_double), c_int]),
  "mujocable_jacobian": (c_int, [c_void_p, c_void_p, c_int, POINTER(c_double)]),
  "mujocable_mesh": (c_int, [c_void_p, c_void_p, c_int, c_int, POINTER(c_double)]),
  "mujocable_load": (c_int, [c_void_p, c_void_p, c_int, POINTER(c_double)]),
}


def register() -> None:
  """Registers the plugin `mujocable.cable` with MuJoCo. Harmless when called again.

  Called by `import mujocable`, and through the entry-point group `mujoco.plugins` at the end of
  `import mujoco`. Raises LibraryError (an ImportError) where the engine cannot be used. With
  MUJOCABLE_LIBRARY=off nothing is loaded: enough for stripped models in mujocable.warp.
  """
  global _library
  if _library is None and os.environ.get("MUJOCABLE_LIBRARY") != _OFF:
    check_version()
    _library = _load(find())


def library() -> ctypes.CDLL:
  """The loaded library, with typed functions."""
  register()
  if _library is None:
    raise LibraryError("the engine is switched off by MUJOCABLE_LIBRARY=off; unset it")
  return _library


def check_version() -> None:
  """Refuses any MuJoCo but the one the engine was built for."""
  found = mujoco.mj_versionString()
  if found != MUJOCO_VERSION:
    raise LibraryError(
      f"mujocable is built for MuJoCo {MUJOCO_VERSION}, but MuJoCo {found} is installed;"
      f' run: pip install "mujoco=={MUJOCO_VERSION}"'
    )


def find() -> Path:
  """Where the library is: MUJOCABLE_LIBRARY when set, else inside the package."""
  given = os.environ.get("MUJOCABLE_LIBRARY")
  if given:
    if not Path(given).is_file():
      raise LibraryError(f"MUJOCABLE_LIBRARY names {given!r}, which is not a file")
    return Path(given).resolve()
  # an editable install has two package folders: the sources and the build
  folders = [Path(folder) / "_lib" for folder in sys.modules["mujocable"].__path__]
  for folder in folders:
    path = folder / f"libmujocable{_SUFFIX}"
    if path.is_file():
      return path
  raise LibraryError(
    f"libmujocable{_SUFFIX} is not in {' or '.join(map(str, folders))}; install the package"
    " (pip install .) or set MUJOCABLE_LIBRARY to a built library"
  )


def _load(path: Path) -> ctypes.CDLL:
  try:
    loaded = ctypes.CDLL(str(path))
    for name, (result, arguments) in _PROTOTYPES.items():
      function = getattr(loaded, name)
      function.restype, function.argtypes = result, arguments
  except (OSError, AttributeError) as error:
    raise LibraryError(f"cannot load {path}: {error}") from error
  refused = loaded.mujocable_error()
  if refused:
    raise LibraryError(f"{path} did not register: {refused.decode()}")
  built_for = loaded.mujocable_version()
  if built_for != mujoco.mj_version():
    raise LibraryError(
      f"{path} is built for MuJoCo {built_for}, but MuJoCo {mujoco.mj_version()} is running;"
      f' run: pip install "mujoco=={MUJOCO_VERSION}"'
    )
  return loaded
