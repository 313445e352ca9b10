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
