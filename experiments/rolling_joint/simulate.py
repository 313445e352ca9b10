"""Simulate: the joint flexed by its cable, or its twin by its servo; every step is looked at."""

from dataclasses import dataclass, field

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.models import rolling_joint
from mujocable.models.rolling_joint import RollingJoint
from mujocable.viewer import offscreen

TAKEN, HINGE = 0.010, np.deg2rad(25.0)  # of the flexor [m], of each hinge [rad]
BEGIN, RAMP, DURATION = 0.1, 0.6, 2.5  # [s]
EVERY = 0.01  # between samples [s]


@dataclass
class Run:
  """What the joint did: samples over time, and the worst of every step."""

  model: mujoco.MjModel
  time: np.ndarray  # [s]
  angle: np.ndarray  # of the distal bone [deg]
  hinge: np.ndarray  # of the distal bone: along, palmar [m], shape (n, 2)
  length: np.ndarray  # of every cable [m], shape (n, cables)
  tension: np.ndarray  # [N], shape (n, cables)
  pressure: np.ndarray  # of the condyles on each other [N]
  valid: float = 1.0  # fraction of the steps in which every route was valid
  contact: float = 1.0  # fraction of the steps in which the condyles pressed on each other
  smoothness: float = 0.0  # largest [rad]
  penetration: float = 0.0  # of a cable into what it lies on, largest [m]
  overlap: float = 0.0  # of the condyles, largest [m]
  states: dict[float, np.ndarray] = field(default_factory=dict)
  paths: dict[float, dict[str, np.ndarray]] = field(default_factory=dict)  # of every cable [m]

  @property
  def rolled(self) -> np.ndarray:
    """Twice what the line of centers has turned [deg]: `angle`, where nothing slips."""
    return np.rad2deg(2 * np.arctan2(self.hinge[:, 1], self.hinge[:, 0]))


def ramp(time: float) -> float:
  """A smooth step from 0 to 1."""
  x = min(max((time - BEGIN) / RAMP, 0.0), 1.0)
  return x * x * (3 - 2 * x)


def simulate(params: RollingJoint, shots: tuple[float, ...] = ()) -> Run:
  """The flexor takes in 10 mm, the extensor pays out as much; the twin's hinges go to 25 deg."""
  model = rolling_joint.build(params).compile()
  data = mujoco.MjData(model)
  cables = mjc.bind(model, data)
  views = list(cables.values())
  stride = round(EVERY / params.timestep)
  steps = round(DURATION / params.timestep)
  rows, bad, apart = [], 0, 0
  none = np.zeros(0)
  run = Run(model, none, none, none, none, none, none)
  shot_at = {round(t / params.timestep): t for t in (*shots, DURATION)}
  for step in range(steps + 1):
    data.ctrl[:] = (ramp(data.time) * HINGE,) if not views else _pull(ramp(data.time))
    if step in shot_at:
      mujoco.mj_forward(model, data)
      run.states[shot_at[step]] = offscreen.snapshot(model, data)
      run.paths[shot_at[step]] = {name: view.points for name, view in cables.items()}
    if step % stride == 0:
      mujoco.mj_forward(model, data)
      rows.append(_sample(data, views))
    if step == steps:
      break
    mujoco.mj_step(model, data)
    bad += any(view.status != mjc.SolveStatus.VALID for view in views)
    apart += not _pressing(data) > 0
    run.smoothness = max([run.smoothness, *(view.smoothness for view in views)])
    run.penetration = max([run.penetration, *(view.penetration for view in views)])
    run.overlap = max(run.overlap, -data.contact.dist.min(initial=0.0))
  run.valid, run.contact = 1 - bad / steps, 1 - apart / steps
  columns = (np.array(column) for column in zip(*rows, strict=True))
  run.time, run.angle, run.hinge, run.length, run.tension, run.pressure = columns
  return run


def _pull(part: float) -> tuple[float, float]:
  return part * TAKEN, -part * TAKEN


def _pressing(data: mujoco.MjData) -> float:
  rows = data.contact.efc_address
  return float(data.efc_force[rows[rows >= 0]].sum())


def _sample(data, views) -> tuple:
  distal = data.body("distal").xpos
  return (
    data.time,
    np.rad2deg(rolling_joint.flexion(data)),
    (distal[2], distal[1]),
    [view.length for view in views],
    [view.source_tension for view in views],
    _pressing(data),
  )
