"""Rings: spans with a ring between two fixed nodes, from poses and memory to segments and contact.

Which way the string goes past the tube is how far it sweeps around the center line, followed from
step to step. A fresh world takes the way past the hint, or past where the string bears at home.
"""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.hole import hole
from mujocable.warp.path.passage import passages
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.ring import places, ring
from mujocable.warp.path.spans import records, writers
from mujocable.warp.path.torus import geodesics, lines

_HAIR = 1e-2  # an end so deep in the tube lies on it, as in the plugin; deeper, the ring gives way
_NEAR = 1e-3  # nearer to it an end is moved out: Newton's method needs a direction  [tubes]
# memory of a ring that gave way, which takes no part until the string is clear of it, and of one
# that has no home yet
_RELEASED, AUTHORED = -1, -2


@functools.cache
def ways(p: Precision) -> SimpleNamespace:
  """Which way the string goes past the tube: functions by name."""
  real, vec3, r, h, Passage = p.real, p.vec3, records(p), hole(p), passages(p).Passage
  Spans, Scene = r.Spans, r.Scene
  zero, one, pi, near = real(0.0), real(1.0), real(math.pi), real(1 + _NEAR)

  @wp.func
  def around(x: vec3):
    # angle about the center line, half a turn in the hole
    return wp.atan2(x[2], wp.sqrt(x[0] * x[0] + x[1] * x[1]) - one)

  @wp.func
  def surfaced(x: vec3, tube: real):
    # the point of the tube that is nearest
    reach = wp.max(wp.sqrt(x[0] * x[0] + x[1] * x[1]), real(1e-30))
    center = vec3(x[0] / reach, x[1] / reach, zero)
    return center + (x - center) * (tube / wp.max(h.height(x), real(1e-30)))

  @wp.func
  def outside(x: vec3, tube: real):
    # an end a hair inside lies on the tube, or so near that its string still has a direction
    above = near * tube
    if h.height(x) >= above:
      return x
    return surfaced(x, above)

  @wp.func
  def turned(sense: real, x: vec3):
    # the same string in a ring seen from below
    return vec3(x[0], x[1], sense * x[2])

  @wp.func
  def asked(wrap: int, w: int, a: vec3, b: vec3, tube: real, spans: Spans, scene: Scene):
    # how often a fresh string goes through the hole: past its hint, or as it bears at home
    site = spans.geom[wrap]
    old = scene.sides.side[w]
    before = scene.sides.touching[old, wrap, w]
    hint = vec3(one - tube, zero, zero)
    if spans.hint[wrap] == 2:
      hint = spans.hint_point[wrap] / spans.ring[wrap]
    if spans.hint[wrap] == 1:
      d = scene.poses.site_xpos[w, spans.hint_site[wrap]] - scene.poses.site_xpos[w, site]
      hint = wp.transpose(scene.poses.site_xmat[w, site]) * d / spans.ring[wrap]
    if spans.hint[wrap] > 0 or before == wp.static(AUTHORED):
      hint = surfaced(hint, tube)
      return h.passes(a, hint) + h.passes(hint, b)
    if before <= 0:
      return h.passes(a, b)
    comes = scene.sides.entry[old, wrap, w]
    leaves = scene.sides.plane[old, wrap, w]
    sense = wp.where(scene.sides.swept[old, wrap, w] < zero, -one, one)
    p = turned(sense, h.on_tube(tube, comes[1], comes[0]))
    q = turned(sense, h.on_tube(tube, leaves[1], leaves[0]))
    within = zero
    if comes[1] < pi and leaves[1] > pi:
      within = sense
    return h.passes(a, p) + within + h.passes(q, b)

  @wp.func
  def remembered(wrap: int, w: int, sense: real, scene: Scene):
    g = Passage()
    old = scene.sides.side[w]
    if scene.sides.fresh[old, w] == 1 or scene.sides.swept[old, wrap, w] * sense < zero:
      return g
    g.places = scene.sides.touching[old, wrap, w]
    comes = scene.sides.entry[old, wrap, w]
    leaves = scene.sides.plane[old, wrap, w]
    g.first = comes[0]
    g.enters = comes[1]
    g.moment = comes[2]
    g.last = leaves[0]
    g.leaves = leaves[1]
    g.tilt = leaves[2]
    return g

  return SimpleNamespace(
    around=around, outside=outside, turned=turned, asked=asked, remembered=remembered
  )


