"""Library: the engine plugin, found, checked against the running MuJoCo, and loaded once."""

import ctypes
import os
import sys
from collections.abc import Iterable
from ctypes import POINTER, c_char_p, c_double, c_int, c_void_p
from pathlib import Path

import mujoco

from mujocable.errors import LibraryError, installed_from

# releases of MuJoCo that work; each has a library of its own, because struct layouts change
KNOWN = ("3.11", "3.12", "3.13", "3.14", "3.15", "3.16", "3.17", "4.0")

_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_OFF = "off"  # value of MUJOCABLE_LIBRARY where no engine is wanted
_library: ctypes.CDLL | None = None

# a cable: the addresses of an mjModel and an mjData, its instance, its number in that
_CABLE = c_void_p, c_void_p, c_int, c_int
_INTS = POINTER(c_int)

# name -> result, arguments
_PROTOTYPES = {
  "mujocable_version": (c_int, []),
  "mujocable_error": (c_char_p, []),
  "mujocable_attributes": (c_char_p, []),
  "mujocable_cables": (c_int, [c_void_p, c_int]),
  "mujocable_members": (c_int, [c_void_p, c_int, _INTS, _INTS, _INTS]),
  "mujocable_names": (c_int, [c_void_p, c_int, c_char_p, c_int]),
  "mujocable_field": (c_int, [c_int, c_int, c_char_p, _INTS, _INTS]),
  "mujocable_parameter": (c_int, [c_int, c_char_p, _INTS, _INTS]),
  "mujocable_record_size": (c_int, [c_int, c_int]),
  "mujocable_take_over": (c_int, [*_CABLE]),
  "mujocable_rubs": (c_int, [*_CABLE, _INTS]),
  "mujocable_sensor_address": (c_int, [*_CABLE]),
  "mujocable_read": (c_int, [*_CABLE, POINTER(c_double)]),
  "mujocable_points": (c_int, [*_CABLE, POINTER(c_double), c_int]),
  "mujocable_jacobian": (c_int, [*_CABLE, POINTER(c_double)]),
  "mujocable_mesh": (c_int, [*_CABLE, c_int, POINTER(c_double)]),
  "mujocable_load": (c_int, [*_CABLE, POINTER(c_double)]),
}


def register() -> None:
  """Registers the plugin `mujocable.cable` with MuJoCo. Harmless when called again.

  Called by `import mujocable`, and through the entry-point group `mujoco.plugins` at the end of
  `import mujoco`. Raises LibraryError (an ImportError) where the engine cannot be used. With
  MUJOCABLE_LIBRARY=off nothing is loaded: enough for stripped models in mujocable.warp.
  """
  global _library
  if _library is None and os.environ.get("MUJOCABLE_LIBRARY") != _OFF:
    _library = _load(find())


def library() -> ctypes.CDLL:
  """The loaded library, with typed functions."""
  register()
  if _library is None:
    raise LibraryError("the engine is switched off by MUJOCABLE_LIBRARY=off; unset it")
  return _library


def find() -> Path:
  """Where the library is: MUJOCABLE_LIBRARY when set, else the one for the running MuJoCo."""
  given = os.environ.get("MUJOCABLE_LIBRARY")
  if given:
    if not Path(given).is_file():
      raise LibraryError(f"MUJOCABLE_LIBRARY names {given!r}, which is not a file")
    return Path(given).resolve()
  # an editable install has two package folders: the sources and the build
  folders = [Path(folder) / "_lib" for folder in sys.modules["mujocable"].__path__]
  running = mujoco.mj_versionString()
  for folder in folders:
    path = folder / f"libmujocable-{running}{_SUFFIX}"
    if path.is_file():
      return path
  built = built_for(folders)
  if built:
    raise LibraryError(
      f"mujocable is built here for MuJoCo {', '.join(built)}, but MuJoCo {running} is installed;"
      f" {cure(running, built)}"
    )
  raise LibraryError(
    f"libmujocable-{running}{_SUFFIX} is not in {' or '.join(map(str, folders))}; install the"
    " package (pip install .) or set MUJOCABLE_LIBRARY to a built library"
  )


def built_for(folders: Iterable[Path]) -> list[str]:
  """Releases of MuJoCo that have a library in one of these folders, oldest first."""
  files = [file for folder in folders for file in folder.glob(f"libmujocable-*{_SUFFIX}")]
  names = {file.name.removeprefix("libmujocable-").removesuffix(_SUFFIX) for file in files}
  return sorted(names, key=lambda name: [int(part) for part in name.split(".")])


def cure(running: str, built: list[str]) -> str:
  """What to do where no library fits the MuJoCo that runs."""
  known = running.rpartition(".")[0] in KNOWN
  place = installed_from()
  source = place if place and not place.endswith(".whl") else "<folder of its sources>"
  build = f'pip install --force-reinstall --no-deps --no-build-isolation "{source}"'
  if not known:
    build += " -C cmake.define.MUJOCABLE_ANY_MUJOCO=ON"
    build += f" (MuJoCo {KNOWN[0]} to {KNOWN[-1]} are known to work)"
  return f'run: pip install "mujoco=={built[-1]}", or build mujocable for {running}: {build}'


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
  number = loaded.mujocable_version()
  if number != mujoco.mj_version():
    version = ".".join(
      str(part) for part in (number // 10**6, number // 1000 % 1000, number % 1000)
    )
    raise LibraryError(
      f"{path} is built for MuJoCo {version}, but MuJoCo {mujoco.mj_versionString()} is running;"
      f" {cure(mujoco.mj_versionString(), [version])}"
    )
  return loaded
