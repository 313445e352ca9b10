"""Buried: a cylinder or sphere alone between two nodes, one of which lies inside: it gives way.

What is left of it shrinks to nothing as the end goes down to half its radius. From there the string
runs along the flat that the end has pressed into it, and then around the rest. It pulls along the
slope of its length, so that no energy comes from nowhere. Numbers with slopes are vectors: a value,
then its slopes by the distances of both ends from the axis and by the angle between them.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools
import math

import warp as wp

from mujocable.warp.layout.parts import SPHERE
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records
from mujocable.warp.path.winding import winding


@functools.cache
def slopes(p: Precision):
  """Functions of numbers with slopes, by name."""
  real, vec4 = p.real, wp.types.vector(4, p.real)
  zero, half, two, tiny = real(0.0), real(0.5), real(2.0), real(1e-30)

  @wp.func
  def chain(value: real, slope: real, x: vec4):
    return vec4(value, slope * x[1], slope * x[2], slope * x[3])

  @wp.func
  def product(x: vec4, y: vec4):
    return chain(x[0] * y[0], y[0], x) + chain(zero, x[0], y)

  @wp.func
  def root(x: vec4):
    # no slope where there is no length
    r = wp.sqrt(wp.max(x[0], zero))
    slope = zero
    if r > zero:
      slope = half / r
    return chain(r, slope, x)

  @wp.func
  def cosine(x: vec4):
    return chain(wp.cos(x[0]), -wp.sin(x[0]), x)

  @wp.func
  def angle_to(s: vec4, c: vec4):
    # angle of the point (c, s)
    square = wp.max(s[0] * s[0] + c[0] * c[0], tiny)
    return chain(wp.atan2(s[0], c[0]), c[0] / square, s) + chain(zero, -s[0] / square, c)

  @wp.func
  def apart(x: vec4, y: vec4, angle: vec4):
    # two points so far from the axis, and so far around
    return root(product(x, x) + product(y, y) - two * product(product(x, y), cosine(angle)))

  return vec4, chain, product, root, cosine, angle_to, apart


@functools.cache
def planar(p: Precision):
  """Function: the string seen along the axis."""
  real = p.real
  vec4, chain, product, root, cosine, angle_to, apart = slopes(p)
  zero, half, one, two = real(0.0), real(0.5), real(1.0), real(2.0)
  three, tiny, quarter = real(3.0), real(1e-30), real(math.pi / 2)

  @wp.struct
  class Planar:
    """A string past what is left of a circle."""

    touching: int
    a_inside: int
    b_inside: int
    length: vec4
    turn: real
    radius: real  # that is left
    leg_a: real  # of an end that is not inside: how far to what is left, and at what angle from it
    leg_b: real
    meets_a: real
    meets_b: real

  @wp.func
  def straight_of(distance: vec4, left: vec4, inside: int):
    # to where the string meets the circle: along a tangent, or along the flat
    square = product(distance, distance) - product(left, left)
    if inside == 1:
      square = -square
    return root(square)

  @wp.func
  def angle_of(straight: vec4, distance: vec4, left: vec4, inside: int):
    if inside == 1:
      return angle_to(straight, distance)
    return angle_to(straight, left)

  @wp.func
  def above(inside: int, here: real, there: real, swept: real):
    # one end lies above the flat of the other
    return inside == 1 and swept < quarter and there * wp.cos(swept) >= here

  @wp.func
  def solve(radius: real, at_a: real, at_b: real, swept: real):
    s = Planar()
    ra = vec4(at_a, one, zero, zero)
    rb = vec4(at_b, zero, one, zero)
    angle = vec4(swept, zero, zero, one)
    nearer = ra
    if at_b <= at_a:
      nearer = rb
    x = chain(wp.max(two * nearer[0] / radius - one, zero), two / radius, nearer)
    if nearer[0] <= half * radius:
      x = vec4()
    left = radius * product(product(x, x), vec4(three, zero, zero, zero) - two * x)
    s.radius = left[0]
    s.a_inside = wp.where(at_a < left[0], 1, 0)
    s.b_inside = wp.where(at_b < left[0], 1, 0)
    run_a = straight_of(ra, left, s.a_inside)
    run_b = straight_of(rb, left, s.b_inside)
    to_a = angle_of(run_a, ra, left, s.a_inside)
    to_b = angle_of(run_b, rb, left, s.b_inside)
    sum = to_a[0] + to_b[0]
    # nothing in the way
    if left[0] == zero or (s.a_inside == 0 and s.b_inside == 0 and swept <= sum):
      return s
    if above(s.a_inside, at_a, at_b, swept) or above(s.b_inside, at_b, at_a, swept):
      return s
    s.touching = 1
    if swept > sum:
      s.length = run_a + product(left, angle - to_a - to_b) + run_b
      s.turn = swept
      if s.a_inside == 0:
        s.turn -= to_a[0]
      if s.b_inside == 0:
        s.turn -= to_b[0]
      s.leg_a = run_a[0]
      s.leg_b = run_b[0]
      s.meets_a = to_a[0]
      s.meets_b = to_b[0]
      return s
    # no arc is left, only a corner
    if s.a_inside == 1 and s.b_inside == 1:
      # where both flats meet
      sine = chain(wp.sin(swept), wp.cos(swept), angle)
      corner = angle_to(rb - product(ra, cosine(angle)), product(ra, sine))
      c = wp.cos(corner[0])
      far = product(ra, chain(one / c, wp.sin(corner[0]) / (c * c), corner))
      s.length = apart(ra, far, corner) + apart(rb, far, angle - corner)
      s.turn = swept
      return s
    flat = run_b
    turned = to_b
    other = ra
    if s.a_inside == 1:
      flat = run_a
      turned = to_a
      other = rb
    rest = angle - turned
    leg = apart(left, other, rest)
    s.length = flat + leg
    if s.a_inside == 1:
      s.leg_b = leg[0]
      s.meets_b = rest[0]
    else:
      s.leg_a = leg[0]
      s.meets_a = rest[0]
    # from the direction of the flat to that of the leg
    away = (other[0] * wp.cos(rest[0]) - left[0]) / wp.max(leg[0], tiny)
    s.turn = wp.max(turned[0] - wp.asin(wp.clamp(away, -one, one)), zero)
    return s

  return solve


@functools.cache
def buried(p: Precision):
  """Kernel: one span with one wrap in one world; writes only where an end is inside."""
  real, vec3, r, way = p.real, p.vec3, records(p), winding(p)
  Spans, Poses, Sides, Lines = r.Spans, r.Poses, r.Sides, r.Lines
  solve = planar(p)
  wound, write_contact, write_segment = way.wound, r.write_contact, r.write_segment
  write_straight, sphere = r.write_straight, SPHERE
  zero, half, one = real(0.0), real(0.5), real(1.0)
  tau, tiny, least = real(2 * math.pi), real(1e-30), real(1 - p.on_surface)

  @wp.func
  def depth_of(x: vec3, clamped: int, axis: vec3, kind: int, radius: real):
    # whether an end is inside
    d = x
    if kind != wp.static(sphere):
      d = x - axis * wp.dot(x, axis)
    return clamped == 0 and wp.length(d) < least * radius

  @wp.func
  def unit(x: vec3, other: vec3):
    size = wp.length(x)
    if size > tiny:
      return x / size
    return other

  @wp.func
  def across(axis: vec3):
    # any direction across it
    e = vec3(one, zero, zero)
    if wp.abs(axis[0]) > half:
      e = vec3(zero, one, zero)
    return wp.normalize(wp.cross(axis, e))

  @wp.func
  def per(x: real):
    if x > zero:
      return one / x
    return zero

  @wp.kernel(module="unique", enable_backward=False)
  def buried_kernel(spans: Spans, poses: Poses, sides: Sides, lines: Lines):
    k, w = wp.tid()
    wrap = spans.wraps[k, 0]
    if spans.wraps[k, 1] > 1:
      return
    kind = spans.kind[wrap]
    g = spans.geom[wrap]
    center = poses.geom_xpos[w, g]
    rot = poses.geom_xmat[w, g]
    radius = poses.geom_size[w % poses.geom_size.shape[0], g][0] + spans.radius[wrap]
    axis = vec3(rot[0, 2], rot[1, 2], rot[2, 2])
    a = poses.site_xpos[w, spans.sites[k, 0]] - center
    b = poses.site_xpos[w, spans.sites[k, 1]] - center
    deep = depth_of(a, spans.clamped[k, 0], axis, kind, radius)
    if not deep and not depth_of(b, spans.clamped[k, 1], axis, kind, radius):
      return

    # both ends around the axis; a sphere has that of the plane of the string
    old = sides.side[w]
    new = 1 - old
    if kind == wp.static(sphere):
      axis = rot * sides.plane[new, wrap, w]
      axis = unit(axis, vec3(zero, zero, one))
    za = wp.dot(a, axis)
    zb = wp.dot(b, axis)
    if kind == wp.static(sphere):
      za = zero
      zb = zero
    pa = a - axis * za
    pb = b - axis * zb
    at_a = wp.length(pa)
    at_b = wp.length(pb)
    ua = unit(pa, unit(pb, across(axis)))
    ub = unit(pb, ua)
    swept = sides.swept[new, wrap, w] + wound(wrap, w, spans, poses)
    if kind == wp.static(sphere):
      swept = wp.atan2(wp.dot(wp.cross(ua, ub), axis), wp.dot(ua, ub))
      if swept < zero:
        swept += tau
    sense = wp.where(swept < zero, -one, one)
    s = solve(radius, at_a, at_b, wp.abs(swept))
    seg = spans.segment[k]
    contact = spans.contact[wrap]
    sides.touching[new, wrap, w] = s.touching
    if s.touching == 0:
      if s.radius == zero and kind != wp.static(sphere):
        # turns are gone
        swept -= tau * wp.round(swept / tau)
        sides.swept[new, wrap, w] = swept - wound(wrap, w, spans, poses)
      write_straight(lines, seg, contact, w, center + a, center + b)
      return

    # straight in the unrolled plane
    flat = s.length[0]
    rise = zb - za
    total = wp.sqrt(flat * flat + rise * rise)
    cosine = flat * per(total)
    up = rise * per(total)
    around_a = sense * wp.cross(axis, ua)
    around_b = sense * wp.cross(axis, ub)
    come = cosine * (around_a * (s.length[3] * per(at_a)) - ua * s.length[1]) + axis * up
    leave = cosine * (around_b * (s.length[3] * per(at_b)) + ub * s.length[2]) + axis * up
    point_a = a
    point_b = b
    before = zero
    after = zero
    steep = total * per(flat)
    # the end that the surface gives way to bears on it where it is
    if s.a_inside == 0 and at_a >= at_b:
      before = steep * s.leg_a
      out = wp.cos(s.meets_a) * ua + wp.sin(s.meets_a) * around_a
      point_a = s.radius * out + axis * (za + up * before)
    if s.b_inside == 0 and at_a < at_b:
      after = steep * s.leg_b
      out = wp.cos(s.meets_b) * ub - wp.sin(s.meets_b) * around_b
      point_b = s.radius * out + axis * (zb - up * after)
    # where it comes to the surface: around the axis, as far as that is along the string
    out = point_a - axis * wp.dot(point_a, axis)
    here = unit(out, ua)
    moved = zero
    if sides.touching[old, wrap, w] > 0:
      was = rot * sides.entry[old, wrap, w]
      was = unit(was - axis * wp.dot(was, axis), here)
      turned = wp.atan2(wp.dot(wp.cross(was, here), axis), wp.dot(was, here))
      moved = wp.length(out) * turned * wp.dot(wp.cross(axis, here), unit(come, around_a))
    sides.entry[new, wrap, w] = wp.transpose(rot) * here
    arc = wp.max(total - before - after, zero)
    write_contact(lines, contact, w, 1, s.turn * cosine, arc, moved)
    write_segment(lines, seg, w, before, come, center + point_a)
    write_segment(lines, seg + 1, w, after, leave, center + point_b)

  return buried_kernel