@functools.cache
def carrying(p: Precision) -> SimpleNamespace:
  """How the string has moved along the ring: functions by name."""
  real, vec3, Passage = p.real, p.vec3, passages(p).Passage
  h, along_tube, across = hole(p), geodesics(p).along_tube, lines(p).across
  zero, half, one, tau = real(0.0), real(0.5), real(1.0), real(2 * math.pi)

  @wp.func
  def along(g: Passage, angle: real, azimuth: real, tube: real):
    # tangent of the string at a point of the tube
    reach = one + tube * wp.cos(angle)
    sine = wp.clamp(g.moment / reach, -one, one)
    up = wp.sqrt(one - sine * sine)
    c = wp.cos(azimuth)
    s = wp.sin(azimuth)
    out = -up * wp.sin(angle)
    return vec3(out * c - sine * s, out * s + sine * c, up * wp.cos(angle))

  @wp.func
  def carried(p0: vec3, t0: vec3, p1: vec3, t1: vec3):
    # by how much a point of the string has moved along it, over the ring: exact on a circle
    mean = t0 + t1
    size = wp.length(mean)
    if size < real(1e-3):
      return zero
    bend = wp.min(half * wp.length(t1 - t0), one)
    longer = one + bend * bend / real(6.0)
    if bend > real(1e-2):
      longer = wp.asin(bend) / bend
    return longer * wp.dot(p1 - p0, mean) / size

  @wp.func
  def length_of(g: Passage, tube: real):
    # of the string on the ring
    if g.places == 1:
      arc = along_tube(tube, g.moment, g.enters, g.leaves)
      return arc.length
    line = across(tube, g.tilt)
    first = along_tube(tube, g.moment, g.enters, line.angle)
    second = along_tube(tube, g.moment, tau - line.angle, g.leaves)
    return first.length + line.length + second.length

  @wp.func
  def moved(g: Passage, s: Passage, tube: real):
    # the entry along the arc; the exit, by that and the growth of the arc, has as much of a say
    come = carried(
      h.on_tube(tube, g.enters, g.first), along(g, g.enters, g.first, tube),
      h.on_tube(tube, s.enters, s.first), along(s, s.enters, s.first, tube)
    )  # fmt: skip
    leave = carried(
      h.on_tube(tube, g.leaves, g.last), along(g, g.leaves, g.last, tube),
      h.on_tube(tube, s.leaves, s.last), along(s, s.leaves, s.last, tube)
    )  # fmt: skip
    return half * (come + leave - (s.arc - length_of(g, tube)))

  return SimpleNamespace(along=along, moved=moved)


@functools.cache
def rings(p: Precision):
  """Kernel: one ring span in one world."""
  real, vec3, r, h, way, write = p.real, p.vec3, records(p), hole(p), ways(p), writers(p)
  Spans, Scene, tighten, deepest = r.Spans, r.Scene, ring(p), places(p).deepest
  wrapped, turned, then = lines(p).wrapped, way.turned, carrying(p)
  zero, one, tau = real(0.0), real(1.0), real(2 * math.pi)
  hair, enough = real(_HAIR), real(p.on_surface)

  @wp.kernel(module="unique", enable_backward=False)
  def rings_kernel(spans: Spans, scene: Scene):
    i, w = wp.tid()
    wrap = spans.wraps[i, 0]
    seg = spans.segment[i]
    contact = spans.contact[wrap]
    old = scene.sides.side[w]
    new = 1 - old
    unit = spans.ring[wrap]
    tube = spans.tube[wrap] / unit
    center = scene.poses.site_xpos[w, spans.geom[wrap]]
    rot = scene.poses.site_xmat[w, spans.geom[wrap]]
    back = wp.transpose(rot)
    begin = scene.poses.site_xpos[w, spans.sites[i, 0]]
    end = scene.poses.site_xpos[w, spans.sites[i, 1]]
    a = back * (begin - center) / unit
    b = back * (end - center) / unit
    sweep = way.around(b) - way.around(a)
    fresh = scene.sides.fresh[old, w]

    # an end inside: the ring gives way, until the straight string is clear of it
    deep = wp.min(h.height(a), h.height(b)) < (one - hair) * tube
    waits = fresh == 0 and scene.sides.touching[old, wrap, w] == wp.static(_RELEASED)
    if deep or waits:
      free = not deep and h.height(deepest(a, b)) >= (one - enough) * tube
      scene.sides.touching[new, wrap, w] = wp.where(free, 0, wp.static(_RELEASED))
      scene.sides.swept[new, wrap, w] = sweep + tau * h.passes(a, b)
      write.straight(scene.lines, seg, contact, w, begin, end)
      return

    a = way.outside(a, tube)
    b = way.outside(b, tube)
    turns = wp.round((scene.sides.swept[old, wrap, w] - sweep) / tau)
    if fresh == 1:
      turns = way.asked(wrap, w, a, b, tube, spans, scene)
    sweep += tau * turns
    sense = wp.where(sweep < zero, -one, one)
    guess = way.remembered(wrap, w, sense, scene)
    found = tighten(turned(sense, a), turned(sense, b), tube, sense * turns, guess)
    scene.sides.swept[new, wrap, w] = sweep
    scene.sides.touching[new, wrap, w] = found.places
    if found.places == 0:
      write.straight(scene.lines, seg, contact, w, begin, end)
      return
    scene.sides.entry[new, wrap, w] = vec3(wrapped(found.first), found.enters, found.moment)
    scene.sides.plane[new, wrap, w] = vec3(wrapped(found.last), found.leaves, found.tilt)
    advance = zero
    if guess.places > 0:
      advance = then.moved(guess, found, tube)
    p = turned(sense, h.on_tube(tube, found.enters, found.first))
    q = turned(sense, h.on_tube(tube, found.leaves, found.last))
    # where an end lies on the tube the segment runs along it
    ahead = turned(sense, then.along(found, found.enters, found.first, tube))
    behind = turned(sense, then.along(found, found.leaves, found.last, tube))
    if wp.length(p - a) > enough * tube:
      ahead = wp.normalize(p - a)
    if wp.length(b - q) > enough * tube:
      behind = wp.normalize(b - q)
    write.contact(scene.lines, contact, w, 1, found.turn, unit * found.arc, unit * advance)
    write.segment(scene.lines, seg, w, unit * found.before, rot * ahead, center + rot * p * unit)
    write.segment(
      scene.lines, seg + 1, w, unit * found.after, rot * behind, center + rot * q * unit
    )

  return rings_kernel
