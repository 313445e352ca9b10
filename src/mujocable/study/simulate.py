"""Simulate: steps a model along its commands and records what its cables do."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.view import bind
from mujocable.study import routes
from mujocable.study.motion import Command, control_names
from mujocable.viewer.offscreen import snapshot
from mujocable.viewer.recording import Recording

_MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class Run:
  """What was recorded, and a snapshot for each row."""

  model: mujoco.MjModel
  recording: Recording
  states: list[np.ndarray]


def simulate(
  model: mujoco.MjModel,
  command: Command,
  duration: float,
  *,
  rate: float = 100.0,
  keyframe: int | None = None,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Run:
  """Runs for `duration` [s], with `rate` rows per second.

  Columns: time, `ctrl.NAME`, every field of every cable, `length.NAME` of native tendons, and
  `qpos.NAME` of hinges and slides.
  """
  for name, value in (("duration", duration), ("rate", rate)):
    if not (math.isfinite(value) and value > 0):
      raise BadValue(f"simulate: {name} must be finite and > 0, got {value!r}")
  if duration * rate > _MOST_ROWS:
    raise BadValue(f"simulate: {duration * rate:.3g} rows are too many; lower the rate")
  data = mujoco.MjData(model)
  if keyframe is not None:
    mujoco.mj_resetDataKeyframe(model, data, keyframe)
  recording, states = Recording(bind(model, data).values()), []
  substeps = max(1, round(1 / (rate * model.opt.timestep)))
  rows = max(1, round(duration / (substeps * model.opt.timestep)))
  names = control_names(model)
  for row in progress(range(rows + 1)):
    data.ctrl[:] = command(data.time)
    mujoco.mj_forward(model, data)  # results of the present state; changes nothing
    recording.sample(data.time, **_more(model, data, names))
    states.append(snapshot(model, data))
    if row < rows:
      for _ in range(substeps):
        data.ctrl[:] = command(data.time)
        mujoco.mj_step(model, data)
  return Run(model, recording, states)


def _more(model: mujoco.MjModel, data: mujoco.MjData, names: list[str]) -> dict[str, float]:
  row = {f"ctrl.{name}": float(x) for name, x in zip(names, data.ctrl, strict=True)}
  for tendon in range(model.ntendon):
    if routes.is_spatial(model, tendon) and model.tendon_group[tendon] < 5:
      row[f"length.{model.tendon(tendon).name or tendon}"] = float(data.ten_length[tendon])
  for joint in range(model.njnt):
    if int(model.jnt_type[joint]) >= int(mujoco.mjtJoint.mjJNT_SLIDE):
      name = model.joint(joint).name or str(joint)
      row[f"qpos.{name}"] = float(data.qpos[model.jnt_qposadr[joint]])
  return row
