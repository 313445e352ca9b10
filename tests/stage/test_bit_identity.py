"""The same start gives the same bits: re-run, restore, extra forwards, copies, threads.

Judge: exact comparison with a plain serial run, on a workshop with every kind of cable and on the
robots. (Public code: a restore changes the tension from 1.98 to 32.8 N, two threads differ from one
and from themselves.)
"""

import copy

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from oracles import subjects, workshop

WORKSHOP = [
  (subjects.WORKSHOP, i) for i in ("euler", "implicitfast", "implicit", "rk4", "discrete")
]
ROBOTS = [(s, i) for s in subjects.ROBOTS for i in ("implicitfast", "rk4", "discrete")]
STEPS = 400


@pytest.fixture(
  scope="module", params=WORKSHOP + ROBOTS, ids=lambda case: f"{case[0].name}-{case[1]}"
)
def case(request):
  return request.param


@pytest.fixture(scope="module")
def subject(case):
  return case[0]


@pytest.fixture(scope="module")
def model(case):
  return case[0].compile(case[1])


@pytest.fixture(scope="module")
def plain(subject, model):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, STEPS)
  assert not any(warning.number for warning in data.warning)
  assert np.all(np.isfinite(data.qpos)) and np.all(np.isfinite(data.sensordata))
  return data


def test_a_second_run_has_the_same_bits(subject, model, plain):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, STEPS)
  assert workshop.same(model, plain, data)


def test_a_reset_run_has_the_same_bits(subject, model, plain):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 137)
  mujoco.mj_resetData(model, data)
  subject.run(model, data, 0, STEPS)
  assert workshop.same(model, plain, data)


@pytest.mark.parametrize("at", [1, 50, 200, 399])
def test_a_restore_into_fresh_data_has_the_same_bits(subject, model, plain, at):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, at)
  again = workshop.restored(model, workshop.state_of(model, data))
  subject.run(model, again, at, STEPS)
  assert workshop.same(model, plain, again)


def test_extra_forward_calls_change_nothing(subject, model, plain):
  def extra(model, data):
    for _ in range(3):
      mujoco.mj_forward(model, data)

  data = mujoco.MjData(model)
  subject.run(model, data, 0, STEPS, between=extra)
  # mj_forward also writes qacc_warmstart-independent sensors, and the step repeats them
  assert workshop.same(model, plain, data)


def test_a_forward_elsewhere_between_steps_changes_nothing(subject, model, plain):
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
  subject.run(model, data, 0, STEPS, between=peek)
  assert workshop.same(model, plain, data)


def test_a_copy_goes_on_with_the_same_bits(subject, model, plain):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 150)
  copied = mujoco.MjData(model)
  mujoco.mj_copyData(copied, model, data)
  twins = [copied, copy.copy(data), copy.deepcopy(data)]
  for one in (*twins, data):
    subject.run(model, one, 150, STEPS)
    assert workshop.same(model, plain, one)


def test_forward_leaves_the_state_alone(subject, model):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 60)
  # warm start and time included; mj_forward may refresh qacc_warmstart only
  spec = workshop.FULL & ~int(mujoco.mjtState.mjSTATE_WARMSTART)
  before = workshop.state_of(model, data, spec)
  for _ in range(4):
    mujoco.mj_forward(model, data)
    assert np.array_equal(workshop.state_of(model, data, spec), before)
  mujoco.mj_inverse(model, data)
  assert np.array_equal(workshop.state_of(model, data, spec), before)


def starts(subject, model, count):
  """Different states along the plain run."""
  states, data = [], mujoco.MjData(model)
  for k in range(count):
    subject.run(model, data, 20 * k, 20 * (k + 1))
    states.append(workshop.state_of(model, data))
  return np.array(states)


@pytest.mark.parametrize("nthread", [0, 2])
def test_rollout_equals_a_plain_loop(subject, model, nthread):
  full = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
  states = starts(subject, model, 8)
  physics, warm = [], []
  for state in states:
    data = workshop.restored(model, state)
    physics.append(workshop.state_of(model, data, full))
    warm.append(data.qacc_warmstart.copy())
  nstep = 100
  ctrl = np.array([subject.ctrl(model, 1000 + k) for k in range(nstep)])
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
