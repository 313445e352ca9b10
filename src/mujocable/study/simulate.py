"""Simulate: steps a model along its commands, sums over every step, records rows of it."""

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.account import Account, Follower, Trouble
from mujocable.runtime.controls import control_names
from mujocable.runtime.view import bind
from mujocable.study import routes
from mujocable.study.motion import Command, stepwise
from mujocable.study.motion.levels import reset
from mujocable.viewer.offscreen import snapshot
from mujocable.viewer.recording import Recording

_MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class Run:
  """What was recorded with a snapshot for each row, and what all steps add up to."""

  model: mujoco.MjModel
  recording: Recording
  states: list[np.ndarray]
  accounts: dict[str, Account]  # of every cable, over all steps
  troubles: tuple[Trouble, ...]  # why not to trust it; empty: nothing was found

  def to_dict(self) -> dict:
    """The results as plain data, for JSON."""
    return {
      "rows": len(self.recording),
      "duration": float(self.recording["time"][-1]),
      "troubles": [asdict(one) for one in self.troubles],
      "cables": {name: one.to_dict() for name, one in self.accounts.items()},
    }


def simulate(
  model: mujoco.MjModel,
  command: Command,
  duration: float,
  *,
  rate: float = 100.0,
  keyframe: int | None = None,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Run:
  """Runs for `duration` [s], with `rate` rows per second; the accounts see every step.

  Columns: time, `ctrl.NAME`, every field of every cable, `length.NAME` of native tendons,
  `qpos.NAME` of hinges and slides, `force.NAME` of actuators, `sensor.NAME` of MuJoCo's sensors.
  """
  if not isinstance(model, mujoco.MjModel):
    raise BadValue(f"simulate: model must be an MjModel, got {type(model).__name__}")
  for name, value in (("duration", duration), ("rate", rate)):
    if not (math.isfinite(value) and value > 0):
      raise BadValue(f"simulate: {name} must be finite and > 0, got {value!r}")
  if duration * rate > _MOST_ROWS:
    raise BadValue(f"simulate: {duration * rate:.3g} rows are too many; lower the rate")
  data = start(model, keyframe)
  recording, states = Recording(bind(model, data).values()), []
  controls = stepwise(model, command, duration)
  step, total = float(model.opt.timestep), len(controls) - 1  # whatever the rate is
  substeps = max(1, round(1 / (rate * step)))
  marks = [*range(0, total, substeps), total]
  more = Columns(model)
  followed = Follower(model, data)
  for row in progress(range(len(marks))):
    data.ctrl[:] = controls[marks[row]]
    evaluate(model, data)
    recording.sample(data.time, **more.read(data))
    states.append(snapshot(model, data))
    for k in range(marks[row], marks[min(row + 1, len(marks) - 1)]):
      data.ctrl[:] = controls[k]
      mujoco.mj_step(model, data)
      followed.step()
  return Run(model, recording, states, followed.finish(), followed.troubles())


def start(model: mujoco.MjModel, keyframe: int | None = None) -> mujoco.MjData:
  """Data where a run begins: at qpos0, or at a keyframe, evaluated once."""
  data = mujoco.MjData(model)
  reset(model, data, keyframe)
  mujoco.mj_forward(model, data)
  return data


def evaluate(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  """Results of the present state, without a trace in the steps that follow."""
  # else the solver would start elsewhere, and end a bit elsewhere
  warm = data.qacc_warmstart.copy()
  mujoco.mj_forward(model, data)
  data.qacc_warmstart[:] = warm


class Columns:
  """What is recorded besides the cables."""

  def __init__(self, model: mujoco.MjModel):
    joints = [j for j in range(model.njnt) if _is_scalar(model, j)]
    plain = [s for s in range(model.nsensor) if model.sensor_plugin[s] < 0]
    single = [a for a in range(model.nactuator) if model.actuator_outnum[a] == 1]
    tendons = [
      t for t in range(model.ntendon) if routes.is_spatial(model, t) and model.tendon_group[t] < 5
    ]
    # name -> (field of MjData, index)
    self._places: dict[str, tuple[str, int]] = {
      f"ctrl.{name}": ("ctrl", i) for i, name in enumerate(control_names(model))
    }
    for actuator in single:
      name = model.actuator(actuator).name or f"actuator_{actuator}"
      at = int(model.actuator_outadr[actuator])
      self._places[f"force.{name}"] = ("actuator_force", at)
    for tendon in tendons:
      self._places[f"length.{model.tendon(tendon).name or tendon}"] = ("ten_length", tendon)
    for joint in joints:
      name = model.joint(joint).name or str(joint)
      self._places[f"qpos.{name}"] = ("qpos", int(model.jnt_qposadr[joint]))
    for sensor in plain:
      name, size = model.sensor(sensor).name or str(sensor), int(model.sensor_dim[sensor])
      begin = int(model.sensor_adr[sensor])
      for k in range(size):
        label = f"sensor.{name}" if size == 1 else f"sensor.{name}[{k}]"
        self._places[label] = ("sensordata", begin + k)

  @property
  def names(self) -> list[str]:
    """Of all columns."""
    return list(self._places)

  def place(self, name: str) -> tuple[str, int]:
    """The field of MjData and the index that a column shows."""
    return self._places[name]

  def read(self, data: mujoco.MjData) -> dict[str, float]:
    """One row."""
    return {name: float(getattr(data, f)[i]) for name, (f, i) in self._places.items()}


def _is_scalar(model: mujoco.MjModel, joint: int) -> bool:
  return int(model.jnt_type[joint]) >= int(mujoco.mjtJoint.mjJNT_SLIDE)
