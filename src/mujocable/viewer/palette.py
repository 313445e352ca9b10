"""Palette: the colors of tension, as the engine draws them, and the legend that explains them."""

from collections.abc import Iterable

import numpy as np

from mujocable.runtime.view import CableView

# of curves; distinct also for color-blind readers, the first six most of all
CURVES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f", "#000000")

# the engine's own numbers (cpp/plugin/border/visual.cc); a test compares them with what it draws
STOPS = ((0.13, 0.35, 0.85), (0.1, 0.7, 0.65), (0.95, 0.8, 0.15), (0.85, 0.12, 0.1))
SLACK = (0.55, 0.6, 0.65, 0.45)
_HALF_COLOR = 20.0  # tension at mid scale without a limit [N]
_NO_LIMIT = 1e12  # a larger limit is none [N]


def share(tension: float, limit: float) -> float:
  """Place of a tension on the scale, 0 to 1: T / limit, or T / (T + 20 N) where there is none."""
  if limit < _NO_LIMIT:
    return min(1.0, tension / limit)
  return tension / (tension + _HALF_COLOR) if np.isfinite(tension) else 1.0


def color(place: float) -> np.ndarray:
  """RGB at a place on the scale: blue, teal, yellow, red."""
  x = 3 * np.clip(place, 0.0, 1.0)
  return np.array([np.interp(x, range(4), channel) for channel in zip(*STOPS, strict=True)])


def hex_color(rgb) -> str:
  """`#rrggbb`."""
  return "#" + "".join(f"{round(255 * float(x)):02x}" for x in rgb[:3])


def scale_labels(cables: Iterable[CableView]) -> list[str]:
  """What the four stops mean: tensions where all cables share a limit, otherwise shares of it."""
  limits = {cable.max_tension for cable in cables}
  if len(limits) != 1:
    return ["0", "1/3", "2/3", "limit of the cable"]
  (limit,) = limits
  if limit < _NO_LIMIT:
    return ["0", *(f"{limit * k / 3:.3g}" for k in (1, 2)), f"{limit:.3g} N"]
  return ["0", *(f"{_HALF_COLOR * s / (1 - s):.3g}" for s in (1 / 3, 2 / 3)), "more N"]
