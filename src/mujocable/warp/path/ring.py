"""Ring: the taut string past a torus between two points, by Newton's method on the azimuths where
it comes and leaves; straight, over one place of the tube, or over two with a line across the hole.

All in the frame of the ring, lengths in its radii, the string turning upward into the hole. Places
are followed from the step before. Where that fails the ring grows from a thin one, in strides that
halve: with a thin ring the string bears where the hole is nearest, and there is but one such place.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision
from mujocable.warp.path.torus import torus

_ROUNDS = 15  # of Newton's method: a few are usual
_CHANGES = 6  # of places in one solve
_GROWTHS = 40  # strides of a ring that grows
_LOOKS = 16  # azimuths at which a string over one place is tried
_STRIDE = 0.5  # the furthest that a place moves in one round [rad]


@functools.cache
def ring(p: Precision) -> SimpleNamespace:
  """Functions by name, and what they return."""
  real, vec3, t = p.real, p.vec3, torus(p)
  tangent, along_tube, across, per_angle = t.tangent, t.along_tube, t.across, t.per_angle
  wrapped, tilt_of, on_tube, height = t.wrapped, t.tilt_of, t.on_tube, t.height
  passes, sides_of, nearest = t.passes, t.sides_of, t.nearest
  zero, half, one, two = real(0.0), real(0.5), real(1.0), real(2.0)
  pi, tau, stride = real(math.pi), real(2 * math.pi), real(_STRIDE)
  enough = real(p.on_surface)  # residual of what is solved, and depth of what grazes
  last_step = real(0.2 * p.on_surface)  # Newton's method: its square is far below what is enough
  most_start, most_tilt = real(1.5), real(1.55)  # of a line that is about to vanish

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
  def surely(before: real, after: real):
    # how well a residual is known: the direction of a short part is not
    least = wp.min(before, after)
    return least / (least + real(0.2))

  @wp.func
  def over_one(a: vec3, b: vec3, tube: real, turns: real, first: real, last: real):
    s = Passage()
    s.places = 1
    s.first = first
    s.last = last
    i = int(0)
    while i < wp.static(_ROUNDS):
      i += 1
      u = tangent(a, tube, s.first, one)
      v = tangent(b, tube, s.last, -one)
      v.angle += tau * turns
      s.moment = half * (u.moment + v.moment)
      arc = along_tube(tube, s.moment, u.angle, v.angle)
      miss = u.moment - v.moment
      gap = wrapped(s.last - s.first - arc.azimuth)
      left = per_angle(tube, u.reach, s.moment) * u.angle_slope - one
      left -= half * arc.slope * u.moment_slope
      right = one - per_angle(tube, v.reach, s.moment) * v.angle_slope
      right -= half * arc.slope * v.moment_slope
      s.enters = u.angle
      s.leaves = v.angle
      s.before = u.length
      s.arc = arc.length
      s.after = v.length
      s.turn = arc.turn
      s.residual = wp.max(wp.abs(miss), wp.abs(gap)) * surely(u.length, v.length)
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
      scale = wp.min(one, stride / size)
      s.first += scale * x
      s.last += scale * y
    return s

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
      u = tangent(a, tube, s.first, one)
      v = tangent(b, tube, s.last, -one)
      v.angle += tau * turns
      line = across(tube, s.tilt)
      s.moment = line.moment
      arc = along_tube(tube, s.moment, u.angle, line.angle)
      next = along_tube(tube, s.moment, tau - line.angle, v.angle)
      miss = s.moment - u.moment
      other = s.moment - v.moment
      gap = -wrapped(s.last - s.first - pi + two * s.tilt - arc.azimuth - next.azimuth)
      s.enters = u.angle
      s.leaves = v.angle
      s.before = u.length
      s.arc = arc.length + line.length + next.length
      s.after = v.length
      s.turn = arc.turn + next.turn
      s.residual = wp.max(wp.max(wp.abs(miss), wp.abs(other)), wp.abs(gap))
      s.residual *= surely(u.length, v.length)
      s.worse = wp.min(line.angle - u.angle, v.angle + line.angle - tau)
      s.lifts = wp.where(line.angle - u.angle < v.angle + line.angle - tau, 1, 0)
      # slopes of the three residuals
      m = u.moment_slope
      n = v.moment_slope
      k = line.moment_slope
      left = per_angle(tube, u.reach, s.moment) * u.angle_slope - one
      right = one - per_angle(tube, v.reach, s.moment) * v.angle_slope
      tilted = two - two * per_angle(tube, line.reach, s.moment) * line.angle_slope
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
      scale = wp.min(one, stride / size)
      s.first += scale * x
      s.last += scale * y
      s.tilt = wp.clamp(s.tilt + scale * z, -most_tilt, most_tilt)
    return s

  @wp.func
  def look_around(a: vec3, b: vec3, tube: real, turns: real):
    # azimuth at which a string over one place is shortest
    best = zero
    least = real(1e30)
    i = int(0)
    while i < wp.static(_LOOKS):
      azimuth = tau * real(i) / wp.static(real(_LOOKS))
      u = tangent(a, tube, azimuth, one)
      v = tangent(b, tube, azimuth, -one)
      size = u.length + v.length + tube * wp.max(v.angle + tau * turns - u.angle, zero)
      if size < least:
        least = size
        best = azimuth
      i += 1
    return best

  @wp.func
  def opened(a: vec3, b: vec3, tube: real, s: Passage):
    # where the string over one place would bear a second time; places: 0 if it does not
    o = Passage()
    p = on_tube(tube, s.enters, s.first)
    q = on_tube(tube, s.leaves, s.last)
    low = wp.min(wp.sqrt(p[0] * p[0] + p[1] * p[1]), wp.sqrt(q[0] * q[0] + q[1] * q[1]))
    if s.enters < pi and s.leaves > pi:
      low = one - tube
    o.first = s.first
    o.last = s.last
    if s.moment * s.moment > low * low * low:
      # there the tube is hollow along the string
      o.places = 2
      o.tilt = wp.where(s.moment < zero, -real(1.45), real(1.45))
      return o
    edge, behind = sides_of(q, b)
    if behind > zero:
      x = nearest(q, b, behind, one)
      if height(x) < (one - enough) * tube:
        o.places = 2
        o.last = wp.atan2(x[1], x[0])
        o.tilt = tilt_of(o.last - s.last)
        return o
    edge, behind = sides_of(a, p)
    if edge < one:
      x = nearest(a, p, zero, edge)
      if height(x) < (one - enough) * tube:
        o.places = 2
        o.first = wp.atan2(x[1], x[0])
        o.tilt = tilt_of(s.first - o.first)
    return o

  @wp.func
  def deepest(a: vec3, b: vec3):
    # of the straight line: the point nearest to the center line
    low, high = sides_of(a, b)
    x = nearest(a, b, zero, low)
    y = nearest(a, b, high, one)
    if height(y) < height(x):
      x = y
    return x

  @wp.func
  def straight(a: vec3, b: vec3):
    s = Passage()
    s.before = wp.length(b - a)
    return s

  @wp.func
  def follow(a: vec3, b: vec3, tube: real, turns: real, guess: Passage):
    # from a guess; residual: large where nothing was found
    x = deepest(a, b)
    within = passes(a, b) == turns
    if within and height(x) >= (one - enough) * tube:
      return straight(a, b)
    s = guess
    if s.places == 0:
      s.places = 1
      s.first = wp.atan2(x[1], x[0])
      if not within:
        s.first = look_around(a, b, tube, turns)
      s.last = s.first
    looked = int(0)
    longest = real(1e30)
    i = int(0)
    while i < wp.static(_CHANGES):
      i += 1
      if s.places == 1:
        s = over_one(a, b, tube, turns, s.first, s.last)
        # a second place makes it longer, but not by more than the way around the tube
        longest = s.before + s.arc + s.after + two * tube
        o = Passage()
        if turns == one:
          o = opened(a, b, tube, s)
        if o.places == 2:
          s = o
        else:
          if s.residual < enough and s.worse >= zero:
            return s
          if looked == 1:
            break
          looked = 1
          s.first = look_around(a, b, tube, turns)
          s.last = s.first
      else:
        s = over_two(a, b, tube, turns, s.first, s.last, s.tilt)
        if s.residual < enough and s.worse >= zero and s.before + s.arc + s.after <= longest:
          return s
        # one place lifts, or both meet
        s.places = 1
        if wp.abs(s.tilt) < most_start:
          if s.lifts == 1:
            s.first = s.last
          else:
            s.last = s.first
    s.residual = real(1e30)
    return s

  @wp.func
  def tighten(a: vec3, b: vec3, tube: real, turns: real, guess: Passage):
    # from the step before, else from a ring that grows
    s = guess
    done = zero
    more = one
    i = int(0)
    while i < wp.static(_GROWTHS) and done < one:
      to = wp.min(done + more, one)
      next = follow(a, b, to * tube, turns, s)
      if next.residual < enough:
        s = next
        done = to
        more = real(1.5) * more
      elif i == 0:
        s = straight(a, b)
      else:
        more = half * more
      i += 1
    return s

  return SimpleNamespace(Passage=Passage, tighten=tighten, deepest=deepest)
