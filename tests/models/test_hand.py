"""The hand: its joints roll, its ten cables have closed forms, it closes and opens."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import hand

PARAMS = hand.Hand(friction=0.0)


@pytest.fixture(scope="module")
def open_hand():
  model = hand.build(PARAMS).compile()
  return model, mujoco.MjData(model)


def pose(open_hand, angles):
  """All digits at the same three angles [rad], in small steps as a simulation would take them."""
  model, data = open_hand
  mujoco.mj_resetData(model, data)
  for part in np.linspace(0, 1, 30):
    for digit in PARAMS.digits:
      for i, angle in enumerate(angles):
        for hinge in (1, 2):
          data.joint(f"{digit.joint(i)}:{hinge}").qpos[0] = part * angle / 2
    mujoco.mj_forward(model, data)
    data.plugin_state[:] = settled(model, data)
  return data, mjc.bind(model, data)


def settled(model, data):
  """What the cables remember after a step from here."""
  copy = mujoco.MjData(model)
  mujoco.mj_copyData(copy, model, data)
  mujoco.mj_step(model, copy)
  return copy.plugin_state


def test_ten_cables_and_as_many_motors(open_hand):
  model, data = open_hand
  mujoco.mj_resetData(model, data)
  mujoco.mj_forward(model, data)
  cables = mjc.bind(model, data)
  assert list(cables) == list(PARAMS.names) and len(cables) == model.nu == 10
  assert [model.actuator(i).name for i in range(10)] == list(PARAMS.names)
  assert model.nv == 30
  assert all(cable.status == mjc.SolveStatus.VALID for cable in cables.values())
  assert all(cable.source_tension == 0 for cable in cables.values())


@pytest.mark.parametrize("angles", [(0.3, 0.4, 0.5), (0.9, 0.4, 1.2), (1.5, 1.5, 1.5)])
def test_lengths_are_the_closed_forms(open_hand, angles):
  begin = (0.25, 0.25, 0.25)  # the extensor lies on every condyle from here on
  _, cables = pose(open_hand, begin)
  before = {name: cable.length for name, cable in cables.items()}
  _, cables = pose(open_hand, angles)
  for digit in PARAMS.digits:
    for name, law, sign in (
      (digit.flexor, PARAMS.shortening, -1),
      (digit.extensor, PARAMS.lengthening, 1),
    ):
      want = sign * (law(digit, angles) - law(digit, begin))
      assert cables[name].status == mjc.SolveStatus.VALID
      assert cables[name].length - before[name] == pytest.approx(want, abs=1e-12), name
    arms = np.add(digit.radii, PARAMS.cable_radius)
    row = cables[digit.extensor].jacobian
    assert row[row != 0] == pytest.approx(np.repeat(arms, 2), abs=1e-9)


def test_condyles_roll(open_hand):
  data, _ = pose(open_hand, (0.7, 0.5, 0.3))
  for digit in PARAMS.digits:
    for i, radius in enumerate(digit.radii):
      head, base = (data.geom(f"{digit.joint(i)}:{end}") for end in ("head", "base"))
      apart = base.xpos - head.xpos
      assert np.linalg.norm(apart) == pytest.approx(2 * radius, abs=1e-15)
      # the touching point has moved by the same arc on both
      across = data.joint(f"{digit.joint(i)}:1").xaxis
      arcs = []
      for geom, sign in ((head, 1), (base, -1)):
        bone = geom.xmat.reshape(3, 3) @ [-1.0, 0.0, 0.0]  # z of the bone: the geom's -x
        arcs.append(sign * np.cross(bone, apart) @ across / np.linalg.norm(apart))
      assert arcs[0] == pytest.approx(arcs[1], abs=1e-14)
      assert arcs[0] == pytest.approx(np.sin([0.7, 0.5, 0.3][i] / 2), abs=1e-14)


def test_hand_closes_and_opens():
  params = hand.Hand()
  model = hand.build(params).compile()
  data = mujoco.MjData(model)
  cables = mjc.bind(model, data).values()

  def move(begin, end):
    for x in np.linspace(begin, end, 1200):
      data.ctrl[:] = hand.command(params, x)
      mujoco.mj_step(model, data)
      assert all(cable.status == mjc.SolveStatus.VALID for cable in cables)
    mujoco.mj_step(model, data, nstep=600)
    return np.rad2deg(data.qpos.reshape(-1, 2).sum(axis=1))

  closed = move(0.0, 1.0)
  assert closed.min() > 75 and closed.max() < 91
  # teeth hold the hinges of a pair together
  assert np.abs(np.diff(data.qpos.reshape(-1, 2), axis=1)).max() < 2e-3
  assert move(1.0, 0.0).max() < 3


def test_one_digit_alone_follows_its_own_command():
  params = hand.Hand()
  model = hand.build(params).compile()
  data = mujoco.MjData(model)
  data.ctrl[:] = hand.command(params, [0.0, 0.6, 0.0, 0.0, 0.0])
  mujoco.mj_step(model, data, nstep=1000)
  bend = np.rad2deg(data.qpos.reshape(5, 6).sum(axis=1))
  assert bend[1] > 120 and np.abs(np.delete(bend, 1)).max() < 5


def test_digits_need_names_of_their_own():
  with pytest.raises(mjc.CableError, match="digits must be"):
    hand.Hand(digits=(hand.THUMB, hand.THUMB))
