"""A straight cable from the world to a cart on a slide: L = 1 + x, and the axial law in numpy."""

from __future__ import annotations

import numpy as np

import mujocable as mjc
from mujocable.spec.keys import laws
from oracles import build


def cart(**cable):
  """Model, data and view; with a SpoolJoint take-up there is also a hinge named 'spool'."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.site(spec.worldbody, "start", (0, 0, 0))
  mover = build.body(spec.worldbody, "cart", pos=(1, 0, 0))
  mover.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(mover, "end", (0, 0, 0))
  if isinstance(cable.get("take_up"), mjc.SpoolJoint):
    spool = build.body(spec.worldbody, "spool", pos=(0, 1, 0))
    spool.add_joint(name="spool", type=build.HINGE, axis=(0, 0, 1))
  route = [mjc.Anchor("start"), mjc.Anchor("end")]
  model, data, views = build.compiled(spec, mjc.Cable(name="cable", route=route, **laws(**cable)))
  return model, data, views["cable"]


def psi(e, a):
  if e <= 0:
    return 0.0
  return e * e / (2 * a) if e < a else e - a / 2


def psi_integral(e, a):
  """Elastic energy over kappa."""
  if e <= 0:
    return 0.0
  return e**3 / (6 * a) if e < a else e * e / 2 - a * e / 2 + a * a / 6


def eta(e, a):
  if a == 0:
    return float(e > 0)
  return min(1.0, max(0.0, e / a))


def law(e, rate, kappa, d, a, limit=np.inf):
  return min(limit, max(0.0, kappa * psi(e, a) + d * eta(e, a) * rate))
