"""Buried: a cylinder or sphere alone between two nodes, one of which lies inside: it gives way.

The string past what is left of it (pressed.py) pulls along the slope of its length, so that no
energy comes from nowhere.
"""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.layout.parts import SPHERE
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.pressed import pressed, remains
from mujocable.warp.path.spans import records, singles, writers
from mujocable.warp.path.winding import winding


@functools.cache
def polar(p: Precision) -> SimpleNamespace:
  """Both ends around the axis: a struct, and functions by name."""
  real, vec3, r, way, sphere = p.real, p.vec3, records(p), winding(p), SPHERE
  Spans, Scene, Single = r.Spans, r.Scene, singles(p).Single
  zero, half, one = real(0.0), real(0.5), real(1.0)
  tau, tiny = real(2 * math.pi), real(1e-30)

  @wp.struct
  class Polar:
    """Two points about an axis."""

    axis: vec3
    ua: vec3  # directions from the axis
    ub: vec3
    at_a: real  # distances from it
    at_b: real
    za: real  # heights
    zb: real
    swept: real  # from one to the other

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
  def seen_along(s: Single, a: vec3, b: vec3, axis: vec3, kind: int, spans: Spans, scene: Scene):
    # a sphere has the axis of the plane of the string
    e = Polar()
    e.axis = axis
    if kind == wp.static(sphere):
      e.axis = unit(s.rot * scene.sides.plane[s.now, s.index, s.w], vec3(zero, zero, one))
    else:
      e.za = wp.dot(a, axis)
      e.zb = wp.dot(b, axis)
    pa = a - e.axis * e.za
    pb = b - e.axis * e.zb
    e.at_a = wp.length(pa)
    e.at_b = wp.length(pb)
    e.ua = unit(pa, unit(pb, across(e.axis)))
    e.ub = unit(pb, e.ua)
    e.swept = way.followed(s.index, s.w, s.now, spans, scene)
    if kind == wp.static(sphere):
      e.swept = wp.atan2(wp.dot(wp.cross(e.ua, e.ub), e.axis), wp.dot(e.ua, e.ub))
      if e.swept < zero:
        e.swept += tau
    return e

  return SimpleNamespace(Polar=Polar, unit=unit, seen_along=seen_along)


@functools.cache
def bearing(p: Precision):
  """Function: writes a string that bears on what is left; straight in the unrolled plane."""
  real, vec3, r, write, around = p.real, p.vec3, records(p), writers(p), polar(p)
  Scene, Single, Pressed = r.Scene, singles(p).Single, remains(p).Pressed
  Polar, unit = around.Polar, around.unit
  zero, one = real(0.0), real(1.0)

  @wp.func
  def per(x: real):
    if x > zero:
      return one / x
    return zero

  @wp.func
  def write_bearing(s: Single, a: vec3, b: vec3, e: Polar, f: Pressed, scene: Scene):
    sense = wp.where(e.swept < zero, -one, one)
    axis = e.axis
    flat = f.length[0]
    rise = e.zb - e.za
    total = wp.sqrt(flat * flat + rise * rise)
    cosine = flat * per(total)
    up = rise * per(total)
    around_a = sense * wp.cross(axis, e.ua)
    around_b = sense * wp.cross(axis, e.ub)
    come = cosine * (around_a * (f.length[3] * per(e.at_a)) - e.ua * f.length[1]) + axis * up
    leave = cosine * (around_b * (f.length[3] * per(e.at_b)) + e.ub * f.length[2]) + axis * up
    point_a = a
    point_b = b
    before = zero
    after = zero
    steep = total * per(flat)
    # the end that the surface gives way to bears on it where it is
    if f.a_inside == 0 and e.at_a >= e.at_b:
      before = steep * f.leg_a
      out = wp.cos(f.meets_a) * e.ua + wp.sin(f.meets_a) * around_a
      point_a = f.radius * out + axis * (e.za + up * before)
    if f.b_inside == 0 and e.at_a < e.at_b:
      after = steep * f.leg_b
      out = wp.cos(f.meets_b) * e.ub - wp.sin(f.meets_b) * around_b
      point_b = f.radius * out + axis * (e.zb - up * after)
    # where it comes to the surface, around the axis and along it: what is along the string
    out = point_a - axis * wp.dot(point_a, axis)
    here = unit(out, e.ua)
    moved = zero
    if scene.sides.touching[s.before, s.index, s.w] > 0:
      was = s.rot * scene.sides.entry[s.before, s.index, s.w]
      moved = up * wp.dot(point_a - was, axis)
      was = unit(was - axis * wp.dot(was, axis), here)
      turned = wp.atan2(wp.dot(wp.cross(was, here), axis), wp.dot(was, here))
      moved += wp.length(out) * turned * wp.dot(wp.cross(axis, here), unit(come, around_a))
    entry = here + axis * wp.dot(point_a, axis)
    scene.sides.entry[s.now, s.index, s.w] = wp.transpose(s.rot) * entry
    arc = wp.max(total - before - after, zero)
    write.contact(scene.lines, s.contact, s.w, 1, f.turn * cosine, arc, moved)
    write.segment(scene.lines, s.segment, s.w, before, come, s.center + point_a)
    write.segment(scene.lines, s.segment + 1, s.w, after, leave, s.center + point_b)

  return write_bearing


@functools.cache
def buried(p: Precision):
  """Kernel: one span with one wrap in one world; writes only where an end is inside."""
  real, vec3, r, sphere = p.real, p.vec3, records(p), SPHERE
  Spans, Scene, first_wrap, wound = r.Spans, r.Scene, singles(p).first_wrap, winding(p).wound
  press, seen_along, write_bearing = pressed(p), polar(p).seen_along, bearing(p)
  write = writers(p)
  zero, tau, least = real(0.0), real(2 * math.pi), real(1 - p.on_surface)

  @wp.func
  def is_inside(x: vec3, clamped: int, axis: vec3, kind: int, radius: real):
    d = x
    if kind != wp.static(sphere):
      d = x - axis * wp.dot(x, axis)
    return clamped == 0 and wp.length(d) < least * radius

  @wp.kernel(module="unique", enable_backward=False)
  def buried_kernel(spans: Spans, scene: Scene):
    k, w = wp.tid()
    if spans.wraps[k, 1] > 1:
      return
    s = first_wrap(k, w, spans, scene)
    kind = spans.kind[s.index]
    axis = vec3(s.rot[0, 2], s.rot[1, 2], s.rot[2, 2])
    a = s.a - s.center
    b = s.b - s.center
    deep = is_inside(a, spans.clamped[k, 0], axis, kind, s.radius)
    if not deep and not is_inside(b, spans.clamped[k, 1], axis, kind, s.radius):
      return
    e = seen_along(s, a, b, axis, kind, spans, scene)
    f = press(s.radius, e.at_a, e.at_b, wp.abs(e.swept))
    scene.sides.touching[s.now, s.index, w] = f.touching
    if f.touching == 1:
      write_bearing(s, a, b, e, f, scene)
      return
    if f.radius == zero and kind != wp.static(sphere):
      # turns are gone
      swept = e.swept - tau * wp.round(e.swept / tau)
      scene.sides.swept[s.now, s.index, w] = swept - wound(s.index, w, spans, scene)
    write.straight(scene.lines, s.segment, s.contact, w, s.center + a, s.center + b)

  return buried_kernel
