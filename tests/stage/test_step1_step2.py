"""Commands are read only where MuJoCo reads commands: between mj_step1 and mj_step2 they count."""

import mujoco
import numpy as np
import pytest
from oracles import subjects, workshop


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "implicit", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_a_command_set_between_the_halves_is_obeyed(subject, integrator):
  model = subject.compile(integrator)
  whole, halves = mujoco.MjData(model), mujoco.MjData(model)
  for step in range(200):
    ctrl = subject.ctrl(model, step)
    whole.ctrl[:] = ctrl
    mujoco.mj_step(model, whole)
    halves.ctrl[:] = np.nan if step % 7 == 3 else -123.0  # what stands there must not matter
    mujoco.mj_step1(model, halves)
    halves.ctrl[:] = ctrl
    mujoco.mj_step2(model, halves)
    assert np.array_equal(whole.qpos, halves.qpos), step
    assert np.array_equal(whole.qvel, halves.qvel)
    assert np.array_equal(whole.act, halves.act)
    assert np.array_equal(whole.plugin_state, halves.plugin_state)
  assert np.array_equal(whole.sensordata, halves.sensordata)


def test_a_new_command_changes_the_force_of_the_same_step():
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 50)
  state = workshop.state_of(model, data)
  forces = []
  for tension in (5.0, 25.0):
    mujoco.mj_setState(model, data, state, workshop.FULL)
    mujoco.mj_step1(model, data)
    data.ctrl[model.actuator("arm").id] = tension
    mujoco.mj_step2(model, data)
    forces.append(data.actuator("arm").force[0])
  assert forces == [5.0, 25.0]
