"""Pressed: the string past a circle that gives way to an end inside, seen along the axis.

What is left of the circle shrinks to nothing as the end goes down to half its radius. From there
the string runs along the flat that the end has pressed into it, and then around the rest. Numbers
with slopes are vectors: a value, then its slopes by the distances of both ends from the axis and by
the angle between them.
"""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision


@functools.cache
def slopes(p: Precision):
  """Functions of numbers with slopes."""
  real, vec4 = p.real, wp.types.vector(4, p.real)
  zero, half, two, tiny = real(0.0), real(0.5), real(2.0), real(1e-30)

  @wp.func
  def chain(value: real, slope: real, x: vec4):
    return vec4(value, slope * x[1], slope * x[2], slope * x[3])

  @wp.func
  def product(x: vec4, y: vec4):
    return chain(x[0] * y[0], y[0], x) + chain(zero, x[0], y)

  @wp.func
  def root(x: vec4):
    # no slope where there is no length
    r = wp.sqrt(wp.max(x[0], zero))
    slope = zero
    if r > zero:
      slope = half / r
    return chain(r, slope, x)

  @wp.func
  def cosine(x: vec4):
    return chain(wp.cos(x[0]), -wp.sin(x[0]), x)

  @wp.func
  def angle_to(s: vec4, c: vec4):
    # angle of the point (c, s)
    square = wp.max(s[0] * s[0] + c[0] * c[0], tiny)
    return chain(wp.atan2(s[0], c[0]), c[0] / square, s) + chain(zero, -s[0] / square, c)

  @wp.func
  def apart(x: vec4, y: vec4, angle: vec4):
    # two points so far from the axis, and so far around
    return root(product(x, x) + product(y, y) - two * product(product(x, y), cosine(angle)))

  return vec4, chain, product, root, cosine, angle_to, apart


@functools.cache
def remains(p: Precision) -> SimpleNamespace:
  """What is left of the circle, and the string there: a struct, and functions by name."""
  real = p.real
  vec4, chain, product, root, cosine, angle_to, apart = slopes(p)
  zero, one, tiny, quarter = real(0.0), real(1.0), real(1e-30), real(math.pi / 2)

  @wp.struct
  class Pressed:
    """A string past what is left of a circle."""

    touching: int
    a_inside: int
    b_inside: int
    length: vec4
    turn: real
    radius: real  # that is left
    leg_a: real  # of an end that is not inside: how far to what is left, and at what angle from it
    leg_b: real
    meets_a: real
    meets_b: real

  @wp.func
  def straight_to(distance: vec4, left: vec4, inside: int):
    # to where the string meets the circle: along a tangent, or along the flat; and the angle there
    square = product(distance, distance) - product(left, left)
    if inside == 1:
      square = -square
    straight = root(square)
    angle = angle_to(straight, left)
    if inside == 1:
      angle = angle_to(straight, distance)
    return straight, angle

  @wp.func
  def above(inside: int, here: real, there: real, swept: real):
    # one end lies above the flat of the other
    return inside == 1 and swept < quarter and there * wp.cos(swept) >= here

  @wp.func
  def flats_meet(ra: vec4, rb: vec4, angle: vec4):
    # length of a string along both flats
    sine = chain(wp.sin(angle[0]), wp.cos(angle[0]), angle)
    corner = angle_to(rb - product(ra, cosine(angle)), product(ra, sine))
    c = wp.cos(corner[0])
    far = product(ra, chain(one / c, wp.sin(corner[0]) / (c * c), corner))
    return apart(ra, far, corner) + apart(rb, far, angle - corner)

  @wp.func
  def past_flat(flat: vec4, turned: vec4, other: vec4, left: vec4, angle: vec4):
    # from the end of the flat straight to the other end: length, leg, angle of it, and turn
    rest = angle - turned
    leg = apart(left, other, rest)
    # from the direction of the flat to that of the leg
    away = (other[0] * wp.cos(rest[0]) - left[0]) / wp.max(leg[0], tiny)
    turn = wp.max(turned[0] - wp.asin(wp.clamp(away, -one, one)), zero)
    return flat + leg, leg[0], rest[0], turn

  return SimpleNamespace(
    Pressed=Pressed, straight_to=straight_to, above=above, flats_meet=flats_meet,
    past_flat=past_flat
  )  # fmt: skip


@functools.cache
def pressed(p: Precision):
  """Function: the string between two ends, `swept` apart; one of them is inside."""
  real, rest = p.real, remains(p)
  vec4, chain, product, *_ = slopes(p)
  Pressed, straight_to, above = rest.Pressed, rest.straight_to, rest.above
  flats_meet, past_flat = rest.flats_meet, rest.past_flat
  zero, half, one, two, three = real(0.0), real(0.5), real(1.0), real(2.0), real(3.0)

  @wp.func
  def press(radius: real, at_a: real, at_b: real, swept: real):
    s = Pressed()
    ra = vec4(at_a, one, zero, zero)
    rb = vec4(at_b, zero, one, zero)
    angle = vec4(swept, zero, zero, one)
    nearer = ra
    if at_b <= at_a:
      nearer = rb
    x = chain(wp.max(two * nearer[0] / radius - one, zero), two / radius, nearer)
    if nearer[0] <= half * radius:
      x = vec4()
    left = radius * product(product(x, x), vec4(three, zero, zero, zero) - two * x)
    s.radius = left[0]
    s.a_inside = wp.where(at_a < left[0], 1, 0)
    s.b_inside = wp.where(at_b < left[0], 1, 0)
    run_a, to_a = straight_to(ra, left, s.a_inside)
    run_b, to_b = straight_to(rb, left, s.b_inside)
    sum = to_a[0] + to_b[0]
    # nothing in the way
    if left[0] == zero or (s.a_inside == 0 and s.b_inside == 0 and swept <= sum):
      return s
    if above(s.a_inside, at_a, at_b, swept) or above(s.b_inside, at_b, at_a, swept):
      return s
    s.touching = 1
    if swept > sum:
      s.length = run_a + product(left, angle - to_a - to_b) + run_b
      s.turn = swept
      if s.a_inside == 0:
        s.turn -= to_a[0]
      if s.b_inside == 0:
        s.turn -= to_b[0]
      s.leg_a = run_a[0]
      s.leg_b = run_b[0]
      s.meets_a = to_a[0]
      s.meets_b = to_b[0]
    elif s.a_inside == 1 and s.b_inside == 1:
      # no arc is left, only a corner: of both flats, or of one and the other straight part
      s.length = flats_meet(ra, rb, angle)
      s.turn = swept
    elif s.a_inside == 1:
      length, leg, meets, turn = past_flat(run_a, to_a, rb, left, angle)
      s.length = length
      s.leg_b = leg
      s.meets_b = meets
      s.turn = turn
    else:
      length, leg, meets, turn = past_flat(run_b, to_b, ra, left, angle)
      s.length = length
      s.leg_a = leg
      s.meets_a = meets
      s.turn = turn
    return s

  return press
