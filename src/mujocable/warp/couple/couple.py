"""Couple: tensions of stiff cables that are found together with the motion they cause.

A cable that the step does not resolve adds to the mass matrix what it weighs as if all its contacts
stuck, and as if trees were moved one by one (load.py). That keeps every step stable, and is too
much where a cable slides or runs between trees. Here the motion of the step is found as it should
be, by Newton's method on the balance of forces, with the law where the step is seen and its own
slopes. Then cables pull as they do there, and the force that the added mass takes from this motion
is given back: MuJoCo finds the same motion, and where it knows of more, that mass holds it.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.couple.bonds import Bonds, add_bond_slopes, take_bonds
from mujocable.warp.couple.groups import Groups
from mujocable.warp.couple.motion import (
  Forces,
  Motion,
  Search,
  along_step,
  begin_matrix,
  begin_motion,
  go_to,
  narrow,
  solve_step,
  take_inertia,
)
from mujocable.warp.couple.slopes import along_cells, slopes
from mujocable.warp.law.load import products
from mujocable.warp.law.record import Cables, Memory, Path, Results, Weights
from mujocable.warp.law.string import String, damp
from mujocable.warp.law.tension import tensions
from mujocable.warp.law.weigh import change_factor

BALANCED = wp.constant(2e-5)  # what may stay unbalanced, of the sizes of all forces: rounding
ROUGHLY = wp.constant(1e-3)  # the same, where steps do not make it smaller any more
STEPS = wp.constant(16)  # of Newton's method, at most


@wp.func
def is_due(g: int, w: int, groups: Groups, results: Results, strings: wp.array2d(dtype=String)):
  """1: some stiff cable of the group slides or runs between trees."""
  for k in range(groups.cable_begin[g], groups.cable_begin[g + 1]):
    c = groups.cable[k]
    if results.heavy[c, w] == 1 and (groups.crosses[k] == 1 or strings[c, w].rubs == 1):
      return 1
  return 0


@wp.func
def give_back(
  g: int,
  w: int,
  groups: Groups,
  weights: Weights,
  results: Results,
  path: Path,
  motion: Motion,
  forces: Forces,
):
  """The force that the added mass takes from the motion that was found."""
  first = groups.dof_begin[g]
  for e in range(groups.product_begin[g], groups.product_begin[g + 1]):
    k = groups.product[e, 0]
    if results.heavy[weights.cable[k], w] == 1:
      both = products(k, w, weights, path.gradient, results.mass, results.group)
      i = first + groups.product[e, 1]
      j = first + groups.product[e, 2]
      one = groups.dof[i]
      two = groups.dof[j]
      if weights.lumped[k] == 1:
        x = both[1] * weights.ease[k] * motion.x[i, w]
        forces.passive[w, one] = forces.passive[w, one] + x
      else:
        forces.passive[w, one] = forces.passive[w, one] + both[0] * motion.x[j, w]
        if i != j:
          forces.passive[w, two] = forces.passive[w, two] + both[0] * motion.x[i, w]


@functools.cache
def couple(gradual: bool, marked: bool):
  """Kernel: one group in one world."""
  find_tensions, add_slopes = tensions(gradual, marked, True), slopes(gradual)

  @wp.func
  def where_seen(s: String, along: float):
    # the string where its length has this acceleration
    t = s
    t.by_change = change_factor(s)
    t.grows = s.grows + s.step * s.step * along
    t.seen = s.seen + t.by_change * along
    return damp(t, 1)

  @wp.func
  def balance(
    g: int,
    w: int,
    fresh: int,  # 0: the law has just been asked, where nothing accelerates
    groups: Groups,
    forces: Forces,
    bonds: Bonds,
    motion: Motion,
    cables: Cables,
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),
    pieces: wp.array3d(dtype=wp.vec3),
    results: Results,
    strings: wp.array2d(dtype=String),
  ):
    # what is unbalanced at motion.at, and all forces, in the scale of the inertia
    first = groups.dof_begin[g]
    take_inertia(g, w, groups, forces, motion)
    for k in range(groups.cable_begin[g], groups.cable_begin[g + 1]):
      c = groups.cable[k]
      if results.heavy[c, w] == 1:
        s = strings[c, w]
        along = along_cells(s, first, w, cables.contact_marks, groups, motion.at, path)
        if fresh == 1:
          s = where_seen(s, along)
          _pulls, sum, _round = find_tensions(
            s, 2 * (s.first + c), w, 1, cables.contact_marks, path, memory, head, pieces, results
          )
          memory.sum[1 - s.old, c, w] = sum
      begin = cables.segment[c]
      for segment in range(begin, begin + cables.contacts[c] + 1):
        t = results.tension[segment, w]
        if t > 0.0:
          for r in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
            i = first + groups.row[r, 1]
            load = t * path.gradient[groups.row[r, 0], w]
            motion.rest[i, w] = motion.rest[i, w] + load
            motion.sizes[i, w] = motion.sizes[i, w] + wp.abs(load)
    take_bonds(g, w, groups, bonds, motion.at, motion.rest, motion.sizes)
    left = float(0.0)
    all = float(0.0)
    for i in range(first, groups.dof_begin[g + 1]):
      x = motion.scale[i, w] * motion.rest[i, w]
      size = motion.scale[i, w] * motion.sizes[i, w]
      left += x * x
      all += size * size
    return wp.sqrt(left), wp.sqrt(all)

  @wp.func
  def find_step(
    g: int,
    w: int,
    groups: Groups,
    forces: Forces,
    bonds: Bonds,
    motion: Motion,
    cables: Cables,
    path: Path,
    memory: Memory,
    results: Results,
    strings: wp.array2d(dtype=String),
  ):
    # a step of Newton's method from motion.at; 0: there is none
    begin_matrix(g, w, groups, forces, motion)
    for k in range(groups.cable_begin[g], groups.cable_begin[g + 1]):
      c = groups.cable[k]
      if results.heavy[c, w] == 1:
        s = strings[c, w]
        along = float(0.0)
        for j in range(s.first, s.first + s.cells):
          along += path.along[j, w]
        s = where_seen(s, along)
        add_slopes(
          s,
          g,
          w,
          cables.contact_marks,
          groups,
          path,
          memory,
          results,
          motion.pull,
          motion.measure,
          motion.matrix,
        )
    add_bond_slopes(g, w, groups, bonds, motion.at, motion.matrix)
    return solve_step(g, w, groups, motion)

  @wp.kernel(module="unique", enable_backward=False)
  def couple_kernel(
    groups: Groups,
    weights: Weights,
    forces: Forces,
    bonds: Bonds,
    cables: Cables,
    path: Path,
    strings: wp.array2d(dtype=String),
    memory: Memory,
    head: wp.array2d(dtype=float),
    pieces: wp.array3d(dtype=wp.vec3),
    motion: Motion,
    results: Results,
  ):
    """Finds the motion, leaves the tensions there, and gives back what the added mass takes."""
    g, w = wp.tid()
    motion.solves[g, w] = 0
    if is_due(g, w, groups, results, strings) == 0:
      return
    begin_motion(g, w, groups, forces, motion)
    search = Search()
    rounds = int(0)
    failed = int(0)
    fresh = int(0)
    going = int(1)
    while going == 1:
      left, all = balance(
        g,
        w,
        fresh,
        groups,
        forces,
        bonds,
        motion,
        cables,
        path,
        memory,
        head,
        pieces,
        results,
        strings,
      )
      fresh = 1
      if failed == 1:
        going = 0
      elif rounds > 0:
        search = narrow(search, left, BALANCED * all, along_step(g, w, groups, motion))
      if search.seeking == 1:
        go_to(g, w, search.length, groups, motion)
      elif going == 1:
        for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
          motion.x[i, w] = motion.at[i, w]
        going = 0
        if left > BALANCED * all and rounds < STEPS:
          going = find_step(
            g, w, groups, forces, bonds, motion, cables, path, memory, results, strings
          )
        if going == 1:
          rounds += 1
          search = Search()
          search.start = along_step(g, w, groups, motion)
          search.at_low = search.start
          search.high = 1.0
          search.length = 1.0
          search.before = left
          go_to(g, w, 1.0, groups, motion)
        elif not (left <= ROUGHLY * all):
          # not found: as if all contacts stuck
          failed = 1
          going = 1
          for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
            motion.at[i, w] = 0.0
    motion.solves[g, w] = wp.where(failed == 1, -rounds - 1, rounds)
    if failed == 0 and rounds > 0:
      give_back(g, w, groups, weights, results, path, motion, forces)

  return couple_kernel
