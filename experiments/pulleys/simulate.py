"""Simulate: a case stepped with plain mj_step, every step logged and checked."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import mujoco
import numpy as np

import mujocable as mjc
from experiments.pulleys.case import Case
from experiments.pulleys.theory import Motion

# fields of every cable that are logged, as named MuJoCo sensors
_FIELDS = ("tension", "slip_rate", "wrap_angle", "dissipation", "stretch")
_HEALTH = ("status", "smoothness", "surface_error", "penetration", "iterations")


@dataclass(frozen=True)
class Run:
  """A logged simulation: one row per step, each the state the step started from."""

  motion: Motion
  field: Mapping[str, Mapping[str, np.ndarray]]  # cable -> field -> (n, size)
  steps: int
  seconds: float  # wall time

  def health(self) -> dict[str, float]:
    """Validity over every cable and step."""
    worst = {
      name: max(float(np.abs(fields[name]).max()) for fields in self.field.values())
      for name in _HEALTH
    }
    valid = np.all([fields["status"][:, 0] == 0 for fields in self.field.values()], axis=0)
    return {
      "route_valid_fraction": float(valid.mean()),
      "max_smoothness_rad": worst["smoothness"],
      "max_surface_error_m": worst["surface_error"],
      "max_penetration_m": worst["penetration"],
      "max_iterations": int(worst["iterations"]),
    }


def simulate(case: Case, stride: int = 1) -> Run:
  """Builds the rig, steps it to the end, returns the log of one step in `stride`."""
  spec = case.spec()
  cables = list(mjc.read_cables(spec))
  for cable in cables:
    for field in (*_FIELDS, *_HEALTH):
      mjc.add_sensor(spec, cable, field)
  model = spec.compile()
  data = mujoco.MjData(model)
  for joint, value in case.start().items():
    data.joint(joint).qpos[0] = value
  names = list(case.machine().inertia)
  position, velocity = _addresses(model, names)

  # what is read after mj_step belongs to the state the step started from; under RK4 it belongs to
  # the last of its stages, so it is evaluated beforehand
  rk4 = model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4
  steps = round(case.duration / case.timestep) + 1
  n = (steps - 1) // stride + 1
  qpos, qvel, qacc = np.empty((n, model.nq)), np.empty((n, model.nv)), np.empty((n, model.nv))
  sensors = np.empty((n, model.nsensordata))
  controls = {
    int(model.actuator_ctrladr[model.actuator(name).id]): name for name in case.command(0.0)
  }
  force = {model.joint(name).dofadr[0]: name for name in case.applied(0.0)}
  begun = time.perf_counter()
  for i in range(steps):
    t = i * case.timestep
    if controls:
      command = case.command(t)
      for control, name in controls.items():
        data.ctrl[control] = command[name]
    if force:
      applied = case.applied(t)
      for dof, name in force.items():
        data.qfrc_applied[dof] = applied[name]
    if i % stride:
      mujoco.mj_step(model, data)
      continue
    k = i // stride
    qpos[k], qvel[k] = data.qpos, data.qvel
    if rk4:
      mujoco.mj_forward(model, data)
      sensors[k], qacc[k] = data.sensordata, data.qacc
      mujoco.mj_step(model, data)
    else:
      mujoco.mj_step(model, data)
      sensors[k], qacc[k] = data.sensordata, data.qacc
  seconds = time.perf_counter() - begun

  field = {
    cable: {name: sensors[:, _columns(model, f"{cable}.{name}")] for name in (*_FIELDS, *_HEALTH)}
    for cable in cables
  }
  times = stride * case.timestep * np.arange(n)
  motion = Motion(
    time=times,
    x={name: qpos[:, i] - qpos[0, i] for name, i in zip(names, position, strict=True)},
    v={name: qvel[:, i] for name, i in zip(names, velocity, strict=True)},
    tension={cable: fields["tension"] for cable, fields in field.items()},
    slip={cable: fields["slip_rate"] for cable, fields in field.items()},
    a={name: qacc[:, i] for name, i in zip(names, velocity, strict=True)},
  )
  motion = replace(motion, event=_crossing(motion, case.watch))
  return Run(motion, field, steps, seconds)


def _addresses(model: mujoco.MjModel, names: list[str]) -> tuple[list[int], list[int]]:
  # a free joint counts by its height
  position, velocity = [], []
  for name in names:
    joint = model.joint(name)
    up = 2 if model.jnt_type[joint.id] == mujoco.mjtJoint.mjJNT_FREE else 0
    position.append(int(joint.qposadr[0]) + up)
    velocity.append(int(joint.dofadr[0]) + up)
  return position, velocity


def _columns(model: mujoco.MjModel, sensor: str) -> slice:
  info = model.sensor(sensor)
  return slice(int(info.adr[0]), int(info.adr[0] + info.dim[0]))


def _crossing(motion: Motion, watch: tuple[str, float] | None) -> float:
  """When the watched coordinate reached its mark, from the last sample before it.

  Until then the fall is free and no contact has acted: a parabola carries it to the mark.
  """
  if watch is None:
    return np.nan
  gap = motion.x[watch[0]] - watch[1]
  past = np.flatnonzero(gap <= 0)
  if not past.size:
    return np.nan
  k = int(past[0]) - 1
  v, a = motion.v[watch[0]][k], motion.a[watch[0]][k]
  return float(motion.time[k] + (-v - np.sqrt(v * v - 2 * a * gap[k])) / a)
