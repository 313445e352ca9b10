"""Gradient: how each segment grows with each dof that moves it, one number per row of the table."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp


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
def gradient_kernel(
  row_segment: wp.array(dtype=int),
  row_dof: wp.array(dtype=int),
  row_root: wp.array(dtype=int),
  row_sign: wp.array(dtype=float),
  row_constant: wp.array(dtype=float),
  segment_sites: wp.array2d(dtype=int),
  site_xpos: wp.array2d(dtype=wp.vec3),
  subtree_com: wp.array2d(dtype=wp.vec3),
  cdof: wp.array2d(dtype=wp.spatial_vector),
  direction: wp.array2d(dtype=wp.vec3),
  point: wp.array2d(dtype=wp.vec3),
  gradient: wp.array2d(dtype=float),
):
  """How the segments grow with each dof that lies between their ends."""
  r, w = wp.tid()
  if row_constant[r] != 0.0:
    gradient[r, w] = row_constant[r]
    return
  s = row_segment[r]
  e = segment_line(s, w, segment_sites, site_xpos, direction)
  at = point[s, w]
  if segment_sites[s, 0] >= 0:
    at = site_xpos[w, segment_sites[s, 0]]
  # any point of the line has the same moment
  motion = cdof[w, row_dof[r]]
  arm = at - subtree_com[w, row_root[r]]
  spin = wp.spatial_top(motion)
  gradient[r, w] = row_sign[r] * wp.dot(e, wp.spatial_bottom(motion) + wp.cross(spin, arm))


@wp.kernel(module="unique", enable_backward=False)
def corner_kernel(
  corner_contact: wp.array(dtype=int),
  corner_segment: wp.array(dtype=int),  # before the guide
  segment_sites: wp.array2d(dtype=int),
  site_xpos: wp.array2d(dtype=wp.vec3),
  direction: wp.array2d(dtype=wp.vec3),
  angle: wp.array2d(dtype=float),
):
  """Guides with a wrap beside them."""
  i, w = wp.tid()
  s = corner_segment[i]
  d = segment_line(s, w, segment_sites, site_xpos, direction)
  e = segment_line(s + 1, w, segment_sites, site_xpos, direction)
  angle[corner_contact[i], w] = wp.atan2(wp.length(wp.cross(d, e)), wp.dot(d, e))
