"""Textbook machines: the prism's prestress, Atwood's fall, the capstan's hold."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import atwood, capstan, tensegrity


def test_prism_is_in_balance_with_itself():
  model = tensegrity.build(tensegrity.Tensegrity(gravity=0.0)).compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  cables = mjc.bind(model, data)
  assert list(cables) == list(tensegrity.CABLES)

  # at every end of a strut the three cables pull along the strut
  pull = {}
  for cable in cables.values():
    (a, b), tension = cable.points, cable.source_tension
    assert tension > 0
    force = tension * (b - a) / np.linalg.norm(b - a)
    for end, sign in ((a, 1), (b, -1)):
      key = tuple(np.round(end, 9))
      pull[key] = pull.get(key, 0) + sign * force
  assert len(pull) == 6
  for i in range(3):
    foot, head = data.site(f"low_{i}").xpos, data.site(f"high_{(i + 1) % 3}").xpos
    along = (head - foot) / np.linalg.norm(head - foot)
    at_foot, at_head = pull[tuple(np.round(foot, 9))], pull[tuple(np.round(head, 9))]
    assert np.cross(at_foot, along) == pytest.approx(0, abs=1e-9)
    assert at_foot @ along > 0 > at_head @ along
    assert at_foot == pytest.approx(-at_head, abs=1e-9)


def test_prism_falls_bounces_and_stands():
  model = tensegrity.build().compile()
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data, nstep=4000)
  cables = mjc.bind(model, data).values()
  assert np.abs(data.qvel).max() < 0.05
  assert all(cable.source_tension > 5 for cable in cables)
  assert min(data.site(f"high_{i}").xpos[2] for i in range(3)) > 0.2


def test_prism_with_motors_grows_when_cable_is_paid_out():
  model = tensegrity.build(tensegrity.Tensegrity(stroke=0.01, gravity=0.0)).compile()
  data = mujoco.MjData(model)
  assert model.nu == 3
  data.ctrl[:] = -0.004
  mujoco.mj_step(model, data, nstep=2000)
  sides = [mjc.bind(model, data)[f"side_{i}"] for i in range(3)]
  assert all(cable.source_tension < 20 for cable in sides)
  assert all(cable.source_tension > 0 for cable in sides)


def test_atwood_lands_when_the_closed_form_says():
  params = atwood.Atwood(floor=False)
  model = atwood.build(params).compile()
  data = mujoco.MjData(model)
  while data.joint("right").qpos[0] > -params.drop:
    mujoco.mj_step(model, data)
  assert data.time == pytest.approx(np.sqrt(2 * params.drop / params.acceleration), abs=2e-4)
  speed = -data.joint("right").qvel[0]
  assert params.radius * data.joint("sheave").qvel[0] == pytest.approx(speed, rel=2e-3)


def test_atwood_stops_on_the_floor():
  model = atwood.build().compile()
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data, nstep=20000)
  assert data.joint("right").qpos[0] == pytest.approx(-atwood.Atwood().drop, abs=2e-3)


def hang(turns, share):
  """How far the load is after a second of this share of the least pull that holds it [m]."""
  params = capstan.Capstan()
  model = capstan.build(params).compile()
  data = mujoco.MjData(model)
  rope = mjc.bind(model, data)[capstan.CABLE]
  capstan.wind(data, turns)
  mujoco.mj_forward(model, data)
  angle = float(rope.wrap_angle[0])
  weight = params.load * params.gravity
  data.ctrl[0] = weight  # taken over from whoever held it
  mujoco.mj_step(model, data, nstep=500)
  start = float(data.joint("lift").qpos[0])
  data.ctrl[0] = share * weight * np.exp(-params.friction * angle)
  mujoco.mj_step(model, data, nstep=1000)
  return float(data.joint("lift").qpos[0]) - start, rope


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_capstan_holds_with_what_its_turns_leave(turns):
  """Capstan's law is the limit: a little more holds, a little less lets the load down."""
  held, rope = hang(turns, 1.05)
  assert rope.wrap_angle[0] == pytest.approx(2 * np.pi * turns + np.pi, abs=0.3)  # the hand gives
  assert abs(held) < 2e-3  # what the rope gives way before it sticks
  assert rope.tension[1] == pytest.approx(20.0 * 9.81, rel=5e-3)  # it leans by a few degrees
  let_down, rope = hang(turns, 0.9)
  assert let_down < -0.01
  assert rope.tension[1] / rope.tension[0] == pytest.approx(np.exp(0.2 * rope.wrap_angle[0]))
