"""Cone: tensions of a string whose material crosses a contact only on the edge of the Coulomb cone.

Which contacts slip, and which way, is guessed: what slipped in the step before. Cells between
contacts that stick share one unknown, so a guess gives all tensions in one pass toward the source,
and one pass back tells whether it was right: neighbors within the cone, material moved toward the
higher tension. There is one right guess. All that were wrong are turned over; where a few rounds
do not find it, exact.py does. Both passes read one cell ahead.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

from mujocable.warp.string import SOFTEST, String, guess_of, guessed_way, line_of

EDGE = wp.constant(2e-6)  # relative distance from the edge of a cone that rounding may leave
STRAIN_ERROR = wp.constant(1e-3)  # relative, of a round of Newton's method; the next has its square
ROUNDS = wp.constant(24)  # at most: tests/warp/test_cone.py sees how many there are
PATIENCE = wp.constant(4)  # rounds that guess before the exact solution is asked


@wp.func
def block_heads(
  s: String,
  w: int,
  again: int,
  cells: wp.array2d(dtype=wp.vec4),
  guesses: wp.array3d(dtype=float),
  head: wp.array2d(dtype=float),
):
  """Toward the source: the tension at the head of every block of cells that slip together, and what
  the first block lacks and gives."""
  side = s.old
  if again == 1:
    side = 1 - s.old
  lack = float(0.0)
  give = float(0.0)
  at = s.first + s.cells - 1
  values = cells[at, w]
  guess = guesses[side, at, w]
  for back in range(s.cells):
    j = s.cells - 1 - back
    now = values
    guess_now = guess
    if s.fresh == 1 and again == 0:
      guess_now = 0.0
    before = s.first + wp.max(j - 1, 0)
    values = cells[before, w]
    guess = guesses[side, before, w]
    cell = line_of(s, j, now, guess_now, again)
    # tension of the cell behind over this one's; 0: the contact between sticks
    ratio = float(0.0)
    exponent = s.scale * now[1]
    if exponent <= 0.0:
      ratio = 1.0
    else:
      way = guessed_way(guess_now)
      if way != 0:
        ratio = wp.exp(float(way) * exponent)
    if ratio == 0.0 and back > 0:
      head[s.first + j + 1, w] = lack / give
    if ratio > 0.0 and back > 0:
      lack += cell.lack
      give = cell.give + ratio * give
    else:
      lack = cell.lack
      give = cell.give
  return lack, give


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
  segment: int,
  contact: int,
  contact_marks: wp.array(dtype=int),
  touching: wp.array2d(dtype=int),
  cells: wp.array2d(dtype=wp.vec4),
  guesses: wp.array3d(dtype=float),
  head: wp.array2d(dtype=float),
  material: wp.array3d(dtype=float),
  tension: wp.array2d(dtype=float),
  slip: wp.array2d(dtype=float),
  stuck: wp.array2d(dtype=int),
  dissipation: wp.array2d(dtype=float),
):
  """Toward the distal end: all results as the guess has them; how many contacts were guessed wrong,
  whether a strain was, and the material of all cells."""
  new = 1 - s.old
  side = s.old
  if again == 1:
    side = new
  wrong = int(0)
  strained = int(0)
  sum = float(0.0)
  t = source
  t_before = source
  outside = float(0.0)  # what the block takes in from the source
  if open == 1:
    outside = lack - give * source
  taken = float(0.0)  # by the cells of the block so far
  size = float(0.0)  # of the numbers that this is a difference of
  moved = float(0.0)  # across the contact in front
  ratio = float(0.0)  # there; 0: it sticks
  marks = int(0)
  slid = float(0.0)
  lost = float(0.0)
  holds = int(0)
  seg = segment
  con = contact
  last = s.first + s.cells - 1
  values = cells[s.first, w]
  guess = guesses[side, s.first, w]
  behind = head[wp.min(s.first + 1, last), w]
  for j in range(s.cells):
    now = values
    guess_now = guess
    if s.fresh == 1 and again == 0:
      guess_now = 0.0
    head_behind = behind
    values = cells[wp.min(s.first + j + 1, last), w]
    guess = guesses[side, wp.min(s.first + j + 1, last), w]
    behind = head[wp.min(s.first + j + 2, last), w]
    cell = line_of(s, j, now, guess_now, again)
    if j > 0:
      # results of the contact in front, once its last mark is passed
      slid += moved
      lost += wp.max((t - t_before) * moved, 0.0)
      marks += 1
      if marks == contact_marks[con]:
        if s.wrapped == 1 and touching[con, w] == 0:
          slid = 0.0
        stuck[con, w] = holds
        slip[con, w] = slid / (float(marks) * s.step)
        dissipation[con, w] = lost / s.step
        marks = 0
        slid = 0.0
        lost = 0.0
        holds = 0
        con += 1
        seg += 1
    if marks == 0:
      tension[seg, w] = t
    x = cell.lack - cell.give * t
    taken += x
    size += wp.abs(cell.lack) + cell.give * wp.abs(t)
    alone = int(1)
    if ratio > 0.0:
      alone = 0
    # the contact behind, and the tension beyond it
    moved = 0.0
    ratio = 0.0
    way = int(0)
    t_before = t
    if j < s.cells - 1:
      exponent = s.scale * now[1]
      if exponent <= 0.0:
        ratio = 1.0
      else:
        way = guessed_way(guess_now)
        if way != 0:
          ratio = wp.exp(float(way) * exponent)
      turned = way
      if ratio > 0.0:
        moved = outside - taken
        if way != 0 and float(way) * moved < -EDGE * size:
          turned = 0
        t = t * ratio
      else:
        holds = 1
        beta = wp.exp(exponent) * (1.0 + EDGE)
        if head_behind > beta * wp.max(t, 0.0):
          turned = 1
        elif t > beta * wp.max(head_behind, 0.0):
          turned = -1
        t = head_behind
      if turned != way and certain == 0:
        wrong += 1
        way = turned
    if ratio > 0.0:
      alone = 0
    # a cell between contacts that stick keeps what it has, to the bit
    if j == 0 and keeps == 1:
      x = -moved
    elif alone == 1 and not (j == 0 and open == 1):
      x = 0.0
    part = float(0.0)
    if s.alpha > 0.0:
      part = wp.clamp((cell.stretch - x) / (cell.wide * s.alpha), SOFTEST, 1.0)
      if wp.abs(part - cell.strain) > STRAIN_ERROR * part:
        strained = 1
    if ratio == 0.0:
      taken = 0.0
      size = 0.0
      outside = 0.0
    guesses[new, s.first + j, w] = guess_of(way, part)
    material[new, s.first + j, w] = cell.material + x
    sum += cell.material + x
  return wrong, strained, sum
