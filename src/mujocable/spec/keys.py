"""Keys: the parameters of a cable as MJCF has them, flat and by name, and the laws they make."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mujocable.errors import BadValue
from mujocable.spec.cable import Cable
from mujocable.spec.laws import AXIAL, CHECKS, LIMITS, SLIDING, Axial, Limits, Sliding

WORDS = ("damping_rate", "friction_law", "friction_mode", "integration")  # the others are numbers
KEYS = tuple(CHECKS)  # of all laws; the keys of route and take-up are elsewhere
# of a plugin instance; test_cable compares them with the engine's
CONFIG_KEYS = (
  *("name", "cables", "route", "seed", "surfaces", "contacts", *KEYS, "take_up"),
  *("spool_radius", "spool_joint", "tendon", "share", "lag", "rate_limit"),
)
_OF_SLIDING = tuple(key for key in SLIDING if key != "friction")
_DEFAULTS = {
  **{key: getattr(Axial(), name) for key, name in AXIAL.items()},
  **{key: getattr(Sliding(0.0), name) for key, name in SLIDING.items()},
  **{key: getattr(Limits(), name) for key, name in LIMITS.items()},
  "friction_law": "memory",
  "radius": 0.0,
  "integration": "auto",
}


def laws(**values: Any) -> dict[str, Any]:
  """Arguments of Cable from keys: `Cable(name, route, **laws(stiffness=2e3, friction=0.1))`.

  What is no key, as `take_up` and `material`, is passed on.
  """
  found: dict[str, Any] = {}
  axial = {AXIAL[key]: values.pop(key) for key in AXIAL if key in values}
  limits = {LIMITS[key]: values.pop(key) for key in LIMITS if key in values}
  friction = {SLIDING[key]: values.pop(key) for key in SLIDING if key in values}
  if axial:
    found["axial"] = Axial(**axial)
  if limits:
    found["limits"] = Limits(**limits)
  law = CHECKS["friction_law"]("cable", "friction_law", values.pop("friction_law", "memory"))
  if law == "sliding":
    found["friction"] = Sliding(**{"coefficient": 0.0, **friction})
  else:
    for key in _OF_SLIDING:
      if SLIDING[key] in friction:
        raise BadValue(
          f"{key} belongs to friction without memory: remove it, friction now sticks and slides by"
          ' itself; or set friction_law="sliding" to keep the old law'
        )
    if friction:
      found["friction"] = friction["coefficient"]
  return found | values


def value_of(cable: Cable, key: str) -> Any:
  """What a cable has for a key; None where its law has no such number."""
  if key in AXIAL:
    return getattr(cable.axial, AXIAL[key])
  if key in LIMITS:
    return getattr(cable.limits, LIMITS[key])
  sliding = cable.friction if isinstance(cable.friction, Sliding) else None
  if key == "friction":
    return cable.coefficient
  if key == "friction_law":
    return "sliding" if sliding else "memory"
  if key in SLIDING:
    return getattr(sliding, SLIDING[key]) if sliding else None
  return getattr(cable, key)


def with_keys(cable: Cable, **values: Any) -> Cable:
  """The same cable with other values for these keys; other arguments are fields of Cable."""
  sliding = isinstance(cable.friction, Sliding) and values.get("friction_law") != "memory"
  keys = [key for key in KEYS if sliding or key not in _OF_SLIDING]
  same = {key: value_of(cable, key) for key in keys}
  return replace(cable, **laws(**(same | values)))


def config_of(cable: Cable) -> dict[str, str]:
  """The keys that differ from their defaults, as config strings with every digit."""
  config = {}
  for key in KEYS:
    value = value_of(cable, key)
    if value is not None and value != _DEFAULTS[key]:
      config[key] = value if isinstance(value, str) else repr(value)
  return config


def laws_of(cable: str, config: Mapping[str, str]) -> dict[str, Any]:
  """Arguments of Cable from config strings; an error names the cable and the key."""
  values: dict[str, Any] = {}
  for key, check in CHECKS.items():
    if config.get(key):
      value = config[key] if key in WORDS else read_number(cable, key, config[key])
      values[key] = check(f"cable {cable!r}", key, value)
  try:
    return laws(**values)
  except BadValue as error:
    raise BadValue(f"cable {cable!r}: {error}") from None


def read_number(cable: str, name: str, value: str) -> float:
  """One number written in the config."""
  try:
    return float(value)
  except ValueError:
    raise BadValue(f"cable {cable!r}: {name} must be a number, got {value!r}") from None
