"""Pickled data and other processes: no crash, and every copy goes on with the same bits."""

import gc
import multiprocessing
import pickle
import subprocess
import sys

import mujoco
import numpy as np
import pytest
from oracles import pool, subjects, workshop

CHILD = """
import pickle, sys
import mujocable
import mujoco
import numpy as np
model, data, ctrl = pickle.load(open(sys.argv[1], "rb"))
for row in ctrl:
  data.ctrl[:] = row
  mujoco.mj_step(model, data)
np.savez(sys.argv[2], qpos=data.qpos, qvel=data.qvel, plugin=data.plugin_state, s=data.sensordata)
print("stepped")
"""


@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_a_pickled_copy_steps_like_the_original(subject):
  model = subject.compile()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 100)
  copies = [pickle.loads(pickle.dumps(data)) for _ in range(3)]
  subject.run(model, data, 100, 200)
  for copy in copies:
    subject.run(model, copy, 100, 200)
    assert workshop.same(model, data, copy)
  # the order of destruction must not matter
  del data
  gc.collect()
  subject.run(model, copies[1], 200, 220)
  del copies
  gc.collect()


def test_a_pickle_outlives_its_original():
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 50)
  frozen = pickle.dumps((model, data))
  workshop.run(model, data, 50, 120)
  want = workshop.state_of(model, data)
  del data, model
  gc.collect()
  model, data = pickle.loads(frozen)
  workshop.run(model, data, 50, 120)
  assert np.array_equal(workshop.state_of(model, data), want)


def test_another_process_goes_on_with_the_same_bits(tmp_path):
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 100)
  ctrl = np.array([workshop.ctrl_of(model, step) for step in range(100, 200)])
  box, out = tmp_path / "in.pickle", tmp_path / "out.npz"
  box.write_bytes(pickle.dumps((model, data, ctrl)))
  child = subprocess.run(
    [sys.executable, "-c", CHILD, str(box), str(out)],
    capture_output=True,
    text=True,
    timeout=120,
    cwd=tmp_path,
  )
  assert child.returncode == 0 and "stepped" in child.stdout, child.stderr
  workshop.run(model, data, 100, 200)
  got = np.load(out)
  assert np.array_equal(got["qpos"], data.qpos)
  assert np.array_equal(got["qvel"], data.qvel)
  assert np.array_equal(got["plugin"], data.plugin_state)
  assert np.array_equal(got["s"], data.sensordata)


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_pool_of_processes_gives_the_bits_of_a_plain_loop(method):
  """Models, data and states travel as pickles, both ways; the workers import mujoco alone."""
  jobs, want = [], []
  for subject in subjects.ALL:
    model = subject.compile()
    data = mujoco.MjData(model)
    subject.run(model, data, 0, 60)
    ctrl = np.array([subject.ctrl(model, step) for step in range(60, 120)])
    jobs.append((pickle.dumps((model, data)), ctrl))
    subject.run(model, data, 60, 120)
    want.append((workshop.state_of(model, data), data.sensordata.copy()))
  with multiprocessing.get_context(method).Pool(2) as workers:
    got = workers.map(pool.go_on, jobs, chunksize=1)
  for (state, sensors), (frozen, there) in zip(want, got, strict=True):
    model, data = pickle.loads(frozen)
    assert np.array_equal(there, sensors)
    assert np.array_equal(workshop.state_of(model, data), state)
