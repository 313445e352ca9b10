"""A step in which no balance is found: the cable pulls by its law, and says so once."""

import mujoco
import numpy as np
import pytest
import test_no_energy_from_nowhere as scenes

import mujocable as mjc

SEED = 10  # a random scene at 10 ms, where two contacts flip within one step


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
