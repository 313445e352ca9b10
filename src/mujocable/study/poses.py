"""Poses: where a model can stand, sampled and walked."""

from collections.abc import Iterator

import mujoco
import numpy as np

FREE_REACH = 0.3  # how far a joint without a range is moved [rad or m]
_JOINT = mujoco.mjtJoint


def joint_range(model: mujoco.MjModel, joint: int) -> tuple[float, float]:
  """Lowest and highest position of a hinge or slide [rad or m]; a band around qpos0 without one."""
  if model.jnt_limited[joint]:
    low, high = model.jnt_range[joint]
    return float(low), float(high)
  home = float(model.qpos0[model.jnt_qposadr[joint]])
  return home - FREE_REACH, home + FREE_REACH


def scalar_joints(model: mujoco.MjModel) -> list[int]:
  """The hinges and slides."""
  kinds = (int(_JOINT.mjJNT_HINGE), int(_JOINT.mjJNT_SLIDE))
  return [j for j in range(model.njnt) if int(model.jnt_type[j]) in kinds]


def random_pose(model: mujoco.MjModel, rng: np.random.Generator) -> np.ndarray:
  """Hinges, slides and balls anywhere in their ranges; free bodies where they are."""
  qpos = model.qpos0.copy()
  for joint in range(model.njnt):
    kind, address = int(model.jnt_type[joint]), model.jnt_qposadr[joint]
    if kind in (int(_JOINT.mjJNT_HINGE), int(_JOINT.mjJNT_SLIDE)):
      qpos[address] = rng.uniform(*joint_range(model, joint))
    elif kind == int(_JOINT.mjJNT_BALL):
      reach = float(model.jnt_range[joint, 1]) if model.jnt_limited[joint] else FREE_REACH
      axis = rng.normal(size=3)
      turn = rng.uniform(0, reach) * axis / np.linalg.norm(axis)
      quat = qpos[address : address + 4].copy()
      mujoco.mju_quatIntegrate(quat, turn, 1.0)
      qpos[address : address + 4] = quat
  return qpos


def joint_walk(model: mujoco.MjModel, joint: int, steps: int) -> Iterator[np.ndarray]:
  """From qpos0 through the range of one joint and back, the others where they are."""
  address = model.jnt_qposadr[joint]
  home = float(model.qpos0[address])
  low, high = joint_range(model, joint)
  for corner, begin in ((low, home), (home, low), (high, home), (home, high)):
    for value in np.linspace(begin, corner, steps + 1)[1:]:
      qpos = model.qpos0.copy()
      qpos[address] = value
      yield qpos


def straight_walk(model: mujoco.MjModel, goal: np.ndarray, steps: int) -> Iterator[np.ndarray]:
  """From qpos0 to a pose, every joint at once."""
  delta = np.zeros(model.nv)
  mujoco.mj_differentiatePos(model, delta, 1.0, model.qpos0, goal)
  for k in range(1, steps + 1):
    qpos = model.qpos0.copy()
    mujoco.mj_integratePos(model, qpos, delta, k / steps)
    yield qpos


def advance(
  model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray, forgotten: tuple[slice, ...] = ()
) -> None:
  """Moves to a pose and lets the cables remember it, as a step that goes there would.

  `forgotten`: what they do not remember, places of plugin_state.
  """
  data.qpos[:], data.qvel[:] = qpos, 0
  timestep = model.opt.timestep
  try:
    model.opt.timestep = 1e-12
    mujoco.mj_step(model, data)
  finally:
    model.opt.timestep = timestep
  for place in forgotten:
    data.plugin_state[place] = 0
  data.qpos[:], data.qvel[:] = qpos, 0
  mujoco.mj_forward(model, data)
