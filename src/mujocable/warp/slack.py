"""Slack: strings without tension, and strings without friction, whose cells are all alike."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

from mujocable.warp.string import String


@wp.func
def write_even(
  s: String,
  w: int,
  t: float,
  strain_rest: float,  # material per length
  segment: int,
  contact: int,
  contact_marks: wp.array(dtype=int),
  touching: wp.array2d(dtype=int),
  cells: wp.array2d(dtype=wp.vec4),
  guesses: wp.array3d(dtype=float),
  material: wp.array3d(dtype=float),
  tension: wp.array2d(dtype=float),
  slip: wp.array2d(dtype=float),
  stuck: wp.array2d(dtype=int),
  dissipation: wp.array2d(dtype=float),
):
  """No friction: one tension, material even along the string. Gives back all of it."""
  new = 1 - s.old
  sum = float(0.0)
  moved = float(0.0)
  marks = int(0)
  slid = float(0.0)
  seg = segment
  con = contact
  tension[seg, w] = t
  for j in range(s.cells):
    if j > 0:
      slid += moved
      marks += 1
      if marks == contact_marks[con]:
        slid *= float(touching[con, w])
        stuck[con, w] = 0
        slip[con, w] = slid * s.per_step / float(marks)
        dissipation[con, w] = 0.0
        marks = 0
        slid = 0.0
        con += 1
        seg += 1
        tension[seg, w] = t
    values = cells[s.first + j, w]
    size = values[0]
    now = strain_rest * size
    if s.fresh == 0:
      was = size * s.per_length + s.offset + values[3]
      if j == 0:
        was += s.given
      moved -= now - was
    guesses[new, s.first + j, w] = 0.0
    material[new, s.first + j, w] = now
    sum += now
  return sum


@wp.func
def write_slack(
  s: String,
  w: int,
  fills: int,  # 0: nothing moves, 1: among themselves, 2: from the source
  segment: int,
  contact: int,
  contact_marks: wp.array(dtype=int),
  cells: wp.array2d(dtype=wp.vec4),
  guesses: wp.array3d(dtype=float),
  material: wp.array3d(dtype=float),
  tension: wp.array2d(dtype=float),
  slip: wp.array2d(dtype=float),
  stuck: wp.array2d(dtype=int),
  dissipation: wp.array2d(dtype=float),
):
  """No tension: cells that have too little material take it from those that have too much. Gives
  back the material of all cells."""
  new = 1 - s.old
  need = float(0.0)
  spare = float(0.0)
  if fills == 1:
    for j in range(s.cells):
      over = slack_of(s, j, w, cells)
      need += wp.max(-over, 0.0)
      spare += wp.max(over, 0.0)
  leave = float(0.0)
  enter = float(0.0)
  if fills == 1 and spare > 0.0 and need > 0.0:
    leave = wp.min(need / spare, 1.0)
    enter = wp.min(spare / need, 1.0)
  if fills == 2:
    enter = 1.0
  sum = float(0.0)
  moved = float(0.0)
  marks = int(0)
  slid = float(0.0)
  seg = segment
  con = contact
  tension[seg, w] = 0.0
  for j in range(s.cells):
    if j > 0:
      slid += moved
      marks += 1
      if marks == contact_marks[con]:
        stuck[con, w] = 0
        slip[con, w] = slid * s.per_step / float(marks)
        dissipation[con, w] = 0.0
        marks = 0
        slid = 0.0
        con += 1
        seg += 1
        tension[seg, w] = 0.0
    size = cells[s.first + j, w][0]
    over = slack_of(s, j, w, cells)
    x = -leave * over
    if over < 0.0:
      x = -enter * over
    if fills == 1:
      moved -= x
    now = size + over + x
    guesses[new, s.first + j, w] = 0.0
    material[new, s.first + j, w] = now
    sum += now
  return sum


@wp.func
def slack_of(
  s: String,
  j: int,
  w: int,
  cells: wp.array2d(dtype=wp.vec4),
):
  """Material of a cell beyond its length."""
  values = cells[s.first + j, w]
  over = values[0] * s.per_length + s.offset - values[0]
  if s.fresh == 0:
    over += values[3]
  if j == 0:
    over += s.given
  return over
