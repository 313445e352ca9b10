"""Circle: tangents, angles and keepers in the plane of one circle."""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.layout.parts import SPHERE
from mujocable.warp.path.precision import Precision

_HALVINGS = 32  # of the angle of a keeper: more than single precision can tell


@functools.cache
def circle(p: Precision) -> SimpleNamespace:
  """Functions by name."""
  real, vec3, mat33 = p.real, p.vec3, p.mat33
  zero, half = real(0.0), real(0.5)
  tau = real(2 * math.pi)
  outside = real((1 + p.on_surface) ** 2)
  sphere = SPHERE

  @wp.func
  def unwrap(angle: real, near: real):
    return angle + tau * wp.round((near - angle) / tau)

  @wp.func
  def tangent_length(square: real, radius: real):
    # from a point to where its tangent touches; a point on the circle touches where it is
    if square <= outside * radius * radius:
      return zero
    return wp.sqrt(square - radius * radius)

  @wp.func
  def turned(x: vec3, y: vec3, n: vec3):
    # angle from x to y about n
    return wp.atan2(wp.dot(n, wp.cross(x, y)), wp.dot(x, y))

  @wp.func
  def between(x: vec3, y: vec3):
    # angle, without a sense
    return wp.atan2(wp.length(wp.cross(x, y)), wp.dot(x, y))

  @wp.func
  def keeper(ra: real, rb: real, radius: real, span: real):
    # where a keeper holds the string: the angle from the first point, of the shortest way over the
    # circle; points at the distances ra, rb, `span` apart
    low = wp.max(span - wp.atan2(tangent_length(rb * rb, radius), radius), zero)
    high = wp.min(wp.atan2(tangent_length(ra * ra, radius), radius), span)
    rounds = int(0)
    while rounds < wp.static(_HALVINGS):
      rounds += 1
      at = half * (low + high)
      # both parts rise from the circle by the same angle, which is well known where it is small
      rise_a = ra * wp.cos(at) - radius
      rise_b = rb * wp.cos(span - at) - radius
      if rise_a * (rb * wp.sin(span - at)) < rise_b * (ra * wp.sin(at)):
        high = at
      else:
        low = at
    return half * (low + high)

  @wp.func
  def node(site: vec3, on_drum: int, kind: int, center: vec3, rot: mat33, radius: real):
    # on a drum the cable ends on the surface
    if on_drum == 0:
      return site
    axis = vec3(rot[0, 2], rot[1, 2], rot[2, 2])
    d = site - center
    if kind == wp.static(sphere):
      return center + wp.normalize(d) * radius
    along = wp.dot(d, axis)
    return center + axis * along + wp.normalize(d - axis * along) * radius

  return SimpleNamespace(
    unwrap=unwrap,
    tangent_length=tangent_length,
    turned=turned,
    between=between,
    keeper=keeper,
    node=node,
  )
