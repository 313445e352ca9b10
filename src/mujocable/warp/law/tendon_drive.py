"""Tendon drive: a cable that carries the pull of one of MuJoCo's own tendons.

The tendon's length, its actuators, spring and damper stay MuJoCo's. What they pull with becomes the
command of the cable; what MuJoCo applies along its own path is taken back in qfrc_passive.
"""

import mujoco
import numpy as np
import warp as wp

from mujocable.warp.layout.parts import TENDON, Layout


@wp.struct
class Drives:
  """Tables by cable that a tendon drives, the same in all worlds."""

  cable: wp.array(dtype=int)
  tendon: wp.array(dtype=int)
  share: wp.array(dtype=float)
  first: wp.array(dtype=int)  # 1: no cable before it has the same tendon
  begin: wp.array(dtype=int)  # of its actuators
  actuator: wp.array(dtype=int)


@wp.struct
class Tendons:
  """MuJoCo's tendons and their actuators."""

  lengthspring: wp.array2d(dtype=wp.vec2)
  stiffness: wp.array2d(dtype=float)
  stiffnesspoly: wp.array2d(dtype=wp.vec2)
  damping: wp.array2d(dtype=float)
  dampingpoly: wp.array2d(dtype=wp.vec2)
  actfrclimited: wp.array(dtype=wp.bool)
  actfrcrange: wp.array2d(dtype=wp.vec2)
  forcelimited: wp.array(dtype=wp.bool)
  forcerange: wp.array2d(dtype=wp.vec2)
  gear: wp.array2d(dtype=wp.spatial_vector)
  rownnz: wp.array(dtype=int)
  rowadr: wp.array(dtype=int)
  colind: wp.array(dtype=int)
  J: wp.array2d(dtype=float)
  length: wp.array2d(dtype=float)
  velocity: wp.array2d(dtype=float)
  force: wp.array2d(dtype=float)


def tables_of(model: mujoco.MjModel, layout: Layout) -> Drives:
  """The cables of a layout that tendons drive."""
  driven = [(c, placed) for c, placed in enumerate(layout.cables) if placed.kind == TENDON]
  tendons = [placed.address for _, placed in driven]
  on_tendon = model.actuator_trntype == int(mujoco.mjtTrn.mjTRN_TENDON)
  actuators = [np.flatnonzero(on_tendon & (model.actuator_trnid[:, 0] == t)) for t in tendons]
  t = Drives()
  t.cable = wp.array([c for c, _ in driven], dtype=int)
  t.tendon = wp.array(tendons, dtype=int)
  t.share = wp.array([placed.gain for _, placed in driven], dtype=float)
  t.first = wp.array([int(x not in tendons[:i]) for i, x in enumerate(tendons)], dtype=int)
  t.begin = wp.array(np.cumsum([0, *map(len, actuators)]), dtype=int)
  t.actuator = wp.array(np.concatenate([*actuators, []]).astype(int), dtype=int)
  return t


def tendons_of(m, d) -> Tendons:
  """Where MuJoCo Warp has them."""
  t = Tendons()
  t.lengthspring, t.stiffness, t.damping = (
    m.tendon_lengthspring,
    m.tendon_stiffness,
    m.tendon_damping,
  )
  t.stiffnesspoly, t.dampingpoly = m.tendon_stiffnesspoly, m.tendon_dampingpoly
  t.actfrclimited, t.actfrcrange = m.tendon_actfrclimited, m.tendon_actfrcrange
  t.forcelimited, t.forcerange = m.actuator_forcelimited, m.actuator_forcerange
  t.gear, t.rownnz, t.rowadr, t.colind = (
    m.actuator_gear,
    m.ten_J_rownnz,
    m.ten_J_rowadr,
    m.ten_J_colind,
  )
  t.J, t.length, t.velocity, t.force = d.ten_J, d.ten_length, d.ten_velocity, d.actuator_force
  return t


@wp.func
def passive_force(t: int, w: int, springs: int, dampers: int, tendons: Tendons):
  """Spring and damper along a tendon; negative pulls [N]."""
  force = float(0.0)
  if springs == 1:
    between = tendons.lengthspring[w % tendons.lengthspring.shape[0], t]
    length = tendons.length[w, t]
    x = wp.max(length - between[1], 0.0) + wp.min(length - between[0], 0.0)
    more = tendons.stiffnesspoly[w % tendons.stiffnesspoly.shape[0], t]
    own = tendons.stiffness[w % tendons.stiffness.shape[0], t]
    force -= x * (own + x * (more[0] + x * more[1]))
  if dampers == 1:
    v = tendons.velocity[w, t]
    speed = wp.abs(v)
    more = tendons.dampingpoly[w % tendons.dampingpoly.shape[0], t]
    own = tendons.damping[w % tendons.damping.shape[0], t]
    force -= v * (own + speed * (more[0] + speed * more[1]))
  return force


@wp.func
def active_force(t: int, w: int, begin: int, end: int, drives: Drives, tendons: Tendons):
  """Actuators along a tendon, with the limits that MuJoCo applies later: the tendon's, which scales
  all of them, then each one's own [N]."""
  gears = tendons.gear.shape[0]
  scale = float(1.0)
  if tendons.actfrclimited[t]:
    whole = float(0.0)
    for k in range(begin, end):
      whole += tendons.force[w, drives.actuator[k]]  # MuJoCo Warp leaves the gears out
    limits = tendons.actfrcrange[w % tendons.actfrcrange.shape[0], t]
    if whole < limits[0]:
      scale = limits[0] / whole
    if whole > limits[1]:
      scale = limits[1] / whole
  total = float(0.0)
  for k in range(begin, end):
    a = drives.actuator[k]
    force = scale * tendons.force[w, a]
    if tendons.forcelimited[a]:
      limits = tendons.forcerange[w % tendons.forcerange.shape[0], a]
      force = wp.clamp(force, limits[0], limits[1])
    total += tendons.gear[w % gears, a][0] * force
  return total


@wp.kernel(module="unique", enable_backward=False)
def tendon_kernel(
  drives: Drives,
  tendons: Tendons,
  actuated: int,
  springs: int,
  dampers: int,
  pull: wp.array2d(dtype=float),
  passive: wp.array2d(dtype=float),
):
  """Pulls of all tendons of one world, which lose what MuJoCo applies along them."""
  w = wp.tid()
  for i in range(drives.cable.shape[0]):
    t = drives.tendon[i]
    force = passive_force(t, w, springs, dampers, tendons)
    if actuated == 1:
      force += active_force(t, w, drives.begin[i], drives.begin[i + 1], drives, tendons)
    pull[drives.cable[i], w] = -drives.share[i] * force
    if drives.first[i] == 1:
      for k in range(tendons.rowadr[t], tendons.rowadr[t] + tendons.rownnz[t]):
        dof = tendons.colind[k]
        passive[w, dof] = passive[w, dof] - force * tendons.J[w, k]
