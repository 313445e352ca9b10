"""Swing: the direction of a tension at the end of the step, where segments swing that the step
does not resolve (24).

Between its guides a taut segment is a spring across itself. The part of it that the step does not
resolve is taken at the end of the step, -h K (v + h x): the mass matrix gains h^2 K, the force
loses h K v. Every dof does so for itself: few segments swing, and they have few dofs.
"""

import copy
import math
from itertools import product

import mujoco
import numpy as np
import warp as wp
from mujoco_warp import DisableBit

from mujocable.warp.law.arrays import as_ints, in_rows
from mujocable.warp.law.record import Record
from mujocable.warp.layout.parts import Layout, Placed
from mujocable.warp.layout.rows import mass_places, segment_levers
from mujocable.warp.layout.tree import home_pose

MOST_SWING = wp.constant(1.0)  # as in the plugin; test_swinging would notice twice as much
# A swing that is this much stiffer than the step is at rest in it, and stiffer ones leave fewer
# digits to the rest of the motion (chosen, as in the plugin: test_swinging would notice a
# hundredth).
STIFFEST = wp.constant(1e4)
# Places along the ranges of one, two and three joints, where a segment may be short: a fiftieth of
# the reach of a joint apart, and further where that would be too many. Between them, and beyond
# limits, which are soft, what swings more is stable up to four times as much.
_PLACES = (65, 17, 7)


@wp.struct
class Swings:
  """Tables of the segments that may swing, the same in all worlds."""

  segment: wp.array(dtype=int)
  cable: wp.array(dtype=int)
  sites: wp.array2d(dtype=int)
  give: wp.array(dtype=float)  # how much their ends give way, over their length, at most
  row_begin: wp.array(dtype=int)
  # by row: a dof between the ends of one of them
  row: wp.array(dtype=wp.vec4i)  # which one, dof, root of its tree, sign
  mobility: wp.array(dtype=float)
  pair_begin: wp.array(dtype=int)
  address: wp.array(dtype=int)  # with each dof of the segment in the mass matrix; -1: there
  # by dof that cables load
  dof: wp.array(dtype=int)
  dof_begin: wp.array(dtype=int)
  dof_row: wp.array(dtype=int)


@wp.struct
class Moving:
  """How bodies move."""

  timestep: wp.array(dtype=float)
  damped: int  # 1: the integrator takes the damping of joints at the end of the step
  damping: wp.array2d(dtype=float)
  site_xpos: wp.array2d(dtype=wp.vec3)
  subtree_com: wp.array2d(dtype=wp.vec3)
  cdof: wp.array2d(dtype=wp.spatial_vector)
  qvel: wp.array2d(dtype=float)


def swings_of(model: mujoco.MjModel, layout: Layout) -> Swings:
  """Segments between guides, along one branch, that no limit on the tension keeps from it."""
  home, places = home_pose(model), mass_places(model)
  moving: dict[int, list] = {}
  for row in layout.rows:
    if row.sign:
      moving.setdefault(row.segment, []).append(row)
  chosen: list[tuple[int, int, float]] = []
  rows: list[tuple[int, int, int, int]] = []
  addresses: list[list[int]] = []
  for c, placed in enumerate(layout.cables):
    for s in range(placed.segment, placed.segment + placed.contacts + 1):
      dofs = [row.dof for row in moving.get(s, [])]
      give = _give(model, home, layout, placed, s) if _have_places(dofs, places) else 0.0
      if model.opt.timestep**2 * _most_tension(placed) * give > MOST_SWING:
        for row in moving[s]:
          root = int(model.body_rootid[model.dof_bodyid[row.dof]])
          rows.append((len(chosen), row.dof, root, round(row.sign)))
          addresses.append([places.get((row.dof, j), -1) for j in dofs])
        chosen.append((c, s, give))
  loaded = sorted({row.dof for row in layout.rows})
  t = Swings()
  t.segment, t.cable = as_ints([s for _, s, _ in chosen]), as_ints([c for c, _, _ in chosen])
  t.sites = as_ints([layout.segment_sites[s] for _, s, _ in chosen], (-1, 2))
  t.give = wp.array(np.array([give for *_, give in chosen], np.float32), dtype=float)
  t.row_begin, _ = in_rows([[r for r in rows if r[0] == k] for k in range(len(chosen))], 4)
  t.row = wp.array(np.array(rows, np.int32).reshape(-1, 4), dtype=wp.vec4i)
  mobility = np.array([model.dof_invweight0[r[1]] for r in rows], np.float32)
  t.mobility = wp.array(mobility, dtype=float)
  t.pair_begin, t.address = in_rows(addresses)
  t.dof = as_ints(loaded)
  t.dof_begin, t.dof_row = in_rows([[p for p, r in enumerate(rows) if r[1] == d] for d in loaded])
  return t


