"""The finger: its couplings, its one command, its arms."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import finger


@pytest.fixture(scope="module")
def straight():
  model = finger.build().compile()
  return model, mujoco.MjData(model)


def pose(straight, *degrees):
  model, data = straight
  mujoco.mj_resetData(model, data)
  data.qpos[:] = np.deg2rad(degrees)
  mujoco.mj_forward(model, data)
  return mjc.bind(model, data)


def test_six_routes_and_one_command(straight):
  model, _ = straight
  cables = pose(straight, 0, 0, 0)
  assert list(cables) == [finger.FLEXOR, finger.EXTENSOR, *finger.COUPLINGS]
  assert model.nu == 2 and finger.command(0.01) == (0.01, -0.01)
  assert all(cable.source_tension == 0 for cable in cables.values())


@pytest.mark.parametrize("angle", [20, 45, 70, 89])
def test_couplings_are_loose_while_the_joints_agree(straight, angle):
  cables = pose(straight, angle, angle, angle)
  for name in finger.COUPLINGS:
    assert 0 < cables[name].slack < 1e-3
    assert cables[name].touching.all()


@pytest.mark.parametrize(
  ("degrees", "taut"),
  [
    ((60, 30, 30), "mcp_leads_pip"),
    ((30, 60, 60), "pip_leads_mcp"),
    ((60, 60, 30), "pip_leads_dip"),
    ((30, 30, 60), "dip_leads_pip"),
  ],
)
def test_a_coupling_is_taut_when_its_joint_leads(straight, degrees, taut):
  cables = pose(straight, *degrees)
  leader, _, follower = taut.partition("_leads_")
  for name in finger.COUPLINGS:
    assert (cables[name].source_tension > 0) == (name == taut)
  load = dict(zip(finger.JOINTS, cables[taut].load, strict=True))
  assert load[leader] < 0 < load[follower]


def test_extensor_has_constant_arms_and_flexor_keeps_pulling(straight):
  for angle in (5, 45, 89):
    cables = pose(straight, angle, angle, angle)
    assert cables[finger.EXTENSOR].jacobian == pytest.approx([0.010, 0.008, 0.006], abs=1e-12)
    assert (cables[finger.FLEXOR].jacobian < -0.006).all()


def test_extensor_straightens_the_finger():
  model = finger.build().compile()
  data = mujoco.MjData(model)
  data.qpos[:] = 1.0
  data.ctrl[:] = finger.command(-0.02)
  mujoco.mj_step(model, data, nstep=4000)
  assert np.rad2deg(data.qpos).max() < 1.0
