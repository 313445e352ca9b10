"""Sheath: a housing of constant length from one site to another, with friction over all it bends.

Inside, the path is as long as the housing, whatever the bodies do; only ends that are further apart
than that stretch a straight piece between them.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

from mujocable.warp.path.chain import segment_line


@wp.func
def between(a: wp.vec3, b: wp.vec3):
  """Angle between two directions."""
  return wp.atan2(wp.length(wp.cross(a, b)), wp.dot(a, b))


@wp.func
def least_bend(length: float, distance: float, one: float, two: float):
  """The least by which a housing turns that bows to one side, given the angles of both axes against
  the chord."""
  more = wp.max(one, two)
  less = wp.min(one, two)
  bow = wp.atan2(wp.sqrt(wp.max((length - distance) * (length + distance), 0.0)), distance)
  bend = more + less
  if more <= bow:
    bend = 4.0 * bow - more - less
  elif less < bow:
    # the piece at the steeper end runs along its axis; the other one closes the triangle
    steep = wp.cos(more)
    first = (length - distance) * (length + distance) / (2.0 * (length - distance * steep))
    other = wp.atan2(first * wp.sin(more), distance - first * steep)
    bend = more + wp.max(less, 2.0 * other - less)
  return bend


@wp.kernel(module="unique", enable_backward=False)
def sheath_kernel(
  sheath_segment: wp.array(dtype=int),  # inside
  sheath_contact: wp.array(dtype=int),  # entry; the exit follows
  sheath_sites: wp.array2d(dtype=int),
  sheath_length: wp.array(dtype=float),
  sheath_bend: wp.array(dtype=float),  # negative: as its ends stand
  segment_sites: wp.array2d(dtype=int),
  site_xpos: wp.array2d(dtype=wp.vec3),
  site_xmat: wp.array2d(dtype=wp.mat33),
  length: wp.array2d(dtype=float),
  angle: wp.array2d(dtype=float),
  direction: wp.array2d(dtype=wp.vec3),
  point: wp.array2d(dtype=wp.vec3),
):
  """One sheath in one world."""
  i, w = wp.tid()
  s = sheath_segment[i]
  contact = sheath_contact[i]
  a = site_xpos[w, sheath_sites[i, 0]]
  chord = site_xpos[w, sheath_sites[i, 1]] - a
  distance = wp.length(chord)
  beyond = distance - sheath_length[i]
  length[s, w] = wp.max(beyond, 0.0)
  point[s, w] = a
  along = wp.vec3()
  if beyond > 0.0:
    along = chord / distance
  direction[s, w] = along
  if sheath_bend[i] >= 0.0:
    angle[contact, w] = sheath_bend[i]
    angle[contact + 1, w] = 0.0
    return
  frame = site_xmat[w, sheath_sites[i, 0]]
  enters = wp.vec3(frame[0, 2], frame[1, 2], frame[2, 2])
  frame = site_xmat[w, sheath_sites[i, 1]]
  leaves = wp.vec3(frame[0, 2], frame[1, 2], frame[2, 2])
  if distance > 0.0:
    along = chord / distance
  else:
    along = enters
  before = segment_line(s - 1, w, segment_sites, site_xpos, direction)
  behind = segment_line(s + 1, w, segment_sites, site_xpos, direction)
  inside = least_bend(sheath_length[i], distance, between(enters, along), between(along, leaves))
  angle[contact, w] = between(before, enters) + inside
  angle[contact + 1, w] = between(leaves, behind)
