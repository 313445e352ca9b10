"""Slopes: how the tensions of a cable change with the acceleration of its bodies
(below (21)).

Cells between contacts that stick share one unknown: what they lack together over what they give
together, each for its part of the tension. A cell that sticks on both sides is a spring of its own.
The slopes of a cable that slides are not symmetric.
"""

import functools

import warp as wp

from mujocable.warp.couple.dense import add_scaled
from mujocable.warp.couple.groups import Groups
from mujocable.warp.couple.motion import Motion
from mujocable.warp.law.record import Path, Record
from mujocable.warp.law.string import String, guessed_way, lines


@wp.struct
class Place:
  """A cell on the way along a cable."""

  cell: int  # of the string
  segment: int  # the one that begins there, or the next
  contact: int
  marks: int  # of the contact, passed
  holds: int  # 1: a segment is in the cell


@wp.func
def first_place(s: String):
  """Where a cable begins."""
  p = Place()
  p.segment = s.segment
  p.contact = s.contact
  p.holds = 1
  return p


@wp.func
def next_cell(p: Place, marks: wp.array(dtype=int)):
  """The place behind."""
  q = p
  q.cell += 1
  q.marks += 1
  q.holds = 0
  if p.holds == 1:
    q.segment += 1
  if q.marks == marks[p.contact]:
    q.contact += 1
    q.marks = 0
    q.holds = 1
  return q


@wp.func
def step_to(p: Place, cells: int, marks: wp.array(dtype=int)):
  """The place behind; past the last cell only that number counts."""
  q = p
  if p.cell < cells - 1:
    q = next_cell(p, marks)
  else:
    q.cell += 1
  return q


@wp.func
def is_lifted(p: Place, s: String, w: int, r: Record):
  """1: the cable does not touch at the contact behind: the cell in front has the whole length."""
  lifted = int(0)
  if p.cell < s.cells - 1:
    lifted = 1 - r.path.touching[p.contact, w]
  return lifted


@functools.cache
def along(gradual: bool):
  """Function: acceleration of the length of every cell; gives back that of all."""

  @wp.func
  def along_cells(
    s: String, first: int, w: int, groups: Groups, at: wp.array2d(dtype=float), r: Record
  ):
    # `first`: dof of the group
    p = first_place(s)
    total = float(0.0)
    whole = int(s.first)
    for j in range(s.cells):
      sum = float(0.0)
      if p.holds == 1:
        for k in range(groups.row_begin[p.segment], groups.row_begin[p.segment + 1]):
          sum += r.path.gradient[groups.row[k, 0], w] * at[first + groups.row[k, 1], w]
      total += sum
      here = s.first + j
      r.path.along[here, w] = sum
      if wp.static(gradual):
        if whole < here:
          r.path.along[here, w] = 0.0
          r.path.along[whole, w] = r.path.along[whole, w] + sum
        if is_lifted(p, s, w, r) == 0:
          whole = here + 1
      p = step_to(p, s.cells, r.marks)
    return total

  return along_cells


@wp.func
def even_slope(s: String):
  """Slope of the tension of a string that rubs nowhere, by the acceleration of its length."""
  slope = s.stiffness * s.by_change
  if s.seen < s.transition:
    slope *= s.seen / s.transition
  damped = s.step * s.step
  if s.part < 1.0:
    damped = s.by_change  # what is damped is the stretch
  return slope + damped * s.damper


@wp.func
def add_segment(
  segment: int, first: int, w: int, ratio: float, answer: float, groups: Groups, path: Path,
  motion: Motion
):  # fmt: skip
  """A segment of a block: what it pulls, and what it measures."""
  for k in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
    i = first + groups.row[k, 1]
    x = path.gradient[groups.row[k, 0], w]
    motion.pull[i, w] = motion.pull[i, w] + ratio * x
    motion.measure[i, w] = motion.measure[i, w] + answer * x


@wp.func
def add_block(n: int, begin: int, first: int, w: int, scale: float, motion: Motion):
  """Adds the product of both, and clears them."""
  for i in range(n):
    x = scale * motion.pull[first + i, w]
    if x != 0.0:
      add_scaled(x, first, begin + i * n, n, w, motion.measure, motion.matrix)
  for i in range(n):
    motion.pull[first + i, w] = 0.0
    motion.measure[first + i, w] = 0.0


