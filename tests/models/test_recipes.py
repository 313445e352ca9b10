"""Known robots with native tendons and the recipe that converts them; nothing is downloaded.

Judges: the native model for what must not change without friction, Capstan's law for what friction
changes, virtual work for the ropes.
"""

import importlib

import mujoco
import numpy as np
import pytest

import mujocable as mjc

ROBOTS = ["adaptive_hand", "exosuit", "muscle_arm", "soft_foot", "tendon_finger"]
CABLES = {"adaptive_hand": 4, "exosuit": 3, "muscle_arm": 6, "soft_foot": 1, "tendon_finger": 2}


def robot(name):
  return importlib.import_module(f"mujocable.models.{name}")


@pytest.mark.parametrize("name", ROBOTS)
def test_every_tendon_converts_and_runs_as_before(name):
  module = robot(name)
  conversion = mjc.convert(module.native(), poses=24, **module.RECIPE)
  assert not conversion.kept and conversion.friction > 0
  assert sum(len(one.cables) for one in conversion.converted) == CABLES[name]
  for one in conversion.converted:
    assert one.length_error < 1e-12 and one.arm_error < 1e-12
    assert one.differing == 0 and not one.no_path
  assert list(mjc.read_cables(module.build())) == [
    cable for one in conversion.converted for cable in one.cables
  ]


@pytest.mark.parametrize("name", ["adaptive_hand", "muscle_arm", "tendon_finger"])
def test_without_friction_the_motion_is_the_native_one(name):
  module = robot(name)
  models = [
    module.native().compile(),
    mjc.convert(module.native(), poses=2, **{**module.RECIPE, "friction": 0.0}).spec.compile(),
  ]
  datas = [mujoco.MjData(model) for model in models]
  apart, moved = 0.0, 0.0
  for step in range(200):
    for model, data in zip(models, datas, strict=True):
      data.ctrl[:] = 0.15 * model.actuator_ctrlrange[:, 1] * min(1, step / 100)
      mujoco.mj_step(model, data)
    apart = max(apart, float(np.abs(datas[0].qpos - datas[1].qpos).max()))
    moved = max(moved, float(np.abs(datas[0].qpos - models[0].qpos0).max()))
  assert apart < 1e-8 and moved > 0.02


def test_the_whippletree_shares_the_pull():
  model = robot("adaptive_hand").build().compile()
  data = mujoco.MjData(model)
  data.ctrl[:] = 30.0
  mujoco.mj_forward(model, data)
  pulls = [view.source_tension for view in mjc.bind(model, data).values()]
  assert pulls == pytest.approx([30.0, 10.0, 10.0, 10.0])


def test_muscles_keep_their_state():
  """Friction changes what the bone feels, not what the muscle makes of length and velocity."""
  module = robot("muscle_arm")
  models = [module.native().compile(), module.build().compile()]
  forces = []
  for model in models:
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.act[:] = [0.4, 1.0], [0.5, -2.0], 0.6
    mujoco.mj_forward(model, data)
    forces.append(data.actuator_force.copy())
  assert np.array_equal(*forces) and forces[0].min() < -20


def test_the_exosuit_lifts_the_load():
  module = robot("exosuit")
  model = module.build().compile()
  data = mujoco.MjData(model)
  low, high = model.actuator("lift").ctrlrange
  data.ctrl[:] = low + 0.3 * (high - low)
  mujoco.mj_step(model, data, nstep=1500)
  assert data.joint("elbow").qpos[0] > 0.5
  lift = mjc.bind(model, data)["lift"]
  assert lift.tension[0] > lift.tension[-1] > 10


def test_the_rope_of_the_foot_carries_the_arch():
  """Static: the rope's pull times what it takes in equals the load times the way of the arch."""
  module = robot("soft_foot")
  spec = mjc.convert(module.native(), friction=0.0, poses=2).spec
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[0] = 200.0
  mujoco.mj_step(model, data, nstep=3000)
  assert np.abs(data.qvel).max() < 1e-3
  rope = mjc.bind(model, data)["plantar:rope"]
  assert rope.source_tension > 100
  stretch = rope.length - module.native().tendon("plantar").range[1]
  assert 0 < stretch < 0.01 * rope.length
  # all generalized forces balance, the rope's among them
  left = data.qfrc_actuator + data.qfrc_passive + data.qfrc_constraint - data.qfrc_bias
  assert np.abs(left).max() < 0.05
  toes = data.joint("height").qpos[0]
  data.ctrl[1] = 0.5
  mujoco.mj_step(model, data, nstep=3000)
  assert rope.wrap_angle[rope.touching].sum() > 0.4
  assert data.joint("height").qpos[0] != toes
