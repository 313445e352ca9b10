"""Sphere: one wrap over a sphere in closed form, a great circle in the plane of ends and center."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools
import math

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records


@functools.cache
def over_sphere(p: Precision, keepers: bool):
  """Function: the only wrap of a span; `keepers`: one may hold the cable on it."""
  real, vec3, mat33, c, r = p.real, p.vec3, p.mat33, circle(p), records(p)
  Spans, Poses, Sides, Lines = r.Spans, r.Poses, r.Sides, r.Lines
  turned, tangent_length, keeper, between = c.turned, c.tangent_length, c.keeper, c.between
  write_contact, write_segment = r.write_contact, r.write_segment
  write_straight = r.write_straight
  zero, pi, tau = real(0.0), real(math.pi), real(2 * math.pi)
  collinear = real(p.on_surface)

  @wp.func
  def sphere_plane(
    wrap: int, w: int, ca: vec3, cb: vec3, center: vec3, rot: mat33, spans: Spans, poses: Poses,
    sides: Sides
  ):  # fmt: skip
    # normal of the plane that is asked for: by the hint of a fresh world, else as it was
    old = sides.side[w]
    preferred = rot * sides.plane[old, wrap, w]
    if sides.fresh[old, w] == 1 and spans.hint[wrap] > 0:
      hint = poses.site_xpos[w, spans.hint_site[wrap]] - center
      if spans.hint[wrap] == 2:
        hint = rot * spans.hint_point[wrap]
      preferred = wp.cross(ca, hint)
      chord = wp.cross(ca, cb)
      if wp.length(chord) > collinear * wp.length(ca) * wp.length(cb):
        n = wp.normalize(chord)
        flat = hint - n * wp.dot(hint, n)
        preferred = n
        if turned(ca, flat, n) + turned(flat, cb, n) < zero:
          preferred = -n
    return preferred

  @wp.func
  def wrap_sphere(
    k: int, w: int, a: vec3, b: vec3, center: vec3, rot: mat33, radius: real, spans: Spans,
    poses: Poses, sides: Sides, lines: Lines
  ):  # fmt: skip
    old = sides.side[w]
    new = 1 - old
    wrap = spans.wraps[k, 0]
    seg = spans.segment[k]
    contact = spans.contact[wrap]
    back = wp.transpose(rot)
    ca = a - center
    cb = b - center
    preferred = sphere_plane(wrap, w, ca, cb, center, rot, spans, poses, sides)
    cross = wp.cross(ca, cb)
    sine = wp.length(cross)
    sweep = wp.atan2(sine, wp.dot(ca, cb))
    normal = preferred
    # only a hint holds the string on the longer way round, and only while it bears
    was_on = sides.touching[old, wrap, w]
    holds = spans.hint[wrap] > 0 and (was_on == 1 or sides.fresh[old, w] == 1)
    if sine > collinear * wp.length(ca) * wp.length(cb):
      normal = cross / sine
      if holds and wp.dot(normal, preferred) < zero:
        normal = -normal
        sweep = tau - sweep
    else:
      u = wp.normalize(ca)
      normal = wp.normalize(preferred - u * wp.dot(preferred, u))
    ta = tangent_length(wp.dot(ca, ca), radius)
    tb = tangent_length(wp.dot(cb, cb), radius)
    arc = sweep - wp.atan2(ta, radius) - wp.atan2(tb, radius)
    ea = wp.normalize(ca)
    eb = wp.normalize(cb)
    kept = int(0)
    if wp.static(keepers):
      kept = spans.kept[wrap]
    if arc <= zero and kept == 0:
      # off the sphere nothing holds the string to one side: it comes back the shorter chord
      if sweep > pi:
        normal = -normal
      sides.touching[new, wrap, w] = 0
      sides.plane[new, wrap, w] = back * normal
      sides.entry[new, wrap, w] = sides.entry[old, wrap, w]
      write_straight(lines, seg, contact, w, a, b)
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
      at = keeper(wp.length(ca), wp.length(cb), radius, sweep)
      ua = wp.cos(at) * ea + wp.sin(at) * wp.cross(normal, ea)
      ub = ua
      da = radius * ua - ca
      db = cb - radius * ub
      ta = wp.length(da)
      tb = wp.length(db)
      da = wp.where(ta > zero, wp.normalize(da), wp.cross(normal, ua))
      db = wp.where(tb > zero, wp.normalize(db), wp.cross(normal, ub))
      arc = zero
      angle = between(da, db)
    entry = back * ua
    moved = zero
    if was_on == 1:
      moved = radius * turned(sides.entry[old, wrap, w], entry, back * normal)
    sides.touching[new, wrap, w] = 1
    sides.plane[new, wrap, w] = back * normal
    sides.entry[new, wrap, w] = entry
    write_contact(lines, contact, w, 1, angle, radius * arc, moved)
    write_segment(lines, seg, w, ta, da, center + radius * ua)
    write_segment(lines, seg + 1, w, tb, db, center + radius * ub)

  return wrap_sphere
