"""Levels: what each control of a machine must be told to rest, to pull and to let go.

A length servo pulls with a small target, a motor with a large one; antagonists are told apart by
their moment arms, so that one lets go while the other pulls.
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable import checks
from mujocable.errors import BadValue
from mujocable.runtime.config import config
from mujocable.runtime.view import bind

_AGAINST = -0.2  # cosine between the pulls of two actuators: below, they are antagonists
_NOTHING = 1e-9  # smaller moment arms are none [m]
_TRN, _GAIN, _BIAS = mujoco.mjtTrn, mujoco.mjtGain, mujoco.mjtBias
_ROW = mujoco.mjtConstraint


@dataclass(frozen=True)
class Levels:
  """One number per control."""

  rest: np.ndarray  # nothing happens at home
  pull: np.ndarray  # the hardest pull of the range
  slack: np.ndarray  # the end of the range that lets go
  is_rate: np.ndarray  # the command is a rate: levels are speeds
  against: np.ndarray  # (nu, nu) whether two controls are antagonists


def control_ranges(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
  """Least and most of every control; 0 to 1 where there is no range."""
  limited = model.actuator_ctrllimited.astype(bool)
  low = np.where(limited, model.actuator_ctrlrange[:, 0], 0.0)
  high = np.where(limited, model.actuator_ctrlrange[:, 1], 1.0)
  return low, high


def reset(model: mujoco.MjModel, data: mujoco.MjData, keyframe: int | None) -> None:
  """New data to where a run begins: a keyframe by its number, or qpos0."""
  if keyframe is None:
    return
  # (MuJoCo takes a keyframe that is not there for qpos0)
  if not model.nkey:
    raise BadValue(f"a study: keyframe {keyframe!r} is not in this model, which has none")
  keyframe = checks.count("a study", "keyframe", keyframe, most=model.nkey - 1)
  mujoco.mj_resetDataKeyframe(model, data, keyframe)


def levels(model: mujoco.MjModel, keyframe: int | None = None) -> Levels:
  """Read from the model where it starts: at qpos0, or at a keyframe."""
  data = mujoco.MjData(model)
  reset(model, data, keyframe)
  mujoco.mj_forward(model, data)
  low, high = control_ranges(model)
  rest = np.clip(0.0, low, high)
  pull, slack = high.copy(), np.minimum(low, rest)
  is_rate = np.zeros(model.nu, bool)
  rows = np.zeros((model.nu, model.nv))  # generalized load of a harder pull
  views = {view.actuator: view for view in bind(model, data).values()}
  place = 0
  for actuator in range(model.nactuator):
    count = int(model.actuator_ctrlnum[actuator])
    if actuator in views:
      kind = config(model, views[actuator]._member).get("take_up", "")
      is_rate[place] = kind == "spool_rate"
      rows[place] = -views[actuator].jacobian
    elif count == 1:
      _native(model, data, actuator, place, (low, high), (rest, pull, slack), rows)
    place += count
  passive = [v for v in bind(model, data).values() if v.actuator is None and v.source_tension > 0]
  rows = _free(model, data, rows, [view.jacobian for view in passive])
  norm = np.linalg.norm(rows, axis=1)
  norm[norm < _NOTHING] = 0.0
  scale = np.outer(norm, norm)
  cosine = np.divide(rows @ rows.T, scale, out=np.zeros_like(scale), where=scale > 0)
  return Levels(rest, pull, slack, is_rate, cosine < _AGAINST)


def _free(model, data, rows: np.ndarray, held: list[np.ndarray]) -> np.ndarray:
  # what is left of each row where equalities, contacts and taut passive cables hold the bodies
  count = int(data.nefc)
  if not model.nv:
    return rows
  tied = np.zeros((count, model.nv))
  if count and mujoco.mj_isSparse(model):
    mujoco.mju_sparse2dense(
      tied, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
    )
  elif count:
    tied = data.efc_J.reshape(count, model.nv)
  joints = (_ROW.mjCNSTR_FRICTION_DOF, _ROW.mjCNSTR_LIMIT_JOINT)  # these only hinder
  kept = ~np.isin(data.efc_type[:count], [int(kind) for kind in joints])
  tied = np.array([*tied[kept], *held]).reshape(-1, model.nv)
  return rows - rows @ np.linalg.pinv(tied) @ tied if tied.size else rows


def _native(model, data, actuator: int, place: int, ranges, found, rows) -> None:
  low, high = (x[place] for x in ranges)
  rest, pull, slack = found
  output = int(model.actuator_outadr[actuator])
  gain = float(model.actuator_gainprm[actuator, 0])
  if int(model.actuator_gaintype[actuator]) == int(_GAIN.mjGAIN_MUSCLE):
    gain = -1.0
  servo = (
    int(model.actuator_biastype[actuator]) == int(_BIAS.mjBIAS_AFFINE)
    and float(model.actuator_biasprm[actuator, 1]) != 0
  )
  if servo and gain != 0:
    # the target at which it does nothing
    bias = model.actuator_biasprm[actuator]
    still = -(bias[0] + bias[1] * float(data.actuator_length[output])) / gain
    rest[place] = np.clip(still, low, high)
  on_tendon = int(model.actuator_trntype[actuator]) == int(_TRN.mjTRN_TENDON)
  if on_tendon:
    # a tendon is pulled by a negative force along its length
    gear = float(model.actuator_gear[output, 0])
    shortens_high = gear * gain < 0
    pull[place], slack[place] = (high, low) if shortens_high else (low, high)
    if not servo:
      slack[place] = rest[place]
      if pull[place] == rest[place]:
        pull[place] = high  # it can only push
  else:
    far = max((low, high), key=lambda end: abs(end - rest[place]))
    pull[place], slack[place] = far, rest[place]
  row = np.zeros((1, model.nv))
  nnz, begin = data.moment_rownnz[output], data.moment_rowadr[output]
  row[0, data.moment_colind[begin : begin + nnz]] = data.actuator_moment[begin : begin + nnz]
  rows[place] = row[0] * gain * np.sign(pull[place] - rest[place])
