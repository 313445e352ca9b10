"""File: the question of a design as TOML."""

from pathlib import Path
from typing import Any

from mujocable.errors import BadValue, suggestion

_KEYS = {
  "model": str,
  "motion": str,
  "commands": str,
  "duration": (int, float),
  "fit_motion": bool,
  "keyframe": str,
  "trials": int,
  "seed": int,
  "vary": dict,
  "goals": dict,
  "limits": dict,
  "sizing": dict,
}
_SIZING = ("cable", "spool", "material", "safety", "motor")


def read_study(path: Path) -> dict[str, Any]:
  """A study from a TOML file; refuses keys that mean nothing."""
  import tomllib  # pyright: ignore[reportMissingImports]  # from Python 3.11 on

  try:
    with path.open("rb") as file:
      found = tomllib.load(file)
  except tomllib.TOMLDecodeError as error:
    raise BadValue(f"{path}: {error}") from None
  for key, value in found.items():
    if key not in _KEYS:
      raise BadValue(
        f"{path}: no key {key!r}; accepted: {', '.join(_KEYS)}{suggestion(key, _KEYS)}"
      )
    if not isinstance(value, _KEYS[key]) or (_KEYS[key] is not bool and isinstance(value, bool)):
      raise BadValue(f"{path}: {key} has the wrong type: {value!r}")
  if "model" not in found:
    raise BadValue(f"{path}: the key 'model' is missing: an MJCF file, or a robot by name")
  if "vary" not in found and "sizing" not in found:
    raise BadValue(f"{path}: nothing to do: neither [vary] nor [sizing] is there")
  _check_sizing(path, found.get("sizing"))
  for key in ("vary", "limits"):
    for name, span in found.get(key, {}).items():
      fine = isinstance(span, list) and len(span) == 2
      if not fine or not all(isinstance(x, int | float) for x in span):
        raise BadValue(f"{path}: {key} {name!r} must be [low, high], got {span!r}")
      found[key][name] = float(span[0]), float(span[1])
  return found


def _check_sizing(path: Path, given: dict | None) -> None:
  if given is None:
    return
  for key in given:
    if key not in _SIZING:
      hint = suggestion(key, _SIZING)
      raise BadValue(f"{path}: sizing has no key {key!r}; accepted: {', '.join(_SIZING)}{hint}")
  for key in ("cable", "spool"):
    if key not in given:
      raise BadValue(f"{path}: sizing needs {key!r}")
  motor = given.get("motor", [0.0, 0.0])
  if not isinstance(motor, list) or len(motor) != 2:
    raise BadValue(f"sizing: motor must be [torque in N m, speed in rad/s], got {motor!r}")
