"""Chain: straight segments from site to site in one walk: lengths, angles at guides, gradients.

Numbers of worlds lie side by side: arrays are (count, worlds). How a segment grows with the dofs
that lie between its ends is one number per row of a table; no other dof moves it. A long chain is
walked in pieces: memory is read ahead, and more threads hide how long that takes.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

MAX_EXPONENT = wp.constant(30.0)  # friction times angle of a contact: more than any cable holds
ROUGH = wp.constant(1e-30)  # exponent of a contact that rubs, where the cable does not turn
PIECE = 8  # segments that one thread walks along; chosen by benchmarks.warp_worlds


@wp.func
def exponent_of(friction: float, angle: float):
  """Logarithm of the largest ratio of tensions at a contact; not zero where it rubs."""
  exponent = float(0.0)
  if friction > 0.0:
    exponent = wp.clamp(friction * angle, ROUGH, MAX_EXPONENT)
  return exponent


@wp.struct
class Rows:
  """Table of (segment, dof), by segment."""

  begin: wp.array(dtype=int)
  entry: wp.array(dtype=wp.vec4i)  # row, dof, root of its tree, sign


@wp.struct
class Motion:
  """Where bodies are and how they move."""

  site_xpos: wp.array2d(dtype=wp.vec3)
  subtree_com: wp.array2d(dtype=wp.vec3)
  cdof: wp.array2d(dtype=wp.spatial_vector)
  qvel: wp.array2d(dtype=float)


@wp.func
def write_gradients(
  s: int,
  w: int,
  e: wp.vec3,
  at: wp.vec3,
  rows: Rows,
  motion: Motion,
  gradient: wp.array2d(dtype=float),
):
  """Gradients of the segment along e through the point `at`; how fast it grows."""
  growth = float(0.0)
  root = int(-1)
  com = wp.vec3()
  for k in range(rows.begin[s], rows.begin[s + 1]):
    row = rows.entry[k]
    if row[2] != root:
      root = row[2]
      com = motion.subtree_com[w, root]
    dof = row[1]
    moving = motion.cdof[w, dof]
    speed = motion.qvel[w, dof]
    # any point of the line has the same moment
    arm = at - com
    velocity = wp.spatial_bottom(moving) + wp.cross(wp.spatial_top(moving), arm)
    x = float(row[3]) * wp.dot(e, velocity)
    gradient[row[0], w] = x
    growth += x * speed
  return growth


@wp.kernel(module="unique", enable_backward=False)
def chain_kernel(
  piece_segment: wp.array2d(dtype=int),  # first, behind the last; contact behind the first
  piece_cell: wp.array(dtype=int),  # of the first; -1: the cable has wraps
  piece_last: wp.array(dtype=int),  # 1: no guide and straight segment follow
  piece_total: wp.array(dtype=int),
  segment_sites: wp.array2d(dtype=int),
  rows: Rows,
  motion: Motion,
  friction: wp.array2d(dtype=float),
  side: wp.array(dtype=int),
  memory_material: wp.array3d(dtype=float),
  length: wp.array2d(dtype=float),  # by segment, where it is not a cell
  growth: wp.array2d(dtype=float),
  gradient: wp.array2d(dtype=float),
  angle: wp.array2d(dtype=float),
  cells: wp.array2d(dtype=wp.vec4),
  totals: wp.array2d(dtype=wp.vec3),
):
  """One piece of a chain in one world."""
  i, w = wp.tid()
  first = piece_segment[i, 0]
  end = piece_segment[i, 1]
  contact = piece_segment[i, 2]
  cell = piece_cell[i]
  old = side[w]
  a = motion.site_xpos[w, segment_sites[first, 0]]
  b = motion.site_xpos[w, segment_sites[first, 1]]
  sum = float(0.0)
  rates = float(0.0)
  powers = float(0.0)
  for s in range(first, end):
    turns = int(1)
    if s + 1 == end:
      turns = 1 - piece_last[i]
    ahead = b
    mu = float(0.0)
    if turns == 1:
      ahead = motion.site_xpos[w, segment_sites[s + 1, 1]]
      mu = friction[contact, w]
    material = float(0.0)
    if cell >= 0:
      material = memory_material[old, cell, w]
    d = b - a
    size = wp.length(d)
    e = wp.normalize(d)
    grows = write_gradients(s, w, e, a, rows, motion, gradient)
    power = float(0.0)
    if turns == 1:
      behind = ahead - b
      turn = wp.atan2(wp.length(wp.cross(d, behind)), wp.dot(d, behind))
      power = exponent_of(mu, turn)
      angle[contact, w] = turn
      contact += 1
    if cell >= 0:
      cells[cell, w] = wp.vec4(size, power, grows, material)
      cell += 1
    else:
      length[s, w] = size
      growth[s, w] = grows
    sum += size
    rates += grows
    powers += power
    a = b
    b = ahead
  if cell >= 0:
    totals[piece_total[i], w] = wp.vec3(sum, rates, powers)


@wp.kernel(module="unique", enable_backward=False)
def span_gradient_kernel(
  span_segment: wp.array(dtype=int),  # segments beside wraps
  rows: Rows,
  motion: Motion,
  direction: wp.array2d(dtype=wp.vec3),
  point: wp.array2d(dtype=wp.vec3),
  growth: wp.array2d(dtype=float),
  gradient: wp.array2d(dtype=float),
):
  """The same for segments beside wraps, whose lines are known already."""
  i, w = wp.tid()
  s = span_segment[i]
  growth[s, w] = write_gradients(s, w, direction[s, w], point[s, w], rows, motion, gradient)


@wp.func
def segment_line(
  s: int,
  w: int,
  segment_sites: wp.array2d(dtype=int),
  site_xpos: wp.array2d(dtype=wp.vec3),
  direction: wp.array2d(dtype=wp.vec3),
):
  """Unit vector along a segment; beside a wrap it is known already."""
  a = segment_sites[s, 0]
  if a >= 0:
    return wp.normalize(site_xpos[w, segment_sites[s, 1]] - site_xpos[w, a])
  return direction[s, w]


@wp.kernel(module="unique", enable_backward=False)
def corner_kernel(
  corner_contact: wp.array(dtype=int),
  corner_segment: wp.array(dtype=int),  # before the guide
  segment_sites: wp.array2d(dtype=int),
  site_xpos: wp.array2d(dtype=wp.vec3),
  direction: wp.array2d(dtype=wp.vec3),
  angle: wp.array2d(dtype=float),
):
  """Angles at guides with a wrap beside them."""
  i, w = wp.tid()
  s = corner_segment[i]
  d = segment_line(s, w, segment_sites, site_xpos, direction)
  e = segment_line(s + 1, w, segment_sites, site_xpos, direction)
  angle[corner_contact[i], w] = wp.atan2(wp.length(wp.cross(d, e)), wp.dot(d, e))
