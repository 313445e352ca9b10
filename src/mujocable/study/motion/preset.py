"""Preset: a motion by name that fits the machine: antagonists in turn, from where nothing pulls."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from mujocable.errors import BadValue, suggestion
from mujocable.study.motion.levels import Levels, levels
from mujocable.study.motion.shapes import PRESETS

Command = Callable[[float], np.ndarray]  # time [s] -> controls, shape (nu,)

GRID = 4001  # points at which a shape is looked at


@dataclass(frozen=True)
class Motion:
  """A preset for one machine: call it with a time [s], or ask for a table of many."""

  name: str
  duration: float  # [s]
  levels: Levels
  turns: tuple[tuple[int, ...], ...]  # controls that pull together, one turn after the other
  reach: tuple[float, ...]  # of every turn, 0 to 1 of the range
  notes: tuple[str, ...] = ()  # where it stops short, and why

  def __call__(self, time: float) -> np.ndarray:
    return self.table(np.array([time]))[0]

  def table(self, times: np.ndarray) -> np.ndarray:
    """Controls at many times [s], shape (n, nu)."""
    now = self._net(times)
    rest, pull, slack = self.levels.rest, self.levels.pull, self.levels.slack
    found = rest + np.where(now > 0, now * (pull - rest), -now * (slack - rest))
    if self.levels.is_rate.any():
      # a rate is the slope of the same motion, its fastest moment at the end of the range
      step = self.duration / GRID
      slope = (self._net(times + step) - self._net(times - step)) / (2 * step)
      fastest = np.abs(np.diff(self._net(np.linspace(0, self.duration, GRID)), axis=0)).max()
      slope *= step / fastest if fastest > 0 else 0.0
      reach = max(self.reach, default=1.0)
      rate = reach * np.where(slope > 0, slope * pull, -slope * slack)
      found = np.where(self.levels.is_rate, rate, found)
    return found

  def only(self, turn: int, reach: float) -> "Motion":
    """One turn alone, with another reach."""
    alone = tuple(reach if i == turn else 0.0 for i in range(len(self.turns)))
    return replace(self, reach=alone)

  def _net(self, times: np.ndarray) -> np.ndarray:
    # how hard each control pulls, -1 (lets go) to 1
    share = np.asarray(times, float) / self.duration
    each = PRESETS[self.name](share, len(self.turns)) * np.array(self.reach)
    own = np.zeros((share.size, self.levels.rest.size))
    other = np.zeros_like(own)
    against = self.levels.against
    for turn, members in enumerate(self.turns):
      for control in members:
        own[:, control] += each[:, turn]
      foes = against[list(members)].any(axis=0)
      other[:, foes] = np.maximum(other[:, foes], each[:, turn, None])
    return own - other


def preset(
  model: mujoco.MjModel, name: str, duration: float, *, keyframe: int | None = None
) -> Motion:
  """A motion by name, over the whole range of every control."""
  if name not in PRESETS:
    hint = suggestion(name, PRESETS)
    raise BadValue(f"motion must be one of {', '.join(PRESETS)}, got {name!r}{hint}")
  if not (math.isfinite(duration) and duration > 0):
    raise BadValue(f"motion: duration must be finite and > 0, got {duration!r}")
  found = levels(model, keyframe)
  turns = _turns_of(found, alone=name == "turns")
  return Motion(name, float(duration), found, turns, (1.0,) * len(turns))


def _turns_of(found: Levels, alone: bool) -> tuple[tuple[int, ...], ...]:
  # antagonists never pull in one turn
  turns: list[list[int]] = []
  for control in range(found.rest.size):
    for turn in turns:
      if not alone and not found.against[control, turn].any():
        turn.append(control)
        break
    else:
      turns.append([control])
  return tuple(tuple(turn) for turn in turns)


def table(command: Command, times: np.ndarray) -> np.ndarray:
  """Controls of any command at many times [s], shape (n, nu)."""
  if hasattr(command, "table"):
    return command.table(times)  # type: ignore[attr-defined]
  return np.array([np.asarray(command(float(time)), float) for time in times])


def stepwise(model: mujoco.MjModel, command: Command, duration: float) -> np.ndarray:
  """Controls at every step of a run and at its end, shape (steps + 1, nu)."""
  if not callable(command):
    raise BadValue(f"a command must be a function of time [s], or preset(...), got {command!r}")
  step = float(model.opt.timestep)
  count = max(1, round(duration / step)) + 1
  found = table(command, step * np.arange(count))
  if found.size != count * model.nu:
    raise BadValue(f"a command must return {model.nu} numbers, got {found[0]!r}")
  return found.reshape(count, model.nu)
