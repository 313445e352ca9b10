"""Groove: one wheel with flanges and a cable that stays in its mid plane.

The contact goes from flange to flange: the straight parts between the edge and the bottom belong to
it. Lifted from the bottom, but below the edges, the cable is still in the groove, and straight; a
keeper holds it at the edge. Nothing leads it aside, so it cannot derail.
"""

import functools
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records, singles, writers
from mujocable.warp.path.winding import winding


@functools.cache
def wheel(p: Precision) -> SimpleNamespace:
  """Functions by name, in the plane of the wheel."""
  real, vec3, c, r, way = p.real, p.vec3, circle(p), records(p), winding(p)
  Spans, Scene, Single = r.Spans, r.Scene, singles(p).Single
  zero, tiny = real(0.0), real(1e-30)
  ex, ey = p.vec3(1.0, 0.0, 0.0), p.vec3(0.0, 1.0, 0.0)

  @wp.func
  def turned(x: vec3, angle: real, size: real):
    # in the direction of x, turned about the axis, this far from it
    s = wp.sin(angle)
    c = wp.cos(angle)
    scale = size / wp.max(wp.sqrt(x[0] * x[0] + x[1] * x[1]), tiny)
    return vec3(scale * (c * x[0] - s * x[1]), scale * (s * x[0] + c * x[1]), zero)

  @wp.func
  def horizon(x: vec3, size: real):
    # from the direction of x to where its tangent touches a circle
    return wp.atan2(c.tangent_length(x[0] * x[0] + x[1] * x[1], size), size)

  @wp.func
  def swept_by(s: Single, la: vec3, lb: vec3, spans: Spans, scene: Scene):
    # about the axis, followed
    near = way.followed(s.index, s.w, s.before, spans, scene)
    if scene.sides.fresh[s.before, s.w] == 1 and spans.hint[s.index] > 0:
      site = scene.poses.site_xpos[s.w, spans.hint_site[s.index]]
      hint = wp.transpose(s.rot) * (site - s.center)
      if spans.hint[s.index] == 2:
        hint = spans.hint_point[s.index]
      near = way.hinted(near, hint, la[0], la[1], lb[0], lb[1], ex, ey)
    return c.unwrap(way.around(la[0], la[1], lb[0], lb[1]), near)

  @wp.func
  def lifted(la: vec3, lb: vec3, swept: real, sense: real, radius: real, edge: real, rim: real):
    # from the bottom: how far the cable is from the axis, and at what angle from the first end; the
    # foot of its line, or the place of its keeper
    line = lb - la
    flat = wp.max(line[0] * line[0] + line[1] * line[1], tiny)
    foot = la - line * ((la[0] * line[0] + la[1] * line[1]) / flat)
    size = wp.max(wp.sqrt(foot[0] * foot[0] + foot[1] * foot[1]), radius)
    at = sense * way.around(la[0], la[1], foot[0], foot[1])
    if rim <= zero:
      size = edge
      ra = wp.sqrt(la[0] * la[0] + la[1] * la[1])
      at = c.keeper(ra, wp.sqrt(lb[0] * lb[0] + lb[1] * lb[1]), edge, wp.abs(swept))
    return size, at

  return SimpleNamespace(turned=turned, horizon=horizon, swept_by=swept_by, lifted=lifted)


@functools.cache
def over_groove(p: Precision):
  """Function: the only wrap of a span, a cylinder with a groove."""
  real, vec3, r, way, plane, write = p.real, p.vec3, records(p), winding(p), wheel(p), writers(p)
  Spans, Scene, Single = r.Spans, r.Scene, singles(p).Single
  zero, half, one, between = real(0.0), real(0.5), real(1.0), circle(p).between

  @wp.func
  def wrap_grooved(s: Single, spans: Spans, scene: Scene):
    w = s.w
    edge = s.radius + spans.groove[s.index]
    back = wp.transpose(s.rot)
    la = back * (s.a - s.center)
    lb = back * (s.b - s.center)
    swept = plane.swept_by(s, la, lb, spans, scene)
    sense = way.sign_of(swept)
    span = wp.abs(swept)
    arc = span - plane.horizon(la, s.radius) - plane.horizon(lb, s.radius)
    rim = span - plane.horizon(la, edge) - plane.horizon(lb, edge)
    scene.sides.swept[s.now, s.index, w] = swept - way.wound(s.index, w, spans, scene)
    scene.sides.entry[s.now, s.index, w] = scene.sides.entry[s.before, s.index, w]
    if arc <= zero and rim <= zero and spans.kept[s.index] == 0:
      scene.sides.touching[s.now, s.index, w] = 0
      write.straight(scene.lines, s.segment, s.contact, w, s.a, s.b)
      return
    scene.sides.touching[s.now, s.index, w] = 1
    # where the cable touches the bottom, or would
    size = s.radius
    at_a = plane.horizon(la, s.radius)
    at_b = plane.horizon(lb, s.radius)
    if arc <= zero:
      size, at_a = plane.lifted(la, lb, swept, sense, s.radius, edge, rim)
      at_b = span - at_a
    p = plane.turned(la, sense * at_a, size)
    q = plane.turned(lb, -sense * at_b, size)
    to = p - vec3(la[0], la[1], zero)
    on = vec3(lb[0], lb[1], zero) - q
    # up to the edges the straight parts are in the groove
    most = wp.sqrt(wp.max(edge * edge - size * size, zero))
    before = wp.length(to)
    after = wp.length(on)
    leg_a = wp.min(most, before)
    leg_b = wp.min(most, after)
    along = vec3(-sense * p[1], sense * p[0], zero) / size
    beyond = vec3(-sense * q[1], sense * q[0], zero) / size
    ahead = wp.where(before > zero, wp.normalize(to), along)
    behind = wp.where(after > zero, wp.normalize(on), beyond)
    angle = wp.max(arc, zero)
    share = one  # of a way around the wheel that is along the cable
    if rim <= zero and arc <= zero:
      angle = between(ahead, behind)
      share = half * wp.dot(along, ahead + behind)
    # the entry is at the edge: with the place below it, and as the straight part grows
    moved = zero
    if scene.sides.touching[s.before, s.index, w] == 1:
      was = scene.sides.entry[s.before, s.index, w]
      square = was[0] * was[0] + was[1] * was[1]
      mean = half * (size + wp.sqrt(square))
      moved = share * sense * mean * way.around(was[0], was[1], p[0], p[1])
      moved += was[2] - most
    scene.sides.entry[s.now, s.index, w] = vec3(p[0], p[1], most)
    length = leg_a + size * wp.max(arc, zero) + leg_b
    write.contact(scene.lines, s.contact, w, 1, angle, length, moved)
    write.segment(scene.lines, s.segment, w, before - leg_a, s.rot * ahead, s.center + s.rot * p)
    write.segment(
      scene.lines, s.segment + 1, w, after - leg_b, s.rot * behind, s.center + s.rot * q
    )

  return wrap_grooved