@wp.func
def add_spring(
  segment: int, n: int, begin: int, w: int, scale: float, groups: Groups, path: Path,
  motion: Motion
):  # fmt: skip
  """Adds a segment that sticks on both sides: few dofs."""
  for k in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
    x = scale * path.gradient[groups.row[k, 0], w]
    for q in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
      at = begin + groups.row[k, 1] * n + groups.row[q, 1]
      motion.matrix[at, w] = motion.matrix[at, w] + x * path.gradient[groups.row[q, 0], w]


@wp.func
def add_even(s: String, first: int, w: int, groups: Groups, motion: Motion, r: Record):
  """All segments of a string that rubs nowhere."""
  p = first_place(s)
  slope = even_slope(s)
  while p.cell < s.cells:
    if p.holds == 1:
      add_segment(p.segment, first, w, 1.0, slope, groups, r.path, motion)
    p = step_to(p, s.cells, r.marks)


@wp.func
def ratio_behind(s: String, values: wp.vec4, guess: float):
  """Tension behind the next contact over the one before it; 0: the contact sticks."""
  way = guessed_way(guess)
  ratio = float(0.0)
  if values[1] <= 0.0 or way != 0:
    ratio = wp.exp(float(way) * wp.clamp(values[1], 0.0, s.steepest))
  return ratio


@wp.struct
class Block:
  """Cells that share one unknown."""

  end: Place  # behind it
  segments: int
  give: float
  spring: float  # slope of the tension, if it has one segment


@functools.cache
def blocks(gradual: bool):
  """Functions: the block from a place up to the next contact that sticks; and all its segments,
  each for its part of the tension."""
  line_of = lines(gradual, True)

  @wp.func
  def find_block(s: String, p: Place, w: int, r: Record):
    block = Block()
    block.end = p
    ratio = float(1.0)
    more = int(1)
    while more == 1:
      at = s.first + block.end.cell
      values = r.path.cells[at, w]
      guess = r.memory.guess[1 - s.old, at, w]
      cell = line_of(s, block.end.cell, w, values, guess, 1, r.path)
      block.give += ratio * cell.give
      if block.end.holds == 1:
        block.spring = ratio * cell.answer
      block.segments += block.end.holds
      behind = ratio_behind(s, values, guess)
      if behind == 0.0 or block.end.cell >= s.cells - 1:
        more = 0
      ratio *= behind
      block.end = step_to(block.end, s.cells, r.marks)
    block.spring /= block.give
    return block

  @wp.func
  def add_sliding(
    s: String, begin: Place, end: int, first: int, w: int, groups: Groups, motion: Motion, r: Record
  ):
    p = begin
    ratio = float(1.0)
    answer = float(0.0)
    lifted = int(0)  # in front
    while p.cell < end:
      at = s.first + p.cell
      values = r.path.cells[at, w]
      guess = r.memory.guess[1 - s.old, at, w]
      if p.holds == 1:
        if lifted == 0:
          cell = line_of(s, p.cell, w, values, guess, 1, r.path)
          answer = cell.answer
        add_segment(p.segment, first, w, ratio, answer, groups, r.path, motion)
      if wp.static(gradual):
        lifted = is_lifted(p, s, w, r)
      ratio *= ratio_behind(s, values, guess)
      p = step_to(p, s.cells, r.marks)

  return find_block, add_sliding


@functools.cache
def slopes(gradual: bool):
  """Function: adds the slopes of one cable to the matrix of its group."""
  find_block, add_sliding = blocks(gradual)

  @wp.func
  def add_slopes(s: String, g: int, w: int, groups: Groups, motion: Motion, r: Record):
    source = r.results.tension[s.segment, w]
    if source <= 0.0:
      return
    first = groups.dof_begin[g]
    begin = groups.matrix[g]
    n = groups.dof_begin[g + 1] - first
    fixed = s.commanded  # 1: the tension at the source does not change
    if source >= s.most:
      fixed = 1
    if s.commanded == 0 and s.rubs == 0:
      if fixed == 0:
        add_even(s, first, w, groups, motion, r)
        add_block(n, begin, first, w, 1.0, motion)
      return
    p = first_place(s)
    while p.cell < s.cells:
      block = find_block(s, p, w, r)
      if p.cell > 0 or fixed == 0:
        if block.segments == 1:
          # few dofs
          while p.holds == 0:
            p = next_cell(p, r.marks)
          add_spring(p.segment, n, begin, w, block.spring, groups, r.path, motion)
        elif block.segments > 1:
          add_sliding(s, p, block.end.cell, first, w, groups, motion, r)
          add_block(n, begin, first, w, 1.0 / block.give, motion)
      p = block.end

  return add_slopes
