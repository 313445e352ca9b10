"""Checks of single values. Each returns the clean value or raises BadValue naming its owner."""

import math
from collections.abc import Callable, Sequence
from numbers import Integral, Real

import numpy as np

from mujocable.errors import BadValue


def number(owner: str, name: str, value: object) -> float:
  """A finite number. A bool is not a number."""
  return _number(owner, name, value, "a finite number", math.isfinite)


def positive(owner: str, name: str, value: object) -> float:
  """A finite number > 0."""
  return _number(owner, name, value, "a finite number > 0", lambda x: 0 < x < math.inf)


def not_zero(owner: str, name: str, value: object) -> float:
  """A finite number other than 0."""
  accepted = "a finite number other than 0"
  return _number(owner, name, value, accepted, lambda x: x != 0 and math.isfinite(x))


def count(owner: str, name: str, value: object, most: int, least: int = 0) -> int:
  """A whole number from `least` to `most`. A bool is not a number."""
  if isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most:
    return int(value)
  raise BadValue(f"{owner}: {name} must be a whole number from {least} to {most}, got {value!r}")


def positive_or_inf(owner: str, name: str, value: object) -> float:
  """A number > 0; infinity means no limit."""
  return _number(owner, name, value, "a number > 0 (inf: no limit)", lambda x: x > 0)


def not_negative(owner: str, name: str, value: object) -> float:
  """A finite number >= 0."""
  return _number(owner, name, value, "a finite number >= 0", lambda x: 0 <= x < math.inf)


def _number(owner: str, name: str, value: object, accepted: str, ok: Callable) -> float:
  if isinstance(value, Real) and not isinstance(value, bool) and ok(float(value)):
    return float(value)
  raise BadValue(f"{owner}: {name} must be {accepted}, got {value!r}")


def vector(owner: str, name: str, value: object, size: int) -> tuple[float, ...]:
  """A sequence or array of `size` finite numbers."""
  if isinstance(value, np.ndarray):
    value = value.tolist()
  if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != size:
    raise BadValue(f"{owner}: {name} must be {size} numbers, got {value!r}")
  return tuple(number(owner, name, x) for x in value)


def interval(owner: str, name: str, value: object, least: float | None = None):
  """Two finite numbers (low, high) with low < high, or None for no limits."""
  if value is None:
    return None
  low, high = vector(owner, name, value, 2)
  if not low < high:
    raise BadValue(f"{owner}: {name} must be (low, high) with low < high, got {value!r}")
  if least is not None and low < least:
    raise BadValue(f"{owner}: {name} must not go below {least:g}, got {value!r}")
  return low, high


def text(owner: str, name: str, value: object) -> str:
  """A name: a string that is not empty."""
  if not isinstance(value, str) or not value:
    raise BadValue(f"{owner}: {name} must be a name (a string that is not empty), got {value!r}")
  return value


def flag(owner: str, name: str, value: object) -> bool:
  """True or False, and nothing that counts as one."""
  if not isinstance(value, bool):
    raise BadValue(f"{owner}: {name} must be True or False, got {value!r}")
  return value


def choice(owner: str, name: str, value: object, accepted: Sequence[str]) -> str:
  """One of a few words."""
  if not isinstance(value, str) or value not in accepted:
    words = ", ".join(repr(word) for word in accepted)
    raise BadValue(f"{owner}: {name} must be one of {words}, got {value!r}")
  return value
