"""Cone: tensions of a string whose material crosses a contact only on the edge of the Coulomb cone
(14).

Which contacts slip, and which way, is guessed: what slipped in the step before. Cells between
contacts that stick share one unknown, so a guess gives all tensions in one pass toward the source,
and one pass back tells whether it was right: neighbors within the cone, material moved toward the
higher tension. There is one right guess. All that were wrong are turned over; where a few rounds
do not find it, exact.py does. Both passes read one cell ahead.
"""

import functools

import warp as wp

from mujocable.warp.law.record import Record, keep_cell, write_contact
from mujocable.warp.law.string import (
  SOFTEST,
  String,
  guess_of,
  guessed_way,
  lines,
  worth_of_material,
)  # fmt: skip

EDGE = wp.constant(2e-6)  # relative distance from the edge of a cone that rounding may leave
STRAIN_ERROR = wp.constant(1e-3)  # relative, of a round of Newton's method; the next has its square
ROUNDS = wp.constant(24)  # at most: tests/warp/test_cone.py sees how many there are
PATIENCE = wp.constant(4)  # rounds that guess before the exact solution is asked


@wp.struct
class Source:
  """The first cell, and what the source does."""

  tension: float
  open: int  # 1: the source takes or gives what that asks for
  keeps: int  # 1: and the first cell keeps the whole
  lack: float  # of the first block
  give: float


@functools.cache
def heads(gradual: bool, coupled: bool):
  """Function: one pass toward the source."""
  line_of = lines(gradual, coupled)

  @wp.func
  def block_heads(s: String, w: int, again: int, r: Record):
    # the tension at the head of every block of cells that slip together; lack and give of the first
    side = wp.where(again == 1, 1 - s.old, s.old)
    lack = float(0.0)
    give = float(1.0)
    at = s.first + s.cells - 1
    values = r.path.cells[at, w]
    guess = r.memory.guess[side, at, w]
    for back in range(s.cells):
      j = s.cells - 1 - back
      now = values
      guess_now = wp.where(s.fresh == 1 and again == 0, 0.0, guess)
      before = s.first + wp.max(j - 1, 0)
      values = r.path.cells[before, w]
      guess = r.memory.guess[side, before, w]
      cell = line_of(s, j, w, now, guess_now, again, r.path)
      # tension of the cell behind over this one's; 0: the contact between sticks
      exponent = wp.min(now[1], s.steepest)
      way = guessed_way(guess_now)
      ratio = float(0.0)
      if exponent <= 0.0 or way != 0:
        ratio = wp.exp(float(way) * exponent)
      if back == 0:
        ratio = 1.0
      if ratio == 0.0:
        r.head[s.first + j + 1, w] = lack / give
        lack = 0.0
      lack += cell.lack
      give = cell.give + wp.where(back == 0, 0.0, ratio * give)
    return lack, give

  return block_heads


@wp.func
def cross(way: int, exponent: float, t: float, head: float, moved: float, size: float):
  """The tension behind a contact, and which way material slides there: 0 where it went the wrong
  way, and the way it should go where the contact sticks but `head` behind it is outside the cone.
  `size`: of the numbers that `moved` is a difference of."""
  turned = way
  ratio = wp.exp(wp.where(way < 0, -exponent, exponent))
  behind = t * ratio
  if way != 0 or exponent <= 0.0:
    if float(way) * moved < -EDGE * size:
      turned = 0
  else:
    beta = ratio * (1.0 + EDGE)
    if head > beta * wp.max(t, 0.0):
      turned = 1
    elif t > beta * wp.max(head, 0.0):
      turned = -1
    behind = head
  return behind, turned


@wp.struct
class Passing:
  """The contact on the way, and what its marks have done so far."""

  contact: int
  segment: int  # before it
  marks: int
  slid: float
  lost: float  # work
  holds: int  # 1: somewhere


