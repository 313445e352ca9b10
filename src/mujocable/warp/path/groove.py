"""Groove: one wheel with flanges and a cable that stays in its mid plane.

The contact goes from flange to flange: the straight parts between the edge and the bottom belong to
it. Lifted from the bottom, but below the edges, the cable is still in the groove, and straight; a
keeper holds it at the edge. Nothing leads it aside, so it cannot derail.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records
from mujocable.warp.path.winding import winding


@functools.cache
def over_groove(p: Precision):
  """Function: the only wrap of a span, a cylinder with a groove."""
  real, vec3, mat33, c, r, way = p.real, p.vec3, p.mat33, circle(p), records(p), winding(p)
  Spans, Poses, Sides, Lines = r.Spans, r.Poses, r.Sides, r.Lines
  unwrap, tangent_length, keeper, between = c.unwrap, c.tangent_length, c.keeper, c.between
  wound, sign_of, around, hinted = way.wound, way.sign_of, way.around, way.hinted
  write_contact, write_segment = r.write_contact, r.write_segment
  write_straight = r.write_straight
  zero, half, one, tiny = real(0.0), real(0.5), real(1.0), real(1e-30)
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
    return wp.atan2(tangent_length(x[0] * x[0] + x[1] * x[1], size), size)

  @wp.func
  def swept_by(
    wrap: int, w: int, la: vec3, lb: vec3, center: vec3, rot: mat33, spans: Spans, poses: Poses,
    sides: Sides
  ):  # fmt: skip
    # about the axis, followed
    old = sides.side[w]
    near = sides.swept[old, wrap, w] + wound(wrap, w, spans, poses)
    if sides.fresh[old, w] == 1 and spans.hint[wrap] > 0:
      hint = wp.transpose(rot) * (poses.site_xpos[w, spans.hint_site[wrap]] - center)
      if spans.hint[wrap] == 2:
        hint = spans.hint_point[wrap]
      near = hinted(near, hint, la[0], la[1], lb[0], lb[1], ex, ey)
    return unwrap(around(la[0], la[1], lb[0], lb[1]), near)

  @wp.func
  def wrap_grooved(
    k: int, w: int, a: vec3, b: vec3, center: vec3, rot: mat33, radius: real, spans: Spans,
    poses: Poses, sides: Sides, lines: Lines
  ):  # fmt: skip
    old = sides.side[w]
    new = 1 - old
    wrap = spans.wraps[k, 0]
    seg = spans.segment[k]
    contact = spans.contact[wrap]
    edge = radius + spans.groove[wrap]
    back = wp.transpose(rot)
    la = back * (a - center)
    lb = back * (b - center)
    swept = swept_by(wrap, w, la, lb, center, rot, spans, poses, sides)
    sense = sign_of(swept)
    span = wp.abs(swept)
    arc = span - horizon(la, radius) - horizon(lb, radius)
    rim = span - horizon(la, edge) - horizon(lb, edge)
    sides.swept[new, wrap, w] = swept - wound(wrap, w, spans, poses)
    sides.entry[new, wrap, w] = sides.entry[old, wrap, w]
    if arc <= zero and rim <= zero and spans.kept[wrap] == 0:
      sides.touching[new, wrap, w] = 0
      write_straight(lines, seg, contact, w, a, b)
      return
    sides.touching[new, wrap, w] = 1
    # where the cable touches the bottom, or would: the foot of its line, or the place of its keeper
    size = radius
    at_a = horizon(la, radius)
    at_b = horizon(lb, radius)
    if arc <= zero:
      line = lb - la
      flat = wp.max(line[0] * line[0] + line[1] * line[1], tiny)
      foot = la - line * ((la[0] * line[0] + la[1] * line[1]) / flat)
      size = wp.max(wp.sqrt(foot[0] * foot[0] + foot[1] * foot[1]), radius)
      at_a = sense * around(la[0], la[1], foot[0], foot[1])
      if rim <= zero:
        size = edge
        ra = wp.sqrt(la[0] * la[0] + la[1] * la[1])
        at_a = keeper(ra, wp.sqrt(lb[0] * lb[0] + lb[1] * lb[1]), edge, span)
      at_b = span - at_a
    p = turned(la, sense * at_a, size)
    q = turned(lb, -sense * at_b, size)
    to = p - vec3(la[0], la[1], zero)
    on = vec3(lb[0], lb[1], zero) - q
    # up to the edges the straight parts are in the groove
    most = wp.sqrt(wp.max(edge * edge - size * size, zero))
    before = wp.length(to)
    after = wp.length(on)
    leg_a = wp.min(most, before)
    leg_b = wp.min(most, after)
    along = vec3(-sense * p[1], sense * p[0], zero) / size
    ahead = wp.where(before > zero, wp.normalize(to), along)
    behind = wp.where(
      after > zero, wp.normalize(on), vec3(-sense * q[1], sense * q[0], zero) / size
    )
    angle = wp.max(arc, zero)
    share = one  # of a way around the wheel that is along the cable
    if rim <= zero and arc <= zero:
      angle = between(ahead, behind)
      share = half * wp.dot(along, ahead + behind)
    # the entry is at the edge: with the place below it, and as the straight part grows
    moved = zero
    if sides.touching[old, wrap, w] == 1:
      was = sides.entry[old, wrap, w]
      square = was[0] * was[0] + was[1] * was[1]
      mean = half * (size + wp.sqrt(square))
      moved = share * sense * mean * around(was[0], was[1], p[0], p[1])
      moved += was[2] - most
    sides.entry[new, wrap, w] = vec3(p[0], p[1], most)
    length = leg_a + size * wp.max(arc, zero) + leg_b
    write_contact(lines, contact, w, 1, angle, length, moved)
    write_segment(lines, seg, w, before - leg_a, rot * ahead, center + rot * p)
    write_segment(lines, seg + 1, w, after - leg_b, rot * behind, center + rot * q)

  return wrap_grooved
