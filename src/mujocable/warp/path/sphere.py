"""Sphere: one wrap over a sphere in closed form, a great circle in the plane of ends and center."""

import functools
import math

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records, singles, writers


@functools.cache
def great_circle(p: Precision):
  """Function: normal of the plane of the string, and how far it sweeps about it."""
  real, vec3, r, single, c = p.real, p.vec3, records(p), singles(p), circle(p)
  Spans, Scene, Single = r.Spans, r.Scene, single.Single
  zero, tau, collinear = real(0.0), real(2 * math.pi), real(p.on_surface)

  @wp.func
  def asked_plane(s: Single, ca: vec3, cb: vec3, spans: Spans, scene: Scene):
    # normal of the plane that is asked for: by the hint of a fresh world, else as it was
    preferred = s.rot * scene.sides.plane[s.before, s.index, s.w]
    if scene.sides.fresh[s.before, s.w] == 1 and spans.hint[s.index] > 0:
      hint = single.hint_of(s.index, s.w, s.center, s.rot, spans, scene)
      preferred = wp.cross(ca, hint)
      chord = wp.cross(ca, cb)
      if wp.length(chord) > collinear * wp.length(ca) * wp.length(cb):
        n = wp.normalize(chord)
        flat = hint - n * wp.dot(hint, n)
        preferred = n
        if c.turned(ca, flat, n) + c.turned(flat, cb, n) < zero:
          preferred = -n
    return preferred

  @wp.func
  def plane_of(s: Single, ca: vec3, cb: vec3, spans: Spans, scene: Scene):
    preferred = asked_plane(s, ca, cb, spans, scene)
    cross = wp.cross(ca, cb)
    sine = wp.length(cross)
    sweep = wp.atan2(sine, wp.dot(ca, cb))
    normal = preferred
    # only a hint holds the string on the longer way round, and only while it bears
    was_on = scene.sides.touching[s.before, s.index, s.w]
    holds = spans.hint[s.index] > 0 and (was_on == 1 or scene.sides.fresh[s.before, s.w] == 1)
    if sine > collinear * wp.length(ca) * wp.length(cb):
      normal = cross / sine
      if holds and wp.dot(normal, preferred) < zero:
        normal = -normal
        sweep = tau - sweep
    else:
      u = wp.normalize(ca)
      normal = wp.normalize(preferred - u * wp.dot(preferred, u))
    return normal, sweep

  return plane_of


@functools.cache
def over_sphere(p: Precision, keepers: bool):
  """Function: the only wrap of a span; `keepers`: one may hold the cable on it."""
  real, c, r, write, plane_of = p.real, circle(p), records(p), writers(p), great_circle(p)
  Spans, Scene, Single = r.Spans, r.Scene, singles(p).Single
  zero, pi = real(0.0), real(math.pi)

  @wp.func
  def wrap_sphere(s: Single, spans: Spans, scene: Scene):
    w = s.w
    radius = s.radius
    back = wp.transpose(s.rot)
    ca = s.a - s.center
    cb = s.b - s.center
    normal, sweep = plane_of(s, ca, cb, spans, scene)
    ta = c.tangent_length(wp.dot(ca, ca), radius)
    tb = c.tangent_length(wp.dot(cb, cb), radius)
    arc = sweep - wp.atan2(ta, radius) - wp.atan2(tb, radius)
    ea = wp.normalize(ca)
    eb = wp.normalize(cb)
    kept = int(0)
    if wp.static(keepers):
      kept = spans.kept[s.index]
    if arc <= zero and kept == 0:
      # off the sphere nothing holds the string to one side: it comes back the shorter chord
      if sweep > pi:
        normal = -normal
      scene.sides.touching[s.now, s.index, w] = 0
      scene.sides.plane[s.now, s.index, w] = back * normal
      scene.sides.entry[s.now, s.index, w] = scene.sides.entry[s.before, s.index, w]
      write.straight(scene.lines, s.segment, s.contact, w, s.a, s.b)
      return
    # entry and exit: turned from the directions to both ends
    la = wp.sqrt(ta * ta + radius * radius)
    lb = wp.sqrt(tb * tb + radius * radius)
    ua = (radius * ea + ta * wp.cross(normal, ea)) / la
    ub = (radius * eb - tb * wp.cross(normal, eb)) / lb
    da = wp.cross(normal, ua)
    db = wp.cross(normal, ub)
    angle = arc
    if wp.static(keepers) and arc <= zero:
      # a keeper holds it at one point
      at = c.keeper(wp.length(ca), wp.length(cb), radius, sweep)
      ua = wp.cos(at) * ea + wp.sin(at) * wp.cross(normal, ea)
      ub = ua
      da = radius * ua - ca
      db = cb - radius * ub
      ta = wp.length(da)
      tb = wp.length(db)
      da = wp.where(ta > zero, wp.normalize(da), wp.cross(normal, ua))
      db = wp.where(tb > zero, wp.normalize(db), wp.cross(normal, ub))
      arc = zero
      angle = c.between(da, db)
    entry = back * ua
    moved = zero
    if scene.sides.touching[s.before, s.index, w] == 1:
      moved = radius * c.turned(scene.sides.entry[s.before, s.index, w], entry, back * normal)
    scene.sides.touching[s.now, s.index, w] = 1
    scene.sides.plane[s.now, s.index, w] = back * normal
    scene.sides.entry[s.now, s.index, w] = entry
    write.contact(scene.lines, s.contact, w, 1, angle, radius * arc, moved)
    write.segment(scene.lines, s.segment, w, ta, da, s.center + radius * ua)
    write.segment(scene.lines, s.segment + 1, w, tb, db, s.center + radius * ub)

  return wrap_sphere
