"""Robots in one scene: attached twice with prefixes they move as one alone, without a warning."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import finger, spirob


def alone(spec):
  model = spec.compile()
  return model, mujoco.MjData(model)


@pytest.mark.parametrize("robot", [finger, spirob], ids=["finger", "spirob"])
def test_two_robots_move_as_one_alone(robot):
  one, data_one = alone(robot.build())
  scene = mujoco.MjSpec()
  for option in ("timestep", "integrator", "gravity"):
    setattr(scene.option, option, getattr(robot.build().option, option))
  for i, prefix in enumerate(("left_", "right_")):
    scene.attach(robot.build(), prefix=prefix, frame=scene.worldbody.add_frame(pos=[0, 0.5 * i, 0]))
  both, data_both = alone(scene)
  for step in range(1000):
    pull = 2e-5 * step
    data_one.ctrl[:] = pull, -pull
    data_both.ctrl[:] = pull, -pull, pull, -pull
    mujoco.mj_step(one, data_one)
    mujoco.mj_step(both, data_both)
  assert data_one.qpos.max() > 0.1
  assert data_both.qpos == pytest.approx(np.tile(data_one.qpos, 2), abs=1e-9)
  assert len(mjc.bind(both, data_both)) == 2 * len(mjc.bind(one, data_one))
