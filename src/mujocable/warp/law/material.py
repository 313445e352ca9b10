"""Material: where marks on surfaces are now, and how much cable lies between them (15).

A wrap is cut at marks fixed to its surface, so that a turning sheave carries stuck cable by
geometry alone. As the cable winds on or off, marks that would leave the arc are set anew, and the
material is shared out again along the path, piece by piece, so that none is lost.
"""

import warp as wp

from mujocable.warp.law.record import Cables, Record
from mujocable.warp.path.chain import exponent_of
from mujocable.warp.path.precision import SINGLE
from mujocable.warp.path.spans import records

Lines = records(SINGLE).Lines


@wp.struct
class Marks:
  """The marks on surfaces, and the cables that have some."""

  cable: wp.array(dtype=int)  # which ones
  first: wp.array(dtype=int)  # by cable: mark
  total: wp.array(dtype=int)  # by cable: where its length goes
  bearing: wp.array3d(dtype=int)  # by contact, of the step before
  mark: wp.array3d(dtype=float)  # by mark: where in its arc
  was_at: wp.array2d(dtype=float)  # scratch, by mark: along the path now, -1: dropped
  now_at: wp.array2d(dtype=float)
  tension: wp.array(dtype=int)  # by cable: 1: it is commanded
  stiffness: wp.array2d(dtype=float)  # by cable
  friction: wp.array2d(dtype=float)  # by contact
  growth: wp.array2d(dtype=float)  # by segment


@wp.func
def carry_marks(c: int, w: int, old: int, cables: Cables, m: Marks, lines: Lines, r: Record):
  """Where marks were, carried along; where they are, kept within a quarter of their spacing. Gives
  back length, growth and exponents of the cable, and the number behind its last mark."""
  new = 1 - old
  seg = cables.segment[c]
  con = cables.contact[c]
  at = lines.length[seg, w]
  size = at  # of the cell so far
  grow = m.growth[seg, w]
  rates = grow
  powers = float(0.0)
  mark = m.first[c]
  shift = cables.cell[c] - mark  # from a mark to its cell
  whole = shift + mark  # the cell that has the length, past wraps that are lifted
  for i in range(con, con + cables.contacts[c]):
    count = r.marks[i]
    on = r.path.touching[i, w]
    kept = on * m.bearing[old, i, w] * (1 - r.memory.fresh[old, w])
    a = lines.arc[i, w]
    spacing = a / float(count)
    exponent = float(0.0)
    mu = m.friction[i, w]
    powers += exponent_of(mu, 0.0)  # it rubs, whether it touches or not
    if on == 1:
      exponent = exponent_of(mu, lines.angle[i, w])
    powers += exponent
    before = float(0.0)
    for q in range(count):
      inside = float(0.0)
      m.was_at[mark, w] = -1.0
      if on == 1:
        inside = spacing * (float(q) + 0.5)
        if kept == 1:
          carried = m.mark[old, mark, w] - lines.advance[i, w]
          m.was_at[mark, w] = wp.max(at + carried, 0.0)
          inside = wp.clamp(carried, inside - 0.25 * spacing, inside + 0.25 * spacing)
      m.mark[new, mark, w] = inside
      m.now_at[mark, w] = at + inside
      share = exponent / float(count)
      r.path.cells[shift + mark, w] = wp.vec4(size + (inside - before), share, grow, 0.0)
      size = 0.0
      grow = 0.0
      before = inside
      mark += 1
    m.bearing[new, i, w] = on
    seg += 1
    more = m.growth[seg, w]
    rates += more
    if on == 1:
      grow = more
      whole = shift + mark
    else:
      r.path.cells[whole, w] = r.path.cells[whole, w] + wp.vec4(0.0, 0.0, more, 0.0)
    size = (a - before) + lines.length[seg, w]
    at += a + lines.length[seg, w]
  r.path.cells[shift + mark, w] = wp.vec4(size, 0.0, grow, 0.0)
  return wp.vec3(at, rates, powers), mark


@wp.struct
class Old:
  """A cell as it was, along the path now."""

  mark: int  # at its end
  cells: int  # that were joined to it, and itself
  held: float  # material
  begin: float
  end: float


@wp.func
def old_cell(
  first: int, begin: float, last: int, shift: int, total: float, old: int, w: int, m: Marks,
  r: Record
):  # fmt: skip
  """The cell up to the next mark that is not dropped; those in front of dropped ones join it."""
  o = Old()
  o.mark = first
  o.begin = begin
  o.held = r.memory.material[old, shift + first, w]
  while o.mark < last and m.was_at[o.mark, w] < 0.0:
    o.mark += 1
    o.held += r.memory.material[old, shift + o.mark, w]
  o.cells = o.mark - first + 1
  o.end = total
  if o.mark < last:
    o.end = wp.clamp(m.was_at[o.mark, w], begin, total)
  return o


@wp.func
def part_of(o: Old, begin: float, end: float):
  """What a part of an old cell brings: material; stretch of its pull, for its length; what is
  loose."""
  size = o.end - o.begin
  part = float(1.0)
  if begin > o.begin or end < o.end:
    part = wp.where(size > 0.0, (end - begin) / size, 0.0)
  stretch = size - o.held
  pull = (end - begin) * wp.max(stretch, 0.0) / float(o.cells)
  return wp.vec3(part * o.held, pull, part * wp.min(stretch, 0.0))


@wp.func
def share_material(
  w: int, shift: int, first: int, last: int, total: float, old: int, even: int, m: Marks, r: Record
):
  """Walks along both partitions at once; marks that are dropped join their neighbors. `even`: 1:
  all cells are as stiff, whatever their length, and bring tension: a new one has the mean of the
  old ones in it. Gives back all material."""
  o = old_cell(first, 0.0, last, shift, total, old, w, m, r)
  here = float(0.0)
  sum = float(0.0)
  for j in range(first, last + 1):
    goal = total
    if j < last:
      goal = m.now_at[j, w]
    begin = float(here)
    got = wp.vec3()
    while o.mark < last and o.end <= goal:
      got += part_of(o, here, o.end)
      here = o.end
      o = old_cell(o.mark + 1, o.end, last, shift, total, old, w, m, r)
    if j == last:
      goal = o.end
    if j == last or goal > here:
      got += part_of(o, here, goal)
      here = wp.max(here, goal)
    values = r.path.cells[shift + j, w]
    material = got[0]
    if even == 1:
      pull = wp.max((o.end - o.begin) - o.held, 0.0) / float(o.cells)
      if here > begin:
        pull = got[1] / (here - begin)
      material = values[0] - pull - got[2]
    r.path.cells[shift + j, w] = wp.vec4(values[0], values[1], values[2], material)
    sum += material
  return sum


@wp.kernel(module="unique", enable_backward=False)
def remap_kernel(cables: Cables, marks: Marks, lines: Lines, record: Record):
  """Lengths of the cells of cables with wraps, and their material before any slips."""
  k, w = wp.tid()
  c = marks.cable[k]
  old = record.memory.side[w]
  first = marks.first[c]
  shift = cables.cell[c] - first
  whole, last = carry_marks(c, w, old, cables, marks, lines, record)
  record.path.totals[marks.total[c], w] = whole
  even = wp.where(marks.tension[c] == 1 and marks.stiffness[c, w] <= 0.0, 1, 0)
  sum = share_material(w, shift, first, last, whole[0], old, even, marks, record)
  record.memory.sum[old, c, w] = sum
