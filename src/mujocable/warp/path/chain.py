"""Chain: straight segments from site to site in one walk: lengths, angles at guides (7),
gradients (5).

Numbers of worlds lie side by side: arrays are (count, worlds). How a segment grows with the dofs
that lie between its ends is one number per row of a table; no other dof moves it. A long chain is
walked in pieces: memory is read ahead, and more threads hide how long that takes.
"""

import warp as wp

from mujocable.warp.path.precision import SINGLE
from mujocable.warp.path.spans import records

Lines = records(SINGLE).Lines
MAX_EXPONENT = wp.constant(30.0)  # friction times angle of a contact: more than any cable holds
ROUGH = wp.constant(1e-30)  # exponent of a contact that rubs, where the cable does not turn
# A segment has a direction where it is longer than this share of its distance from the origin: less
# is the rounding of poses. Chosen: some ten roundings; test_parity would notice a lower bound.
ONE_PLACE = wp.constant(2e-6)
PIECE = 8  # segments that one thread walks along; chosen by benchmarks.warp_worlds


@wp.func
def exponent_of(friction: float, angle: float):
  """Logarithm of the largest ratio of tensions at a contact; not zero where it rubs."""
  exponent = float(0.0)
  if friction > 0.0:
    exponent = wp.clamp(friction * angle, ROUGH, MAX_EXPONENT)
  return exponent


@wp.struct
class Chains:
  """Tables of segments, the same in all worlds."""

  sites: wp.array2d(dtype=int)  # by segment; -1: not straight
  begin: wp.array(dtype=int)  # by segment: the first of the straight ones in a row with it
  row_begin: wp.array(dtype=int)  # by segment
  row: wp.array(dtype=wp.vec4i)  # number, dof, root of its tree, sign
  beside: wp.array(dtype=int)  # segments beside wraps and in sheaths
  # by piece of straight segments in a row
  segment: wp.array2d(dtype=int)  # first, behind the last; contact behind the first
  cell: wp.array(dtype=int)  # of the first; -1: the cable has wraps
  last: wp.array(dtype=int)  # 1: no guide and straight segment follow
  total: wp.array(dtype=int)
  # guides with a wrap beside them
  corner_contact: wp.array(dtype=int)
  corner_segment: wp.array(dtype=int)  # before the guide


@wp.struct
class Bodies:
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
  chains: Chains,
  bodies: Bodies,
  gradient: wp.array2d(dtype=float),
):
  """Gradients of the segment along e through the point `at`; how fast it grows."""
  growth = float(0.0)
  root = int(-1)
  com = wp.vec3()
  for k in range(chains.row_begin[s], chains.row_begin[s + 1]):
    row = chains.row[k]
    if row[2] != root:
      root = row[2]
      com = bodies.subtree_com[w, root]
    dof = row[1]
    moving = bodies.cdof[w, dof]
    speed = bodies.qvel[w, dof]
    # any point of the line has the same moment
    arm = at - com
    velocity = wp.spatial_bottom(moving) + wp.cross(wp.spatial_top(moving), arm)
    x = float(row[3]) * wp.dot(e, velocity)
    gradient[row[0], w] = x
    growth += x * speed
  return growth


@wp.func
def between(a: wp.vec3, b: wp.vec3):
  """Unit vector from a to b; zero where they are in one place."""
  d = b - a
  size = wp.length(d)
  e = wp.vec3()
  if size > ONE_PLACE * (wp.abs(b[0]) + wp.abs(b[1]) + wp.abs(b[2])):
    e = d / size
  return e


@wp.func
def arriving(s: int, w: int, chains: Chains, site_xpos: wp.array2d(dtype=wp.vec3)):
  """Direction at the end of a straight segment: where guides lie in one place, of one before."""
  k = s
  e = between(site_xpos[w, chains.sites[k, 0]], site_xpos[w, chains.sites[k, 1]])
  while k > chains.begin[s] and wp.dot(e, e) == 0.0:
    k -= 1
    e = between(site_xpos[w, chains.sites[k, 0]], site_xpos[w, chains.sites[k, 1]])
  return e


@wp.func
def turn_of(d: wp.vec3, e: wp.vec3):
  """Angle between two directions; zero where one of them is none."""
  return wp.atan2(wp.length(wp.cross(d, e)), wp.dot(d, e))


