"""Ring: the taut string past a torus between two points: straight, over one place of the tube, or
over two with a line across the hole (passage.py).

Places are followed from the step before. Where that fails the ring grows from a thin one, in
strides that halve: with a thin ring the string bears where the hole is nearest, and there is but
one such place.
"""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.hole import hole
from mujocable.warp.path.passage import one_place, passages, two_places
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.torus import lines

_CHANGES = 6  # of places in one solve
_GROWTHS = 40  # strides of a ring that grows
_LOOKS = 16  # azimuths at which a string over one place is tried


@functools.cache
def places(p: Precision) -> SimpleNamespace:
  """Where the string may bear: functions by name."""
  real, vec3, h, line, Passage = p.real, p.vec3, hole(p), lines(p), passages(p).Passage
  zero, one, pi, tau = real(0.0), real(1.0), real(math.pi), real(2 * math.pi)
  enough = real(p.on_surface)  # depth of what grazes

  @wp.func
  def look_around(a: vec3, b: vec3, tube: real, turns: real):
    # azimuth at which a string over one place is shortest
    best = zero
    least = real(1e30)
    i = int(0)
    while i < wp.static(_LOOKS):
      azimuth = tau * real(i) / wp.static(real(_LOOKS))
      u = line.tangent(a, tube, azimuth, one)
      v = line.tangent(b, tube, azimuth, -one)
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
    p = h.on_tube(tube, s.enters, s.first)
    q = h.on_tube(tube, s.leaves, s.last)
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
    edge, behind = h.sides_of(q, b)
    if behind > zero:
      x = h.nearest(q, b, behind, one)
      if h.height(x) < (one - enough) * tube:
        o.places = 2
        o.last = wp.atan2(x[1], x[0])
        o.tilt = line.tilt_of(o.last - s.last)
        return o
    edge, behind = h.sides_of(a, p)
    if edge < one:
      x = h.nearest(a, p, zero, edge)
      if h.height(x) < (one - enough) * tube:
        o.places = 2
        o.first = wp.atan2(x[1], x[0])
        o.tilt = line.tilt_of(s.first - o.first)
    return o

  @wp.func
  def deepest(a: vec3, b: vec3):
    # of the straight line: the point nearest to the center line
    low, high = h.sides_of(a, b)
    x = h.nearest(a, b, zero, low)
    y = h.nearest(a, b, high, one)
    if h.height(y) < h.height(x):
      x = y
    return x

  return SimpleNamespace(look_around=look_around, opened=opened, deepest=deepest)


@functools.cache
def ring(p: Precision):
  """Function: the string from a guess, the passage of the step before."""
  real, vec3, h, place = p.real, p.vec3, hole(p), places(p)
  Passage, straight = passages(p).Passage, passages(p).straight
  over_one, over_two = one_place(p), two_places(p)
  zero, half, one, two = real(0.0), real(0.5), real(1.0), real(2.0)
  enough = real(p.on_surface)  # residual of what is solved, and depth of what grazes
  most_start = real(1.5)  # tilt of a line that is about to vanish

  @wp.func
  def follow(a: vec3, b: vec3, tube: real, turns: real, guess: Passage):
    # from a guess; residual: large where nothing was found
    x = place.deepest(a, b)
    within = h.passes(a, b) == turns
    if within and h.height(x) >= (one - enough) * tube:
      return straight(a, b)
    s = guess
    if s.places == 0:
      s.places = 1
      s.first = wp.atan2(x[1], x[0])
      if not within:
        s.first = place.look_around(a, b, tube, turns)
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
          o = place.opened(a, b, tube, s)
        if o.places == 2:
          s = o
        else:
          if s.residual < enough and s.worse >= zero:
            return s
          if looked == 1:
            break
          looked = 1
          s.first = place.look_around(a, b, tube, turns)
          s.last = s.first
      else:
        s = over_two(a, b, tube, turns, s.first, s.last, s.tilt)
        if s.residual < enough and s.worse >= zero and s.before + s.arc + s.after <= longest:
          return s
        # one place lifts, or both meet
        s.places = 1
        if wp.abs(s.tilt) < most_start:
          s.first = wp.where(s.lifts == 1, s.last, s.first)
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

  return tighten
