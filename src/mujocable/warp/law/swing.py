"""Swing: the direction of a tension at the end of the step, where segments swing that the step
does not resolve (24).

Between its guides a taut segment is a spring across itself, and draws light ends past each other.
The part of it that the step does not resolve pulls along the direction where the step ends. The
motion of a group of dofs is found with that (couple.py); of others it is taken to change nothing.
Then the load of that motion acts, and how it changes with it weighs in the mass matrix: MuJoCo
finds the same motion, and where it knows of more, that mass holds it.
"""

import copy
import math
from dataclasses import dataclass
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
# Ends meet within this part of the length, or more where that would be stiffer than the step by
# this much: it would leave fewer digits to the rest of the motion (chosen, test_swinging would
# notice a hundredth of the other, test_swing of the plugin twice as much of the one).
MEETING, STIFFEST = wp.constant(0.01), wp.constant(1e5)
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
  place: wp.array(dtype=int)  # of the dof in its group
  pair_begin: wp.array(dtype=int)
  address: wp.array(dtype=int)  # with each dof of the segment in the mass matrix; -1: in the row of
  # that dof, -2: nowhere
  # by dof that cables load
  dof: wp.array(dtype=int)
  dof_begin: wp.array(dtype=int)
  dof_row: wp.array(dtype=int)
  # by group of dofs
  group_begin: wp.array(dtype=int)
  group_segment: wp.array(dtype=int)


@wp.struct
class Moving:
  """How bodies move, and what was found of it."""

  timestep: wp.array(dtype=float)
  damped: int  # 1: the integrator takes the damping of joints at the end of the step
  damping: wp.array2d(dtype=float)
  site_xpos: wp.array2d(dtype=wp.vec3)
  subtree_com: wp.array2d(dtype=wp.vec3)
  cdof: wp.array2d(dtype=wp.spatial_vector)
  qvel: wp.array2d(dtype=float)
  # (count, worlds)
  pull: wp.array2d(dtype=float)  # by segment that may swing: as far as it does [N]
  meeting: wp.array2d(dtype=float)  # ends that are nearer pull each other less [m]
  change: wp.array2d(dtype=float)  # by dof: acceleration that was found; 0: of dofs in no group


@dataclass(frozen=True)
class MaySwing:
  """A segment that no limit on the tension keeps from it."""

  cable: int
  segment: int
  give: float
  rows: tuple[tuple[int, int, int], ...]  # dof, root of its tree, sign


def may_swing(model: mujoco.MjModel, layout: Layout) -> list[MaySwing]:
  """Segments between guides whose swing a step may not resolve."""
  home = home_pose(model)
  moving: dict[int, list] = {}
  for row in layout.rows:
    if row.sign:
      root = int(model.body_rootid[model.dof_bodyid[row.dof]])
      moving.setdefault(row.segment, []).append((row.dof, root, round(row.sign)))
  chosen: list[MaySwing] = []
  for c, placed in enumerate(layout.cables):
    for s in range(placed.segment, placed.segment + placed.contacts + 1):
      give = _give(model, home, layout, placed, s) if s in moving else 0.0
      if model.opt.timestep**2 * _most_tension(placed) * give > MOST_SWING:
        chosen.append(MaySwing(c, s, give, tuple(moving[s])))
  return chosen


