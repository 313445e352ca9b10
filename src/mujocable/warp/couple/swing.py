"""Swing: the direction of a tension at the end of the step, where segments swing that the step
does not resolve (24).

Between its guides a taut segment is a spring across itself. The part of it that the step does not
resolve is taken at the end of the step, -h K (v + h x): the mass matrix gains h^2 K, the force
loses h K v. Both are there before the motion of the step is looked for, and stay.
"""

import math
from itertools import product

import mujoco
import numpy as np
import warp as wp

from mujocable.warp.couple.groups import as_ints, in_rows
from mujocable.warp.law.record import Record
from mujocable.warp.layout.parts import Layout, Placed
from mujocable.warp.layout.rows import mass_places, segment_levers
from mujocable.warp.layout.tree import home_pose

MOST_SWING = wp.constant(1.0)  # as in the plugin; test_swing would notice four times as much
# A swing that is this much stiffer than the step is at rest in it, and stiffer ones leave fewer
# digits to the rest of the motion (chosen, as in the plugin: test_swing would notice a hundredth).
STIFFEST = wp.constant(1e4)
# how much shorter than at qpos0 a segment may become, for which a limit on the tension counts
# (chosen; spirob curls up to a half)
_SHORTER = 0.5


@wp.struct
class Swings:
  """Tables of the segments that may swing, the same in all worlds."""

  segment: wp.array(dtype=int)
  cable: wp.array(dtype=int)
  sites: wp.array2d(dtype=int)
  row_begin: wp.array(dtype=int)
  # by row: a dof between the ends of one of them
  row: wp.array(dtype=wp.vec4i)  # which one, dof, root of its tree, sign
  mobility: wp.array(dtype=float)
  # by dof that has a row
  dof: wp.array(dtype=int)
  dof_begin: wp.array(dtype=int)
  dof_row: wp.array(dtype=int)
  entry_begin: wp.array(dtype=int)
  # by entry of its row of the mass matrix
  address: wp.array(dtype=int)
  pair_begin: wp.array(dtype=int)
  # by pair of rows of one segment
  pair: wp.array2d(dtype=int)


@wp.struct
class Swaying:
  """What moves, and what is found of it."""

  timestep: wp.array(dtype=float)
  damped: int  # 1: the integrator takes the damping of joints at the end of the step
  damping: wp.array2d(dtype=float)
  site_xpos: wp.array2d(dtype=wp.vec3)
  subtree_com: wp.array2d(dtype=wp.vec3)
  cdof: wp.array2d(dtype=wp.spatial_vector)
  qvel: wp.array2d(dtype=float)
  # by row: in two directions across the segment, and along it where that makes it longer
  sway: wp.array2d(dtype=wp.vec3)
  # by segment: spring across it, and along; how fast its ends go across
  spring: wp.array2d(dtype=wp.vec4)


def swings_of(model: mujoco.MjModel, layout: Layout) -> Swings:
  """Segments between guides, along one branch, that no limit on the tension keeps from it."""
  home, places = home_pose(model), mass_places(model)
  moving: dict[int, list] = {}
  for row in layout.rows:
    if row.sign:
      moving.setdefault(row.segment, []).append(row)
  chosen = [
    (c, s)
    for c, placed in enumerate(layout.cables)
    for s in range(placed.segment, placed.segment + placed.contacts + 1)
    if _has_place([row.dof for row in moving.get(s, [])], places)
    and _may_swing(model, home, layout, placed, s)
  ]
  rows, pairs = [], {}
  for k, (_, s) in enumerate(chosen):
    first = len(rows)
    for row in moving[s]:
      root = int(model.body_rootid[model.dof_bodyid[row.dof]])
      rows.append((k, row.dof, root, round(row.sign)))
    for one, two in product(range(first, len(rows)), repeat=2):
      i, j = rows[one][1], rows[two][1]
      if (i, j) in places:
        pairs.setdefault((i, places[i, j]), []).append((one, two))
  dofs, entries = sorted({row[1] for row in rows}), sorted(pairs)
  t = Swings()
  t.segment, t.cable = as_ints([s for _, s in chosen]), as_ints([c for c, _ in chosen])
  t.sites = as_ints([layout.segment_sites[s] for _, s in chosen], (-1, 2))
  t.row_begin, _ = in_rows([[r for r in rows if r[0] == k] for k in range(len(chosen))], 4)
  t.row = wp.array(np.array(rows, np.int32).reshape(-1, 4), dtype=wp.vec4i)
  t.mobility = wp.array(np.float32([model.dof_invweight0[r[1]] for r in rows]), dtype=float)
  t.dof = as_ints(dofs)
  t.dof_begin, t.dof_row = in_rows([[p for p, r in enumerate(rows) if r[1] == d] for d in dofs])
  t.entry_begin, t.address = in_rows([[a for i, a in entries if i == d] for d in dofs])
  t.pair_begin, t.pair = in_rows([pairs[entry] for entry in entries], 2)
  return t


def _has_place(dofs: list[int], places: dict) -> bool:
  # the mass matrix, for all pairs: not for two trees, or two branches of one
  return all((i, j) in places or (j, i) in places for i, j in product(dofs, repeat=2))


