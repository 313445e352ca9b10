"""Motion: what the actuators are told over time: a preset that fits the machine, or a CSV file.

A preset pulls antagonists in turn, starts where nothing pulls, and goes as far as the machine can
go: `fitted` tries it and stops short of lost paths, flying loads and limits.
"""

import csv
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.runtime.account import Follower
from mujocable.runtime.controls import control_names
from mujocable.study.levels import Levels, levels

Command = Callable[[float], np.ndarray]  # time [s] -> controls, shape (nu,)
Shape = Callable[[np.ndarray, int], np.ndarray]  # share of the duration, turns -> 0 to 1 each

_SMOOTH = (10.0, -15.0, 6.0)  # of the step without a jerk: 10 s^3 - 15 s^4 + 6 s^5
_HALVINGS = 5  # of the reach, until it is known to 1/32
_MARGIN = 0.9  # of the reach that was found, where there is trouble beyond
_GRID = 4001  # points at which a shape is looked at


def smooth(share):
  """A step from 0 to 1 that starts and ends without a jerk."""
  s = np.clip(share, 0.0, 1.0)
  return s**3 * (_SMOOTH[0] + s * (_SMOOTH[1] + s * _SMOOTH[2]))


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
      step = self.duration / _GRID
      slope = (self._net(times + step) - self._net(times - step)) / (2 * step)
      fastest = np.abs(np.diff(self._net(np.linspace(0, self.duration, _GRID)), axis=0)).max()
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


