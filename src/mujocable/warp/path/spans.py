"""Spans: the arrays that the kernel of spans reads and writes, by what they belong to."""

# pyright: reportInvalidTypeForm=false, reportIndexIssue=false

import functools
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision


@functools.cache
def records(p: Precision) -> SimpleNamespace:
  """Structs by name, and what writes a contact with the segments beside it."""
  real, vec3 = p.real, p.vec3

  @wp.struct
  class Spans:
    """Tables of spans and wraps, the same in all worlds."""

    segment: wp.array(dtype=int)
    sites: wp.array2d(dtype=int)
    clamped: wp.array2d(dtype=int)
    wraps: wp.array2d(dtype=int)  # first, how many
    contact: wp.array(dtype=int)  # of a wrap; so are the next
    geom: wp.array(dtype=int)
    kind: wp.array(dtype=int)
    radius: wp.array(dtype=p.real)  # of the cable
    kept: wp.array(dtype=int)  # 1: a keeper holds the cable on it
    groove: wp.array(dtype=p.real)  # depth, 0: none
    hint: wp.array(dtype=int)  # 0: none, 1: a site, 2: a point; only where a reset asks it
    hint_site: wp.array(dtype=int)
    hint_point: wp.array(dtype=p.vec3)
    hinge_begin: wp.array(dtype=int)
    hinge_qpos: wp.array(dtype=int)
    hinge_sign: wp.array(dtype=p.real)
    hinge_zero: wp.array(dtype=p.real)

  @wp.struct
  class Rings:
    """Tables of spans with a ring, the same in all worlds."""

    segment: wp.array(dtype=int)
    sites: wp.array2d(dtype=int)
    wrap: wp.array(dtype=int)
    contact: wp.array(dtype=int)
    site: wp.array(dtype=int)  # of the ring
    radius: wp.array(dtype=p.real)
    tube: wp.array(dtype=p.real)  # with the radius of the cable
    hint: wp.array(dtype=int)  # as above
    hint_site: wp.array(dtype=int)
    hint_point: wp.array(dtype=p.vec3)

  @wp.struct
  class Poses:
    """Where everything is."""

    site_xpos: wp.array2d(dtype=p.vec3)
    site_xmat: wp.array2d(dtype=p.mat33)
    geom_xpos: wp.array2d(dtype=p.vec3)
    geom_xmat: wp.array2d(dtype=p.mat33)
    geom_size: wp.array2d(dtype=p.vec3)
    qpos: wp.array2d(dtype=p.real)

  @wp.struct
  class Sides:
    """Memory of wraps, two sides each: the step before, and this one."""

    side: wp.array(dtype=int)
    fresh: wp.array2d(dtype=int)
    touching: wp.array3d(dtype=int)  # of a ring in how many places
    swept: wp.array3d(dtype=p.real)
    plane: wp.array3d(dtype=p.vec3)  # frame of the surface; of a ring where it leaves
    entry: wp.array3d(dtype=p.vec3)  # frame of the surface; of a ring where it comes

  @wp.struct
  class Lines:
    """Segments and contacts."""

    length: wp.array2d(dtype=p.real)
    angle: wp.array2d(dtype=p.real)
    arc: wp.array2d(dtype=p.real)
    advance: wp.array2d(dtype=p.real)
    touching: wp.array2d(dtype=int)
    direction: wp.array2d(dtype=p.vec3)
    point: wp.array2d(dtype=p.vec3)

  @wp.func
  def write_contact(
    lines: Lines, contact: int, w: int, touching: int, angle: real, arc: real, advance: real
  ):
    lines.touching[contact, w] = touching
    lines.angle[contact, w] = angle
    lines.arc[contact, w] = arc
    lines.advance[contact, w] = advance

  @wp.func
  def write_segment(lines: Lines, s: int, w: int, length: real, direction: vec3, point: vec3):
    lines.length[s, w] = length
    lines.direction[s, w] = direction
    lines.point[s, w] = point

  @wp.func
  def write_straight(lines: Lines, s: int, contact: int, w: int, a: vec3, b: vec3):
    # past a wrap: the first segment has the whole length
    d = wp.normalize(b - a)
    write_contact(lines, contact, w, 0, real(0.0), real(0.0), real(0.0))
    write_segment(lines, s, w, wp.length(b - a), d, a)
    write_segment(lines, s + 1, w, real(0.0), d, a)

  return SimpleNamespace(
    Spans=Spans,
    Rings=Rings,
    Poses=Poses,
    Sides=Sides,
    Lines=Lines,
    write_contact=write_contact,
    write_segment=write_segment,
    write_straight=write_straight,
  )