def swings_of(
  model: mujoco.MjModel, layout: Layout, found: list[MaySwing], group: np.ndarray
) -> Swings:
  """Those of dofs in a group, and those with a place in the mass matrix. `group`: by dof, and the
  place of the dof there."""
  places = mass_places(model)
  chosen = [f for f in found if group[f.rows[0][0], 0] >= 0 or _have_places(f, places)]
  rows = [(k, *row) for k, f in enumerate(chosen) for row in f.rows]
  loaded = sorted({row.dof for row in layout.rows})
  t = Swings()
  t.segment, t.cable = as_ints([f.segment for f in chosen]), as_ints([f.cable for f in chosen])
  t.sites = as_ints([layout.segment_sites[f.segment] for f in chosen], (-1, 2))
  t.give = wp.array(np.array([f.give for f in chosen], np.float32), dtype=float)
  t.row_begin, _ = in_rows([list(f.rows) for f in chosen], 3)
  t.row = wp.array(np.array(rows, np.int32).reshape(-1, 4), dtype=wp.vec4i)
  mobility = np.array([model.dof_invweight0[r[1]] for r in rows], np.float32)
  t.mobility = wp.array(mobility, dtype=float)
  t.place = as_ints([group[r[1], 1] for r in rows])
  t.pair_begin, t.address = in_rows(
    [[_address(one[0], other[0], places) for other in f.rows] for f in chosen for one in f.rows]
  )
  t.dof = as_ints(loaded)
  t.dof_begin, t.dof_row = in_rows([[p for p, r in enumerate(rows) if r[1] == d] for d in loaded])
  groups = 1 + max(group[:, 0], default=-1)
  t.group_begin, t.group_segment = in_rows(
    [[k for k, f in enumerate(chosen) if group[f.rows[0][0], 0] == g] for g in range(groups)]
  )
  return t


def _have_places(f: MaySwing, places: dict) -> bool:
  # all pairs in the mass matrix: not of two trees, or two branches of one
  pairs = product([row[0] for row in f.rows], repeat=2)
  return all(_address(i, j, places) != -2 for i, j in pairs)


def _address(row: int, column: int, places: dict) -> int:
  return places.get((row, column), -1 if (column, row) in places else -2)


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
  length: float


@wp.func
def segment_of(k: int, w: int, t: Swings, m: Moving):
  """Where its ends are; no length: nothing to pull along."""
  s = Segment()
  s.a = m.site_xpos[w, t.sites[k, 0]]
  s.b = m.site_xpos[w, t.sites[k, 1]]
  s.length = wp.length(s.b - s.a)
  if s.length > 0.0:
    s.along = (s.b - s.a) / s.length
  return s


@wp.func
def sway_of(r: int, w: int, h: float, s: Segment, t: Swings, m: Moving):
  """How a dof moves one end of a segment as the other sees it; the last number: along, by its
  square, where that makes it longer."""
  row = t.row[r]
  sign = float(row[3])
  arm = wp.where(row[3] > 0, s.b, s.a) - m.subtree_com[w, row[2]]
  turns = wp.spatial_top(m.cdof[w, row[1]])
  moves = sign * (wp.spatial_bottom(m.cdof[w, row[1]]) + wp.cross(turns, arm))
  turn = wp.max(wp.dot(s.along, wp.cross(turns, moves)), 0.0)
  way = h * m.qvel[w, row[1]]
  turn /= wp.sqrt(1.0 + way * way)  # as for the length: no further than it turns
  return wp.vec4(moves[0], moves[1], moves[2], turn)


@wp.func
def moves_of(sway: wp.vec4):
  """Without the last number."""
  return wp.vec3(sway[0], sway[1], sway[2])


@wp.func
def end_velocity(r: int, w: int, h: float, t: Swings, m: Moving):
  """Of the dof of a row, where the step ends."""
  dof = t.row[r][1]
  return m.qvel[w, dof] + h * m.change[dof, w]


@wp.func
def far_end(k: int, w: int, h: float, s: Segment, t: Swings, m: Moving):
  """From one end to the other, where the step ends."""
  end = s.b - s.a
  for r in range(t.row_begin[k], t.row_begin[k + 1]):
    end += h * end_velocity(r, w, h, t, m) * moves_of(sway_of(r, w, h, s, t, m))
  return end


@wp.func
def turned(end: wp.vec3, s: Segment, meeting: float):
  """How much the direction has changed."""
  return end / wp.max(wp.length(end), meeting) - s.along * s.length / wp.max(s.length, meeting)


