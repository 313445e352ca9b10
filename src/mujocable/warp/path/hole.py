"""Hole: points and lines about a ring: how near they come to its tube, and through its hole.

All in the frame of the ring, lengths in its radii (torus.py).
"""

import functools
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision

_HALVINGS = 24  # of a place on a line: its distance knows it squared


@functools.cache
def hole(p: Precision) -> SimpleNamespace:
  """Functions by name."""
  real, vec3, zero, half, one = p.real, p.vec3, p.real(0.0), p.real(0.5), p.real(1.0)

  @wp.func
  def on_tube(tube: real, angle: real, azimuth: real):
    reach = one + tube * wp.cos(angle)
    return vec3(reach * wp.cos(azimuth), reach * wp.sin(azimuth), tube * wp.sin(angle))

  @wp.func
  def height(x: vec3):
    # distance from the center line
    out = wp.sqrt(x[0] * x[0] + x[1] * x[1]) - one
    return wp.sqrt(out * out + x[2] * x[2])

  @wp.func
  def passes(a: vec3, b: vec3):
    # how often the straight line goes through the hole: 1 from above, -1 from below
    above = a[2] >= zero
    if above == (b[2] >= zero):
      return zero
    x = a + (b - a) * (a[2] / (a[2] - b[2]))
    if x[0] * x[0] + x[1] * x[1] >= one:
      return zero
    return wp.where(above, one, -one)

  @wp.func
  def sides_of(a: vec3, b: vec3):
    # where the line comes past the axis: before the first and behind the second of the two shares
    # of it its distance from the center line has one minimum each
    d = b - a
    flat = d[0] * d[0] + d[1] * d[1]
    all = wp.dot(d, d)
    low = half
    high = half
    if flat > real(1e-12) * all:
      middle = -(a[0] * d[0] + a[1] * d[1]) / flat
      x = a + d * middle
      near = x[0] * x[0] + x[1] * x[1]
      bend = wp.pow(flat * near / all, real(2.0 / 3.0)) - near
      aside = wp.sqrt(wp.max(bend, zero) / flat)
      low = wp.clamp(middle - aside, zero, one)
      high = wp.clamp(middle + aside, zero, one)
    return low, high

  @wp.func
  def nearest(a: vec3, b: vec3, begin: real, end: real):
    # the point of a share of the line that is nearest to the center line
    d = b - a
    low = begin
    high = end
    i = int(0)
    while i < wp.static(_HALVINGS):
      u = half * (low + high)
      x = a + d * u
      reach = wp.sqrt(x[0] * x[0] + x[1] * x[1])
      slope = wp.dot(x, d) - (x[0] * d[0] + x[1] * d[1]) / wp.max(reach, real(1e-30))
      if slope > zero:
        high = u
      else:
        low = u
      i += 1
    return a + d * (half * (low + high))

  return SimpleNamespace(
    on_tube=on_tube, height=height, passes=passes, sides_of=sides_of, nearest=nearest
  )