@wp.kernel(module="unique", enable_backward=False)
def chain_kernel(
  chains: Chains,
  bodies: Bodies,
  friction: wp.array2d(dtype=float),
  side: wp.array(dtype=int),
  memory: wp.array3d(dtype=float),  # material, by cell
  lines: Lines,
  growth: wp.array2d(dtype=float),  # by segment, where it is not a cell
  gradient: wp.array2d(dtype=float),
  cells: wp.array2d(dtype=wp.vec4),
  totals: wp.array2d(dtype=wp.vec3),
):
  """One piece of a chain in one world."""
  i, w = wp.tid()
  first = chains.segment[i, 0]
  end = chains.segment[i, 1]
  contact = chains.segment[i, 2]
  cell = chains.cell[i]
  old = side[w]
  a = bodies.site_xpos[w, chains.sites[first, 0]]
  b = bodies.site_xpos[w, chains.sites[first, 1]]
  e = between(a, b)
  came = arriving(first, w, chains, bodies.site_xpos)
  sum = float(0.0)
  rates = float(0.0)
  powers = float(0.0)
  for s in range(first, end):
    turns = int(1)
    if s + 1 == end:
      turns = 1 - chains.last[i]
    ahead = b
    mu = float(0.0)
    if turns == 1:
      ahead = bodies.site_xpos[w, chains.sites[s + 1, 1]]
      mu = friction[contact, w]
    material = float(0.0)
    if cell >= 0:
      material = memory[old, cell, w]
    size = wp.length(b - a)
    grows = write_gradients(s, w, e, a, chains, bodies, gradient)
    power = float(0.0)
    if turns == 1:
      e = between(b, ahead)
      turn = turn_of(came, e)
      power = exponent_of(mu, turn)
      lines.angle[contact, w] = turn
      contact += 1
      if wp.dot(e, e) > 0.0:
        came = e
    if cell >= 0:
      cells[cell, w] = wp.vec4(size, power, grows, material)
      cell += 1
    else:
      lines.length[s, w] = size
      growth[s, w] = grows
    sum += size
    rates += grows
    powers += power
    a = b
    b = ahead
  if cell >= 0:
    totals[chains.total[i], w] = wp.vec3(sum, rates, powers)


@wp.kernel(module="unique", enable_backward=False)
def span_gradient_kernel(
  chains: Chains,
  bodies: Bodies,
  lines: Lines,
  growth: wp.array2d(dtype=float),
  gradient: wp.array2d(dtype=float),
):
  """The same for segments beside wraps, whose lines are known already."""
  i, w = wp.tid()
  s = chains.beside[i]
  e = lines.direction[s, w]
  growth[s, w] = write_gradients(s, w, e, lines.point[s, w], chains, bodies, gradient)


@wp.func
def segment_line(
  s: int, w: int, chains: Chains, site_xpos: wp.array2d(dtype=wp.vec3), lines: Lines
):
  """Unit vector at the end of a segment; beside a wrap it is known already."""
  if chains.sites[s, 0] >= 0:
    return arriving(s, w, chains, site_xpos)
  return lines.direction[s, w]


@wp.func
def turn_behind(
  d: wp.vec3,
  s: int,
  guide: int,
  w: int,
  chains: Chains,
  site_xpos: wp.array2d(dtype=wp.vec3),
  lines: Lines,
):
  """Angle at a guide between a direction and segment s behind it; where guides lie in one place the
  cable turns at the last of them."""
  k = s
  contact = guide
  row = chains.begin[s]
  e = segment_line(k, w, chains, site_xpos, lines)
  lines.angle[contact, w] = turn_of(d, e)
  while row >= 0 and chains.begin[k + 1] == row and wp.dot(e, e) == 0.0:
    k += 1
    contact += 1
    e = segment_line(k, w, chains, site_xpos, lines)
    lines.angle[contact, w] = turn_of(d, e)


@wp.kernel(module="unique", enable_backward=False)
def corner_kernel(chains: Chains, bodies: Bodies, lines: Lines):
  """Angles at guides with a wrap beside them."""
  i, w = wp.tid()
  s = chains.corner_segment[i]
  d = segment_line(s, w, chains, bodies.site_xpos, lines)
  turn_behind(d, s + 1, chains.corner_contact[i], w, chains, bodies.site_xpos, lines)
