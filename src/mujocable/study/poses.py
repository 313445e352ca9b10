"""Poses: where a model can stand: home, its keyframes, random poses, and walks between them.

Random poses keep to the ranges of joints and tendons and to every active equality: coupled joints
follow their drivers, loops stay closed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

FREE_REACH = 0.3  # how far a joint without a range is moved [rad or m]
_JOINT = mujoco.mjtJoint
CLOSED = 1e-6  # what may be left of an equality or beyond a limit [m or rad]
_ROUNDS = 40  # of Newton
_LONGEST = 0.5  # step of one round [m or rad]
_TRIES = 4  # random poses drawn for each that is asked for
_HOPELESS = 16  # tries without any success
_DENSE = 1_000_000  # entries of the Jacobian; beyond (flexes) no random pose is looked for

_TYPE = mujoco.mjtConstraint
_LIMITS = (int(_TYPE.mjCNSTR_LIMIT_JOINT), int(_TYPE.mjCNSTR_LIMIT_TENDON))


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
  """Hinges, slides and balls anywhere in their ranges; free bodies where they are (`wander` moves
  those)."""
  qpos = model.qpos0.copy()
  for joint in range(model.njnt):
    kind, address = int(model.jnt_type[joint]), model.jnt_qposadr[joint]
    if kind in (int(_JOINT.mjJNT_HINGE), int(_JOINT.mjJNT_SLIDE)):
      qpos[address] = rng.uniform(*joint_range(model, joint))
    elif kind == int(_JOINT.mjJNT_BALL):
      reach = float(model.jnt_range[joint, 1]) if model.jnt_limited[joint] else FREE_REACH
      _turn(qpos[address : address + 4], reach, rng)
  return qpos


def wander(model: mujoco.MjModel, qpos: np.ndarray, free: Mapping[int, float], rng) -> None:
  """Moves bodies on these free joints, each by up to so much [m], and turns them a little."""
  for joint, reach in free.items():
    address = model.jnt_qposadr[joint]
    way = rng.normal(size=3)
    qpos[address : address + 3] += rng.uniform(0, reach) * way / np.linalg.norm(way)
    _turn(qpos[address + 3 : address + 7], FREE_REACH, rng)


def _turn(place: np.ndarray, reach: float, rng) -> None:
  axis = rng.normal(size=3)
  turn = rng.uniform(0, reach) * axis / np.linalg.norm(axis)
  quat = place.copy()
  mujoco.mju_quatIntegrate(quat, turn, 1.0)
  place[:] = quat


@dataclass(frozen=True)
class Pose:
  """One pose of a model, and what it is called."""

  name: str  # "home", "keyframe 'stand'", "random 3"
  qpos: np.ndarray
  key: int = -1  # of a keyframe
  random: bool = False  # nobody asked for it by name

  def take(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Puts a simulation there, at rest and without memory; results are not computed yet."""
    mujoco.mj_resetData(model, data)
    if self.key >= 0:
      data.mocap_pos[:] = model.key_mpos[self.key].reshape(-1, 3)
      data.mocap_quat[:] = model.key_mquat[self.key].reshape(-1, 4)
    data.qpos[:] = self.qpos


def feasible_poses(
  model: mujoco.MjModel, count: int, seed: int, free: Mapping[int, float] | None = None
) -> list[Pose]:
  """Home (qpos0), every keyframe, and `count` random poses; fewer where none can be found.

  Home and keyframes are taken as they are. `free`: joints of free bodies that move in random poses,
  and how far [m].
  """
  rng, drift = np.random.default_rng(seed), np.random.default_rng([seed, 1])
  poses = [Pose("home", model.qpos0.copy())]
  for key in range(model.nkey):
    name = repr(model.key(key).name) if model.key(key).name else f"#{key}"
    poses.append(Pose(f"keyframe {name}", model.key_qpos[key].copy(), key))
  data = mujoco.MjData(model)
  found = 0
  for attempt in range(_TRIES * count):
    if found == count or (not found and attempt == _HOPELESS):
      break
    qpos = random_pose(model, rng)
    wander(model, qpos, free or {}, drift)
    qpos = feasible_pose(model, data, qpos)
    if qpos is not None:
      found += 1
      poses.append(Pose(f"random {found}", qpos, random=True))
  return poses


def feasible_pose(
  model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray
) -> np.ndarray | None:
  """The pose near this one that limits and equalities allow; None where this try found none."""
  mujoco.mj_resetData(model, data)
  follow(model, data, qpos)
  flags = model.opt.disableflags
  try:
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return _settle(model, data, qpos)
  finally:
    model.opt.disableflags = flags


def follow(model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray) -> None:
  """Puts coupled joints where the polynomial of their equality says, in `qpos` itself."""
  if model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_EQUALITY):
    return
  joints = [
    e
    for e in range(model.neq)
    if model.eq_type[e] == int(mujoco.mjtEq.mjEQ_JOINT) and data.eq_active[e]
  ]
  for _ in range(min(len(joints), 8)):  # chains of them need several passes
    for e in joints:
      first, second = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
      address = model.jnt_qposadr[first]
      away = 0.0
      if second >= 0:
        driver = model.jnt_qposadr[second]
        away = float(qpos[driver] - model.qpos0[driver])
      follows = np.polynomial.polynomial.polyval(away, model.eq_data[e, :5])
      qpos[address] = model.qpos0[address] + follows


def _settle(model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray) -> np.ndarray | None:
  # Newton on everything that is violated, each step the smallest that would mend it
  for _ in range(_ROUNDS):
    data.qpos[:] = qpos
    mujoco.mj_fwdPosition(model, data)
    if data.nefc * model.nv > _DENSE:
      return None
    off, rows = _violated(model, data)
    if np.abs(off).max(initial=0.0) < CLOSED:
      return data.qpos.copy()
    step = -np.linalg.lstsq(rows, off, rcond=1e-9)[0]
    step *= min(1.0, _LONGEST / max(np.abs(step).max(), 1e-12))
    mujoco.mj_integratePos(model, qpos, step, 1.0)
  return None


def _violated(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[np.ndarray, np.ndarray]:
  # what is left of equalities, how far limits are exceeded, and the rows of their Jacobian
  kinds, places = data.efc_type, data.efc_pos
  wanted = np.flatnonzero(
    (kinds == int(_TYPE.mjCNSTR_EQUALITY)) | (np.isin(kinds, _LIMITS) & (places < 0))
  )
  rows = np.zeros((wanted.size, model.nv))
  if mujoco.mj_isSparse(model):
    for k, row in enumerate(wanted):
      begin = int(data.efc_J_rowadr[row])
      columns = slice(begin, begin + int(data.efc_J_rownnz[row]))
      rows[k, data.efc_J_colind[columns]] = data.efc_J[columns]
  else:
    rows[:] = data.efc_J.reshape(-1, model.nv)[wanted] if wanted.size else 0.0
  return places[wanted].copy(), rows


# ------------------------------------ walks


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
