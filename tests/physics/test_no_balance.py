"""A step in which no balance is found: the cable pulls by its law, and says so once."""

import mujoco
import numpy as np
import pytest
import test_no_energy_from_nowhere as scenes

import mujocable as mjc
from mujocable.models import spirob

SEED = 1357  # a random scene at 10 ms, where none is found in two steps


@pytest.fixture
def warnings():
  """What MuJoCo warns of."""
  heard: list[str] = []
  before = mujoco.get_mju_user_warning()
  mujoco.set_mju_user_warning(heard.append)
  yield heard
  mujoco.set_mju_user_warning(before)


def test_a_step_without_balance_says_so_once(warnings):
  model, scale, *_ = scenes.build(SEED)
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  data.qvel[:] = scenes.start(model, scale, SEED)
  solves, energy = [], []
  for _ in range(30):
    mujoco.mj_step(model, data)
    solves.append(view.solves)
    energy.append(data.energy.sum() + view.energy)
    tension = np.asarray(view.tension)
    assert np.isfinite(data.qacc).all() and np.isfinite(tension).all() and (tension >= 0).all()
    assert np.min(view.dissipation) >= 0
  assert min(solves) < 0 < max(solves)
  assert max(energy) <= energy[0] + 0.02 * np.ptp(energy)
  told = [text for text in warnings if "finds no balance" in text]
  assert len(told) == 1 and "cable 'cable'" in told[0]
  # and not where it was asked to be quiet
  mujoco.mj_resetData(model, data)
  mjc.hush(model, data)
  data.qvel[:] = scenes.start(model, scale, SEED)
  warnings.clear()
  for _ in range(30):
    mujoco.mj_step(model, data)
  assert not [text for text in warnings if "finds no balance" in text]


@pytest.mark.parametrize("damping", [0.0, 1.0])
def test_a_light_sheave_finds_its_balance(damping):
  """Ten milliseconds, 1 g under a taut cable: from one place to begin at, some steps found none."""
  text = f"""<mujoco><option timestep=".01" integrator="implicitfast"/><worldbody>
    <site name="motor" pos="-.22 0 .35"/><site name="hint" pos=".03 0 .4"/>
    <body pos="0 0 .3"><joint axis="0 1 0" damping="{1e-7 * damping}"/>
      <geom name="rim" type="cylinder" size=".02 .01" euler="90 0 0" mass=".001"/></body>
    <body pos=".02 0 -.3"><joint type="slide" axis="0 0 1" damping="{0.01 * damping}"/>
      <geom size=".02" mass=".5"/><site name="hook"/></body></worldbody></mujoco>"""
  spec = mujoco.MjSpec.from_string(text)
  route = [mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Anchor("hook")]
  axial = mjc.Axial(stiffness=2e4, damping=10.0, pretension=0.5 * 9.81)
  mjc.add_cable(
    spec, mjc.Cable("c", route, axial, friction=0.3, take_up=mjc.LengthCommand(range=(-1, 1)))
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  solves = []
  for step in range(150):
    data.ctrl[0] = 0.05 * (1 - np.cos(0.02 * np.pi * min(step, 100)))
    mujoco.mj_step(model, data)
    solves.append(view.solves)
  assert min(solves) >= 0 and max(solves) > 2


@pytest.mark.parametrize("drive", ["tension", "length"])
@pytest.mark.parametrize("cables", [2, 3])
def test_an_arm_that_is_pulled_alike_from_all_sides_is_in_balance(cables, drive, warnings):
  """The loads cancel: what is left is the rounding of tensions that hold each other."""
  spiral = spirob.Spiral(units=10, radius=6e-3)
  params = spirob.Spirob(
    spiral=spiral, cables=cables, drive=drive, stiffness=0.03, damping=0.006, friction=0.1,
    max_tension=2.0, timestep=1e-3,
  )  # fmt: skip
  model = spirob.build(params).compile()
  data = mujoco.MjData(model)
  views = [mjc.bind(model, data)[name] for name in spirob.cable_names(params)]
  data.ctrl[:] = 1.0 if drive == "tension" else 0.002
  solves = []
  for _ in range(100):
    mujoco.mj_step(model, data)
    solves += [view.solves for view in views]
  assert min(view.tension.min() for view in views) > 0.5
  assert min(solves) >= 0 and max(solves) in (1, 2)
  assert np.abs(data.qpos).max() < 1e-12
  assert not warnings


def test_random_tentacles_whose_commands_jump_find_their_balance():
  """Stiffness over two and a half decades, friction from 0 to 1, at a coarse step."""
  without = steps = 0
  fastest = 0.0
  for seed in range(30):
    rng = np.random.default_rng(seed)
    spec = spirob.build(spirob.Spirob(friction=0.3))
    spec.option.timestep = 5e-3
    model = spec.compile()
    data = mujoco.MjData(model)
    views = mjc.bind(model, data).values()
    for view in views:
      view.stiffness *= 10 ** rng.uniform(-1, 1.5)
      view.damping *= 10 ** rng.uniform(-1, 1)
      view.friction = rng.uniform(0, 1)
      view.home_length *= rng.uniform(0.98, 1.02)
    for k in range(150):
      if k % 50 == 0:
        data.ctrl[:] = 0.5 * rng.uniform(*model.actuator_ctrlrange.T)
      mujoco.mj_step(model, data)
      fastest = max(fastest, np.abs(data.qvel).max())
      without += sum(view.solves < 0 for view in views)
      steps += len(views)
  print(f"{without} of {steps} solutions without balance, fastest joint {fastest:.0f} rad/s")
  assert without <= 1.5e-3 * steps
  assert fastest < 1e3 and not data.warning.number.any()