def _may_swing(model, home, layout: Layout, placed: Placed, segment: int) -> bool:
  sites = layout.segment_sites[segment]
  levers = segment_levers(model, home, layout, placed, segment)
  if sites[0] < 0 or not levers or placed.cable.integration == "explicit":
    return False
  most = min(placed.cable.axial.max_tension, placed.limits[1] if placed.tension else math.inf)
  length = _SHORTER * float(np.linalg.norm(home.site_xpos[sites[1]] - home.site_xpos[sites[0]]))
  mobility = sum((x * x + x * length) * model.dof_invweight0[d] for d, x in levers.items())
  return bool(model.opt.timestep**2 * most * mobility > MOST_SWING * length)


@wp.func
def mobility_of(r: int, w: int, h: float, t: Swings, m: Swaying):
  """How much a dof gives way within the step."""
  own = t.mobility[r]
  if m.damped == 1:
    own /= 1.0 + h * own * wp.max(m.damping[w % m.damping.shape[0], t.row[r][1]], 0.0)
  return own


@wp.kernel(module="unique", enable_backward=False)
def sway_kernel(t: Swings, record: Record, m: Swaying):
  """How the ends of a segment move against each other, and how much of its spring the step does
  not resolve."""
  k, w = wp.tid()
  m.spring[k, w] = wp.vec4()
  a = m.site_xpos[w, t.sites[k, 0]]
  b = m.site_xpos[w, t.sites[k, 1]]
  size = wp.length(b - a)
  pull = record.results.tension[t.segment[k], w] * record.results.older[t.cable[k], w]
  if not (pull > 0.0 and size > 0.0):
    return
  h = m.timestep[w % m.timestep.shape[0]]
  along = (b - a) / size
  u = wp.vec3(0.0, along[2], -along[1])
  if wp.abs(along[0]) >= 0.6:
    u = wp.vec3(-along[2], 0.0, along[0])
  u = wp.normalize(u)
  v = wp.cross(along, u)
  speed = wp.vec2()  # of the ends, across
  across = wp.vec2()
  turned = float(0.0)
  for r in range(t.row_begin[k], t.row_begin[k + 1]):
    row = t.row[r]
    sign = float(row[3])
    arm = wp.where(row[3] > 0, b, a) - m.subtree_com[w, row[2]]
    turns = wp.spatial_top(m.cdof[w, row[1]])
    moves = wp.spatial_bottom(m.cdof[w, row[1]]) + wp.cross(turns, arm)
    rate = m.qvel[w, row[1]]
    turn = wp.max(sign * wp.dot(along, wp.cross(turns, moves)), 0.0)
    turn /= wp.sqrt(1.0 + h * h * rate * rate)  # as for the length: no further than it turns
    one = sign * wp.dot(u, moves)
    two = sign * wp.dot(v, moves)
    m.sway[r, w] = wp.vec3(one, two, turn)
    speed += wp.vec2(one, two) * rate
    gives = mobility_of(r, w, h, t, m)
    across += wp.vec2(one * one, two * two) * gives
    turned += turn * gives
  # beyond the way that its ends go across a tension turns no further
  length = wp.sqrt(size * size + h * h * wp.dot(speed, speed))
  swung = h * h * pull * (wp.max(across[0], across[1]) / length + turned)
  if swung > MOST_SWING:
    # the rest of it is left to the beginning of the step, which resolves that much
    pull *= (1.0 - MOST_SWING / swung) * wp.min(1.0, STIFFEST / swung)
    m.spring[k, w] = wp.vec4(pull / length, pull, speed[0], speed[1])


@wp.kernel(module="unique", enable_backward=False)
def swing_kernel(
  t: Swings, m: Swaying, qfrc: wp.array2d(dtype=float), inertia: wp.array2d(dtype=float)
):
  """What swinging segments take from the force on a dof, and add to its row of the mass matrix."""
  i, w = wp.tid()
  dof = t.dof[i]
  h = m.timestep[w % m.timestep.shape[0]]
  load = float(0.0)
  any = int(0)
  for p in range(t.dof_begin[i], t.dof_begin[i + 1]):
    r = t.dof_row[p]
    spring = m.spring[t.row[r][0], w]
    if spring[1] > 0.0:
      any = 1
      sway = m.sway[r, w]
      load += spring[0] * (sway[0] * spring[2] + sway[1] * spring[3])
      load += spring[1] * sway[2] * m.qvel[w, dof]
  if any == 0:
    return
  qfrc[w, dof] = qfrc[w, dof] - h * load
  for e in range(t.entry_begin[i], t.entry_begin[i + 1]):
    sum = float(0.0)
    for p in range(t.pair_begin[e], t.pair_begin[e + 1]):
      r = t.pair[p, 0]
      q = t.pair[p, 1]
      spring = m.spring[t.row[r][0], w]
      if spring[1] > 0.0:
        one = m.sway[r, w]
        two = m.sway[q, w]
        both = spring[0] * (one[0] * two[0] + one[1] * two[1])
        if r == q:
          both += spring[1] * one[2]
        sum += both
    if sum != 0.0:
      inertia[w, t.address[e]] = inertia[w, t.address[e]] + h * h * sum
