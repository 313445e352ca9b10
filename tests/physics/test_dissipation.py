"""Friction never gives energy: material moves toward the higher tension, at every contact and step.

By the law it is the sum over the sub-contacts of an arc, which the tensions at its ends bound.
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated

import mujocable as mjc

EYELET = 2  # of the contacts: between two wraps and one


@pytest.mark.parametrize("take_up", [None, mjc.SpoolRate(radius=0.02, range=(-20.0, 20.0))])
@pytest.mark.parametrize("seed", range(6))
def test_power_lost_at_each_contact_is_never_negative(seed, take_up):
  s = articulated.scene([seed, 22], spans=(2, 1), friction=0.35, take_up=take_up)
  rng = np.random.default_rng(seed)
  articulated.shake(s, rng)
  total = 0.0
  for step in range(500):
    if s.model.nu and step % 50 == 0:
      s.data.ctrl[:] = rng.uniform(-20, 20)
    mujoco.mj_step(s.model, s.data)
    lost = np.asarray(s.view.dissipation)
    assert lost.min() >= 0
    tension, slip = np.asarray(s.view.tension), np.asarray(s.view.slip_rate)
    formula = np.diff(tension) * slip  # where the contact is a point: along an arc the slip differs
    assert lost[EYELET] == pytest.approx(formula[EYELET], rel=1e-12, abs=1e-15)
    total += lost.sum() * s.model.opt.timestep
  assert total > 0
