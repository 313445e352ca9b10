"""Take-up: motors with a lag or a limited rate; MuJoCo integrates `act`, the cable says how fast."""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def motor_kernel(
  motor_cable: wp.array(dtype=int),
  motor_control: wp.array(dtype=int),
  motor_lag: wp.array(dtype=float),
  motor_limit: wp.array(dtype=float),  # of the activation; 0: none
  takeup_address: wp.array(dtype=int),
  takeup_limits: wp.array2d(dtype=float),
  timestep: wp.array(dtype=float),
  ctrl: wp.array2d(dtype=float),
  act: wp.array2d(dtype=float),
  act_dot: wp.array2d(dtype=float),
):
  w, i = wp.tid()
  c = motor_cable[i]
  h = timestep[w % timestep.shape[0]]
  follow = 1.0
  if motor_lag[i] > 0.0:
    # exact for a first-order lag; without cancellation where the step is short
    x = h / motor_lag[i]
    follow = 1.0 - wp.exp(-x)
    if x < 0.05:
      follow = x * (1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0)))
  command = wp.clamp(ctrl[w, motor_control[i]], takeup_limits[c, 0], takeup_limits[c, 1])
  rate = (command - act[w, takeup_address[c]]) * follow / h
  if motor_limit[i] > 0.0:
    rate = wp.clamp(rate, -motor_limit[i], motor_limit[i])
  act_dot[w, takeup_address[c]] = rate
