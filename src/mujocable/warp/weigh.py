"""Weigh: whether the step resolves a cable, and what one that it does not weighs in the step."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import warp as wp

from mujocable.warp.record import Cables, Path, Results
from mujocable.warp.string import String


@wp.func
def join_groups(
  s: String,
  w: int,
  segment: int,
  contact: int,
  contact_marks: wp.array(dtype=int),
  path: Path,
  results: Results,
):
  """Segments without friction between them have one tension: the same number, and the length of all
  cells that they share."""
  seg = segment
  con = contact
  first = segment  # of the group
  sum = float(0.0)
  marks = int(0)
  inside = int(0)  # a group within an arc, without a segment
  for j in range(s.cells):
    values = path.cells[s.first + j, w]
    sum += values[0]
    last = int(1)
    ends = int(1)
    if j < s.cells - 1:
      last = 0
      marks += 1
      if marks == contact_marks[con]:
        last = 1
        marks = 0
        con += 1
      if values[1] <= 0.0:
        ends = 0
    if ends == 1:
      if inside == 0:
        for k in range(first, seg + 1):
          results.group[k, w] = first
          results.pool[k, w] = wp.max(sum, s.least)
      sum = 0.0
      first = seg + 1
      inside = 1 - last
    if last == 1:
      seg += 1


@wp.func
def mobilities(c: int, w: int, cables: Cables, path: Path, results: Results):
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
    g = results.group[s, w]
    x = path.gradient[r, w]
    if cables.row_dof[r] != dof or g != here:
      firm += part * part * mobility * weight
      part = 0.0
      here = g
      weight = 1.0 / results.pool[s, w]
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
def write_weights(
  w: int,
  segment: int,
  segments: int,
  factor: float,  # of the stiffness
  rigidity: float,
  alpha: float,
  viscous: float,
  results: Results,
):
  """What a product of gradients weighs, by segment: as if all contacts stuck."""
  for i in range(segments):
    t = results.tension[segment + i, w]
    weight = float(0.0)
    if t > 0.0:
      tangent = rigidity
      if 2.0 * t < rigidity * alpha:
        tangent = wp.sqrt(2.0 * rigidity * t / alpha)
      weight = (factor * tangent + viscous) / results.pool[segment + i, w]
    results.mass[segment + i, w] = weight
