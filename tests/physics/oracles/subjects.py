"""The models that every MuJoCo entry point is tried on: the workshop and the robots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from unittest import mock

import mujoco
import numpy as np

from mujocable.models import finger, hand, spirob, tensegrity
from mujocable.spec import members
from oracles import workshop


@dataclass(frozen=True)
class Subject:
  """A model by integrator, with a repeatable command."""

  name: str
  spec: Callable[[str], mujoco.MjSpec]
  ctrl: Callable[[mujoco.MjModel, int], np.ndarray]

  def compile(self, integrator: str = "implicitfast") -> mujoco.MjModel:
    return self.spec(integrator).compile()

  def compile_explicit(self, integrator: str = "implicitfast") -> mujoco.MjModel:
    """Every cable explicit: its load is a function of position, velocity and command alone."""
    spec = self.spec(integrator)
    for plugin in spec.plugins:
      plugin.config = {**plugin.config, "integration": "explicit"}
    return spec.compile()

  def run(self, model, data, begin, end, between=None):
    """Steps from begin to end; `between` is called after the command is set, before the step."""
    for step in range(begin, end):
      data.ctrl[:] = self.ctrl(model, step)
      if between is not None:
        between(model, data)
      mujoco.mj_step(model, data)


def _robot(name: str, build: Callable[[], mujoco.MjSpec], low: float, high: float) -> Subject:
  def spec(integrator: str) -> mujoco.MjSpec:
    spec = build()
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    return spec

  def ctrl(model: mujoco.MjModel, step: int) -> np.ndarray:
    """Each actuator at its own pace, within 50 steps from rest to the far end and back."""
    k = np.arange(model.nu)
    wave = 0.5 - 0.5 * np.cos(step * (0.03 + 0.01 * k))
    return np.where(k % 2 == 0, low + (high - low) * wave, -0.3 * high * wave)

  return Subject(name, spec, ctrl)


def _spirob():
  # friction at every hole, lagging motors; so little damping that RK4 holds it
  arm = spirob.public_11(friction=0.3, slack=0.0, lag=0.02, rate_limit=1.0, stroke=(-0.05, 0.05))
  return spirob.build(replace(arm, damping=1e-5, damping_decay=4.0, cable_damping=0.005))


def _finger():
  # eyelets, wraps, four passive couplings, joint stops
  return finger.build(finger.Finger(friction=0.15, max_tension=4.0))


def _sharing():
  # the same, its cables in two plugin instances: as hundreds of cables are written
  with mock.patch.object(members, "OWN", 0):
    return _finger()


def _tensegrity():
  # free bodies tied by passive and commanded cables, falling on the floor: contacts, islands
  return tensegrity.build(tensegrity.Tensegrity(stroke=0.02, clearance=0.002))


def _hand():
  # rolling joints; extensors over six condyles in one span
  return hand.build(hand.Hand(digits=(hand.THUMB, hand.FINGERS[0])))


WORKSHOP = Subject("workshop", workshop.spec_of, workshop.ctrl_of)
ROBOTS = (
  _robot("spirob", _spirob, 0.0, 0.03),
  _robot("finger", _finger, 0.0, 0.02),
  _robot("sharing", _sharing, 0.0, 0.02),
  _robot("tensegrity", _tensegrity, 0.0, 0.01),
  _robot("hand", _hand, 0.0, 0.01),
)
ALL = (WORKSHOP, *ROBOTS)
