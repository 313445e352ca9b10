"""A cable never pushes: tension is never negative, and exactly zero when slack.

Exact comparisons: a slack cable writes zeros, not small numbers.
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated, build
from oracles.straight import cart

import mujocable as mjc


def test_a_slack_cable_pulls_with_exactly_zero():
  model, data, view = cart(stiffness=1e4, damping=50.0)
  data.qpos[0], data.qvel[0] = -0.05, 3.0
  mujoco.mj_forward(model, data)
  assert np.all(np.asarray(view.tension) == 0) and view.source_tension == 0
  assert np.all(view.load == 0) and np.all(data.qfrc_passive == 0)
  assert view.slack == pytest.approx(0.05, rel=1e-12)


def test_paying_out_does_not_push():
  """A native servo told to pay out pushes (388 N in one public hand); a cable goes slack."""
  model, data, view = cart(stiffness=1e4, take_up=mjc.LengthCommand(range=(-0.2, 0.2)))
  data.ctrl[0] = -0.1
  mujoco.mj_forward(model, data)
  assert view.source_tension == 0 and np.all(view.load == 0) and np.all(data.qfrc_actuator == 0)
  assert view.slack == pytest.approx(0.1, rel=1e-12)


def test_fast_shortening_with_damping_does_not_push():
  model, data, view = cart(stiffness=100.0, damping=500.0, transition=1e-4)
  data.qpos[0], data.qvel[0] = 0.01, -5.0
  mujoco.mj_forward(model, data)
  assert view.source_tension == 0 and np.all(view.load == 0)


@pytest.mark.parametrize("integration", ["auto", "explicit"])
@pytest.mark.parametrize("command", ["length", "tension"])
def test_slack_forgets_which_way_the_cable_was_pulled(command, integration):
  """No tension, no friction: what was slack comes taut as one that had never been pulled."""
  spec = mujoco.MjSpec.from_string("""<mujoco><worldbody>
    <site name="motor" pos="-.5 0 0"/><site name="top" pos="0 0 .1"/>
    <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0"/>
    <body name="hand" pos=".5 0 0" mocap="true"><site name="hand"/></body></worldbody></mujoco>""")
  take_up = mjc.LengthCommand(range=(-0.1, 0.1))
  if command == "tension":
    take_up = mjc.TensionCommand(range=(0, 10))
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="top"), mjc.Anchor("hand")]
  axial = mjc.Axial(stiffness=1e4, damping=20.0)
  mjc.add_cable(
    spec, mjc.Cable("c", route, axial, friction=0.4, take_up=take_up, integration=integration)
  )
  model = spec.compile()
  pulled, loose, taut = (0.004, -0.05, 0.002) if command == "length" else (8.0, 0.0, 5.0)
  after, states = [], []
  for way in (pulled, 0.5 * pulled, loose):
    data = mujoco.MjData(model)
    view = mjc.bind(model, data)["c"]
    differences = []
    for control in (way, 0.7 * way, loose, loose, taut):
      data.ctrl[0] = control
      mujoco.mj_step(model, data)
      differences.append(view.tension[0] - view.tension[-1])
      if control == loose:
        assert not view.tension.any() and not view.stuck.any() and view.dissipation.sum() == 0
    assert (np.abs(differences[:2]).min() > 0) == (way != loose)
    after.append(np.array(view.tension))
    states.append(np.array(view.segment_rest))
  assert (after[0] == after[2]).all() and (after[1] == after[2]).all() and after[2].min() > 0
  assert (states[0] == states[2]).all() and (states[1] == states[2]).all()


@pytest.mark.parametrize("seed", range(8))
def test_no_negative_tension_in_random_motion(seed):
  s = articulated.scene([seed, 30], spans=(1, 2), friction=0.4, damping=30.0, pretension=2.0)
  rng = np.random.default_rng(seed)
  articulated.shake(s, rng)
  s.data.qvel[:] *= 4
  zero = 0
  for _ in range(600):
    mujoco.mj_step(s.model, s.data)
    tension = np.asarray(s.view.tension)
    assert np.all(tension >= 0) and np.all(np.isfinite(tension))
    if tension[0] == 0:
      zero += 1
      mujoco.mj_forward(s.model, s.data)
      if s.view.source_tension == 0:
        assert np.all(s.view.load == 0)
  assert build.is_valid(s.view) or zero > 0
