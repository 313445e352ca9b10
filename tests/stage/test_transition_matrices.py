"""mjd_transitionFD sees the cables: B is not zero and all matrices are right.

Judge: central differences by brute force over restored states, step 1e-6: truncation and round-off
near 1e-8 on entries near one, hence 1e-5 relative to the largest entry.
"""

import mujoco
import numpy as np
import pytest
from oracles import subjects, workshop

EPS = 1e-6


def brute_force(model, state):
  """A, B and those of the sensors, C and D."""
  data = workshop.restored(model, state)
  nv, na, nu = model.nv, model.na, model.nu

  def step(dq=None, dv=None, da=None, du=None):
    mujoco.mj_setState(model, data, state, workshop.FULL)
    if dq is not None:
      mujoco.mj_integratePos(model, data.qpos, dq, 1.0)
    if dv is not None:
      data.qvel[:] += dv
    if da is not None:
      data.act[:] += da
    if du is not None:
      data.ctrl[:] += du
    mujoco.mj_step(model, data)
    return data.qpos.copy(), data.qvel.copy(), data.act.copy(), data.sensordata.copy()

  def column(key, size, k):
    nudge = np.zeros(size)
    nudge[k] = EPS
    plus, minus = step(**{key: nudge}), step(**{key: -nudge})
    dq = np.zeros(nv)
    mujoco.mj_differentiatePos(model, dq, 2 * EPS, minus[0], plus[0])
    rates = [(p - m) / (2 * EPS) for p, m in zip(plus[1:], minus[1:], strict=True)]
    return np.concatenate([dq, *rates])

  a = [column("dq", nv, k) for k in range(nv)]
  a += [column("dv", nv, k) for k in range(nv)]
  a += [column("da", na, k) for k in range(na)]
  b = [column("du", nu, k) for k in range(nu)]
  a, b = np.array(a).T, np.array(b).T
  size = 2 * nv + na
  return a[:size], b[:size], a[size:], b[size:]


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "implicit", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_transition_matrices_match_brute_force(subject, integrator):
  model = subject.compile(integrator)
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 120)
  state = workshop.state_of(model, data)
  size = 2 * model.nv + model.na
  a, b = np.zeros((size, size)), np.zeros((size, model.nu))
  c, d = np.zeros((model.nsensordata, size)), np.zeros((model.nsensordata, model.nu))
  mujoco.mjd_transitionFD(model, data, EPS, True, a, b, c, d)
  want_a, want_b, want_c, want_d = brute_force(model, state)
  for k in range(model.nu):
    name = model.actuator(k).name
    assert np.abs(b[:, k]).max() > 1e-6 or data.actuator_force[k] == 0, name
  assert np.abs(b - want_b).max() < 1e-5 * np.abs(want_b).max()
  assert np.abs(a - want_a).max() < 1e-5 * np.abs(want_a).max()
  # what a cable shows: every entry by itself, since units differ
  for got, want in ((c, want_c), (d, want_d)):
    largest = np.abs(want).max(axis=1, keepdims=True)
    assert np.all(np.abs(got - want) <= 1e-5 * largest + 1e-7)
  assert np.abs(want_c).max() > 0 and np.abs(want_d).max() > 0
  # and calling it did not move the state
  assert np.array_equal(workshop.state_of(model, data), state)
