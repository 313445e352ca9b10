"""A permanent wrap (a sheave with a keeper) never lifts: where a cable would leave, it is held.

Judge: the closed form while the cable bears by itself; beyond that the shortest string that still
touches the rim, by scipy over the rim angle (1e-9 relative: the minimum is flat). The length stays
continuous through the change, and the load is the derivative of the length.
"""

import numpy as np
import pytest
from oracles import build
from oracles.taut import over_cylinder
from scipy.optimize import minimize_scalar

import mujocable as mjc

RADIUS = 0.1
START = np.array([-0.5, 0.0])


def rig():
  spec = build.new_spec()
  build.site(spec.worldbody, "source", (START[0], 0, START[1]))
  build.cylinder(spec.worldbody, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=1)
  build.site(spec.worldbody, "top", (0, 0, 0.3))
  load = build.body(spec.worldbody, "load", pos=(0.6, 0, -0.2))
  load.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  load.add_joint(name="z", type=build.SLIDE, axis=(0, 0, 1))
  build.site(load, "hook", (0, 0, 0))
  route = [mjc.Anchor("source"), mjc.Wrap("sheave", side="top", permanent=True), mjc.Anchor("hook")]
  cable = mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=400.0, pretension=5.0))
  model, data, views = build.compiled(spec, cable)
  return model, data, views["cable"]


def shortest(hook):
  """Length, and whether the cable bears by itself."""
  start3, hook3 = np.append(START, 0), np.append(hook, 0)
  length, arc = over_cylinder(start3, hook3, RADIUS, np.arctan2(hook[1], hook[0]) - np.pi)
  if arc is not None:
    return length, True

  def held(angle):
    p = RADIUS * np.array([np.cos(angle), np.sin(angle)])
    return np.linalg.norm(p - START) + np.linalg.norm(hook - p)

  best = minimize_scalar(held, bounds=(0.0, np.pi), method="bounded", options={"xatol": 1e-12})
  return best.fun, False


def test_the_cable_stays_on_the_rim():
  model, data, view = rig()
  kinds = set()
  lengths, gradients, poses = [], [], []
  for t in np.linspace(0, 2 * np.pi, 400):
    pose = np.array([0.15 * np.sin(t), 0.55 * (1 - np.cos(t))])
    build.settle(model, data, pose)
    hook = np.array([0.6, -0.2]) + pose
    want, bears = shortest(hook)
    kinds.add(bears)
    assert build.is_valid(view) and view.touching[0]
    assert view.length == pytest.approx(want, rel=1e-9), t
    assert abs(np.linalg.norm(view.entry[0, [0, 2]]) - RADIUS) < 1e-12
    lengths.append(view.length)
    gradients.append(view.jacobian.copy())
    poses.append(pose)
  assert kinds == {True, False}
  lengths, gradients, poses = map(np.array, (lengths, gradients, poses))
  predicted = (0.5 * (gradients[1:] + gradients[:-1]) * np.diff(poses, axis=0)).sum(axis=1)
  assert np.abs(np.diff(lengths) - predicted).max() < 1e-4  # second order: steps of 1 cm
