"""Push: which parts of a native tendon can push, which no cable can."""

import math

import mujoco
import numpy as np

from mujocable.study import routes

_GAIN, _BIAS, _DYN = mujoco.mjtGain, mujoco.mjtBias, mujoco.mjtDyn
_NEVER_PUSHES = 1e-12  # [N]


def pushers(model: mujoco.MjModel, tendon: int, lengths: np.ndarray) -> list[str]:
  """What can push along a tendon, in words; `lengths` [m] are those it can have."""
  found = []
  for actuator in routes.actuators(model, tendon):
    most = _most_force(model, actuator, lengths)
    if most > _NEVER_PUSHES:
      name = model.actuator(actuator).name or f"#{actuator}"
      how = "" if math.isinf(most) else f" with up to {most:.4g} N"
      found.append(f"actuator '{name}' can push{how}")
  polynomial = model.tendon_stiffnesspoly[tendon]
  lower = float(model.tendon_lengthspring[tendon, 0])
  if (model.tendon_stiffness[tendon] or np.any(polynomial)) and lengths.min() < lower:
    found.append(f"its spring pushes below {lower:.4g} m (springlength)")
  if model.tendon_damping[tendon] or np.any(model.tendon_dampingpoly[tendon]):
    found.append("its damper pushes while the tendon shortens")
  return found


def _most_force(model: mujoco.MjModel, actuator: int, lengths: np.ndarray) -> float:
  # largest force along the tendon, positive pushes [N]; inf where there is no bound
  output = int(model.actuator_outadr[actuator])
  gear = float(model.actuator_gear[output, 0])
  low, high = _force_range(model, actuator, gear * lengths)
  if model.actuator_forcelimited[actuator]:
    limits = model.actuator_forcerange[actuator]
    low, high = max(low, float(limits[0])), min(high, float(limits[1]))
  return max(gear * low, gear * high) if gear else 0.0


def _force_range(model: mujoco.MjModel, actuator: int, lengths: np.ndarray):
  gain, bias = int(model.actuator_gaintype[actuator]), int(model.actuator_biastype[actuator])
  if gain == int(_GAIN.mjGAIN_MUSCLE):
    return -math.inf, 0.0
  if gain != int(_GAIN.mjGAIN_FIXED) or bias not in (
    int(_BIAS.mjBIAS_NONE),
    int(_BIAS.mjBIAS_AFFINE),
  ):
    return -math.inf, math.inf
  factor = float(model.actuator_gainprm[actuator, 0])
  ends = [_times(factor, value) for value in _input_range(model, actuator)]
  low, high = min(ends), max(ends)
  if bias == int(_BIAS.mjBIAS_AFFINE):
    constant, slope, rate = (float(x) for x in model.actuator_biasprm[actuator, :3])
    if rate:
      return -math.inf, math.inf
    ends = [constant + slope * float(x) for x in (lengths.min(), lengths.max())]
    low, high = low + min(ends), high + max(ends)
  return low, high


def _input_range(model: mujoco.MjModel, actuator: int) -> tuple[float, float]:
  # of what the gain multiplies: the control, or the activation
  if int(model.actuator_dyntype[actuator]) != int(_DYN.mjDYN_NONE):
    if model.actuator_actlimited[actuator]:
      low, high = model.actuator_actrange[actuator]
      return float(low), float(high)
    if int(model.actuator_dyntype[actuator]) == int(_DYN.mjDYN_INTEGRATOR):
      return -math.inf, math.inf
  control = int(model.actuator_ctrladr[actuator])
  if model.actuator_ctrllimited[control]:
    low, high = model.actuator_ctrlrange[control]
    return float(low), float(high)
  return -math.inf, math.inf


def _times(factor: float, value: float) -> float:
  return factor * value if factor else 0.0
