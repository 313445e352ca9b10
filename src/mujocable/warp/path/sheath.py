"""Sheath: a housing of constant length from one site to another, with friction over all it bends
(23).

Inside, the path is as long as the housing, whatever the bodies do; only ends that are further apart
than that stretch a straight piece between them.
"""

import warp as wp

from mujocable.warp.path.chain import Chains, segment_line, turn_behind, turn_of
from mujocable.warp.path.precision import SINGLE
from mujocable.warp.path.spans import records

Lines, Poses = records(SINGLE).Lines, records(SINGLE).Poses


@wp.struct
class Sheaths:
  """Tables, the same in all worlds."""

  segment: wp.array(dtype=int)  # inside
  contact: wp.array(dtype=int)  # entry; the exit follows
  sites: wp.array2d(dtype=int)
  length: wp.array(dtype=float)
  bend: wp.array(dtype=float)  # negative: as its ends stand


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
def sheath_kernel(sheaths: Sheaths, chains: Chains, poses: Poses, lines: Lines):
  """One sheath in one world."""
  i, w = wp.tid()
  s = sheaths.segment[i]
  contact = sheaths.contact[i]
  a = poses.site_xpos[w, sheaths.sites[i, 0]]
  chord = poses.site_xpos[w, sheaths.sites[i, 1]] - a
  distance = wp.length(chord)
  beyond = distance - sheaths.length[i]
  lines.length[s, w] = wp.max(beyond, 0.0)
  lines.point[s, w] = a
  along = wp.vec3()
  if beyond > 0.0:
    along = chord / distance
  lines.direction[s, w] = along
  frame = poses.site_xmat[w, sheaths.sites[i, 1]]
  leaves = wp.vec3(frame[0, 2], frame[1, 2], frame[2, 2])
  turn_behind(leaves, s + 1, contact + 1, w, chains, poses.site_xpos, lines)
  if sheaths.bend[i] >= 0.0:
    lines.angle[contact, w] = sheaths.bend[i]
    lines.angle[contact + 1, w] = 0.0
    return
  frame = poses.site_xmat[w, sheaths.sites[i, 0]]
  enters = wp.vec3(frame[0, 2], frame[1, 2], frame[2, 2])
  if distance > 0.0:
    along = chord / distance
  else:
    along = enters
  before = segment_line(s - 1, w, chains, poses.site_xpos, lines)
  inside = least_bend(sheaths.length[i], distance, turn_of(enters, along), turn_of(along, leaves))
  lines.angle[contact, w] = turn_of(before, enters) + inside
