"""Chain: straight segments from site to site in one walk: lengths, angles at guides, gradients.

Numbers of worlds lie side by side: arrays are (count, worlds). How a segment grows with the dofs
that lie between its ends is one number per row of a table; no other dof moves it.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

MAX_EXPONENT = wp.constant(30.0)  # friction times angle of a contact: more than any cable holds


@wp.struct
class Rows:
  """Table of (segment, dof), by segment."""

  begin: wp.array(dtype=int)  # by segment, in `row`
  row: wp.array(dtype=int)
  dof: wp.array(dtype=int)
  root: wp.array(dtype=int)
  sign: wp.array(dtype=float)  # 0: a spool, whose gradient is constant


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
  for k in range(rows.begin[s], rows.begin[s + 1]):
    r = rows.row[k]
    sign = rows.sign[r]
    if sign != 0.0:
      dof = rows.dof[r]
      # any point of the line has the same moment
      moving = motion.cdof[w, dof]
      arm = at - motion.subtree_com[w, rows.root[r]]
      velocity = wp.spatial_bottom(moving) + wp.cross(wp.spatial_top(moving), arm)
      x = sign * wp.dot(e, velocity)
      gradient[r, w] = x
      growth += x * motion.qvel[w, dof]
  return growth


@wp.kernel(module="unique", enable_backward=False)
def chain_kernel(
  chain_segment: wp.array2d(dtype=int),  # first, behind the last
  chain_contact: wp.array(dtype=int),  # behind the first segment
  chain_cable: wp.array(dtype=int),  # that is a chain as a whole; -1: it has wraps
  segment_sites: wp.array2d(dtype=int),
  rows: Rows,
  motion: Motion,
  friction: wp.array2d(dtype=float),
  length: wp.array2d(dtype=float),
  growth: wp.array2d(dtype=float),
  gradient: wp.array2d(dtype=float),
  angle: wp.array2d(dtype=float),
  power: wp.array2d(dtype=float),  # by segment: at the contact behind it
  total_length: wp.array2d(dtype=float),
  total_growth: wp.array2d(dtype=float),
  total_power: wp.array2d(dtype=float),
):
  """One chain of segments in one world."""
  i, w = wp.tid()
  first = chain_segment[i, 0]
  contact = chain_contact[i]
  a = motion.site_xpos[w, segment_sites[first, 0]]
  came = wp.vec3()
  sum = float(0.0)
  rates = float(0.0)
  powers = float(0.0)
  for s in range(first, chain_segment[i, 1]):
    b = motion.site_xpos[w, segment_sites[s, 1]]
    d = b - a
    size = wp.length(d)
    e = wp.normalize(d)
    if s > first:
      turn = wp.atan2(wp.length(wp.cross(came, d)), wp.dot(came, d))
      exponent = wp.min(friction[contact, w] * turn, MAX_EXPONENT)
      angle[contact, w] = turn
      power[s - 1, w] = exponent
      powers += exponent
      contact += 1
    grows = write_gradients(s, w, e, a, rows, motion, gradient)
    length[s, w] = size
    growth[s, w] = grows
    sum += size
    rates += grows
    came = d
    a = b
  c = chain_cable[i]
  if c >= 0:
    total_length[c, w] = sum
    total_growth[c, w] = rates
    total_power[c, w] = powers


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
