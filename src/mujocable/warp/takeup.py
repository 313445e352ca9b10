"""Take-up: motors with lag or limited rate; MuJoCo integrates `act`, the cable says how fast."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import functools

import warp as wp

from mujocable.warp.precision import Precision


@functools.cache
def motor_rate(p: Precision):
  """Function: rate at which a motor follows its command, the lag, then the limit."""
  real = p.real
  zero, half, one = real(0.0), real(0.5), real(1.0)

  @wp.func
  def rate_of_motor(goal: real, position: real, lag: real, limit: real, h: real):
    follow = one
    if lag > zero:
      # exact for a first-order lag; without cancellation where the step is short
      x = h / lag
      follow = one - wp.exp(-x)
      if x < real(0.05):
        follow = x * (one - x * (half - x * (real(1.0 / 6.0) - x / real(24.0))))
    rate = (goal - position) * follow / h
    if limit > zero:
      rate = wp.clamp(rate, -limit, limit)
    return rate

  return rate_of_motor


@functools.cache
def motors(p: Precision):
  """Kernel: the rate of every such motor."""
  rate_of = motor_rate(p)

  @wp.kernel(module="unique", enable_backward=False)
  def motor_kernel(
    motor_cable: wp.array(dtype=int),
    takeup_control: wp.array(dtype=int),
    takeup_lag: wp.array(dtype=p.real),
    takeup_rate: wp.array(dtype=p.real),
    takeup_address: wp.array(dtype=int),
    takeup_limits: wp.array2d(dtype=p.real),
    timestep: wp.array(dtype=p.real),
    ctrl: wp.array2d(dtype=p.real),
    act: wp.array2d(dtype=p.real),
    act_dot: wp.array2d(dtype=p.real),
  ):
    w, i = wp.tid()
    c = motor_cable[i]
    h = timestep[w % timestep.shape[0]]
    goal = wp.clamp(ctrl[w, takeup_control[c]], takeup_limits[c, 0], takeup_limits[c, 1])
    now = act[w, takeup_address[c]]
    act_dot[w, takeup_address[c]] = rate_of(goal, now, takeup_lag[c], takeup_rate[c], h)

  return motor_kernel
