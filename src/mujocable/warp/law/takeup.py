"""Take-up: where a command is read (12), and motors with lag or limited rate: MuJoCo integrates
`act`, the cable says how fast."""

import mujoco
import warp as wp

from mujocable.warp.law.record import TakeUps
from mujocable.warp.layout.parts import ACTIVATION, CONTROL, JOINT, TENDON

_JOINT, _ACTIVATION, _CONTROL = wp.constant(JOINT), wp.constant(ACTIVATION), wp.constant(CONTROL)
_TENDON = wp.constant(TENDON)
_MOST = wp.constant(float(mujoco.mjMAXVAL))  # beyond it MuJoCo calls a command bad


@wp.func
def command_of(c: int, w: int, takeups: TakeUps, ctrl: wp.array2d(dtype=float)):
  """What the motor of a cable is told, within its range; a bad command is zero, as in MuJoCo."""
  command = ctrl[w, takeups.control[c]]
  if not wp.abs(command) <= _MOST:
    command = 0.0
  return wp.clamp(command, takeups.limits[c, 0], takeups.limits[c, 1])


@wp.func
def rate_of_motor(goal: float, position: float, lag: float, limit: float, h: float):
  """Rate at which a motor follows its command, the lag, then the limit."""
  follow = float(1.0)
  if lag > 0.0:
    # exact for a first-order lag; without cancellation where the step is short
    x = h / lag
    follow = 1.0 - wp.exp(-x)
    if x < 0.05:
      follow = x * (1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0)))
  rate = (goal - position) * follow / h
  if limit > 0.0:
    rate = wp.clamp(rate, -limit, limit)
  return rate


@wp.func
def read_takeup(
  c: int,
  w: int,
  h: float,
  actuated: int,
  takeups: TakeUps,
  qpos: wp.array2d(dtype=float),
  qvel: wp.array2d(dtype=float),
  ctrl: wp.array2d(dtype=float),
  act: wp.array2d(dtype=float),
  pull: wp.array2d(dtype=float),  # of tendons, by cable
):
  """Where the motor of a cable is, how far it goes in the step, and 1 where it is switched off."""
  position = float(0.0)
  motor = float(0.0)
  off = int(0)
  kind = takeups.kind[c]
  if kind == _JOINT:
    position = qpos[w, takeups.address[c]] - takeups.reference[c]
    motor = h * qvel[w, takeups.dof[c]]
  elif kind == _ACTIVATION:
    position = act[w, takeups.address[c]]
    goal = command_of(c, w, takeups, ctrl)
    if takeups.motor[c] == 2:
      motor = h * goal
    else:
      motor = h * rate_of_motor(goal, position, takeups.lag[c], takeups.rate[c], h)
    off = 1 - actuated
  elif kind == _CONTROL:
    position = command_of(c, w, takeups, ctrl)
    off = 1 - actuated
  elif kind == _TENDON:
    position = pull[c, w]  # which knows what is switched off
  return position, motor, off


@wp.kernel(module="unique", enable_backward=False)
def motor_kernel(
  motor_cable: wp.array(dtype=int),
  takeups: TakeUps,
  timestep: wp.array(dtype=float),
  ctrl: wp.array2d(dtype=float),
  act: wp.array2d(dtype=float),
  act_dot: wp.array2d(dtype=float),
):
  """The rate of every such motor."""
  w, i = wp.tid()
  c = motor_cable[i]
  h = timestep[w % timestep.shape[0]]
  goal = command_of(c, w, takeups, ctrl)
  at = takeups.address[c]
  act_dot[w, at] = rate_of_motor(goal, act[w, at], takeups.lag[c], takeups.rate[c], h)