@wp.func
def load_of(
  r: int, w: int, h: float, pull: float, sway: wp.vec4, way: wp.vec3, t: Swings, m: Moving
):
  """What a segment takes from the force on a dof; `way`: how much its direction has changed."""
  return pull * (wp.dot(way, moves_of(sway)) + h * sway[3] * end_velocity(r, w, h, t, m))


@wp.func
def slope_of(
  h: float, pull: float, meeting: float, end: wp.vec3, one: wp.vec4, two: wp.vec4, same: int
):
  """How that changes with the acceleration of another dof; 1: of the same."""
  size = wp.length(end)
  a = moves_of(one)
  if size > meeting:
    a -= end * wp.dot(end, a) / (size * size)
  both = wp.dot(a, moves_of(two)) / wp.max(size, meeting)
  if same == 1:
    both += one[3]
  return h * h * pull * both


@wp.kernel(module="unique", enable_backward=False)
def swing_kernel(t: Swings, record: Record, m: Moving):
  """How much of its spring the step does not resolve: one segment in one world."""
  k, w = wp.tid()
  h = m.timestep[w % m.timestep.shape[0]]
  pull = record.results.tension[t.segment[k], w]
  m.pull[k, w] = 0.0
  if h * h * pull * t.give[k] <= MOST_SWING:
    return
  s = segment_of(k, w, t, m)
  if not s.length > 0.0:
    return
  gives = wp.mat33()
  turns = float(0.0)
  way = wp.vec3()
  for r in range(t.row_begin[k], t.row_begin[k + 1]):
    dof = t.row[r][1]
    sway = sway_of(r, w, h, s, t, m)
    mobility = t.mobility[r]
    if m.damped == 1:
      mobility /= 1.0 + h * mobility * wp.max(m.damping[w % m.damping.shape[0], dof], 0.0)
    moves = moves_of(sway)
    way += h * m.qvel[w, dof] * moves
    gives += mobility * wp.outer(moves, moves)
    turns += mobility * sway[3]
  # beyond the way that its ends go across a tension turns no further
  aside = wp.length(wp.cross(way, s.along))
  reach = wp.sqrt(s.length * s.length + aside * aside)
  pull *= record.results.older[t.cable[k], w]
  swung = h * h * pull * (wp.sqrt(wp.ddot(gives, gives)) / reach + turns)
  if swung > MOST_SWING:
    # the rest of it is left to the beginning of the step, which resolves that much
    m.pull[k, w] = pull * (1.0 - MOST_SWING / swung)
    m.meeting[k, w] = wp.max(MEETING, swung / STIFFEST) * reach


@wp.func
def take_swings(
  i: int,
  w: int,
  t: Swings,
  m: Moving,
  qfrc: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
):
  """What swinging segments take from the force on a dof, and add to its row of the mass matrix."""
  h = m.timestep[w % m.timestep.shape[0]]
  for p in range(t.dof_begin[i], t.dof_begin[i + 1]):
    r = t.dof_row[p]
    k = t.row[r][0]
    pull = m.pull[k, w]
    if pull > 0.0:
      s = segment_of(k, w, t, m)
      end = far_end(k, w, h, s, t, m)
      one = sway_of(r, w, h, s, t, m)
      load = load_of(r, w, h, pull, one, turned(end, s, m.meeting[k, w]), t, m)
      first = t.row_begin[k]
      for q in range(first, t.row_begin[k + 1]):
        at = t.address[t.pair_begin[r] + q - first]
        if at > -2:
          two = sway_of(q, w, h, s, t, m)
          slope = slope_of(h, pull, m.meeting[k, w], end, one, two, wp.where(q == r, 1, 0))
          if at >= 0:
            inertia[w, at] = inertia[w, at] + slope
          load -= slope * m.change[t.row[q][1], w]
      qfrc[w, t.dof[i]] = qfrc[w, t.dof[i]] - load
