"""Couple: tensions of stiff cables that are found together with the motion they cause
(19), (21).

A cable that the step does not resolve adds to the mass matrix what it weighs as if all its contacts
stuck, and as if trees were moved one by one (load.py). That keeps every step stable, and is too
much where a cable slides or runs between trees. Here the motion of the step is found as it should
be, by Newton's method on the balance of forces, with the law where the step is seen and its own
slopes, and with segments that swing (24). Then cables pull as they do there, and the force that the
added mass takes from this motion is given back: MuJoCo finds the same motion, and where it knows of
more, that mass holds it.
"""

import functools

import warp as wp

from mujocable.warp.couple.bonds import Bonds, take_bonds
from mujocable.warp.couple.groups import Groups
from mujocable.warp.couple.motion import (
  Forces,
  Motion,
  Search,
  along_step,
  begin_matrix,
  begin_motion,
  begin_search,
  go_to,
  narrow,
  solve_step,
  take_inertia,
)
from mujocable.warp.couple.slopes import along, slopes
from mujocable.warp.law.load import Loads, products
from mujocable.warp.law.record import Cables, Record
from mujocable.warp.law.string import String, damp
from mujocable.warp.law.swing import (
  Moving,
  Swings,
  far_end,
  load_of,
  segment_of,
  slope_of,
  sway_of,
  turned,
)
from mujocable.warp.law.tension import tensions
from mujocable.warp.law.weigh import change_factor

BALANCED = wp.constant(2e-5)  # what may stay unbalanced, of the sizes of all forces: rounding
ROUGHLY = wp.constant(1e-3)  # the same, where steps do not make it smaller any more
STEPS = wp.constant(16)  # of Newton's method, at most


@wp.struct
class Coupled:
  """All that the motion of a step is found from."""

  groups: Groups
  forces: Forces
  bonds: Bonds
  motion: Motion
  cables: Cables
  loads: Loads
  record: Record
  strings: wp.array2d(dtype=String)  # as the law left them, by cable
  swings: Swings
  moving: Moving


@wp.func
def is_due(g: int, w: int, c: Coupled):
  """1: the step does not resolve some cable of the group."""
  for k in range(c.groups.cable_begin[g], c.groups.cable_begin[g + 1]):
    if c.record.results.heavy[c.groups.cable[k], w] == 1:
      return 1
  for k in range(c.swings.group_begin[g], c.swings.group_begin[g + 1]):
    if c.moving.pull[c.swings.group_segment[k], w] > 0.0:
      return 1
  return 0


@wp.func
def forget_change(g: int, w: int, c: Coupled):
  """No motion is known."""
  for i in range(c.groups.dof_begin[g], c.groups.dof_begin[g + 1]):
    c.moving.change[c.groups.dof[i], w] = 0.0


@wp.func
def tell_change(g: int, w: int, c: Coupled):
  """The motion that swinging segments see."""
  for i in range(c.groups.dof_begin[g], c.groups.dof_begin[g + 1]):
    c.moving.change[c.groups.dof[i], w] = c.motion.at[i, w]


@wp.func
def balance_swings(g: int, w: int, c: Coupled):
  """Adds the loads of swinging segments to what is unbalanced, and their sizes."""
  tell_change(g, w, c)
  h = c.forces.timestep[w % c.forces.timestep.shape[0]]
  first = c.groups.dof_begin[g]
  for n in range(c.swings.group_begin[g], c.swings.group_begin[g + 1]):
    k = c.swings.group_segment[n]
    pull = c.moving.pull[k, w]
    if pull > 0.0:
      s = segment_of(k, w, c.swings, c.moving)
      way = turned(far_end(k, w, h, s, c.swings, c.moving), s, c.moving.meeting[k, w])
      for r in range(c.swings.row_begin[k], c.swings.row_begin[k + 1]):
        i = first + c.swings.place[r]
        sway = sway_of(r, w, h, s, c.swings, c.moving)
        load = load_of(r, w, h, pull, sway, way, c.swings, c.moving)
        c.motion.rest[i, w] = c.motion.rest[i, w] + load
        c.motion.sizes[i, w] = c.motion.sizes[i, w] + wp.abs(load)