def _have_places(dofs: list[int], places: dict) -> bool:
  # all pairs in the mass matrix: not of two trees, or two branches of one
  pairs = product(dofs, repeat=2)
  return bool(dofs) and all((i, j) in places or (j, i) in places for i, j in pairs)


def _most_tension(placed: Placed) -> float:
  return min(placed.cable.axial.max_tension, placed.limits[1] if placed.tension else math.inf)


def _give(model, home, layout: Layout, placed: Placed, segment: int) -> float:
  # how much the ends give way, at most; 0: it is not asked
  sites = layout.segment_sites[segment]
  levers = segment_levers(model, home, layout, placed, segment)
  if sites[0] < 0 or not levers or placed.cable.integration == "explicit":
    return 0.0
  length = _shortest(model, home, sites, list(levers))
  if length == 0.0:
    return math.inf
  off, h = DisableBit.DAMPER | DisableBit.EULERDAMP, model.opt.timestep
  damping = 0.0 * model.dof_damping if model.opt.disableflags & off else model.dof_damping
  mobility = 1 / (1 / np.maximum(model.dof_invweight0, 1e-30) + h * damping)
  return float(sum((x * x / length + x) * mobility[d] for d, x in levers.items()))


def _shortest(model, home, sites: tuple[int, int], dofs: list[int]) -> float:
  # length of a segment over the range of the joints between its ends; 0: who knows
  joints = [int(model.dof_jntid[dof]) for dof in dofs]
  hinge = int(mujoco.mjtJoint.mjJNT_HINGE)
  if len(joints) > len(_PLACES) or any(model.jnt_type[joint] != hinge for joint in joints):
    return 0.0
  ranges = []
  for joint in joints:
    low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-math.pi, math.pi)
    ranges.append(np.linspace(low, high, _PLACES[len(joints) - 1]))
  data, shortest = copy.copy(home), math.inf
  for angles in product(*ranges):
    data.qpos[model.jnt_qposadr[joints]] = angles
    mujoco.mj_kinematics(model, data)
    shortest = min(shortest, float(np.linalg.norm(np.diff(data.site_xpos[list(sites)], axis=0))))
  return shortest


@wp.struct
class Segment:
  """One that may swing, in one world."""

  a: wp.vec3
  b: wp.vec3
  along: wp.vec3
  u: wp.vec3  # two directions across
  v: wp.vec3
  pull: float  # what is taken at the end of the step; 0: nothing
  spring: float  # across
  apart: wp.vec2  # how fast its ends go across


@wp.func
def sway_of(r: int, w: int, h: float, s: Segment, t: Swings, m: Moving):
  """How a dof moves one end of a segment against the other: across, and along, by its square, where
  that makes it longer."""
  row = t.row[r]
  sign = float(row[3])
  arm = wp.where(row[3] > 0, s.b, s.a) - m.subtree_com[w, row[2]]
  turns = wp.spatial_top(m.cdof[w, row[1]])
  moves = wp.spatial_bottom(m.cdof[w, row[1]]) + wp.cross(turns, arm)
  turn = wp.max(sign * wp.dot(s.along, wp.cross(turns, moves)), 0.0)
  way = h * m.qvel[w, row[1]]
  turn /= wp.sqrt(1.0 + way * way)  # as for the length: no further than it turns
  return wp.vec3(sign * wp.dot(s.u, moves), sign * wp.dot(s.v, moves), turn)


