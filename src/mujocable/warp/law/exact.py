"""Exact: tensions of a string with friction without a guess, in one pass each way (14), (16).

D(T) is the material that must leave a cell and all before it, where that cell has the tension T. It
is piecewise linear and rises; its root is what the string up to there would have alone. Behind the
next contact D is the same function, pulled apart at the root by the ratio of the contact, plus the
line of the next cell. Both sides of the root are kept as stacks of pieces, so that a root is found
by looking at those next to it. Back toward the source every tension is the root, or as near to it
as its neighbor allows.
"""

import functools

import warp as wp

from mujocable.warp.law.record import Record
from mujocable.warp.law.string import String, guess_of, lines

_HUGE = wp.constant(1e30)
_SPREAD = wp.constant(4.0)  # factor after which a scale is multiplied out: no digits are lost
_EDGE = wp.constant(2e-6)


@wp.func
def multiply_out(side: int, stack: int, w: int, count: int, scale: float, added: float, r: Record):
  """Brings the pieces of one side to the scale 1."""
  for v in range(count):
    piece = r.pieces[side, stack + v, w]
    far = piece[0] * scale
    slope = (piece[1] + added) / scale
    r.pieces[side, stack + v, w] = wp.vec3(far, slope, piece[2])


@wp.func
def pass_pieces(
  p: int,  # the side of the root
  from_: float,
  end: float,  # where the other side begins
  away: float,  # what the function is away from zero at `from_`
  b: float,  # slope of the cell
  stack: int,
  w: int,
  counts: wp.vec2i,
  scale: wp.vec2,
  added: wp.vec2,
  r: Record,
):
  """The root on one side: pieces that are passed go to the other. Gives back root and counts."""
  sign = wp.where(p == 0, 1.0, -1.0)
  q = 1 - p
  count = counts
  at = float(from_)
  value = float(away)
  top_q = wp.vec3(end / scale[q], b * scale[q] - added[q], 0.0)
  searching = int(1)
  while searching == 1:
    top = r.pieces[p, stack + count[p] - 1, w]
    if value <= top[2] or count[p] == 1:
      r.pieces[p, stack + count[p] - 1, w] = wp.vec3(top[0], top[1], top[2] - value)
      top_q[2] = top_q[2] + value
      searching = 0
    else:
      value -= top[2]
      top_q[2] = top_q[2] + top[2]
      r.pieces[q, stack + count[q], w] = top_q
      count[q] = count[q] + 1
      far = top[0] * scale[p]
      slope = (top[1] + added[p]) / scale[p]
      rise = slope * wp.max(sign * (at - far), 0.0)
      top_q = wp.vec3(at / scale[q], slope * scale[q] - added[q], 0.0)
      if value <= rise:
        r.pieces[p, stack + count[p] - 1, w] = wp.vec3(top[0], top[1], 0.0)
        at -= sign * value / slope
        searching = 0
      else:
        value -= rise
        at = far
        count[p] = count[p] - 1
  r.pieces[q, stack + count[q], w] = top_q
  count[q] = count[q] + 1
  return at, count


@wp.func
def write_ways(s: String, w: int, last: float, r: Record):
  """Back toward the source, from the tension of the last cell: which way every contact slides.
  Strains stay as they are."""
  new = 1 - s.old
  t = float(last)
  for back in range(1, s.cells):
    j = s.cells - 1 - back
    beta = wp.exp(wp.min(r.path.cells[s.first + j, w][1], s.steepest))
    mine = wp.clamp(r.head[s.first + j, w], t / beta, t * beta)
    way = int(0)
    if t >= mine * beta * (1.0 - _EDGE):
      way = 1
    elif mine >= t * beta * (1.0 - _EDGE):
      way = -1
    part = wp.abs(r.memory.guess[new, s.first + j, w])
    if part > 1.5:
      part -= 2.0
    r.memory.guess[new, s.first + j, w] = guess_of(way, part)
    t = mine


@wp.func
def begin_pieces(s: String, w: int, stack: int, lack: float, give: float, r: Record):
  """The first cell: its root, and the pieces on both sides of it. Gives back root and counts."""
  count = wp.vec2i(1, 1)
  root = s.command
  if s.commanded == 1:
    r.pieces[0, stack, w] = wp.vec3(root, 0.0, _HUGE)
    r.pieces[1, stack, w] = wp.vec3(root, 0.0, _HUGE)
  else:
    free = lack / give
    root = wp.clamp(free, 0.0, s.most)
    r.pieces[0, stack, w] = wp.vec3(0.0, 0.0, _HUGE)
    r.pieces[1, stack, w] = wp.vec3(s.most, 0.0, _HUGE)
    if root > 0.0:
      r.pieces[0, stack + 1, w] = wp.vec3(0.0, give, wp.max((free - root) * give, 0.0))
      count[0] = 2
    if root < s.most:
      r.pieces[1, stack + 1, w] = wp.vec3(s.most, give, wp.max((root - free) * give, 0.0))
      count[1] = 2
  return root, count


@functools.cache
def exact(gradual: bool, coupled: bool):
  """Function: the ways of all contacts."""
  line_of = lines(gradual, coupled)

  @wp.func
  def exact_ways(s: String, w: int, stack: int, r: Record):
    # which way every contact slides, as a guess for the next round; strains stay as they are
    new = 1 - s.old
    scale = wp.vec2(1.0, 1.0)  # of far ends; slopes have its inverse, and what was added to all
    added = wp.vec2(0.0, 0.0)
    values = r.path.cells[s.first, w]
    cell = line_of(s, 0, w, values, r.memory.guess[new, s.first, w], 1, r.path)
    root, count = begin_pieces(s, w, stack, cell.lack, cell.give, r)
    r.head[s.first, w] = root
    for j in range(1, s.cells):
      beta = wp.exp(wp.min(values[1], s.steepest))
      values = r.path.cells[s.first + j, w]
      cell = line_of(s, j, w, values, r.memory.guess[new, s.first + j, w], 1, r.path)
      b = cell.give
      low = root / beta
      high = root * beta
      scale = wp.vec2(scale[0] / beta, scale[1] * beta)
      added += b * scale
      for side in range(2):
        if scale[side] > _SPREAD or scale[side] * _SPREAD < 1.0:
          multiply_out(side, stack, w, count[side], scale[side], added[side], r)
          scale[side] = 1.0
          added[side] = 0.0
      low_value = b * low - cell.lack
      high_value = b * high - cell.lack
      if low_value <= 0.0 and high_value >= 0.0:
        # the root stays where the contact sticks
        root = wp.clamp(cell.lack / b, low, high)
        r.pieces[0, stack + count[0], w] = wp.vec3(low / scale[0], b * scale[0] - added[0], 0.0)
        r.pieces[1, stack + count[1], w] = wp.vec3(high / scale[1], b * scale[1] - added[1], 0.0)
        count += wp.vec2i(1, 1)
      else:
        # it lies on one side
        above = high_value < 0.0
        at = wp.where(above, high, low)
        end = wp.where(above, low, high)
        away = wp.where(above, -high_value, low_value)
        p = wp.where(above, 1, 0)
        root, count = pass_pieces(p, at, end, away, b, stack, w, count, scale, added, r)
      r.head[s.first + j, w] = root
    write_ways(s, w, root, r)

  return exact_ways