@wp.func
def drop_slack(g: int, w: int, c: Coupled):
  """A cable that ends slack exerts no force, across its segments neither; 1: there was one."""
  dropped = int(0)
  for n in range(c.swings.group_begin[g], c.swings.group_begin[g + 1]):
    k = c.swings.group_segment[n]
    source = c.cables.segment[c.swings.cable[k]]
    if c.moving.pull[k, w] > 0.0 and c.record.results.tension[source, w] <= 0.0:
      c.moving.pull[k, w] = 0.0
      dropped = 1
  return dropped


@wp.func
def add_swings(g: int, w: int, c: Coupled):
  """Adds how these change with the motion to the matrix of the group."""
  h = c.forces.timestep[w % c.forces.timestep.shape[0]]
  size = c.groups.dof_begin[g + 1] - c.groups.dof_begin[g]
  for n in range(c.swings.group_begin[g], c.swings.group_begin[g + 1]):
    k = c.swings.group_segment[n]
    pull = c.moving.pull[k, w]
    if pull > 0.0:
      s = segment_of(k, w, c.swings, c.moving)
      end = far_end(k, w, h, s, c.swings, c.moving)
      near = c.moving.meeting[k, w]
      for r in range(c.swings.row_begin[k], c.swings.row_begin[k + 1]):
        one = sway_of(r, w, h, s, c.swings, c.moving)
        row = c.groups.matrix[g] + c.swings.place[r] * size
        for q in range(c.swings.row_begin[k], c.swings.row_begin[k + 1]):
          two = sway_of(q, w, h, s, c.swings, c.moving)
          at = row + c.swings.place[q]
          slope = slope_of(h, pull, near, end, one, two, wp.where(q == r, 1, 0))
          c.motion.matrix[at, w] = c.motion.matrix[at, w] + slope


@wp.func
def give_back(g: int, w: int, c: Coupled):
  """The force that the added mass takes from the motion that was found."""
  first = c.groups.dof_begin[g]
  for e in range(c.groups.product_begin[g], c.groups.product_begin[g + 1]):
    k = c.groups.product[e, 0]
    if c.record.results.heavy[c.loads.cable[k], w] == 1:
      both = products(k, w, c.loads, c.record)
      i = first + c.groups.product[e, 1]
      j = first + c.groups.product[e, 2]
      one = c.groups.dof[i]
      two = c.groups.dof[j]
      if c.loads.lumped[k] == 1:
        x = both[1] * c.loads.ease[k] * c.motion.x[i, w]
        c.forces.passive[w, one] = c.forces.passive[w, one] + x
      else:
        c.forces.passive[w, one] = c.forces.passive[w, one] + both[0] * c.motion.x[j, w]
        if i != j:
          c.forces.passive[w, two] = c.forces.passive[w, two] + both[0] * c.motion.x[i, w]


@wp.func
def where_seen(s: String, along: float):
  """The string where its length has this acceleration."""
  t = s
  t.by_change = change_factor(s)
  t.grows = s.grows + s.step * s.step * along
  t.seen = s.seen + t.by_change * along
  return damp(t, 1)


@wp.func
def take_tensions(cable: int, first: int, w: int, c: Coupled):
  """Adds the load of a cable to what is unbalanced, and its sizes."""
  begin = c.cables.segment[cable]
  for segment in range(begin, begin + c.cables.contacts[cable] + 1):
    t = c.record.results.tension[segment, w]
    if t > 0.0:
      for r in range(c.groups.row_begin[segment], c.groups.row_begin[segment + 1]):
        i = first + c.groups.row[r, 1]
        load = t * c.record.path.gradient[c.groups.row[r, 0], w]
        c.motion.rest[i, w] = c.motion.rest[i, w] + load
        c.motion.sizes[i, w] = c.motion.sizes[i, w] + wp.abs(load)


