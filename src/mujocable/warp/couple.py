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

from mujocable.warp.bonds import Bonds, add_bond_slopes, knows_bonds, take_bonds
from mujocable.warp.dense import solve_dense
from mujocable.warp.groups import Groups
from mujocable.warp.load import products
from mujocable.warp.record import Cables, Memory, Path, Results, Weights
from mujocable.warp.slopes import along_cells, slopes
from mujocable.warp.string import String, damp
from mujocable.warp.tension import tensions
from mujocable.warp.weigh import change_factor

BALANCED = wp.constant(2e-5)  # what may stay unbalanced, of the sizes of all forces: rounding
ROUGHLY = wp.constant(1e-3)  # the same, where steps do not make it smaller any more
STEPS = wp.constant(16)  # of Newton's method, at most
SEARCHES = wp.constant(10)  # places along one of them


@wp.struct
class Forces:
  """What MuJoCo Warp knows of the motion, (worlds, dofs)."""

  timestep: wp.array(dtype=float)
  damped: int  # 1: the integrator takes the damping of joints at the end of the step
  damping: wp.array2d(dtype=float)
  inertia: wp.array2d(dtype=float)
  bias: wp.array2d(dtype=float)
  applied: wp.array2d(dtype=float)
  outer: wp.array2d(dtype=float)  # of forces on bodies
  actuator: wp.array2d(dtype=float)
  passive: wp.array2d(dtype=float)


@wp.struct
class Motion:
  """Scratch, by dof of all groups; `solves`: by group, systems solved, below 0: nothing found."""

  matrix: wp.array2d(dtype=float)
  force: wp.array2d(dtype=float)
  scale: wp.array2d(dtype=float)  # 1 / root of the inertia
  x: wp.array2d(dtype=float)  # acceleration
  at: wp.array2d(dtype=float)  # where the balance is asked for
  step: wp.array2d(dtype=float)
  rest: wp.array2d(dtype=float)  # what is unbalanced
  sizes: wp.array2d(dtype=float)  # of all forces
  pull: wp.array2d(dtype=float)
  measure: wp.array2d(dtype=float)
  solves: wp.array2d(dtype=int)


@wp.func
def is_due(g: int, w: int, groups: Groups, results: Results, strings: wp.array2d(dtype=String)):
  """1: some stiff cable of the group slides or runs between trees."""
  for k in range(groups.cable_begin[g], groups.cable_begin[g + 1]):
    c = groups.cable[k]
    if results.heavy[c, w] == 1 and (groups.crosses[k] == 1 or strings[c, w].rubs == 1):
      return 1
  return 0


@wp.func
def begin_motion(g: int, w: int, groups: Groups, forces: Forces, motion: Motion):
  """Forces beside the cables', and the size of the inertia; at rest."""
  for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
    d = groups.dof[i]
    given = forces.passive[w, d] - forces.bias[w, d] + forces.applied[w, d]
    motion.force[i, w] = given + forces.outer[w, d] + forces.actuator[w, d]
    motion.x[i, w] = 0.0
    motion.at[i, w] = 0.0
    motion.pull[i, w] = 0.0
    motion.measure[i, w] = 0.0
  for e in range(groups.entry_begin[g], groups.entry_begin[g + 1]):
    if groups.entry[e, 1] == groups.entry[e, 2]:
      i = groups.dof_begin[g] + groups.entry[e, 1]
      size = forces.inertia[w, groups.entry[e, 0]] + damping_of(groups.dof[i], w, forces)
      motion.scale[i, w] = 1.0 / wp.sqrt(wp.max(size, 1.0e-20))


@wp.func
def damping_of(dof: int, w: int, forces: Forces):
  """What damping adds to the inertia of the step."""
  added = float(0.0)
  if forces.damped == 1:
    h = forces.timestep[w % forces.timestep.shape[0]]
    added = h * forces.damping[w % forces.damping.shape[0], dof]
  return added


@wp.func
def take_inertia(g: int, w: int, groups: Groups, forces: Forces, motion: Motion):
  """What the inertia and the given forces leave unbalanced."""
  first = groups.dof_begin[g]
  for i in range(first, groups.dof_begin[g + 1]):
    x = damping_of(groups.dof[i], w, forces) * motion.at[i, w]
    motion.rest[i, w] = x - motion.force[i, w]
    motion.sizes[i, w] = wp.abs(x) + wp.abs(motion.force[i, w])
  for e in range(groups.entry_begin[g], groups.entry_begin[g + 1]):
    i = first + groups.entry[e, 1]
    k = first + groups.entry[e, 2]
    value = forces.inertia[w, groups.entry[e, 0]]
    x = value * motion.at[k, w]
    motion.rest[i, w] = motion.rest[i, w] + x
    motion.sizes[i, w] = motion.sizes[i, w] + wp.abs(x)
    if i != k:
      x = value * motion.at[i, w]
      motion.rest[k, w] = motion.rest[k, w] + x
      motion.sizes[k, w] = motion.sizes[k, w] + wp.abs(x)


