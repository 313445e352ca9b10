"""The elbow behind a sheath: the shoulder feels nothing of the cable."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import bowden_elbow


@pytest.mark.parametrize("shoulder", [0.0, 0.8, 1.6])
def test_the_cable_bends_the_elbow_and_leaves_the_shoulder_alone(shoulder):
  """Moment arms: the radius of the pulley, and none; an eyelet instead would turn the shoulder."""
  model = bowden_elbow.build().compile()
  data = mujoco.MjData(model)
  data.joint("shoulder").qpos[0] = shoulder
  data.joint("elbow").qpos[0] = 0.4
  mujoco.mj_forward(model, data)
  arms = mjc.bind(model, data)[bowden_elbow.CABLE].jacobian
  assert arms[model.joint("elbow").dofadr[0]] == pytest.approx(
    -bowden_elbow.BowdenElbow().pulley, rel=1e-6
  )
  assert abs(arms[model.joint("shoulder").dofadr[0]]) < 1e-12


@pytest.mark.parametrize("shoulder", [0.0, 1.6])
def test_it_loses_by_what_the_posture_bends(shoulder):
  """Slowly in and out: exp(mu bend) between motor and elbow, one way and the other."""
  model = bowden_elbow.build().compile()
  data = mujoco.MjData(model)
  flexor = mjc.bind(model, data)[bowden_elbow.CABLE]
  data.joint("shoulder").qpos[0] = data.actuator("shoulder").ctrl[0] = shoulder
  ratio = []
  for taken in (*np.linspace(0, 0.03, 1500), *np.linspace(0.03, 0.02, 500)):
    data.ctrl[flexor.command] = taken
    mujoco.mj_step(model, data)
    ratio.append(flexor.tension[0] / max(flexor.tension[2], 1e-9))
  most = np.exp(bowden_elbow.BowdenElbow().friction * flexor.wrap_angle[:2].sum())
  assert ratio[1499] == pytest.approx(most, rel=1e-3)
  assert ratio[-1] == pytest.approx(1 / most, rel=1e-3)


def test_it_rests_where_it_is_left():
  """Behind friction the elbow stays while the motor gives a little, for as long as one waits."""
  model = bowden_elbow.build().compile()
  data = mujoco.MjData(model)
  flexor = mjc.bind(model, data)[bowden_elbow.CABLE]
  for taken in (*np.linspace(0, 0.03, 1500), *np.linspace(0.03, 0.0296, 50)):
    data.ctrl[flexor.command] = taken
    mujoco.mj_step(model, data)
  mujoco.mj_step(model, data, nstep=2000)
  before = data.joint("elbow").qpos[0].copy()
  for taken in np.linspace(0.0296, 0.0294, 1000):  # slowly: damping passes a jerk on
    data.ctrl[flexor.command] = taken
    mujoco.mj_step(model, data)
  mujoco.mj_step(model, data, nstep=1000)
  assert flexor.stuck[0] and abs(data.joint("elbow").qpos[0] - before) < 1e-6