@functools.cache
def balances(gradual: bool, marked: bool, swings: bool):
  """Function: what is unbalanced at motion.at, and all forces, in the scale of the inertia."""
  find_tensions, along_cells = tensions(gradual, marked, True), along(gradual)

  @wp.func
  def balance(g: int, w: int, fresh: int, c: Coupled):
    # fresh: 0: the law has just been asked, where nothing accelerates
    first = c.groups.dof_begin[g]
    take_inertia(g, w, c.groups, c.forces, c.motion)
    for k in range(c.groups.cable_begin[g], c.groups.cable_begin[g + 1]):
      cable = c.groups.cable[k]
      if c.record.results.heavy[cable, w] == 1:
        s = c.strings[cable, w]
        along = along_cells(s, first, w, c.groups, c.motion.at, c.record)
        if fresh == 1:
          s = where_seen(s, along)
          taut, sum, _round = find_tensions(s, 2 * (s.first + cable), w, 1, c.record)
          c.record.memory.sum[1 - s.old, cable, w] = sum
          c.record.memory.slack[1 - s.old, cable, w] = wp.where(taut == 0, 1, 0)
      take_tensions(cable, first, w, c)
    if wp.static(swings):
      balance_swings(g, w, c)
    take_bonds(g, w, 0, c.groups, c.bonds, c.motion)
    left = float(0.0)
    all = float(0.0)
    for i in range(first, c.groups.dof_begin[g + 1]):
      x = c.motion.scale[i, w] * c.motion.rest[i, w]
      size = c.motion.scale[i, w] * c.motion.sizes[i, w]
      left += x * x
      all += size * size
    return wp.sqrt(left), wp.sqrt(all)

  return balance


@functools.cache
def newton(gradual: bool, swings: bool):
  """Function: a step of Newton's method from motion.at; 0: there is none."""
  add_slopes = slopes(gradual)

  @wp.func
  def find_step(g: int, w: int, c: Coupled):
    begin_matrix(g, w, c.groups, c.forces, c.motion)
    for k in range(c.groups.cable_begin[g], c.groups.cable_begin[g + 1]):
      cable = c.groups.cable[k]
      if c.record.results.heavy[cable, w] == 1:
        s = c.strings[cable, w]
        along = float(0.0)
        for j in range(s.first, s.first + s.cells):
          along += c.record.path.along[j, w]
        add_slopes(where_seen(s, along), g, w, c.groups, c.motion, c.record)
    if wp.static(swings):
      add_swings(g, w, c)
    take_bonds(g, w, 1, c.groups, c.bonds, c.motion)
    return solve_step(g, w, c.groups, c.motion)

  return find_step


@functools.cache
def couple(gradual: bool, marked: bool, swings: bool):
  """Kernel: one group in one world."""
  balance, find_step = balances(gradual, marked, swings), newton(gradual, swings)

  @wp.kernel(module="unique", enable_backward=False)
  def couple_kernel(c: Coupled):
    """Finds the motion, leaves the tensions there, and gives back what the added mass takes."""
    g, w = wp.tid()
    c.motion.solves[g, w] = 0
    if wp.static(swings):
      forget_change(g, w, c)
    if is_due(g, w, c) == 0:
      return
    begin_motion(g, w, c.groups, c.forces, c.motion)
    search = Search()
    rounds = int(0)
    failed = int(0)
    fresh = int(0)
    going = int(1)
    while going == 1:
      left, all = balance(g, w, fresh, c)
      fresh = 1
      if failed == 1:
        going = 0
      elif rounds > 0:
        search = narrow(search, left, BALANCED * all, along_step(g, w, c.groups, c.motion))
      if search.seeking == 1:
        go_to(g, w, search.length, c.groups, c.motion)
      elif going == 1:
        for i in range(c.groups.dof_begin[g], c.groups.dof_begin[g + 1]):
          c.motion.x[i, w] = c.motion.at[i, w]
        going = 0
        if left > BALANCED * all and rounds < STEPS:
          going = find_step(g, w, c)
        if going == 1:
          rounds += 1
          search = begin_search(along_step(g, w, c.groups, c.motion), left)
          go_to(g, w, 1.0, c.groups, c.motion)
        elif left <= ROUGHLY * all:
          if wp.static(swings):
            going = drop_slack(g, w, c)
            search.before = wp.inf  # of another balance
        else:
          # not found: as if all contacts stuck
          failed = 1
          going = 1
          for i in range(c.groups.dof_begin[g], c.groups.dof_begin[g + 1]):
            c.motion.at[i, w] = 0.0
    c.motion.solves[g, w] = wp.where(failed == 1, -rounds - 1, rounds)
    if failed == 0 and rounds > 0:
      give_back(g, w, c)

  return couple_kernel