@functools.cache
def passing(marked: bool):
  """Function: past one mark; writes a contact once its last mark is passed."""

  @wp.func
  def pass_mark(
    before: Passing, s: String, w: int, t: float, slid: float, lost: float, sticks: int, r: Record
  ):
    p = before
    p.slid += slid
    p.lost += lost
    p.holds = wp.max(p.holds, sticks)
    p.marks += 1
    moved = p.slid
    if wp.static(marked):
      if p.marks < r.marks[p.contact]:
        return p
      moved = moved * float(r.path.touching[p.contact, w]) / float(p.marks)
    rate = moved * s.per_step
    write_contact(r.results, p.contact, p.segment + 1, w, t, rate, p.lost * s.per_step, p.holds)
    q = Passing()
    q.contact = p.contact + 1
    q.segment = p.segment + 1
    return q

  return pass_mark


@functools.cache
def trial(gradual: bool, marked: bool, coupled: bool):
  """Function: one pass toward the distal end; `marked`: a contact may have several marks."""
  line_of, pass_mark = lines(gradual, coupled), passing(marked)

  @wp.func
  def try_tensions(s: String, w: int, again: int, certain: int, source: Source, r: Record):
    # all results as the guess has them; how many contacts were guessed wrong, whether a strain was,
    # and the material of all cells. `certain`: 1: which contacts slide is known
    new = 1 - s.old
    side = wp.where(again == 1, new, s.old)
    wrong = int(0)
    strained = int(0)
    sum = float(0.0)
    t = float(source.tension)
    # what comes from the source
    outside = wp.where(source.open == 1, source.lack - source.give * t, 0.0)
    taken = float(0.0)  # by the cells of the block so far
    size = float(0.0)  # of the numbers that this is a difference of
    alone = int(1 - source.open)  # 1: the contact in front sticks
    contact = Passing()
    contact.contact = s.contact
    contact.segment = s.segment
    last = s.first + s.cells - 1
    values = r.path.cells[s.first, w]
    guess = r.memory.guess[side, s.first, w]
    behind = r.head[wp.min(s.first + 1, last), w]
    r.results.tension[s.segment, w] = t
    for j in range(s.cells):
      now = values
      guess_now = wp.where(s.fresh == 1 and again == 0, 0.0, guess)
      head_behind = behind
      at = wp.min(s.first + j + 1, last)
      values = r.path.cells[at, w]
      guess = r.memory.guess[side, at, w]
      behind = r.head[wp.min(at + 1, last), w]
      cell = line_of(s, j, w, now, guess_now, again, r.path)
      x = cell.lack - cell.give * t
      # the contact behind, and the tension beyond it
      way = int(0)
      moved = float(0.0)
      sticks = int(1)
      if at > s.first + j:
        taken += x
        size += wp.abs(cell.lack) + cell.give * wp.abs(t)
        exponent = wp.min(now[1], s.steepest)
        way = guessed_way(guess_now)
        if exponent <= 0.0:
          way = 0
        if exponent <= 0.0 or way != 0:
          sticks = 0
          moved = outside - taken
        t_now = t
        t, turned = cross(way, exponent, t_now, head_behind, moved, size)
        if sticks == 1:
          taken = 0.0
          size = 0.0
          outside = 0.0
        if turned != way and certain == 0:
          wrong += 1
          way = turned
        lost = wp.max((worth_of_material(s, t) - worth_of_material(s, t_now)) * moved, 0.0)
        contact = pass_mark(contact, s, w, t, moved, lost, sticks, r)
      # a cell between contacts that stick keeps what it has, to the bit
      x = wp.where(alone + sticks == 2, 0.0, x)
      if j == 0 and source.keeps == 1:
        x = -moved
      alone = sticks
      part = float(0.0)
      if wp.static(gradual):  # noqa: SIM102 - known when the kernel is built
        if s.alpha > 0.0:
          part = wp.clamp((cell.stretch - x) / (cell.wide * s.alpha), SOFTEST, 1.0)
          if wp.abs(part - cell.strain) > STRAIN_ERROR * part:
            strained = 1
      keep_cell(r.memory, new, s.first + j, w, guess_of(way, part), cell.material + x)
      sum += cell.material + x
    return wrong, strained, sum

  return try_tensions
