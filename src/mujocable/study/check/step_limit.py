"""Step limit: how large a time step the stiffness and damping of a cable allow.

The force of an explicit cable (`integration="explicit"`, or any under RK4) is that of the present
state, whatever the integrator; other cables have no such limit. Around a pose, with the mass matrix
M, the joints' damping D and the cable's moment arms J, stiffness k and damping d,
one step is a linear map of (q, v); it must not grow: spectral radius <= 1. The joints' own damping
is implicit, as MuJoCo's integrators take it (but for RK4).
"""

from dataclasses import dataclass

import mujoco
import numpy as np

_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
_TIGHTEST, _LOOSEST = 1e-8, 1.0  # [s]
_ROUND_OFF = 1e-7  # bodies that nothing holds have eigenvalues of 1, twice


@dataclass(frozen=True)
class Moved:
  """What a cable moves, in one pose."""

  inertia: np.ndarray  # M, shape (nv, nv)
  damping: np.ndarray  # D of the joints, shape (nv,)
  row: np.ndarray  # J, shape (nv,)

  def mobility(self, step: float) -> float:
    """Velocity that a unit impulse along the cable makes within a step [1/kg]."""
    solved = np.linalg.solve(self.inertia + step * np.diag(self.damping), self.row)
    return float(self.row @ solved)


def moved(model: mujoco.MjModel, data: mujoco.MjData, row: np.ndarray) -> Moved:
  """What a cable with these moment arms moves in the present pose; only dofs it can reach."""
  inertia = np.zeros((model.nv, model.nv))
  mujoco.mj_fullM(model, data, inertia)
  trees = np.unique(model.dof_treeid[np.flatnonzero(row)])
  dofs = np.flatnonzero(np.isin(model.dof_treeid, trees))
  return Moved(inertia[np.ix_(dofs, dofs)], model.dof_damping[dofs].copy(), row[dofs].copy())


def growth(integrator: int, step: float, what: Moved, stiffness: float, damping: float) -> float:
  """Spectral radius of one step; above 1 the cable gains energy."""
  count = what.row.size
  if count == 0:
    return 1.0
  along = np.outer(what.row, what.row)
  eye, joints = np.eye(count), np.diag(what.damping)
  if integrator == _RK4:
    solve = np.linalg.inv(what.inertia)
    system = np.block(
      [
        [np.zeros((count, count)), eye],
        [-stiffness * solve @ along, -solve @ (joints + damping * along)],
      ]
    )
    root = step * np.linalg.eigvals(system)
    return float(np.abs(1 + root + root**2 / 2 + root**3 / 6 + root**4 / 24).max())
  # position moves with the new velocity
  solve = np.linalg.inv(what.inertia + step * joints)
  velocity = solve @ (what.inertia - step * damping * along)
  force = -step * stiffness * solve @ along
  matrix = np.block([[eye + step * force, step * velocity], [force, velocity]])
  return float(np.abs(np.linalg.eigvals(matrix)).max())


def largest_step(integrator: int, what: Moved, stiffness: float, damping: float) -> float:
  """Largest stable time step [s]; inf where nothing limits it."""
  if stiffness == 0 and damping == 0:
    return float("inf")

  def stable(step: float) -> bool:
    return growth(integrator, step, what, stiffness, damping) <= 1 + _ROUND_OFF

  low, high = _TIGHTEST, _LOOSEST
  if stable(high):
    return float("inf")
  while high / low > 1 + 1e-4:
    middle = float(np.sqrt(low * high))
    low, high = (middle, high) if stable(middle) else (low, middle)
  return low
