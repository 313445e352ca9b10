"""Cone: tensions of a string whose material crosses a contact only on the edge of the Coulomb cone.

Which contacts slip, and which way, is guessed: what slipped in the step before. Cells between
contacts that stick share one unknown, so a guess gives all tensions in one pass toward the source,
and one pass back tells whether it was right: neighbors within the cone, material moved toward the
higher tension. There is one right guess. All that were wrong are turned over; where a few rounds
do not find it, exact.py does. Both passes read one cell ahead.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.law.record import Memory, Path, Results, keep_cell, write_contact
from mujocable.warp.law.string import SOFTEST, String, guess_of, guessed_way, lines

EDGE = wp.constant(2e-6)  # relative distance from the edge of a cone that rounding may leave
STRAIN_ERROR = wp.constant(1e-3)  # relative, of a round of Newton's method; the next has its square
ROUNDS = wp.constant(24)  # at most: tests/warp/test_cone.py sees how many there are
PATIENCE = wp.constant(4)  # rounds that guess before the exact solution is asked


@functools.cache
def heads(gradual: bool, coupled: bool):
  """Function: one pass toward the source."""
  line_of = lines(gradual, coupled)

  @wp.func
  def block_heads(
    s: String,
    w: int,
    again: int,
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),
  ):
    # the tension at the head of every block of cells that slip together; lack and give of the first
    side = wp.where(again == 1, 1 - s.old, s.old)
    lack = float(0.0)
    give = float(1.0)
    at = s.first + s.cells - 1
    values = path.cells[at, w]
    guess = memory.guess[side, at, w]
    for back in range(s.cells):
      j = s.cells - 1 - back
      now = values
      guess_now = wp.where(s.fresh == 1 and again == 0, 0.0, guess)
      before = s.first + wp.max(j - 1, 0)
      values = path.cells[before, w]
      guess = memory.guess[side, before, w]
      along = float(0.0)
      if wp.static(coupled):
        along = path.along[s.first + j, w]
      cell = line_of(s, j, now, along, guess_now, again)
      # tension of the cell behind over this one's; 0: the contact between sticks
      exponent = s.scale * now[1]
      way = guessed_way(guess_now)
      ratio = float(0.0)
      if exponent <= 0.0 or way != 0:
        ratio = wp.exp(float(way) * exponent)
      if back == 0:
        ratio = 1.0
      if ratio == 0.0:
        head[s.first + j + 1, w] = lack / give
        lack = 0.0
      lack += cell.lack
      give = cell.give + wp.where(back == 0, 0.0, ratio * give)
    return lack, give

  return block_heads


@functools.cache
def trial(gradual: bool, marked: bool, coupled: bool):
  """Function: one pass toward the distal end; `marked`: a contact may have several marks."""
  line_of = lines(gradual, coupled)

  @wp.func
  def try_tensions(
    s: String,
    w: int,
    again: int,
    certain: int,  # 1: which contacts slide is known
    source: float,  # tension of the first cell
    open: int,  # 1: the source takes or gives what that asks for
    keeps: int,  # 1: and the first cell keeps the whole
    lack: float,  # of the first block
    give: float,
    contact_marks: wp.array(dtype=int),
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),
    results: Results,
  ):
    # all results as the guess has them; how many contacts were guessed wrong, whether a strain was,
    # and the material of all cells
    new = 1 - s.old
    side = wp.where(again == 1, new, s.old)
    wrong = int(0)
    strained = int(0)
    sum = float(0.0)
    t = source
    outside = wp.where(open == 1, lack - give * source, 0.0)  # what comes from the source
    taken = float(0.0)  # by the cells of the block so far
    size = float(0.0)  # of the numbers that this is a difference of
    alone = int(1 - open)  # 1: the contact in front sticks
    marks = int(0)
    slid = float(0.0)
    lost = float(0.0)
    holds = int(0)
    seg = s.segment
    con = s.contact
    last = s.first + s.cells - 1
    values = path.cells[s.first, w]
    guess = memory.guess[side, s.first, w]
    behind = head[wp.min(s.first + 1, last), w]
    results.tension[seg, w] = t
    for j in range(s.cells):
      now = values
      guess_now = wp.where(s.fresh == 1 and again == 0, 0.0, guess)
      head_behind = behind
      at = wp.min(s.first + j + 1, last)
      values = path.cells[at, w]
      guess = memory.guess[side, at, w]
      behind = head[wp.min(at + 1, last), w]
      along = float(0.0)
      if wp.static(coupled):
        along = path.along[s.first + j, w]
      cell = line_of(s, j, now, along, guess_now, again)
      x = cell.lack - cell.give * t
      # the contact behind, and the tension beyond it
      way = int(0)
      moved = float(0.0)
      sticks = int(1)
      if at > s.first + j:
        taken += x
        size += wp.abs(cell.lack) + cell.give * wp.abs(t)
        exponent = s.scale * now[1]
        way = guessed_way(guess_now)
        turned = way
        if exponent <= 0.0:
          way = 0
          turned = 0
          sticks = 0
        elif way != 0:
          sticks = 0
        ratio = wp.exp(wp.where(way < 0, -exponent, exponent))
        t_now = t
        if sticks == 0:
          moved = outside - taken
          if float(way) * moved < -EDGE * size:
            turned = 0
          t = t * ratio
        else:
          beta = ratio * (1.0 + EDGE)
          if head_behind > beta * wp.max(t, 0.0):
            turned = 1
          elif t > beta * wp.max(head_behind, 0.0):
            turned = -1
          t = head_behind
          taken = 0.0
          size = 0.0
          outside = 0.0
        if turned != way and certain == 0:
          wrong += 1
          way = turned
        # results of the contact; of one with marks once the last is passed
        slid += moved
        lost += wp.max((t - t_now) * moved, 0.0)
        holds = wp.max(holds, sticks)
        marks += 1
        passed = int(1)
        if wp.static(marked):
          passed = wp.where(marks == contact_marks[con], 1, 0)
          if passed == 1:
            slid = slid * float(path.touching[con, w]) / float(marks)
        if passed == 1:
          seg += 1
          write_contact(results, con, seg, w, t, slid * s.per_step, lost * s.per_step, holds)
          con += 1
          marks = 0
          slid = 0.0
          lost = 0.0
          holds = 0
      # a cell between contacts that stick keeps what it has, to the bit
      x = wp.where(alone + sticks == 2, 0.0, x)
      if j == 0 and keeps == 1:
        x = -moved
      alone = sticks
      part = float(0.0)
      if wp.static(gradual):  # noqa: SIM102 - known when the kernel is built
        if s.alpha > 0.0:
          part = wp.clamp((cell.stretch - x) / (cell.wide * s.alpha), SOFTEST, 1.0)
          if wp.abs(part - cell.strain) > STRAIN_ERROR * part:
            strained = 1
      keep_cell(memory, new, s.first + j, w, guess_of(way, part), cell.material + x)
      sum += cell.material + x
    return wrong, strained, sum

  return try_tensions
