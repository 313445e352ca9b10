"""Material: where marks on surfaces are now, and how much cable lies between them.

A wrap is cut at marks fixed to its surface, so that a turning sheave carries stuck cable by
geometry alone. As the cable winds on or off, marks that would leave the arc are set anew, and the
material is shared out again along the path, piece by piece, so that none is lost.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

from mujocable.warp.path.chain import exponent_of


@wp.struct
class Marks:
  """Arrays of the marks on surfaces and of what lies between them."""

  contact_marks: wp.array(dtype=int)
  arc: wp.array2d(dtype=float)
  advance: wp.array2d(dtype=float)
  touching: wp.array2d(dtype=int)
  bearing: wp.array3d(dtype=int)  # by contact, of the step before
  rest: wp.array3d(dtype=float)  # by cell
  mark: wp.array3d(dtype=float)  # by mark: where in its arc
  was_at: wp.array2d(dtype=float)  # scratch, by mark: along the path now, -1: dropped
  now_at: wp.array2d(dtype=float)
  friction: wp.array2d(dtype=float)
  angle: wp.array2d(dtype=float)
  length: wp.array2d(dtype=float)
  growth: wp.array2d(dtype=float)


@wp.func
def carry_marks(
  w: int,
  seg: int,
  con: int,
  n: int,  # contacts
  first_cell: int,
  first: int,  # mark
  old: int,
  fresh: int,
  m: Marks,
  cells: wp.array2d(dtype=wp.vec4),
):
  """Where marks were, carried along; where they are, kept within a quarter of their spacing. Gives
  back length, growth and exponents of the cable, and the number behind its last mark."""
  new = 1 - old
  at = m.length[seg, w]
  size = at  # of the cell so far
  grow = m.growth[seg, w]
  rates = grow
  powers = float(0.0)
  mark = first
  for i in range(n):
    count = m.contact_marks[con + i]
    on = m.touching[con + i, w]
    kept = on * m.bearing[old, con + i, w] * (1 - fresh)
    a = m.arc[con + i, w]
    spacing = a / float(count)
    exponent = float(0.0)
    mu = m.friction[con + i, w]
    powers += exponent_of(mu, 0.0)  # it rubs, whether it touches or not
    if on == 1:
      exponent = exponent_of(mu, m.angle[con + i, w])
    powers += exponent
    before = float(0.0)
    for q in range(count):
      inside = float(0.0)
      m.was_at[mark, w] = -1.0
      if on == 1:
        inside = spacing * (float(q) + 0.5)
        if kept == 1:
          carried = m.mark[old, mark, w] - m.advance[con + i, w]
          m.was_at[mark, w] = wp.max(at + carried, 0.0)
          inside = wp.clamp(carried, inside - 0.25 * spacing, inside + 0.25 * spacing)
      m.mark[new, mark, w] = inside
      m.now_at[mark, w] = at + inside
      share = exponent / float(count)
      cells[first_cell + mark - first, w] = wp.vec4(size + (inside - before), share, grow, 0.0)
      size = 0.0
      grow = 0.0
      before = inside
      mark += 1
    m.bearing[new, con + i, w] = on
    grow = m.growth[seg + i + 1, w]
    rates += grow
    size = (a - before) + m.length[seg + i + 1, w]
    at += a + m.length[seg + i + 1, w]
  last = mark
  cells[first_cell + last - first, w] = wp.vec4(size, 0.0, grow, 0.0)
  return wp.vec3(at, rates, powers), last


@wp.func
def share_material(
  w: int,
  first_cell: int,
  first: int,
  last: int,
  total: float,
  old: int,
  m: Marks,
  cells: wp.array2d(dtype=wp.vec4),
):
  """Walks along both partitions at once; marks that are dropped join their neighbors. Gives back
  all material."""
  mark = first
  held = m.rest[old, first_cell, w]
  while mark < last and m.was_at[mark, w] < 0.0:
    mark += 1
    held += m.rest[old, first_cell + mark - first, w]
  from_ = float(0.0)
  here = float(0.0)
  to = total
  if mark < last:
    to = wp.clamp(m.was_at[mark, w], from_, total)
  sum = float(0.0)
  for j in range(last - first + 1):
    goal = total
    if first + j < last:
      goal = m.now_at[first + j, w]
    got = float(0.0)
    while mark < last and to <= goal:
      if here > from_:
        got += held * (to - here) / (to - from_)
      else:
        got += held
      from_ = to
      here = to
      mark += 1
      held = m.rest[old, first_cell + mark - first, w]
      while mark < last and m.was_at[mark, w] < 0.0:
        mark += 1
        held += m.rest[old, first_cell + mark - first, w]
      to = total
      if mark < last:
        to = wp.clamp(m.was_at[mark, w], from_, total)
    if first + j == last:
      if here > from_ and to > from_:
        got += held * (to - here) / (to - from_)
      elif here <= from_:
        got += held
    elif goal > here and to > from_:
      got += held * (goal - here) / (to - from_)
      here = goal
    values = cells[first_cell + j, w]
    cells[first_cell + j, w] = wp.vec4(values[0], values[1], values[2], got)
    sum += got
  return sum


@wp.kernel(module="unique", enable_backward=False)
def remap_kernel(
  cable_index: wp.array(dtype=int),  # of the cables with wraps
  cable_segment: wp.array(dtype=int),
  cable_contact: wp.array(dtype=int),
  cable_contacts: wp.array(dtype=int),
  cable_cell: wp.array(dtype=int),
  cable_mark: wp.array(dtype=int),
  cable_total: wp.array(dtype=int),
  side: wp.array(dtype=int),
  fresh: wp.array2d(dtype=int),
  marks: Marks,
  memory_sum: wp.array3d(dtype=float),  # by cable: of the material that follows
  cells: wp.array2d(dtype=wp.vec4),
  totals: wp.array2d(dtype=wp.vec3),
):
  """Lengths of the cells of cables with wraps, and their material before any slips."""
  k, w = wp.tid()
  c = cable_index[k]
  old = side[w]
  cell = cable_cell[c]
  first = cable_mark[c]
  whole, last = carry_marks(
    w,
    cable_segment[c],
    cable_contact[c],
    cable_contacts[c],
    cell,
    first,
    old,
    fresh[old, w],
    marks,
    cells,
  )
  totals[cable_total[c], w] = whole
  memory_sum[old, c, w] = share_material(w, cell, first, last, whole[0], old, marks, cells)
