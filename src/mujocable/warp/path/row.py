"""Row: one circle of a row, seen along their common axis, and the straight parts beside it.

A keeper holds the string at a point of its circle, where it is shortest: for the rest of the row a
circle of no radius. Functions take and give back numbers of one circle; who calls them keeps those
of the row (cylinders.py).
"""

import functools
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records, singles, writers
from mujocable.warp.path.winding import winding

HELD = 2  # memory of a wrap in a row where a keeper holds the string at a point


@functools.cache
def straights(p: Precision) -> SimpleNamespace:
  """Functions of one circle and the straight parts beside it, by name."""
  real, c, way = p.real, circle(p), winding(p)
  zero, one, half, tiny = real(0.0), real(1.0), real(0.5), real(1e-30)
  outside, small, stride = real((1 + p.on_surface) ** 2), real(1e-3), real(0.3)

  @wp.func
  def tangent(dx: real, dy: real, offset: real, ends: bool):
    # between two circles: direction and length; `offset`: the difference of their radii
    square = dx * dx + dy * dy
    rest = square - offset * offset
    # a point on the circle itself touches where it is
    if ends and square <= outside * offset * offset:
      rest = zero
    reach = wp.sqrt(wp.max(rest, zero))
    scale = one / wp.max(wp.sqrt(reach * reach + offset * offset) * wp.sqrt(square), tiny)
    return (reach * dx + offset * dy) * scale, (reach * dy - offset * dx) * scale, reach

  @wp.func
  def turn(
    sense: real, swept: real, size: real, px: real, py: real, pl: real, qx: real, qy: real, ql: real
  ):
    # of a string on the circle, from one straight part to the other; and how far it sweeps
    sn = sense * (px * qy - py * qx)
    cs = px * qx + py * qy
    more = wp.atan2(pl, size) + wp.atan2(ql, size)
    angle = c.unwrap(wp.atan2(sn, cs), sense * swept - more)
    return angle, sense * (angle + more)

  @wp.func
  def past(fx: real, fy: real, gx: real, gy: real, size: real, swept: real):
    # of a string that is straight, or held at a point: how far it sweeps, and whether it is cut
    now = c.unwrap(way.around(fx, fy, gx, gy), swept)
    more = wp.atan2(c.tangent_length(fx * fx + fy * fy, size), size)
    more += wp.atan2(c.tangent_length(gx * gx + gy * gy, size), size)
    return now, wp.abs(now) > more

  @wp.func
  def slide(
    x: real, y: real, size: real, px: real, py: real, pl: real, qx: real, qy: real, ql: real
  ):
    # a held point on its circle about 0: Newton, on the length of both parts; where, how far around
    ux = x / size
    uy = y / size
    come = ux * py - uy * px
    leave = ux * qy - uy * qx
    down = -(ux * px + uy * py)
    rise = ux * qx + uy * qy
    bend = (one - come * come) / wp.max(pl, small * size)
    bend += (one - leave * leave) / wp.max(ql, small * size)
    bend += wp.max(down + rise, zero) / size
    pull = leave - come
    if leave + come > half:
      # the same, where both hardly differ
      pull = (down - rise) * (down + rise) / (leave + come)
    move = wp.clamp(pull / (wp.max(bend, tiny) * size), -stride, stride)
    cosine = wp.cos(move)
    sine = wp.sin(move)
    return size * (cosine * ux - sine * uy), size * (sine * ux + cosine * uy), move

  return SimpleNamespace(tangent=tangent, turn=turn, past=past, slide=slide)


@functools.cache
def contacts(p: Precision) -> SimpleNamespace:
  """Functions by name: what a cylinder of a row writes, for a string that lies on it, or is held at
  a point of it."""
  real, vec3, mat33, r, way = p.real, p.vec3, p.mat33, records(p), winding(p)
  Spans, Scene, Single = r.Spans, r.Scene, singles(p).Single
  write, between, zero, half = writers(p), circle(p).between, real(0.0), real(0.5)

  @wp.func
  def write_arc(
    s: Single, wrap: int, rot: mat33, out: vec3, size: real, angle: real, arc: real,
    cosine: real, up: real, spans: Spans, scene: Scene
  ):  # fmt: skip
    # entry, in the frame of the surface; `size`: radius, with the sense; `cosine`, `up`: of the
    # string, around the axis and along it
    entry = wp.transpose(rot) * out
    moved = zero
    if scene.sides.touching[s.before, wrap, s.w] > 0:
      was = scene.sides.entry[s.before, wrap, s.w]
      moved = size * way.around(was[0], was[1], entry[0], entry[1]) * cosine
      moved += up * (entry[2] - was[2])
    scene.sides.entry[s.now, wrap, s.w] = entry
    write.contact(scene.lines, spans.contact[wrap], s.w, 1, angle, arc, moved)

  @wp.func
  def write_point(
    s: Single, wrap: int, rot: mat33, ux: real, uy: real, direction: vec3, onward: vec3,
    flip: real, height: real, up: real, full: real, spans: Spans, scene: Scene
  ):  # fmt: skip
    # both segments end at the point: around the axis, and along it
    ex = vec3(s.rot[0, 0], s.rot[1, 0], s.rot[2, 0])
    ey = vec3(s.rot[0, 1], s.rot[1, 1], s.rot[2, 1])
    ez = vec3(s.rot[0, 2], s.rot[1, 2], s.rot[2, 2])
    along = ex * (-uy) + ey * ux
    at = height - wp.dot(scene.poses.geom_xpos[s.w, spans.geom[wrap]] - s.center, ez)
    entry = wp.transpose(rot) * (ex * ux + ey * uy)
    entry = vec3(entry[0], entry[1], flip * at)
    moved = zero
    was_on = scene.sides.touching[s.before, wrap, s.w]
    if was_on > 0:
      was = scene.sides.entry[s.before, wrap, s.w]
      slip = flip * full * way.around(was[0], was[1], entry[0], entry[1])
      moved = half * slip * wp.dot(along, direction + onward)
      if was_on == wp.static(HELD):
        moved += up * flip * (entry[2] - was[2])
    scene.sides.entry[s.now, wrap, s.w] = entry
    corner = between(direction, onward)
    write.contact(scene.lines, spans.contact[wrap], s.w, 1, corner, zero, moved)

  return SimpleNamespace(arc=write_arc, point=write_point)
