"""Spans: the arrays that the kernels of spans read and write, by what they belong to."""

import functools
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision


@functools.cache
def records(p: Precision) -> SimpleNamespace:
  """Structs by name."""

  @wp.struct
  class Spans:
    """Tables of spans and wraps, the same in all worlds."""

    segment: wp.array(dtype=int)
    sites: wp.array2d(dtype=int)
    clamped: wp.array2d(dtype=int)
    wraps: wp.array2d(dtype=int)  # first, how many
    contact: wp.array(dtype=int)  # of a wrap; so are the next
    geom: wp.array(dtype=int)  # of a ring its site
    kind: wp.array(dtype=int)
    radius: wp.array(dtype=p.real)  # of the cable
    ring: wp.array(dtype=p.real)  # radius of a ring
    tube: wp.array(dtype=p.real)  # that of its tube, with the cable
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

  @wp.struct
  class Scene:
    """All that differs between worlds."""

    poses: Poses
    sides: Sides
    lines: Lines

  return SimpleNamespace(Spans=Spans, Poses=Poses, Sides=Sides, Lines=Lines, Scene=Scene)


@functools.cache
def writers(p: Precision) -> SimpleNamespace:
  """Functions by name: results of a contact and of the segments beside it."""
  real, vec3, Lines = p.real, p.vec3, records(p).Lines

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

  return SimpleNamespace(contact=write_contact, segment=write_segment, straight=write_straight)


@functools.cache
def singles(p: Precision) -> SimpleNamespace:
  """One wrap and the nodes of its span: a struct, and the functions that read it."""
  real, vec3, mat33, r = p.real, p.vec3, p.mat33, records(p)
  Spans, Scene = r.Spans, r.Scene

  @wp.struct
  class Single:
    """The first wrap of a span in one world."""

    w: int
    index: int
    segment: int
    contact: int
    before: int  # sides of the memory
    now: int
    a: vec3  # nodes
    b: vec3
    center: vec3
    rot: mat33
    radius: real  # with that of the cable

  @wp.func
  def radius_of(wrap: int, w: int, spans: Spans, scene: Scene):
    sizes = scene.poses.geom_size
    return sizes[w % sizes.shape[0], spans.geom[wrap]][0] + spans.radius[wrap]

  @wp.func
  def hint_of(wrap: int, w: int, center: vec3, rot: mat33, spans: Spans, scene: Scene):
    # from the center, in the frame of the world
    hint = scene.poses.site_xpos[w, spans.hint_site[wrap]] - center
    if spans.hint[wrap] == 2:
      hint = rot * spans.hint_point[wrap]
    return hint

  @wp.func
  def first_wrap(k: int, w: int, spans: Spans, scene: Scene):
    s = Single()
    s.w = w
    s.index = spans.wraps[k, 0]
    s.segment = spans.segment[k]
    s.contact = spans.contact[s.index]
    s.before = scene.sides.side[w]
    s.now = 1 - s.before
    s.a = scene.poses.site_xpos[w, spans.sites[k, 0]]
    s.b = scene.poses.site_xpos[w, spans.sites[k, 1]]
    g = spans.geom[s.index]
    s.center = scene.poses.geom_xpos[w, g]
    s.rot = scene.poses.geom_xmat[w, g]
    s.radius = radius_of(s.index, w, spans, scene)
    return s

  return SimpleNamespace(Single=Single, radius_of=radius_of, hint_of=hint_of, first_wrap=first_wrap)
