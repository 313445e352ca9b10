"""The same start gives the same bits: re-run, restore, extra forwards, copies, threads.

Judge: exact comparison with a plain serial run. Every kind of cable is in the model. (Public code:
a restore changes the tension from 1.98 to 32.8 N, two threads differ from one and from themselves.)
"""

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from oracles import workshop

INTEGRATORS = ["euler", "implicitfast", "implicit", "rk4", "discrete"]
STEPS = 400


@pytest.fixture(scope="module", params=INTEGRATORS)
def model(request):
  return workshop.spec_of(request.param).compile()


@pytest.fixture(scope="module")
def plain(model):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, STEPS)
  assert np.all(np.isfinite(data.qpos)) and np.all(np.isfinite(data.sensordata))
  return data


def test_a_second_run_has_the_same_bits(model, plain):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, STEPS)
  assert workshop.same(model, plain, data)


def test_a_reset_run_has_the_same_bits(model, plain):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 137)
  mujoco.mj_resetData(model, data)
  workshop.run(model, data, 0, STEPS)
  assert workshop.same(model, plain, data)


@pytest.mark.parametrize("at", [1, 50, 200, 399])
def test_a_restore_into_fresh_data_has_the_same_bits(model, plain, at):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, at)
  again = workshop.restored(model, workshop.state_of(model, data))
  workshop.run(model, again, at, STEPS)
  assert workshop.same(model, plain, again)


def test_extra_forward_calls_change_nothing(model, plain):
  def extra(model, data):
    for _ in range(3):
      mujoco.mj_forward(model, data)

  data = mujoco.MjData(model)
  workshop.run(model, data, 0, STEPS, between=extra)
  # mj_forward also writes qacc_warmstart-independent sensors, and the step repeats them
  assert workshop.same(model, plain, data)


def test_a_forward_elsewhere_between_steps_changes_nothing(model, plain):
  """A planner looks ahead on the same data: moves the pose, forwards, puts everything back."""

  def peek(model, data):
    state = workshop.state_of(model, data)
    data.qpos[:] += 0.01
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] *= -1
    data.ctrl[:] = 0.5
    mujoco.mj_forward(model, data)
    mujoco.mj_setState(model, data, state, workshop.FULL)

  data = mujoco.MjData(model)
  workshop.run(model, data, 0, STEPS, between=peek)
  assert workshop.same(model, plain, data)


def test_a_copy_goes_on_with_the_same_bits(model, plain):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 150)
  copy = mujoco.MjData(model)
  mujoco.mj_copyData(copy, model, data)
  workshop.run(model, copy, 150, STEPS)
  workshop.run(model, data, 150, STEPS)
  assert workshop.same(model, plain, copy) and workshop.same(model, plain, data)


def test_forward_leaves_the_state_alone(model):
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 60)
  # warm start and time included; mj_forward may refresh qacc_warmstart only
  spec = workshop.FULL & ~int(mujoco.mjtState.mjSTATE_WARMSTART)
  before = workshop.state_of(model, data, spec)
  for _ in range(4):
    mujoco.mj_forward(model, data)
    assert np.array_equal(workshop.state_of(model, data, spec), before)
  mujoco.mj_inverse(model, data)
  assert np.array_equal(workshop.state_of(model, data, spec), before)


def starts(model, count):
  """Different states along the plain run."""
  states, data = [], mujoco.MjData(model)
  for k in range(count):
    workshop.run(model, data, 20 * k, 20 * (k + 1))
    states.append(workshop.state_of(model, data))
  return np.array(states)


def serial(model, states, nstep, ctrl):
  """Plain loop: one fresh MjData for each start."""
  ends, sensors = [], []
  for state in states:
    data = workshop.restored(model, state)
    for step in range(nstep):
      data.ctrl[:] = ctrl[step]
      mujoco.mj_step(model, data)
    ends.append(workshop.state_of(model, data))
    sensors.append(data.sensordata.copy())
  return np.array(ends), np.array(sensors)


@pytest.mark.parametrize("nthread", [0, 2])
def test_rollout_equals_a_plain_loop(model, nthread):
  full = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
  states = starts(model, 8)
  physics, warm = [], []
  for state in states:
    data = workshop.restored(model, state)
    physics.append(workshop.state_of(model, data, full))
    warm.append(data.qacc_warmstart.copy())
  nstep = 100
  ctrl = np.array([workshop.ctrl_of(model, 1000 + k) for k in range(nstep)])
  datas = [mujoco.MjData(model) for _ in range(max(1, nthread))]
  with mujoco.rollout.Rollout(nthread=nthread) as pool:
    out, sensors = pool.rollout(
      model,
      datas,
      np.array(physics),
      np.broadcast_to(ctrl, (8, nstep, model.nu)).copy(),
      initial_warmstart=np.array(warm),
    )
  for k, state in enumerate(states):
    data = workshop.restored(model, state)
    for step in range(nstep):
      data.ctrl[:] = ctrl[step]
      mujoco.mj_step(model, data)
      assert np.array_equal(out[k, step], workshop.state_of(model, data, full)), (k, step)
      assert np.array_equal(sensors[k, step], data.sensordata)


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("nthread", [1, 2])
def test_batch_equals_a_plain_loop(model, nthread, persistent):
  from mujoco.batch import Batch

  states = starts(model, 7)
  nstep = 100
  ctrl = np.array([workshop.ctrl_of(model, 1000 + k) for k in range(nstep)])
  ends, sensors = serial(model, states, nstep, ctrl)
  batch = Batch(model, nsim=7, nthread=nthread, persistent=persistent)
  read = batch.bind("sensordata")
  batch.state[:] = states
  for step in range(nstep):
    batch.bind("ctrl")[:] = ctrl[step]
    batch.step()
  assert np.array_equal(batch.state, ends)
  assert np.array_equal(read, sensors)
