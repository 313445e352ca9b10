"""Reach: a motion goes as far as the machine can go.

It is tried, and stops short of lost paths, flying loads and limits.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

import mujoco
import numpy as np

from mujocable.runtime.account import Follower
from mujocable.runtime.controls import control_names
from mujocable.runtime.parameters import hush
from mujocable.study.motion.levels import reset
from mujocable.study.motion.preset import GRID, Command, Motion, preset
from mujocable.study.motion.shapes import PRESETS

_HALVINGS = 5  # of the reach, until it is known to 1/32
_MARGIN = 0.9  # of the reach that was found, where there is trouble beyond


def commanded(
  model: mujoco.MjModel,
  motion: str | Command,
  duration: float,
  *,
  keyframe: int | None = None,
  fit: bool = False,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> tuple[Command, tuple[str, ...]]:
  """The command that a preset's name stands for, fitted where asked, and where it stops short.

  A command is taken as it is.
  """
  if not isinstance(motion, str):
    return motion, ()
  found = preset(model, motion, duration, keyframe=keyframe)
  if fit:
    found = fitted(model, found, keyframe=keyframe, progress=progress)
  return found, found.notes


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
    grid = np.linspace(begin, end, GRID)
    moving = np.flatnonzero(PRESETS[motion.name](grid / end, len(motion.turns))[:, turn])
    if moving.size:
      begin, end = float(grid[moving[0]]), float(grid[moving[-1]])
  h = float(model.opt.timestep)
  table = motion.table(begin + h * np.arange(max(1, round((end - begin) / h))))
  data = mujoco.MjData(model)
  reset(model, data, keyframe)
  hush(model, data)  # troubles are what a trial is for
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
