"""Weigh: whether the step resolves a cable (22), how far ahead one is seen that it does not (20),
and what that weighs in the step."""

import warp as wp

from mujocable.warp.law.record import Cables, Memory, Record, Results
from mujocable.warp.law.string import String

BALANCE = wp.constant(0.25)  # b of the step where nothing looks ahead: keeps amplitudes


@wp.func
def join_groups(s: String, w: int, all: int, r: Record):
  """Segments without friction between them have one tension: the same number, and the length of all
  cells that they share. `all`: 0: not those that stand apart in the mass matrix; 1: gives back
  whether there are some."""
  seg = s.segment
  con = s.contact
  first = s.segment  # of the group
  sum = float(0.0)
  marks = int(0)
  inside = int(0)  # a group within an arc, without a segment
  joined = int(0)
  for j in range(s.cells):
    values = r.path.cells[s.first + j, w]
    sum += values[0]
    last = int(1)
    ends = int(1)
    if j < s.cells - 1:
      last = 0
      marks += 1
      if marks == r.marks[con]:
        last = 1
      if values[1] <= 0.0:
        ends = last * r.apart[con] * (1 - all)
        joined += last * r.apart[con]
    if ends == 1:
      if inside == 0:
        for k in range(first, seg + 1):
          r.results.group[k, w] = first
          r.results.pool[k, w] = wp.max(sum, s.least)
      sum = 0.0
      first = seg + 1
      inside = 1 - last
    if last == 1:
      seg += 1
      con += 1
      marks = 0
  return joined


@wp.func
def mobilities(c: int, w: int, cables: Cables, record: Record):
  """Mobility along the whole cable, and the sum of those of its groups, each over its length."""
  loose = float(0.0)
  firm = float(0.0)
  dof = int(-1)
  whole = float(0.0)
  part = float(0.0)
  here = int(-1)
  weight = float(0.0)  # of the group: 1 / length
  mobility = float(0.0)
  for r in range(cables.rows[c, 0], cables.rows[c, 1]):
    s = cables.row_segment[r]
    g = record.results.group[s, w]
    x = record.path.gradient[r, w]
    if cables.row_dof[r] != dof or g != here:
      firm += part * part * mobility * weight
      part = 0.0
      here = g
      weight = 1.0 / record.results.pool[s, w]
    if cables.row_dof[r] != dof:
      loose += whole * whole * mobility
      whole = 0.0
      dof = cables.row_dof[r]
      mobility = cables.row_mobility[r]
    whole += x
    part += x
  firm += part * part * mobility * weight
  loose += whole * whole * mobility
  return loose, firm


@wp.func
def speed_up(s: String, c: int, w: int, memory: Memory):
  """How much longer the step may leave it if what sped it up in the step before goes on; remembers
  how fast it grows."""
  more = float(0.0)
  if s.fresh != 1:
    more = wp.abs(s.grows - memory.grows[s.old, c, w])
  memory.grows[1 - s.old, c, w] = s.grows
  return more


@wp.func
def look_ahead(s: String, c: int, w: int, fall: float, cables: Cables, record: Record):
  """a of the step: how far toward its end, where the step cannot resolve the cable, or where the
  cable becomes taut within it; and 1 where the step does not resolve it. `fall`: how much longer
  the step may leave it."""
  lean = float(0.0)
  heavy = int(0)
  may_weigh = 1 - cables.at_start[c]
  if s.commanded == 1 and (s.stiffness <= 0.0 or s.rubs == 0):
    may_weigh = 0
  if s.commanded == 0 and wp.max(s.stretch, s.stretch + s.grows + fall) <= 0.0:
    may_weigh = 0
  if may_weigh == 1:
    h = s.step
    joined = join_groups(s, w, 1, record)
    loose, firm = mobilities(c, w, cables, record)
    undone = h * (h * s.stiffness + 2.0 * s.damping) * s.total * firm
    if float(cables.shared[c]) * undone > 2.0:
      heavy = 1
      omega = h * h * s.stiffness * loose
      if omega > 4.0:
        lean = 1.0 - 4.0 / omega
      if s.grows > 0.0:
        stretch = wp.where(s.commanded == 1, s.command / s.stiffness, s.stretch)
        lean = wp.max(lean, wp.clamp(1.0 - stretch / s.grows, 0.0, 1.0))
      if joined > 0:
        joined = join_groups(s, w, 0, record)
  return lean, heavy


@wp.func
def change_factor(s: String):
  """What an acceleration of a length makes of it where the step is seen: (a + b) h^2."""
  return s.step * s.step * (s.lean + BALANCE * (1.0 - s.lean))


@wp.func
def write_weights(s: String, w: int, segments: int, results: Results):
  """What a product of gradients weighs, by segment: as if all contacts stuck."""
  rigidity = s.rigidity
  viscous = s.step * s.step * s.viscous
  if s.part < 1.0 and s.rubs == 0:
    # what is damped is the stretch: it adds to the stiffness
    rigidity += s.damper * s.total
    viscous = 0.0
  factor = change_factor(s)
  for i in range(segments):
    t = results.tension[s.segment + i, w]
    weight = float(0.0)
    if t > 0.0:
      tangent = rigidity
      if 2.0 * t < rigidity * s.alpha:
        tangent = wp.sqrt(2.0 * rigidity * t / s.alpha)
      weight = (factor * tangent + viscous) / results.pool[s.segment + i, w]
    results.mass[s.segment + i, w] = weight
