"""Ropes: the upper limit of a tendon as a stiff cable of that length, on which friction acts.

MuJoCo holds a limit by a constraint, which has no contacts to rub on. The rope is at least as stiff
as that constraint is at rest, stretches by no more than a thousandth under the weight of the whole
model, and is critically damped.
"""

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.study import routes

_EARTH = 9.81  # [m/s2]
_STRETCH = 1e-3  # of the length, under the weight of the model
_FAR = 1e10  # an upper limit that is none [m]; MuJoCo's own largest value


@dataclass(frozen=True)
class Rope:
  """What the cable that stands for a limit is made of."""

  length: float  # [m] at which it pulls
  stiffness: float  # [N/m]
  damping: float  # [N s/m]


def has_limit(model: mujoco.MjModel, tendon: int) -> bool:
  """Whether a tendon may not become longer than its range."""
  limited = bool(model.tendon_limited[tendon])
  return limited and 0 < float(model.tendon_range[tendon, 1]) < _FAR


def acts(model: mujoco.MjModel, tendon: int) -> bool:
  """Whether actuators, a spring or a damper pull along a tendon."""
  forces = (
    model.tendon_stiffness[tendon],
    model.tendon_damping[tendon],
    *model.tendon_stiffnesspoly[tendon],
    *model.tendon_dampingpoly[tendon],
  )
  return bool(routes.actuators(model, tendon)) or any(forces)


def rope_of(model: mujoco.MjModel, tendon: int, stiffness: float | None = None) -> Rope:
  """The rope for the upper limit of a tendon; `stiffness` [N/m] where the default does not suit.

  At rest a limit with impedance d and reference stiffness k [1/s2] holds like a spring of
  m k d / (1 - d), with the mass m that moves along the tendon at qpos0.
  """
  length = float(model.tendon_range[tendon, 1])
  inverse = float(model.tendon_invweight0[tendon])
  mass = 1 / inverse if inverse > 0 else 1.0
  if stiffness is None:
    least, most = (float(x) for x in np.clip(model.tendon_solimp_lim[tendon, :2], 1e-4, 0.9999))
    first, second = (float(x) for x in model.tendon_solref_lim[tendon, :2])
    if first > 0:
      first = max(first, 2 * float(model.opt.timestep))  # what MuJoCo makes of a shorter one
      reference = 1 / (most * first * max(second, 1e-6)) ** 2
    else:
      reference = -first / most**2
    weight = float(model.body_mass.sum()) * _EARTH
    stiffness = max(mass * reference * least / (1 - least), weight / (_STRETCH * length))
  return Rope(length, stiffness, 2 * math.sqrt(stiffness * mass))


def take_over(native: mujoco.MjsTendon) -> None:
  """Takes the upper limit from a native tendon; a lower limit above 0 stays."""
  low = float(native.range[0])
  if low > 0:
    native.range = [low, _FAR]
  else:
    native.limited = mujoco.mjtLimited.mjLIMITED_FALSE
    native.range = [0.0, 0.0]
