"""Joints: what a cable does over the range of every joint that it acts on."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.polynomial import Polynomial

from mujocable.runtime.view import CableView

_NO_ARM = 1e-9  # smaller is none [m or m/rad]


@dataclass(frozen=True)
class Sweep:
  """A joint moved through its range with those that an equality ties to it, the others where they
  were."""

  joint: str  # its name
  unit: str  # of the joint: rad or m
  position: np.ndarray  # [unit]
  length: np.ndarray  # of the cable's path [m]
  arm: np.ndarray  # -dL/dq [m/rad or m/m]: positive where the cable pulls toward larger q

  @property
  def stroke(self) -> float:
    """Cable that must be taken in and paid out over the range [m]."""
    return float(np.ptp(self.length))


def sweeps(model, data, view: CableView, steps: int) -> tuple[Sweep, ...]:
  """Every limited hinge and slide that the cable acts on."""
  home, sweeps, ties = data.qpos.copy(), [], _ties(model)
  for joint in range(model.njnt):
    hinge = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    if not hinge and model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_SLIDE:
      continue
    if not model.jnt_limited[joint]:
      continue
    low, high = model.jnt_range[joint]
    positions = np.linspace(low, high, steps)
    length, arm = np.zeros(steps), np.zeros(steps)
    here = model.jnt_qposadr[joint]
    for i, position in enumerate(positions):
      data.qpos[here] = position
      rates = _follow(model, data, joint, ties)
      mujoco.mj_forward(model, data)
      length[i] = view.length
      arm[i] = -sum(rate * view.jacobian[dof] for dof, rate in rates.items())
    data.qpos[:] = home
    if np.abs(arm).max() > _NO_ARM:
      name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) or f"joint {joint}"
      sweeps.append(Sweep(name, "rad" if hinge else "m", positions, length, arm))
  mujoco.mj_forward(model, data)
  return tuple(sweeps)


def _follow(model, data, joint: int, ties) -> dict[int, float]:
  """Moves the joints that follow one, and those that follow these; rates of all by dof."""
  rates, leaders = {int(model.jnt_dofadr[joint]): 1.0}, [joint]
  for leader in leaders:
    here, rate = model.jnt_qposadr[leader], rates[int(model.jnt_dofadr[leader])]
    moved = data.qpos[here] - model.qpos0[here]
    for tied, law in ties.get(leader, ()):
      there, dof = model.jnt_qposadr[tied], int(model.jnt_dofadr[tied])
      if dof not in rates:
        data.qpos[there] = model.qpos0[there] + law(moved)
        rates[dof] = rate * law.deriv()(moved)
        leaders.append(tied)
  return rates


def _ties(model: mujoco.MjModel) -> dict[int, list[tuple[int, Polynomial]]]:
  """Joints that an equality makes follow another: leader -> [(follower, its law)]."""
  found: dict[int, list[tuple[int, Polynomial]]] = {}
  for i in range(model.neq):
    follower, leader = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    if model.eq_type[i] == mujoco.mjtEq.mjEQ_JOINT and leader >= 0 and model.eq_active0[i]:
      found.setdefault(leader, []).append((follower, Polynomial(model.eq_data[i, :5])))
  return found
