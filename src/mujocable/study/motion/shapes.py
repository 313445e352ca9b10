"""Shapes: how hard each turn of a motion pulls over time.

A shape takes shares of the duration (n,) and the number of turns, and gives (n, turns), 0 to 1.
"""

from collections.abc import Callable

import numpy as np

Shape = Callable[[np.ndarray, int], np.ndarray]

_SMOOTH = (10.0, -15.0, 6.0)  # of the step without a jerk: 10 s^3 - 15 s^4 + 6 s^5


def smooth(share):
  """A step from 0 to 1 that starts and ends without a jerk."""
  s = np.clip(share, 0.0, 1.0)
  return s**3 * (_SMOOTH[0] + s * (_SMOOTH[1] + s * _SMOOTH[2]))


def _phases(share: np.ndarray, turns: int) -> np.ndarray:
  # the share of its own time that each turn has behind it
  return share[:, None] * turns - np.arange(turns)


def _rest(share: np.ndarray, turns: int) -> np.ndarray:
  return np.zeros((share.size, turns))


def _ramp(share: np.ndarray, turns: int) -> np.ndarray:
  found = np.zeros((share.size, turns))
  found[:, :1] = smooth(share / 0.8)[:, None]
  return found


def _pull(share: np.ndarray, turns: int) -> np.ndarray:
  each = _phases(share, turns)
  return smooth(each / 0.4) - smooth((each - 0.6) / 0.4)


def _waves(share: np.ndarray, turns: int) -> np.ndarray:
  phase = 2 * np.pi * (2 * share[:, None] - np.arange(turns) / max(1, turns))
  if turns == 1:
    return 0.5 * (1 - np.cos(phase))
  return smooth(share[:, None] / 0.1) * np.maximum(0.0, np.sin(phase)) ** 2


def _cycle(share: np.ndarray, turns: int) -> np.ndarray:
  each = np.clip(_phases(share, turns), 0.0, 1.0)
  return 1 - np.abs(2 * ((2 * each) % 1.0) - 1)


def _hold(share: np.ndarray, turns: int) -> np.ndarray:
  each = _phases(share, turns)
  return smooth(each / 0.2) - smooth((each - 0.6) / 0.02)


PRESETS: dict[str, Shape] = {
  "rest": _rest,  # no command
  "ramp": _ramp,  # the first turn, to the end of the range, and stay
  "pull": _pull,  # to the end of the range and back, antagonists in turn
  "turns": _pull,  # the same, every actuator by itself
  "cycle": _cycle,  # at constant speed up and down, twice: for hysteresis
  "hold": _hold,  # up, hold, let go at once
  "waves": _waves,  # bumps, shifted against each other
}
