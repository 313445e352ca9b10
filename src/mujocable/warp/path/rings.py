"""Rings: spans with a ring between two fixed nodes, from poses and memory to segments and contact.

Which way the string goes past the tube is how far it sweeps around the center line, followed from
step to step. A fresh world takes the way past the hint, or past where the string bears at home.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools
import math

import warp as wp

from mujocable.warp.path.precision import Precision
from mujocable.warp.path.ring import ring
from mujocable.warp.path.spans import records
from mujocable.warp.path.torus import torus

_HAIR = 1e-2  # an end so deep in the tube lies on it, as in the plugin; deeper, the ring gives way
_NEAR = 1e-3  # nearer to it an end is moved out: Newton's method needs a direction  [tubes]
# memory of a ring that gave way, which takes no part until the string is clear of it, and of one
# that has no home yet
_RELEASED, AUTHORED = -1, -2


@functools.cache
def rings(p: Precision):
  """Kernel: one ring span in one world."""
  real, vec3, r, t, s = p.real, p.vec3, records(p), torus(p), ring(p)
  Rings, Poses, Sides, Lines = r.Rings, r.Poses, r.Sides, r.Lines
  write_contact, write_segment, write_straight = (
    r.write_contact,
    r.write_segment,
    r.write_straight,
  )
  Passage, tighten, deepest = s.Passage, s.tighten, s.deepest
  height, passes, on_tube, wrapped = t.height, t.passes, t.on_tube, t.wrapped
  along_tube, across = t.along_tube, t.across
  zero, half, one = real(0.0), real(0.5), real(1.0)
  pi, tau = real(math.pi), real(2 * math.pi)
  hair, near, enough = real(_HAIR), real(1 + _NEAR), real(p.on_surface)

  @wp.func
  def around(x: vec3):
    # angle about the center line, half a turn in the hole
    return wp.atan2(x[2], wp.sqrt(x[0] * x[0] + x[1] * x[1]) - one)

  @wp.func
  def surfaced(x: vec3, tube: real):
    # the point of the tube that is nearest
    reach = wp.max(wp.sqrt(x[0] * x[0] + x[1] * x[1]), real(1e-30))
    center = vec3(x[0] / reach, x[1] / reach, zero)
    return center + (x - center) * (tube / wp.max(height(x), real(1e-30)))

  @wp.func
  def outside(x: vec3, tube: real):
    # an end a hair inside lies on the tube, or so near that its string still has a direction
    above = near * tube
    if height(x) >= above:
      return x
    return surfaced(x, above)

  @wp.func
  def turned(sense: real, x: vec3):
    # the same string in a ring seen from below
    return vec3(x[0], x[1], sense * x[2])

  @wp.func
  def asked(i: int, w: int, a: vec3, b: vec3, tube: real, rings: Rings, poses: Poses, sides: Sides):
    # how often a fresh string goes through the hole: past its hint, or as it bears at home
    site = rings.site[i]
    old = sides.side[w]
    wrap = rings.wrap[i]
    before = sides.touching[old, wrap, w]
    hint = vec3(one - tube, zero, zero)
    if rings.hint[i] == 2:
      hint = rings.hint_point[i] / rings.radius[i]
    if rings.hint[i] == 1:
      d = poses.site_xpos[w, rings.hint_site[i]] - poses.site_xpos[w, site]
      hint = wp.transpose(poses.site_xmat[w, site]) * d / rings.radius[i]
    if rings.hint[i] > 0 or before == wp.static(AUTHORED):
      hint = surfaced(hint, tube)
      return passes(a, hint) + passes(hint, b)
    if before <= 0:
      return passes(a, b)
    comes = sides.entry[old, wrap, w]
    leaves = sides.plane[old, wrap, w]
    sense = wp.where(sides.swept[old, wrap, w] < zero, -one, one)
    p = turned(sense, on_tube(tube, comes[1], comes[0]))
    q = turned(sense, on_tube(tube, leaves[1], leaves[0]))
    within = zero
    if comes[1] < pi and leaves[1] > pi:
      within = sense
    return passes(a, p) + within + passes(q, b)

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
      on_tube(tube, g.enters, g.first), along(g, g.enters, g.first, tube),
      on_tube(tube, s.enters, s.first), along(s, s.enters, s.first, tube)
    )  # fmt: skip
    leave = carried(
      on_tube(tube, g.leaves, g.last), along(g, g.leaves, g.last, tube),
      on_tube(tube, s.leaves, s.last), along(s, s.leaves, s.last, tube)
    )  # fmt: skip
    return half * (come + leave - (s.arc - length_of(g, tube)))

  @wp.func
  def remembered(wrap: int, w: int, sense: real, sides: Sides):
    g = Passage()
    old = sides.side[w]
    if sides.fresh[old, w] == 1 or sides.swept[old, wrap, w] * sense < zero:
      return g
    g.places = sides.touching[old, wrap, w]
    comes = sides.entry[old, wrap, w]
    leaves = sides.plane[old, wrap, w]
    g.first = comes[0]
    g.enters = comes[1]
    g.moment = comes[2]
    g.last = leaves[0]
    g.leaves = leaves[1]
    g.tilt = leaves[2]
    return g

  @wp.kernel(module="unique", enable_backward=False)
  def rings_kernel(rings: Rings, poses: Poses, sides: Sides, lines: Lines):
    i, w = wp.tid()
    wrap = rings.wrap[i]
    seg = rings.segment[i]
    contact = rings.contact[i]
    old = sides.side[w]
    new = 1 - old
    unit = rings.radius[i]
    tube = rings.tube[i] / unit
    center = poses.site_xpos[w, rings.site[i]]
    rot = poses.site_xmat[w, rings.site[i]]
    back = wp.transpose(rot)
    begin = poses.site_xpos[w, rings.sites[i, 0]]
    end = poses.site_xpos[w, rings.sites[i, 1]]
    a = back * (begin - center) / unit
    b = back * (end - center) / unit
    sweep = around(b) - around(a)
    fresh = sides.fresh[old, w]

    # an end inside: the ring gives way, until the straight string is clear of it
    deep = wp.min(height(a), height(b)) < (one - hair) * tube
    waits = fresh == 0 and sides.touching[old, wrap, w] == wp.static(_RELEASED)
    if deep or waits:
      free = not deep and height(deepest(a, b)) >= (one - enough) * tube
      sides.touching[new, wrap, w] = wp.where(free, 0, wp.static(_RELEASED))
      sides.swept[new, wrap, w] = sweep + tau * passes(a, b)
      write_straight(lines, seg, contact, w, begin, end)
      return

    a = outside(a, tube)
    b = outside(b, tube)
    turns = wp.round((sides.swept[old, wrap, w] - sweep) / tau)
    if fresh == 1:
      turns = asked(i, w, a, b, tube, rings, poses, sides)
    sweep += tau * turns
    sense = wp.where(sweep < zero, -one, one)
    guess = remembered(wrap, w, sense, sides)
    found = tighten(turned(sense, a), turned(sense, b), tube, sense * turns, guess)
    sides.swept[new, wrap, w] = sweep
    sides.touching[new, wrap, w] = found.places
    if found.places == 0:
      write_straight(lines, seg, contact, w, begin, end)
      return
    sides.entry[new, wrap, w] = vec3(wrapped(found.first), found.enters, found.moment)
    sides.plane[new, wrap, w] = vec3(wrapped(found.last), found.leaves, found.tilt)
    advance = zero
    if guess.places > 0:
      advance = moved(guess, found, tube)
    p = turned(sense, on_tube(tube, found.enters, found.first))
    q = turned(sense, on_tube(tube, found.leaves, found.last))
    # where an end lies on the tube the segment runs along it
    ahead = turned(sense, along(found, found.enters, found.first, tube))
    behind = turned(sense, along(found, found.leaves, found.last, tube))
    if wp.length(p - a) > enough * tube:
      ahead = wp.normalize(p - a)
    if wp.length(b - q) > enough * tube:
      behind = wp.normalize(b - q)
    write_contact(lines, contact, w, 1, found.turn, unit * found.arc, unit * advance)
    write_segment(lines, seg, w, unit * found.before, rot * ahead, center + rot * p * unit)
    write_segment(lines, seg + 1, w, unit * found.after, rot * behind, center + rot * q * unit)

  return rings_kernel
