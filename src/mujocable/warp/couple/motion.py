"""Motion: the balance of forces on a group of dofs in one step (21), without its cables.

Unknown is the change of velocity over the step. Its inertia is the mass matrix with the damping
that the integrator takes at the end of the step.
"""

import warp as wp

from mujocable.warp.couple.dense import solve_dense
from mujocable.warp.couple.groups import Groups

SEARCHES = wp.constant(10)  # places along one step: to a tenth of it and less


@wp.struct
class Forces:
  """What MuJoCo Warp knows of the motion, (worlds, dofs)."""

  timestep: wp.array(dtype=float)
  damped: int  # 1: the damping of joints adds to the inertia of the step
  damping: wp.array2d(dtype=float)
  inertia: wp.array2d(dtype=float)  # as the mass matrix is stored
  bias: wp.array2d(dtype=float)
  applied: wp.array2d(dtype=float)
  outer: wp.array2d(dtype=float)  # of forces on bodies
  actuators: int
  actuator: wp.array2d(dtype=float)  # by actuator; its moments follow
  rownnz: wp.array2d(dtype=int)
  rowadr: wp.array2d(dtype=int)
  colind: wp.array2d(dtype=int)
  moment: wp.array2d(dtype=float)
  passive: wp.array2d(dtype=float)


@wp.struct
class Motion:
  """Scratch, by dof of all groups; `solves`: by group, systems solved, below 0: nothing found."""

  matrix: wp.array2d(dtype=float)
  force: wp.array2d(dtype=float)
  scale: wp.array2d(dtype=float)  # 1 / root of the inertia
  row_scale: wp.array2d(dtype=float)
  x: wp.array2d(dtype=float)  # acceleration
  at: wp.array2d(dtype=float)  # where the balance is asked for
  step: wp.array2d(dtype=float)
  rest: wp.array2d(dtype=float)  # what is unbalanced
  sizes: wp.array2d(dtype=float)  # of all forces
  pull: wp.array2d(dtype=float)
  measure: wp.array2d(dtype=float)
  solves: wp.array2d(dtype=int)


@wp.func
def begin_motion(g: int, w: int, groups: Groups, forces: Forces, motion: Motion):
  """Forces beside the cables', and the size of the inertia; at rest."""
  for i in range(groups.dof_begin[g], groups.dof_begin[g + 1]):
    d = groups.dof[i]
    given = forces.passive[w, d] - forces.bias[w, d] + forces.applied[w, d]
    motion.force[i, w] = given + forces.outer[w, d]
    motion.x[i, w] = 0.0
    motion.at[i, w] = 0.0
    motion.pull[i, w] = 0.0
    motion.measure[i, w] = 0.0
  for a in range(forces.actuators):
    begin = forces.rowadr[w, a]
    for k in range(begin, begin + forces.rownnz[w, a]):
      d = forces.colind[w, k]
      if groups.place[d, 0] == g:
        i = groups.dof_begin[g] + groups.place[d, 1]
        motion.force[i, w] = motion.force[i, w] + forces.actuator[w, a] * forces.moment[w, k]
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
    if row != column:
      motion.matrix[begin + column * n + row, w] = value


@wp.func
def solve_step(g: int, w: int, groups: Groups, motion: Motion):
  """The step that the slopes ask for; 0: there is none."""
  first = groups.dof_begin[g]
  n = groups.dof_begin[g + 1] - first
  for i in range(first, first + n):
    motion.step[i, w] = -motion.rest[i, w]
    motion.row_scale[i, w] = motion.scale[i, w]
  return solve_dense(
    n, groups.matrix[g], first, w, motion.scale, motion.row_scale, motion.matrix, motion.step
  )


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


def actuators_of(m) -> int:
  """How many a Model of MuJoCo Warp has; before 4.0 each had one control."""
  return m.nactuator if hasattr(m, "nactuator") else m.nu


@wp.struct
class Search:
  """A place along a step: between a low and a high one, with what is unbalanced there along it."""

  seeking: int  # 1: go on, at `length`
  count: int
  length: float
  low: float
  high: float
  at_low: float
  at_high: float
  start: float
  before: float  # what was unbalanced before the step


@wp.func
def begin_search(start: float, left: float):
  """At the whole step; `start`: what is unbalanced along it where it begins, `left`: and in all."""
  s = Search()
  s.start = start
  s.at_low = start
  s.high = 1.0
  s.length = 1.0
  s.before = left
  return s


@wp.func
def narrow(s: Search, left: float, enough: float, end: float):
  """The next place, where a step went too far: past the balance along it another contact began to
  slip or to stick."""
  t = s
  t.seeking = 0
  t.count += 1
  if left <= wp.max(0.5 * s.before, enough) or t.count >= SEARCHES:
    return t
  if wp.abs(end) <= 0.1 * wp.abs(s.start) or (t.count == 1 and end <= 0.0):
    return t
  t.seeking = 1
  if end > 0.0:
    t.high = s.length
    t.at_high = end
  else:
    t.low = s.length
    t.at_low = end
  t.length = 0.5 * (t.low + t.high)
  if t.count % 3 != 0 and t.at_low < 0.0 and t.at_high > 0.0:
    t.length = t.low + (t.high - t.low) * t.at_low / (t.at_low - t.at_high)
  return t
