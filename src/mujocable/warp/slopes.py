"""Slopes: how the tensions of a cable change with the acceleration of its bodies.

Cells between contacts that stick share one unknown: what they lack together over what they give
together, each for its part of the tension. A cell that sticks on both sides is a spring of its own.
The slopes of a cable that slides are not symmetric.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.dense import add_scaled
from mujocable.warp.groups import Groups
from mujocable.warp.record import Memory, Path, Results
from mujocable.warp.string import String, guessed_way, lines


@wp.struct
class Place:
  """A cell on the way along a cable."""

  cell: int  # of the string
  segment: int  # the one that begins there, or the next
  contact: int
  marks: int  # of the contact, passed
  holds: int  # 1: a segment is in the cell


@wp.func
def next_cell(p: Place, contact_marks: wp.array(dtype=int)):
  """The place behind."""
  q = p
  q.cell += 1
  q.marks += 1
  q.holds = 0
  if p.holds == 1:
    q.segment += 1
  if q.marks == contact_marks[p.contact]:
    q.contact += 1
    q.marks = 0
    q.holds = 1
  return q


@wp.func
def along_cells(
  s: String,
  first: int,  # dof of the group
  w: int,
  contact_marks: wp.array(dtype=int),
  groups: Groups,
  at: wp.array2d(dtype=float),
  path: Path,
):
  """Acceleration of the length of every cell; gives back that of all."""
  p = Place()
  p.segment = s.segment
  p.contact = s.contact
  p.holds = 1
  total = float(0.0)
  for j in range(s.cells):
    sum = float(0.0)
    if p.holds == 1:
      for k in range(groups.row_begin[p.segment], groups.row_begin[p.segment + 1]):
        sum += path.gradient[groups.row[k, 0], w] * at[first + groups.row[k, 1], w]
    path.along[s.first + j, w] = sum
    total += sum
    if j < s.cells - 1:
      p = next_cell(p, contact_marks)
  return total


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
  segment: int,
  first: int,
  w: int,
  ratio: float,
  answer: float,
  groups: Groups,
  path: Path,
  pull: wp.array2d(dtype=float),
  measure: wp.array2d(dtype=float),
):
  """A segment of a block: what it pulls, and what it measures."""
  for k in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
    i = first + groups.row[k, 1]
    x = path.gradient[groups.row[k, 0], w]
    pull[i, w] = pull[i, w] + ratio * x
    measure[i, w] = measure[i, w] + answer * x


@wp.func
def add_block(
  n: int,
  begin: int,
  first: int,
  w: int,
  scale: float,
  pull: wp.array2d(dtype=float),
  measure: wp.array2d(dtype=float),
  matrix: wp.array2d(dtype=float),
):
  """Adds the product of both, and clears them."""
  for i in range(n):
    x = scale * pull[first + i, w]
    if x != 0.0:
      add_scaled(x, first, begin + i * n, n, w, measure, matrix)
  for i in range(n):
    pull[first + i, w] = 0.0
    measure[first + i, w] = 0.0


@wp.func
def add_spring(
  segment: int,
  n: int,
  begin: int,
  w: int,
  scale: float,
  groups: Groups,
  path: Path,
  matrix: wp.array2d(dtype=float),
):
  """Adds a segment that sticks on both sides: few dofs."""
  for k in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
    x = scale * path.gradient[groups.row[k, 0], w]
    for q in range(groups.row_begin[segment], groups.row_begin[segment + 1]):
      at = begin + groups.row[k, 1] * n + groups.row[q, 1]
      matrix[at, w] = matrix[at, w] + x * path.gradient[groups.row[q, 0], w]


@functools.cache
def slopes(gradual: bool):
  """Function: adds the slopes of one cable to the matrix of its group."""
  line_of = lines(gradual, True)

  @wp.func
  def add_slopes(
    s: String,
    g: int,
    w: int,
    contact_marks: wp.array(dtype=int),
    groups: Groups,
    path: Path,
    memory: Memory,
    results: Results,
    pull: wp.array2d(dtype=float),
    measure: wp.array2d(dtype=float),
    matrix: wp.array2d(dtype=float),
  ):
    source = results.tension[s.segment, w]
    if source <= 0.0:
      return
    first = groups.dof_begin[g]
    begin = groups.matrix[g]
    n = groups.dof_begin[g + 1] - first
    even = int(0)
    if s.commanded == 0 and s.rubs == 0:
      even = 1
    given = s.commanded  # 1: the tension at the source does not change
    if source >= s.most:
      given = 1
    new = 1 - s.old
    p = Place()
    p.segment = s.segment
    p.contact = s.contact
    p.holds = 1
    block = int(0)
    while p.cell < s.cells:
      # how many segments the block has, and what it gives
      q = p
      ratio = float(1.0)
      give = float(0.0)
      spring = float(0.0)
      count = int(0)
      more = int(1)
      while more == 1:
        at = s.first + q.cell
        values = path.cells[at, w]
        guess = memory.guess[new, at, w]
        if even == 0:
          cell = line_of(s, q.cell, values, path.along[at, w], guess, 1)
          give += ratio * cell.give
          if q.holds == 1:
            spring = ratio * cell.answer
        count += q.holds
        way = guessed_way(guess)
        more = 0
        if q.cell < s.cells - 1:
          if values[1] <= 0.0 or way != 0 or even == 1:
            more = 1
            ratio *= wp.exp(float(way) * s.scale * wp.max(values[1], 0.0))
          q = next_cell(q, contact_marks)
        else:
          q.cell += 1
      end = q.cell
      if block == 0 and given == 1:
        p = q
      elif count == 1 and even == 0:
        while p.cell < end:
          if p.holds == 1:
            add_spring(p.segment, n, begin, w, spring / give, groups, path, matrix)
          p = step_to(p, s.cells, contact_marks)
      else:
        ratio = float(1.0)
        while p.cell < end:
          at = s.first + p.cell
          values = path.cells[at, w]
          guess = memory.guess[new, at, w]
          answer = float(0.0)
          if p.holds == 1:
            if even == 0:
              cell = line_of(s, p.cell, values, path.along[at, w], guess, 1)
              answer = cell.answer
            else:
              answer = even_slope(s)
              give = 1.0
            add_segment(p.segment, first, w, ratio, answer, groups, path, pull, measure)
          ratio *= wp.exp(float(guessed_way(guess)) * s.scale * wp.max(values[1], 0.0))
          p = step_to(p, s.cells, contact_marks)
        if count > 0:
          add_block(n, begin, first, w, 1.0 / give, pull, measure, matrix)
      block += 1

  return add_slopes


@wp.func
def step_to(p: Place, cells: int, contact_marks: wp.array(dtype=int)):
  """The place behind; past the last cell only that number counts."""
  q = p
  if p.cell < cells - 1:
    q = next_cell(p, contact_marks)
  else:
    q.cell += 1
  return q