def fitted(
  model: mujoco.MjModel,
  motion: Motion,
  *,
  keyframe: int | None = None,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Motion:
  """The motion, every turn only as far as the machine goes with it.

  Tries each turn on its own, from the start: a path that is lost, a load that flies or a limit that
  is reached halves the rest of the way, until it is known to 1/32 of the range; a tenth less is
  used. Then all turns together, halved until they are fine.
  """
  names = control_names(model)
  reach, notes = list(motion.reach), []
  for turn in progress(range(len(motion.turns))):
    found, why = _reach(model, motion, turn, keyframe)
    found *= 1.0 if not why else _MARGIN
    reach[turn] = found * motion.reach[turn]
    if why:
      who = ", ".join(names[c] for c in motion.turns[turn])
      far = f"pulls to {found:.0%} of its range" if found else "does not pull from here"
      notes.append(f"{who} {far}: beyond, {why}")
  found = replace(motion, reach=tuple(reach), notes=tuple(notes))
  if len(motion.turns) > 1:
    found = _together(model, found, keyframe)
  return found


def _together(model, motion: Motion, keyframe) -> Motion:
  # turns that are fine one by one may not be one after the other
  shorter, share = motion, 1.0
  for _ in range(_HALVINGS):
    why = _trial(model, shorter, None, keyframe)
    if not why:
      return shorter
    share *= 0.5
    note = f"all turns only to {share:.0%} of that: beyond, one after the other, {why}"
    reach = tuple(share * one for one in motion.reach)
    shorter = replace(motion, reach=reach, notes=(*motion.notes, note))
  return motion


def _reach(model, motion: Motion, turn: int, keyframe) -> tuple[float, str]:
  # largest share of the range without trouble; and the first trouble beyond
  why = _trial(model, motion.only(turn, 1.0), turn, keyframe)
  if not why:
    return 1.0, ""
  if _trial(model, motion.only(turn, 0.0), turn, keyframe):
    return 1.0, ""  # the machine is in trouble by itself: nothing to fit
  low, high = 0.0, 1.0
  for _ in range(_HALVINGS):
    middle = 0.5 * (low + high)
    trouble = _trial(model, motion.only(turn, middle), turn, keyframe)
    low, high, why = (low, middle, trouble) if trouble else (middle, high, why)
  return low, why


def _trial(model, motion: Motion, turn: int | None, keyframe) -> str:
  # the first trouble of one turn, or of all; empty where there is none
  begin, end = 0.0, motion.duration
  if turn is not None:
    grid = np.linspace(begin, end, _GRID)
    moving = np.flatnonzero(PRESETS[motion.name](grid / end, len(motion.turns))[:, turn])
    if moving.size:
      begin, end = float(grid[moving[0]]), float(grid[moving[-1]])
  h = float(model.opt.timestep)
  table = motion.table(begin + h * np.arange(max(1, round((end - begin) / h))))
  data = mujoco.MjData(model)
  if keyframe is not None:
    mujoco.mj_resetDataKeyframe(model, data, keyframe)
  mujoco.mj_forward(model, data)
  followed = Follower(model, data)
  for k, row in enumerate(table):
    data.ctrl[:] = row
    mujoco.mj_step(model, data)
    followed.step()
    if k % 256 == 255 and not followed.clean:
      break
  found = followed.troubles()
  return f"{found[0].name} {found[0].text.partition(', first')[0]}".strip() if found else ""


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


# ------------------------------------ from a file


@dataclass(frozen=True)
class Rows:
  """Commands at given times, straight lines between."""

  time: np.ndarray  # [s]
  values: np.ndarray  # (n, nu)

  def __call__(self, time: float) -> np.ndarray:
    return self.table(np.array([time]))[0]

  def table(self, times: np.ndarray) -> np.ndarray:
    """Controls at many times [s], shape (n, nu)."""
    columns = [np.interp(times, self.time, column) for column in self.values.T]
    return np.stack(columns, axis=1) if columns else np.zeros((len(times), 0))


def from_csv(model: mujoco.MjModel, path: Path, keyframe: int | None = None) -> tuple[Rows, float]:
  """The rows of a file, with straight lines between; also how long they last [s].

  The first line names the columns: `time` and any actuators; the others stay at rest.
  """
  header, numbers = read_table(path)
  names = control_names(model)
  for name in header:
    if name != "time" and name not in names:
      known = f"{listing('actuators', names)}{suggestion(name, names)}"
      raise UnknownName(f"{path}: column {name!r} is not an actuator of this model; {known}")
  time = numbers[:, header.index("time")]
  values = np.tile(levels(model, keyframe).rest, (time.size, 1))
  for i, name in enumerate(header):
    if name != "time":
      values[:, names.index(name)] = numbers[:, i]
  return Rows(time, values), float(time[-1])


def read_table(path: Path) -> tuple[list[str], np.ndarray]:
  """The names and the numbers of a CSV file that has a column `time`, which grows."""
  with path.open(newline="", encoding="utf-8-sig") as file:
    rows = list(csv.reader(file))
  rows = [row for row in rows if any(cell.strip() for cell in row)]
  if not rows:
    raise BadValue(f"{path}: the file is empty; its first line must name 'time' and actuators")
  header = [cell.strip() for cell in rows[0]]
  if "time" not in header:
    raise BadValue(f"{path}: no column 'time'; the first line is {', '.join(header)}")
  numbers = _numbers(path, header, rows[1:])
  time = numbers[:, header.index("time")]
  if time.size == 0 or np.any(np.diff(time) <= 0):
    raise BadValue(f"{path}: column 'time' must have at least one row and only grow")
  return header, numbers


def _numbers(path: Path, header: list[str], rows: list[list[str]]) -> np.ndarray:
  table = np.zeros((len(rows), len(header)))
  for i, row in enumerate(rows):
    if len(row) != len(header):
      raise BadValue(f"{path}: line {i + 2} has {len(row)} cells, the first line {len(header)}")
    for j, cell in enumerate(row):
      try:
        table[i, j] = float(cell)
      except ValueError:
        table[i, j] = math.nan
      if not math.isfinite(table[i, j]):
        raise BadValue(f"{path}: line {i + 2}, column {header[j]!r}: {cell!r} is not a number")
  return table


# ------------------------------------ shapes: (n,) shares of the duration -> (n, turns), 0 to 1


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
