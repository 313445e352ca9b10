"""After mj_step a read-out belongs to the state the step started from, as every MuJoCo sensor.

RK4 evaluates the forces four times a step; what is read must be the first of them. A forward call
always reads the present pose.
"""

import mujoco
import numpy as np
import pytest
from oracles import subjects
from oracles.straight import cart


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "rk4", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_read_outs_after_a_step_are_those_before_it(subject, integrator):
  model = subject.compile(integrator)
  data = mujoco.MjData(model)
  for step in range(100):
    data.ctrl[:] = subject.ctrl(model, step)
    mujoco.mj_forward(model, data)
    before = data.sensordata.copy()
    mujoco.mj_step(model, data)
    assert np.array_equal(data.sensordata, before), step


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.5, 1.0, 1.05, 2.0, -1.0])
@pytest.mark.parametrize("integrator", ["implicitfast", "rk4"])
def test_a_forward_call_reads_the_present_pose_at_any_time(integrator, fraction):
  """A log is played back: qpos and time are set from outside, then mj_forward."""
  model, data, view = cart(stiffness=1000.0, transition=0.0)
  model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  for _ in range(10):
    mujoco.mj_step(model, data)
  data.time += fraction * model.opt.timestep
  data.qpos[0] = 0.02
  mujoco.mj_forward(model, data)
  assert view.length == pytest.approx(1.02, rel=1e-14)
  assert view.source_tension == pytest.approx(20.0, rel=1e-12)
  assert data.qfrc_passive[0] == pytest.approx(-20.0, rel=1e-12)
