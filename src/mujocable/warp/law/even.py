"""Even: strings without tension or without friction (11), whose cells are all alike; and strings
that stay as they were."""

import warp as wp

from mujocable.warp.law.record import Record, keep_cell, write_contact
from mujocable.warp.law.string import String


@wp.func
def write_even(s: String, w: int, t: float, r: Record):
  """No friction or no tension: material even along the string. Gives back all of it."""
  new = 1 - s.old
  even = s.rest / s.total  # material per length
  if s.commanded == 1:
    even = 1.0
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
    if s.fresh != 1:
      was = values[3]
      if s.fresh == 0:
        was += size * s.per_length + s.offset
      if j == 0:
        was += s.given
      moved -= now - was
    keep_cell(r.memory, new, s.first + j, w, 0.0, now)
    sum += now
  return sum


@wp.func
def write_still(s: String, w: int, r: Record):
  """Switched off, or not a number: no tension, and nothing moves. Gives back the material of all
  cells."""
  new = 1 - s.old
  sum = float(0.0)
  marks = int(0)
  seg = s.segment
  con = s.contact
  r.results.tension[seg, w] = 0.0
  for j in range(s.cells):
    if j > 0:
      marks += 1
      if marks == r.marks[con]:
        seg += 1
        write_contact(r.results, con, seg, w, 0.0, 0.0, 0.0, 0)
        marks = 0
        con += 1
    values = r.path.cells[s.first + j, w]
    now = values[0] * s.per_length + s.offset
    if s.fresh == 0:
      now += values[3]
    if j == 0:
      now += s.given
    keep_cell(r.memory, new, s.first + j, w, 0.0, now)
    sum += now
  return sum
