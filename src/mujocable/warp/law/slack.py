"""Slack: strings without tension, and strings without friction (11), whose cells are all alike."""

import warp as wp

from mujocable.warp.law.record import Record, keep_cell, write_contact
from mujocable.warp.law.string import String


@wp.func
def write_even(s: String, w: int, t: float, r: Record):
  """No friction: one tension, material even along the string. Gives back all of it."""
  new = 1 - s.old
  even = s.rest / s.total  # material per length
  sum = float(0.0)
  moved = float(0.0)
  marks = int(0)
  slid = float(0.0)
  seg = s.segment
  con = s.contact
  r.results.tension[seg, w] = t
  for j in range(s.cells):
    if j > 0:
      slid += moved
      marks += 1
      if marks == r.marks[con]:
        rate = slid * float(r.path.touching[con, w]) * s.per_step / float(marks)
        seg += 1
        write_contact(r.results, con, seg, w, t, rate, 0.0, 0)
        marks = 0
        slid = 0.0
        con += 1
    values = r.path.cells[s.first + j, w]
    size = values[0]
    now = even * size
    if s.fresh == 0:
      was = size * s.per_length + s.offset + values[3]
      if j == 0:
        was += s.given
      moved -= now - was
    keep_cell(r.memory, new, s.first + j, w, 0.0, now)
    sum += now
  return sum


@wp.func
def write_slack(s: String, w: int, fills: int, r: Record):
  """No tension: cells that have too little material take it from those that have too much. Gives
  back the material of all cells. `fills`: 0: nothing moves, 1: among themselves, 2: from the
  source."""
  new = 1 - s.old
  need = float(0.0)
  spare = float(0.0)
  if fills == 1:
    for j in range(s.cells):
      over = slack_of(s, j, r.path.cells[s.first + j, w])
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
  seg = s.segment
  con = s.contact
  r.results.tension[seg, w] = 0.0
  for j in range(s.cells):
    if j > 0:
      slid += moved
      marks += 1
      if marks == r.marks[con]:
        seg += 1
        write_contact(r.results, con, seg, w, 0.0, slid * s.per_step / float(marks), 0.0, 0)
        marks = 0
        slid = 0.0
        con += 1
    values = r.path.cells[s.first + j, w]
    over = slack_of(s, j, values)
    x = -leave * over
    if over < 0.0:
      x = -enter * over
    if fills == 1:
      moved -= x
    now = values[0] + over + x
    keep_cell(r.memory, new, s.first + j, w, 0.0, now)
    sum += now
  return sum


@wp.func
def slack_of(s: String, j: int, values: wp.vec4):
  """Material of a cell beyond its length."""
  over = values[0] * s.per_length + s.offset - values[0]
  if s.fresh == 0:
    over += values[3]
  if j == 0:
    over += s.given
  return over
