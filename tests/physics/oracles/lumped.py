"""Ordinary differential equations of the public pulley rigs, integrated by scipy at 1e-10."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from oracles.straight import eta, psi

G = 9.81


def hanging_load(mass, damping, kappa, d, offset, a, ratio, duration):
  """Load on a vertical slide below a turn; tension at the load is ratio times the source's.

  Returns height above the start and source tension at the end.
  """

  def source(z, v):
    e = offset - z
    return max(0.0, kappa * psi(e, a) - d * eta(e, a) * v)

  def rhs(_, y):
    z, v = y
    return [v, (ratio * source(z, v) - mass * G - damping * v) / mass]

  run = solve_ivp(rhs, (0, duration), [0, 0], rtol=1e-10, atol=1e-13, max_step=1e-3)
  z, v = run.y[:, -1]
  return z, source(z, v)


def atwood(
  m1, m2, radius, inertia, mu, slip_speed, kappa, offset, a, lengths, duration, times, station=0.0
):
  """Two masses over a free sheave (wrap pi), elastic cable, uniform stretch, slip as in (9).

  Source at m1. State: heights z1, z2, sheave angle (positive when its rim moves from m1 to m2),
  and rates. `lengths` are the free pieces at the start; `station` is the part of the arc that
  counts as downstream of the contact. Returns samples at `times`.
  """
  piece1, piece2 = lengths
  arc = np.pi * radius
  total = piece1 + piece2 + arc

  def tensions(z1, z2, v1, v2, w):
    length = total - z1 - z2
    e = -(z1 + z2) + offset
    rate = -(v1 + v2)
    source = max(0.0, kappa * psi(e, a))
    # cable past the rim toward m2: growth of the downstream free piece, less the rim's own motion
    down = piece2 - z2 + station * arc
    slip = -v2 - radius * w - down / length * rate
    return source, source * np.exp(np.tanh(slip / slip_speed) * mu * np.pi), slip

  def rhs(_, y):
    z1, z2, _, v1, v2, w = y
    t1, t2, _ = tensions(z1, z2, v1, v2, w)
    return [v1, v2, w, t1 / m1 - G, t2 / m2 - G, (t2 - t1) * radius / inertia]

  run = solve_ivp(
    rhs, (0, duration), np.zeros(6), rtol=1e-9, atol=1e-12, t_eval=times, max_step=2e-4
  )
  parts = np.array([tensions(*run.y[:2, i], *run.y[3:, i]) for i in range(run.y.shape[1])])
  return {
    "z1": run.y[0],
    "z2": run.y[1],
    "angle": run.y[2],
    "rate": run.y[5],
    "t1": parts[:, 0],
    "t2": parts[:, 1],
    "slip": parts[:, 2],
  }
