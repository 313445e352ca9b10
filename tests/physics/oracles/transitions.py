"""Transition matrices by brute force: central differences of steps over restored states."""

from __future__ import annotations

import mujoco
import numpy as np

from oracles import workshop

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
  size = 2 * nv + na
  a = np.array(a).T
  b = np.array(b).T if nu else np.zeros((a.shape[0], 0))
  return a[:size], b[:size], a[size:], b[size:]


def by_mujoco(model, data):
  """The same by mjd_transitionFD."""
  size = 2 * model.nv + model.na
  a, b = np.zeros((size, size)), np.zeros((size, model.nu))
  c, d = np.zeros((model.nsensordata, size)), np.zeros((model.nsensordata, model.nu))
  mujoco.mjd_transitionFD(model, data, EPS, True, a, b, c, d)
  # centered, D has the wrong sign before MuJoCo 4.0, for its own actuators too
  return a, b, c, d if mujoco.mj_version() >= 4000000 else -d