@wp.func
def find_segment(k: int, w: int, h: float, pull: float, t: Swings, m: Moving):
  """A segment, and how much of its spring the step does not resolve."""
  s = Segment()
  s.a = m.site_xpos[w, t.sites[k, 0]]
  s.b = m.site_xpos[w, t.sites[k, 1]]
  size = wp.length(s.b - s.a)
  if not size > 0.0:
    return s
  s.along = (s.b - s.a) / size
  s.u = wp.vec3(0.0, s.along[2], -s.along[1])
  if wp.abs(s.along[0]) >= 0.6:
    s.u = wp.vec3(-s.along[2], 0.0, s.along[0])
  s.u = wp.normalize(s.u)
  s.v = wp.cross(s.along, s.u)
  across = wp.vec2()
  turned = float(0.0)
  for r in range(t.row_begin[k], t.row_begin[k + 1]):
    dof = t.row[r][1]
    sway = sway_of(r, w, h, s, t, m)
    gives = t.mobility[r]
    if m.damped == 1:
      gives /= 1.0 + h * gives * wp.max(m.damping[w % m.damping.shape[0], dof], 0.0)
    s.apart += wp.vec2(sway[0], sway[1]) * m.qvel[w, dof]
    across += wp.vec2(sway[0] * sway[0], sway[1] * sway[1]) * gives
    turned += sway[2] * gives
  # beyond the way that its ends go across a tension turns no further
  length = wp.sqrt(size * size + h * h * wp.dot(s.apart, s.apart))
  swung = h * h * pull * (wp.max(across[0], across[1]) / length + turned)
  if swung > MOST_SWING:
    # the rest of it is left to the beginning of the step, which resolves that much
    s.pull = pull * (1.0 - MOST_SWING / swung) * wp.min(1.0, STIFFEST / swung)
    s.spring = s.pull / length
  return s


@wp.func
def take_swings(
  i: int,
  w: int,
  t: Swings,
  record: Record,
  m: Moving,
  qfrc: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
):
  """What swinging segments take from the force on a dof, and add to its row of the mass matrix."""
  h = m.timestep[w % m.timestep.shape[0]]
  for p in range(t.dof_begin[i], t.dof_begin[i + 1]):
    r = t.dof_row[p]
    k = t.row[r][0]
    pull = record.results.tension[t.segment[k], w]
    if h * h * pull * t.give[k] > MOST_SWING:
      s = find_segment(k, w, h, pull * record.results.older[t.cable[k], w], t, m)
      if s.pull > 0.0:
        dof = t.dof[i]
        one = sway_of(r, w, h, s, t, m)
        load = s.spring * (one[0] * s.apart[0] + one[1] * s.apart[1])
        load += s.pull * one[2] * m.qvel[w, dof]
        qfrc[w, dof] = qfrc[w, dof] - h * load
        first = t.row_begin[k]
        for q in range(first, t.row_begin[k + 1]):
          at = t.address[t.pair_begin[r] + q - first]
          if at >= 0:
            two = sway_of(q, w, h, s, t, m)
            both = s.spring * (one[0] * two[0] + one[1] * two[1])
            if q == r:
              both += s.pull * one[2]
            inertia[w, at] = inertia[w, at] + h * h * both


@wp.kernel(module="unique", enable_backward=False)
def swing_kernel(
  t: Swings,
  record: Record,
  m: Moving,
  qfrc: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
):
  """Before the motion of the step is looked for."""
  i, w = wp.tid()
  take_swings(i, w, t, record, m, qfrc, inertia)
