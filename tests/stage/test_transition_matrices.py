"""mjd_transitionFD sees the cables: B is not zero and both matrices are right.

Judge: central differences by brute force over restored states, step 1e-6: truncation and round-off
near 1e-8 on entries near one, hence 1e-5 relative to the largest entry.
"""

import mujoco
import numpy as np
import pytest
from oracles import workshop

EPS = 1e-6


def brute_force(model, state):
  data = workshop.restored(model, state)
  nv, na, nu = model.nv, model.na, model.nu
  base_qpos = data.qpos.copy()

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
    return data.qpos.copy(), data.qvel.copy(), data.act.copy()

  def column(key, size, k):
    nudge = np.zeros(size)
    nudge[k] = EPS
    plus, minus = step(**{key: nudge}), step(**{key: -nudge})
    dq = np.zeros(nv)
    mujoco.mj_differentiatePos(model, dq, 2 * EPS, minus[0], plus[0])
    return np.concatenate([dq, (plus[1] - minus[1]) / (2 * EPS), (plus[2] - minus[2]) / (2 * EPS)])

  del base_qpos
  a = [column("dq", nv, k) for k in range(nv)]
  a += [column("dv", nv, k) for k in range(nv)]
  a += [column("da", na, k) for k in range(na)]
  b = [column("du", nu, k) for k in range(nu)]
  return np.array(a).T, np.array(b).T


@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
def test_transition_matrices_match_brute_force(integrator):
  model = workshop.spec_of(integrator).compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 120)
  state = workshop.state_of(model, data)
  size = 2 * model.nv + model.na
  a, b = np.zeros((size, size)), np.zeros((size, model.nu))
  mujoco.mjd_transitionFD(model, data, EPS, True, a, b, None, None)
  want_a, want_b = brute_force(model, state)
  for name in ("hoist", "arm", "spool"):
    column = b[:, model.actuator(name).id]
    assert np.abs(column).max() > 1e-6, name
  assert np.abs(b - want_b).max() < 1e-5 * np.abs(want_b).max()
  assert np.abs(a - want_a).max() < 1e-5 * np.abs(want_a).max()
  # and calling it did not move the state
  assert np.array_equal(workshop.state_of(model, data), state)
