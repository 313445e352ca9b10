"""Step limit: how large a time step the stiffness and damping of a cable allow.

Along the cable the model is one mass m = 1 / (J M^-1 J^T) on a spring k and a damper d, applied as
forces of the present state. The step map of that oscillator must not grow: spectral radius <= 1.
"""

import mujoco
import numpy as np

_INT = mujoco.mjtIntegrator
_TIGHTEST = 1e-9  # [s]


def moving_mass(model: mujoco.MjModel, data: mujoco.MjData, row: np.ndarray) -> float:
  """Mass that a cable with these moment arms moves [kg]; inf where it moves nothing."""
  solved = np.zeros((1, model.nv))
  mujoco.mj_solveM(model, data, solved, row.reshape(1, -1))
  mobility = float(row @ solved[0])
  return 1 / mobility if mobility > 0 else float("inf")


def growth(integrator: int, step: float, mass: float, stiffness: float, damping: float) -> float:
  """Spectral radius of one step of the oscillator; above 1 it gains energy."""
  if not np.isfinite(mass):
    return 1.0
  k, d = stiffness / mass, damping / mass
  if integrator == int(_INT.mjINT_RK4):
    roots = step * np.roots([1.0, d, k])
    return float(np.abs(1 + roots + roots**2 / 2 + roots**3 / 6 + roots**4 / 24).max())
  # position moves with the new velocity
  matrix = np.array([[1 - step**2 * k, step * (1 - step * d)], [-step * k, 1 - step * d]])
  return float(np.abs(np.linalg.eigvals(matrix)).max())


def largest_step(integrator: int, mass: float, stiffness: float, damping: float) -> float:
  """Largest stable time step [s]; inf where nothing limits it."""
  if not np.isfinite(mass) or (stiffness == 0 and damping == 0):
    return float("inf")
  low, high = _TIGHTEST, 1.0
  if growth(integrator, high, mass, stiffness, damping) <= 1 + 1e-12:
    return float("inf")
  while high / low > 1 + 1e-6:
    middle = float(np.sqrt(low * high))
    stable = growth(integrator, middle, mass, stiffness, damping) <= 1 + 1e-12
    low, high = (middle, high) if stable else (low, middle)
  return low
