"""Scenes side by side in one model know nothing of each other.

Six random scenes are attached to one world; every one of them must move as it does alone, to the
last bit: joints, tensions, status. Cables that share a plugin instance, are taken together or are
solved with the motion of the step would show what they owe to a neighbor.
"""

import dataclasses
import itertools

import mujoco
import numpy as np
import pytest
from oracles import random_scene

import mujocable as mjc

STEPS = 60
# positions and velocities of a joint
SIZES = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}


def world(integrator):
  spec = mujoco.MjSpec()
  spec.option.timestep = 2e-3
  spec.option.gravity = [0, 0, -1]
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
  return spec


def scene(seed, integrator, stiffer):
  """A world with one scene, or None where it is refused."""
  rng = np.random.default_rng([seed, 99])
  spec, cable, _ = random_scene.scene(rng)
  friction, axial = float(rng.choice([0.0, rng.uniform(0.05, 0.6)])), cable.axial
  if axial.stiffness is not None:
    axial = dataclasses.replace(axial, stiffness=stiffer * axial.stiffness)
  spec.option = world(integrator).option
  try:
    mjc.add_cable(spec, dataclasses.replace(cable, friction=friction, axial=axial))
    spec.compile()
  except (mjc.CableError, ValueError):
    return None
  return spec


def run(model, groups):
  """Rows of each group, which begins its names: positions, velocities, what its cable says."""
  data = mujoco.MjData(model)
  mjc.hush(model, data)
  views = mjc.bind(model, data)
  places = {group: [[], []] for group in groups}
  for j in range(model.njnt):
    begins = (model.jnt_qposadr[j], model.jnt_dofadr[j])
    group = next(g for g in groups if model.joint(j).name.startswith(g))
    for k, size in enumerate(SIZES[int(model.jnt_type[j])]):
      places[group][k] += range(begins[k], begins[k] + size)
  rows = {group: [] for group in groups}
  for k in range(STEPS):
    for view in views.values():
      random_scene.drive(model, data, view, k)
    mujoco.mj_step(model, data)
    for group, (qpos, qvel) in places.items():
      view = views[f"{group}cable"]
      said = [view.length, int(view.status), view.solves, *view.tension, *view.slip]
      rows[group].append([*data.qpos[qpos], *data.qvel[qvel], *said])
  assert not data.warning.number.any()
  return {group: np.array(numbers) for group, numbers in rows.items()}


@pytest.mark.parametrize(
  ("integrator", "stiffer"),
  [
    *itertools.product(("IMPLICITFAST", "EULER", "IMPLICIT", "DISCRETE"), (1.0, 300.0)),
    ("RK4", 1.0),  # where every cable is explicit
  ],
)
def test_scenes_side_by_side_move_as_alone(integrator, stiffer):
  ran = 0
  for first in range(0, 60, 6):
    together, alone = world(integrator), {}
    for seed in range(first, first + 6):
      spec, group = scene(seed, integrator, stiffer), f"{seed}:"
      if spec is None:
        continue
      alone[group] = run(spec.compile(), [""])[""]
      together.attach(spec, prefix=group, frame=together.worldbody.add_frame())
    for group, numbers in run(together.compile(), list(alone)).items():
      assert np.array_equal(numbers, alone[group]), group
      ran += 1
  assert ran > 40
