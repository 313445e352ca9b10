"""Torus: tangents to a ring, geodesics around its tube, and lines across its hole, in closed form
or by one quadrature.

All in the frame of the ring, lengths in its radii. A taut string has one moment about the axis,
that of a unit tension, on lines and arcs alike (Clairaut). An azimuth is an angle about the axis,
an angle of the tube is one about its center line, from outside over the top into the hole.
"""

import functools
import math
from types import SimpleNamespace

import numpy as np
import warp as wp

from mujocable.warp.path.precision import Precision

_NODES = 12  # of a quadrature, on each side: 1e-8 over half a turn of a thick tube
# least square of the cosine between a meridian and a string: far below that of any that is taut
_STEEPEST = 1e-4


@functools.cache
def lines(p: Precision) -> SimpleNamespace:
  """Straight parts that touch the tube: functions by name, and what they return."""
  real, vec3 = p.real, p.vec3
  zero, half, one, two = real(0.0), real(0.5), real(1.0), real(2.0)
  tau, small = real(2 * math.pi), real(1e-3)

  @wp.struct
  class Line:
    """A straight part, with slopes by the azimuth, or by the tilt across the hole."""

    angle: real  # of the tube, where it touches
    moment: real
    length: real
    reach: real  # distance of that point from the axis
    angle_slope: real
    moment_slope: real

  @wp.func
  def wrapped(x: real):
    return x - tau * wp.round(x / tau)

  @wp.func
  def tangent(x: vec3, tube: real, azimuth: real, toward: real):
    # toward: 1 from the first end, -1 to the last; seen along the ring at that azimuth it is the
    # tangent of a circle
    cosine = wp.cos(azimuth)
    sine = wp.sin(azimuth)
    aside = x[1] * cosine - x[0] * sine
    along = x[0] * cosine + x[1] * sine
    out = along - one
    square = out * out + x[2] * x[2]
    flat = wp.sqrt(wp.max(square - tube * tube, (small * tube) * (small * tube)))
    t = Line()
    t.angle = wp.atan2(x[2], out) + toward * wp.atan2(flat, tube)
    c = wp.cos(t.angle)
    t.reach = one + tube * c
    t.length = wp.sqrt(flat * flat + aside * aside)
    t.moment = -toward * t.reach * aside / t.length
    t.angle_slope = toward * aside * c / flat
    reach_slope = -tube * wp.sin(t.angle) * t.angle_slope
    length_slope = aside * (out - along) / t.length
    t.moment_slope = -toward * (reach_slope * aside - t.reach * along) / t.length
    t.moment_slope -= t.moment * length_slope / t.length
    return t

  @wp.func
  def across(tube: real, tilt: real):
    # tilt: by how much less than half a turn it goes around the axis, halved; zero in a plane with
    # the axis. By symmetry it leaves as far above the ring as it lands below.
    s = wp.sin(tilt)
    c = wp.cos(tilt)
    x = two * tube / (c * c + wp.sqrt(c * c * c * c + real(4.0) * tube * tube * s * s))
    x = wp.min(x, one)  # cosine of the angle from the inner rim
    high = wp.sqrt(wp.max(one - x * x, zero))
    b = Line()
    b.reach = one - tube * x
    root = wp.sqrt(b.reach)
    b.angle = wp.atan2(high, -x)
    b.moment = s * b.reach * root
    b.length = two * tube * high / wp.sqrt(tube * x)
    slope = two * s * c * x * b.reach / wp.max(two * tube * s * s * x + c * c, small * tube)
    b.angle_slope = slope / wp.max(high, small)
    b.moment_slope = c * b.reach * root - real(1.5) * s * root * tube * slope
    return b

  @wp.func
  def tilt_of(azimuth: real):
    # of a line that goes so far around
    less = wrapped(azimuth)
    t = half * (half * tau - less)
    if less < zero:
      t = half * (-half * tau - less)
    return wp.clamp(t, real(-1.5), real(1.5))

  return SimpleNamespace(wrapped=wrapped, tangent=tangent, across=across, tilt_of=tilt_of)


@functools.cache
def geodesics(p: Precision) -> SimpleNamespace:
  """Arcs around the tube: functions by name."""
  real, half, one, steepest = p.real, p.real(0.5), p.real(1.0), p.real(_STEEPEST)
  nodes = wp.types.vector(_NODES, real)
  at, weight = np.polynomial.legendre.leggauss(2 * _NODES)
  place, share = nodes(*at[_NODES:].tolist()), nodes(*weight[_NODES:].tolist())

  @wp.struct
  class Arc:
    """A geodesic."""

    azimuth: real  # by which it goes around the axis
    slope: real  # of that, by the moment
    length: real
    turn: real

  @wp.func
  def steep(reach: real, moment: real):
    # square of the distance from the axis, seen along the string
    return wp.max(reach * reach - moment * moment, steepest * reach * reach)

  @wp.func
  def per_angle(tube: real, reach: real, moment: real):
    # how fast the azimuth changes with the angle of the tube
    return moment * tube / (reach * wp.sqrt(steep(reach, moment)))

  @wp.func
  def along_tube(tube: real, moment: real, begin: real, end: real):
    arc = Arc()
    middle = half * (begin + end)
    h = half * (end - begin)
    i = int(0)
    while i < wp.static(2 * _NODES):
      k = i / 2
      x = place[k]
      if i % 2 == 1:
        x = -x
      reach = one + tube * wp.cos(middle + h * x)
      square = steep(reach, moment)
      root = wp.sqrt(square)
      f = share[k] * h
      arc.azimuth += f * moment * tube / (reach * root)
      arc.slope += f * tube * reach / (square * root)
      arc.length += f * tube * reach / root
      arc.turn += f * (one - moment * moment / (reach * reach * reach)) * reach / root
      i += 1
    return arc

  return SimpleNamespace(per_angle=per_angle, along_tube=along_tube)
