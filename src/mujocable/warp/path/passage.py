"""Passage: the string past a torus over one place of its tube, or over two with a line across the
hole, by Newton's method on the azimuths where it comes and leaves.

All in the frame of the ring, lengths in its radii, the string turning upward into the hole.
"""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision
from mujocable.warp.path.torus import geodesics, lines

_ROUNDS = 15  # of Newton's method: a few are usual
_STRIDE = 0.5  # the furthest that a place moves in one round [rad]


@functools.cache
def passages(p: Precision) -> SimpleNamespace:
  """A struct, and what both solutions have in common."""
  real, vec3, tangent = p.real, p.vec3, lines(p).tangent
  one, tau, stride = real(1.0), real(2 * math.pi), real(_STRIDE)

  @wp.struct
  class Passage:
    """A string past a ring."""

    places: int  # that it bears on
    first: real  # azimuth where it comes to the ring
    last: real  # where it leaves
    tilt: real  # of the line between two places
    enters: real  # angles of the tube there
    leaves: real
    moment: real
    before: real  # lengths
    arc: real
    after: real
    turn: real
    residual: real  # or the last step of Newton's method, if that is less
    worse: real  # angle of the shorter arc; negative: it lifts
    lifts: int  # the first place has the shorter arc

  @wp.func
  def straight(a: vec3, b: vec3):
    # past the ring
    s = Passage()
    s.before = wp.length(b - a)
    return s

  @wp.func
  def surely(before: real, after: real):
    # how well a residual is known: the direction of a short part is not
    least = wp.min(before, after)
    return least / (least + real(0.2))

  @wp.func
  def touch(now: Passage, a: vec3, b: vec3, tube: real, turns: real):
    # with both ends straight to the tube
    s = now
    u = tangent(a, tube, s.first, one)
    v = tangent(b, tube, s.last, -one)
    v.angle += tau * turns
    s.enters = u.angle
    s.leaves = v.angle
    s.before = u.length
    s.after = v.length
    return s, u, v

  @wp.func
  def move(now: Passage, x: real, y: real, size: real):
    # both azimuths, and by how much of that
    s = now
    scale = wp.min(one, stride / size)
    s.first += scale * x
    s.last += scale * y
    return s, scale

  return SimpleNamespace(Passage=Passage, straight=straight, surely=surely, touch=touch, move=move)


@functools.cache
def one_place(p: Precision):
  """Function: over one place."""
  real, vec3, line, arcs, common = p.real, p.vec3, lines(p), geodesics(p), passages(p)
  Passage = common.Passage
  zero, half, one = real(0.0), real(0.5), real(1.0)
  last_step = real(0.2 * p.on_surface)  # Newton's method: its square is far below what is enough

  @wp.func
  def over_one(a: vec3, b: vec3, tube: real, turns: real, first: real, last: real):
    s = Passage()
    s.places = 1
    s.first = first
    s.last = last
    i = int(0)
    while i < wp.static(_ROUNDS):
      i += 1
      s, u, v = common.touch(s, a, b, tube, turns)
      s.moment = half * (u.moment + v.moment)
      arc = arcs.along_tube(tube, s.moment, u.angle, v.angle)
      miss = u.moment - v.moment
      gap = line.wrapped(s.last - s.first - arc.azimuth)
      left = arcs.per_angle(tube, u.reach, s.moment) * u.angle_slope - one
      left -= half * arc.slope * u.moment_slope
      right = one - arcs.per_angle(tube, v.reach, s.moment) * v.angle_slope
      right -= half * arc.slope * v.moment_slope
      s.arc = arc.length
      s.turn = arc.turn
      s.residual = wp.max(wp.abs(miss), wp.abs(gap)) * common.surely(u.length, v.length)
      s.worse = v.angle - u.angle
      one_way = u.moment_slope * right
      other = v.moment_slope * left
      det = one_way + other
      # where the length has no minimum nearby: downhill
      x = wp.where(miss > zero, -real(0.3), real(0.3))
      y = x
      if det > real(1e-3) * (wp.abs(one_way) + wp.abs(other)):
        x = -(miss * right + v.moment_slope * gap) / det
        y = (left * miss - u.moment_slope * gap) / det
      size = wp.max(wp.abs(x), wp.abs(y))
      s.residual = wp.min(s.residual, size)
      if size < last_step:
        break
      s, _scale = common.move(s, x, y, size)
    return s

  return over_one


@functools.cache
def two_places(p: Precision):
  """Function: over two places and the line between them."""
  real, vec3, line, arcs, common = p.real, p.vec3, lines(p), geodesics(p), passages(p)
  Passage, wrapped, across = common.Passage, line.wrapped, line.across
  one, two, pi, tau = real(1.0), real(2.0), real(math.pi), real(2 * math.pi)
  last_step, most_tilt = real(0.2 * p.on_surface), real(1.55)  # of a line that is about to vanish

  @wp.func
  def over_two(
    a: vec3, b: vec3, tube: real, turns: real, first: real, last: real, tilt: real
  ):  # fmt: skip
    s = Passage()
    s.places = 2
    s.first = first
    s.last = last
    s.tilt = tilt
    i = int(0)
    while i < wp.static(_ROUNDS):
      i += 1
      s, u, v = common.touch(s, a, b, tube, turns)
      line = across(tube, s.tilt)
      s.moment = line.moment
      arc = arcs.along_tube(tube, s.moment, u.angle, line.angle)
      next = arcs.along_tube(tube, s.moment, tau - line.angle, v.angle)
      miss = s.moment - u.moment
      other = s.moment - v.moment
      gap = -wrapped(s.last - s.first - pi + two * s.tilt - arc.azimuth - next.azimuth)
      s.arc = arc.length + line.length + next.length
      s.turn = arc.turn + next.turn
      s.residual = wp.max(wp.max(wp.abs(miss), wp.abs(other)), wp.abs(gap))
      s.residual *= common.surely(u.length, v.length)
      s.worse = wp.min(line.angle - u.angle, v.angle + line.angle - tau)
      s.lifts = wp.where(line.angle - u.angle < v.angle + line.angle - tau, 1, 0)
      # slopes of the three residuals
      m = u.moment_slope
      n = v.moment_slope
      k = line.moment_slope
      left = arcs.per_angle(tube, u.reach, s.moment) * u.angle_slope - one
      right = one - arcs.per_angle(tube, v.reach, s.moment) * v.angle_slope
      tilted = two - two * arcs.per_angle(tube, line.reach, s.moment) * line.angle_slope
      tilted -= (arc.slope + next.slope) * k
      det = m * n * tilted + m * k * right + k * n * left
      if wp.abs(det) < real(1e-12):
        break
      x = (miss * (n * tilted + k * right) - k * (other * right - n * gap)) / det
      y = (m * (other * tilted + k * gap) + k * left * (other - miss)) / det
      z = (m * n * gap - m * other * right - miss * n * left) / det
      size = wp.max(wp.max(wp.abs(x), wp.abs(y)), wp.abs(z))
      s.residual = wp.min(s.residual, size)
      if size < last_step:
        break
      s, scale = common.move(s, x, y, size)
      s.tilt = wp.clamp(s.tilt + scale * z, -most_tilt, most_tilt)
    return s

  return over_two