@wp.func
def begin_matrix(g: int, w: int, groups: Groups, forces: Forces, motion: Motion):
  """The inertia of the step."""
  first = groups.dof_begin[g]
  n = groups.dof_begin[g + 1] - first
  begin = groups.matrix[g]
  for k in range(begin, begin + n * n):
    motion.matrix[k, w] = 0.0
  for e in range(groups.entry_begin[g], groups.entry_begin[g + 1]):
    value = forces.inertia[w, groups.entry[e, 0]]
    row = groups.entry[e, 1]
    column = groups.entry[e, 2]
    if row == column:
      value += damping_of(groups.dof[first + row], w, forces)
    motion.matrix[begin + row * n + column, w] = value
    motion.matrix[begin + column * n + row, w] = value


@wp.func
def solve_step(g: int, w: int, groups: Groups, motion: Motion):
  """The step that the slopes ask for, rows and columns by the root of the inertia; 0: there is
  none."""
  first = groups.dof_begin[g]
  n = groups.dof_begin[g + 1] - first
  begin = groups.matrix[g]
  for i in range(n):
    scale = motion.scale[first + i, w]
    for k in range(n):
      at = begin + i * n + k
      motion.matrix[at, w] = motion.matrix[at, w] * scale * motion.scale[first + k, w]
    motion.step[first + i, w] = -scale * motion.rest[first + i, w]
  if solve_dense(n, begin, first, w, motion.matrix, motion.step) == 0:
    return 0
  for i in range(first, first + n):
    motion.step[i, w] = motion.step[i, w] * motion.scale[i, w]
  return 1


@wp.func
def along_step(g: int, w: int, groups: Groups, motion: Motion):
  """What is unbalanced, along the step."""
  sum = float(0.0)
  for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
    sum += motion.step[i, w] * motion.rest[i, w]
  return sum


@wp.func
def go_to(g: int, w: int, length: float, groups: Groups, motion: Motion):
  """A place along the step."""
  for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
    motion.at[i, w] = motion.x[i, w] + length * motion.step[i, w]


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
    if knows_bonds(g, w, groups, bonds) == 0:
      return
    begin_motion(g, w, groups, forces, motion)
    now, all = balance(
      g, w, 0, groups, forces, bonds, motion, cables, path, memory, head, pieces, results, strings
    )
    rounds = int(0)
    going = int(1)
    while going == 1 and now > BALANCED * all and rounds < STEPS:
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
      going = solve_step(g, w, groups, motion)
      if going == 1:
        rounds += 1
        # a whole step; where that goes too far, the place along it where nothing is left
        start = along_step(g, w, groups, motion)
        low = float(0.0)
        high = float(1.0)
        at_low = float(start)
        at_high = float(0.0)
        length = float(1.0)
        next = float(0.0)
        search = int(0)
        seeking = int(1)
        while seeking == 1:
          go_to(g, w, length, groups, motion)
          next, all = balance(
            g,
            w,
            1,
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
          search += 1
          end = along_step(g, w, groups, motion)
          seeking = 0
          if not (next <= wp.max(0.5 * now, BALANCED * all)) and search < SEARCHES:
            if wp.abs(end) > 0.1 * wp.abs(start):
              seeking = 1
            if end > 0.0:
              high = length
              at_high = end
            else:
              low = length
              at_low = end
            if search == 1 and end <= 0.0:
              seeking = 0
            between = 0.5 * (low + high)
            if search % 3 != 0 and at_low < 0.0 and at_high > 0.0:
              between = low + (high - low) * at_low / (at_low - at_high)
            length = between
        for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
          motion.x[i, w] = motion.at[i, w]
        now = next
    if now <= ROUGHLY * all:
      motion.solves[g, w] = rounds
      if rounds > 0:
        give_back(g, w, groups, weights, results, path, motion, forces)
    else:
      # as if all contacts stuck
      motion.solves[g, w] = -rounds - 1
      for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
        motion.at[i, w] = 0.0
      now, all = balance(
        g, w, 1, groups, forces, bonds, motion, cables, path, memory, head, pieces, results, strings
      )

  return couple_kernel
