"""Energy: no scene with friction gains energy that nobody put in, and no contact loses less than none.

Random scenes of the fuzz, all with friction: posts, spheres, rings, meshes, eyelets, wheels that
turn freely or are driven, take-ups of every kind, bodies in free flight; every integrator, steps of
0.5 to 10 ms. Judge: MuJoCo's own kinetic and potential energy, the stored energy of the cable, and
the work of motors, summed in numpy. What a step gets wrong must vanish with the step; energy that a
law makes does not.
"""

import collections
import dataclasses
import os

import mujoco
import numpy as np
import pytest
from oracles import random_scene

import mujocable as mjc

STEPS = (5e-4, 2e-3, 1e-2)
INTEGRATORS = ("EULER", "IMPLICIT", "IMPLICITFAST", "RK4", "DISCRETE")
SECONDS = 0.5
SMALL = 0.02  # of the energy that moves in a scene: less is not looked into
FINER = 8  # how much shorter a step is tried where more was gained


def build(seed):
  """model, cable of one scene, or None where it is refused."""
  rng = np.random.default_rng([seed, 1414])
  spec, cable, scale = random_scene.scene(rng)
  # the limit of the tension is a clutch that takes energy: its account is not shown
  changes = {"friction": float(rng.uniform(0.05, 0.6)), "max_tension": np.inf}
  if isinstance(cable.take_up, mjc.TensionCommand):
    changes["stiffness"] = float(10.0 ** rng.uniform(2, 4))
  hinges = [j for j in spec.joints if j.type == mujoco.mjtJoint.mjJNT_HINGE]
  if hinges and cable.take_up is None and rng.random() < 0.3:
    changes["take_up"] = mjc.SpoolJoint(hinges[0].name, radius=0.03 * scale)
  driven = []
  for joint in hinges:
    if rng.random() < 0.4:
      motor = spec.add_actuator(name=f"motor {joint.name}", target=joint.name)
      motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
      driven.append(motor.name)
  spec.option.timestep = float(rng.choice(STEPS))
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{rng.choice(INTEGRATORS)}")
  spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
  try:
    mjc.add_cable(spec, dataclasses.replace(cable, **changes))
    model = spec.compile()
  except (mjc.CableError, ValueError):
    return None
  return model, scale, driven, cable.take_up if "take_up" not in changes else changes["take_up"]


def run(seed, finer=1):
  """One scene: None where it is refused, else its Account."""
  built = build(seed)
  if built is None:
    return None
  model, scale, driven, take_up = built
  model.opt.timestep /= finer
  h = model.opt.timestep
  rng = np.random.default_rng([seed, 4141])
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  data.qvel[:] = rng.normal(size=model.nv) * rng.choice([0.0, 0.3, 1.5])
  for k in range(model.nv):  # linear speeds scale with the scene
    joint = model.dof_jntid[k]
    kind, first = int(model.jnt_type[joint]), k - model.jnt_dofadr[joint]
    slides = kind == int(mujoco.mjtJoint.mjJNT_SLIDE)
    if slides or (kind == int(mujoco.mjtJoint.mjJNT_FREE) and first < 3):
      data.qvel[k] *= scale
  commanded = view.actuator
  pulls = isinstance(take_up, mjc.TensionCommand)
  rates = rng.uniform(2, 8, size=model.nu), rng.uniform(0, 6, size=model.nu)
  motors = [model.actuator(name).id for name in driven]
  dofs = model.jnt_dofadr[model.actuator_trnid[motors, 0]]
  torque = rng.uniform(0, 1.0, size=len(motors)) * scale**2
  low, high = model.actuator_ctrlrange[commanded] if commanded is not None else (0, 0)
  account = Account()
  for _ in range(round(SECONDS / h)):
    wave = np.sin(rates[0] * data.time + rates[1])
    data.ctrl[motors] = torque * wave[motors]
    if commanded is not None:
      data.ctrl[commanded] = (low + high) / 2 + 0.3 * (high - low) * wave[commanded]
    speed = data.qvel[dofs]
    mujoco.mj_step(model, data)
    if any(w.number for w in data.warning):
      account.unstable = True
      break
    account.least = min(account.least, np.min(view.dissipation, initial=0.0))
    if int(view.status) != 0:
      account.first = None  # the path jumped, or an end is inside a surface: begin anew
      continue
    # material that the motor took in up to this step
    taken = -float(np.sum(view.segment_rest)) if pulls else view.take_up
    pull = view.source_tension if commanded is not None else 0.0
    account.book(float(data.energy[1]), float(data.energy[0]), view.energy, pull, taken)
    account.work += h * float(0.5 * (speed + data.qvel[dofs]) @ data.ctrl[motors])
  return account


@dataclasses.dataclass
class Account:
  """What was gained beyond the work of motors, from any valid step to any later one [J]."""

  gain: float = 0.0  # largest
  moved: float = 0.0  # energy that changed hands in the scene, the scale of it all
  least: float = 0.0  # dissipation [W]
  unstable: bool = False
  work: float = 0.0
  steps: int = 0
  first: float | None = None  # least of energy less work so far
  doubt: float = 0.0  # the tension within a step lies between those of its ends
  last: tuple = ()

  def book(self, kinetic, potential, elastic, pull, taken):
    self.steps += 1
    if self.first is not None:
      self.work += 0.5 * (pull + self.last[0]) * (taken - self.last[1])
      self.doubt += 0.5 * abs((pull - self.last[0]) * (taken - self.last[1]))
    now = kinetic + potential + elastic - self.work - self.doubt
    self.first = now if self.first is None else self.first
    self.gain = max(self.gain, now - self.first)
    self.moved = max(self.moved, kinetic, elastic, abs(now - self.first), abs(self.work))
    self.last = pull, taken
