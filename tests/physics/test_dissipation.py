"""(14): friction never gives energy: P_i = (T_i - T_{i-1}) v_i >= 0 at every contact and step.

Exact in velocity mode: the sign of the tension step is the sign of the slip by (10) and (13).
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated

import mujocable as mjc


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
    formula = np.diff(tension) * slip
    assert np.abs(lost - formula).max() <= 1e-12 * max(1e-9, np.abs(formula).max())
    total += lost.sum() * s.model.opt.timestep
  assert total > 0
