"""Kept: a keeper holds the string on the one cylinder between two nodes, at one point."""

import functools

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records, singles, writers
from mujocable.warp.path.winding import winding


@functools.cache
def kept_on(p: Precision):
  """Function: writes the span; `swept`: about the axis, from node to node."""
  real, vec3, c, r, way, write = p.real, p.vec3, circle(p), records(p), winding(p), writers(p)
  Scene, Single = r.Scene, singles(p).Single
  zero, half, tiny = real(0.0), real(0.5), real(1e-30)

  @wp.func
  def keep_on(s: Single, swept: real, scene: Scene):
    radius = s.radius
    back = wp.transpose(s.rot)
    la = back * (s.a - s.center)
    lb = back * (s.b - s.center)
    ra = wp.sqrt(la[0] * la[0] + la[1] * la[1])
    rb = wp.sqrt(lb[0] * lb[0] + lb[1] * lb[1])
    sense = way.sign_of(swept)
    at = c.keeper(ra, rb, radius, wp.abs(swept))
    cosine = wp.cos(at)
    sine = sense * wp.sin(at)
    ux = (cosine * la[0] - sine * la[1]) / wp.max(ra, tiny)
    uy = (sine * la[0] + cosine * la[1]) / wp.max(ra, tiny)
    da = wp.length(vec3(radius * ux - la[0], radius * uy - la[1], zero))
    db = wp.length(vec3(radius * ux - lb[0], radius * uy - lb[1], zero))
    share = half
    if da + db > zero:
      share = da / (da + db)
    held = vec3(radius * ux, radius * uy, la[2] + share * (lb[2] - la[2]))
    tangent = vec3(-sense * uy, sense * ux, zero)
    to = held - la
    on = lb - held
    one_way = s.rot * wp.where(wp.length(to) > zero, wp.normalize(to), tangent)
    other = s.rot * wp.where(wp.length(on) > zero, wp.normalize(on), tangent)
    moved = zero
    if scene.sides.touching[s.before, s.index, s.w] == 1:
      was = scene.sides.entry[s.before, s.index, s.w]
      moved = sense * radius * way.around(was[0], was[1], ux, uy)
    scene.sides.touching[s.now, s.index, s.w] = 1
    scene.sides.entry[s.now, s.index, s.w] = vec3(ux, uy, held[2])
    point = s.center + s.rot * held
    write.contact(scene.lines, s.contact, s.w, 1, c.between(one_way, other), zero, moved)
    write.segment(scene.lines, s.segment, s.w, wp.length(to), one_way, point)
    write.segment(scene.lines, s.segment + 1, s.w, wp.length(on), other, point)

  return keep_on
