"""Simulate: a robot on one active cable, stepped with plain mj_step, logged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

import mujocable as mjc

Control = Callable[[mujoco.MjData], Sequence[float]]


@dataclass
class Run:
  """What a robot did: samples over time, and the whole of its active cable at the end."""

  model: mujoco.MjModel
  time: np.ndarray  # [s], shape (n,)
  angles: np.ndarray  # of the joints [rad], shape (n, joints)
  tension: np.ndarray  # of every cable at its source [N], shape (n, cables)
  take_up: np.ndarray  # of every cable [m], shape (n, cables)
  peak: float = 0.0  # largest source tension of the active cable, over every step [N]
  distal_peak: float = 0.0  # the same of its last segment [N]
  released_peak: float = 0.0  # largest source tension of the second cable [N]
  valid: float = 1.0  # fraction of the steps in which every route was valid
  segments: np.ndarray = field(default_factory=lambda: np.zeros(0))  # tensions at the end [N]
  turns: np.ndarray = field(default_factory=lambda: np.zeros(0))  # at the holes, at the end [rad]
  tip: np.ndarray = field(default_factory=lambda: np.zeros(3))  # site `tip` at the end [m]
  path: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # at the end [m]
  states: dict[float, np.ndarray] = field(default_factory=dict)  # snapshots by time

  @property
  def bend(self) -> np.ndarray:
    """Sum of the joint angles [deg], shape (n,)."""
    return np.rad2deg(self.angles.sum(axis=1))

  @property
  def joint_deg(self) -> np.ndarray:
    """Joint angles at the end [deg]."""
    return np.rad2deg(self.angles[-1])

  def at(self, time: float) -> int:
    """The sample nearest to a time."""
    return int(np.abs(self.time - time).argmin())


def simulate(
  spec: mujoco.MjSpec,
  control: Control,
  duration: float,
  every: float = 0.02,
  snapshots: Sequence[float] = (),
) -> Run:
  """Steps for `duration` [s]; the first cable of the model is active, the second is released."""
  from mujocable.viewer import offscreen

  model, source, distal, status = _watched(spec)
  data = mujoco.MjData(model)
  cables = list(mjc.bind(model, data).values())
  stride = max(1, round(every / model.opt.timestep))
  shots = {round(t / model.opt.timestep): t for t in snapshots}
  rows, states = [], {}

  def sample():
    mujoco.mj_forward(model, data)
    tension = [cable.source_tension for cable in cables]
    take_up = [cable.take_up for cable in cables]
    rows.append((data.time, data.qpos.copy(), tension, take_up))

  steps = round(duration / model.opt.timestep)
  watched = [*source, *distal, *status]
  seen = np.zeros((steps, len(watched)))  # a view of each cable would cost as much as the step
  for step in range(steps):
    data.ctrl[:] = control(data)
    if step % stride == 0:
      sample()
    if step in shots:
      states[shots[step]] = offscreen.snapshot(model, data)
    mujoco.mj_step(model, data)
    seen[step] = data.sensordata[watched]
  sample()
  states[duration] = offscreen.snapshot(model, data)

  time, angles, tension, take_up = (np.array(column) for column in zip(*rows, strict=True))
  peaks = seen[:, : 2 * len(cables)].max(axis=0, initial=0.0)
  bad = np.any(seen[:, 2 * len(cables) :] != mjc.SolveStatus.VALID, axis=1)
  valid = 1 - np.count_nonzero(bad) / steps
  run = Run(model, time, angles, tension, take_up, valid=valid, states=states)
  if mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, "tip") >= 0:
    run.tip = data.site("tip").xpos.copy()
  if cables:
    run.peak, run.distal_peak = float(peaks[0]), float(peaks[len(cables)])
    run.released_peak = float(peaks[1]) if len(cables) > 1 else 0.0
    run.segments, run.turns, run.path = cables[0].tension, cables[0].wrap_angle, cables[0].points
  return run


def _watched(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, list[int], list[int], list[int]]:
  # the model, and where each cable's first and last tension and its status are in sensordata
  names = list(mjc.read_cables(spec))
  for name in names:
    mjc.add_sensor(spec, name, "tension")
    mjc.add_sensor(spec, name, "status")
  model = spec.compile()
  tensions = [model.sensor(f"{name}.tension") for name in names]
  source = [int(one.adr[0]) for one in tensions]
  distal = [int(one.adr[0] + one.dim[0] - 1) for one in tensions]
  return model, source, distal, [int(model.sensor(f"{name}.status").adr[0]) for name in names]
