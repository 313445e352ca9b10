"""Winding: which way round a cylinder, and how often: by memory, by hinges, by the hint of a fresh
world."""

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records


@functools.cache
def winding(p: Precision) -> SimpleNamespace:
  """Functions by name."""
  real, vec3, mat33, r = p.real, p.vec3, p.mat33, records(p)
  Spans, Scene = r.Spans, r.Scene
  zero, one, tau = real(0.0), real(1.0), real(2 * math.pi)

  @wp.func
  def wound(wrap: int, w: int, spans: Spans, scene: Scene):
    # by hinges about the axis [rad]
    sum = zero
    for h in range(spans.hinge_begin[wrap], spans.hinge_begin[wrap + 1]):
      sum += spans.hinge_sign[h] * (scene.poses.qpos[w, spans.hinge_qpos[h]] - spans.hinge_zero[h])
    return sum

  @wp.func
  def followed(wrap: int, w: int, side: int, spans: Spans, scene: Scene):
    # what was swept in the step before, and is wound since
    return scene.sides.swept[side, wrap, w] + wound(wrap, w, spans, scene)

  @wp.func
  def sign_of(x: real):
    if x < zero:
      return -one
    return one

  @wp.func
  def flip_of(rot: mat33, ez: vec3):
    # -1: the axis points the other way
    return sign_of(rot[0, 2] * ez[0] + rot[1, 2] * ez[1] + rot[2, 2] * ez[2])

  @wp.func
  def around(ux: real, uy: real, vx: real, vy: real):
    # angle from u to v
    return wp.atan2(ux * vy - uy * vx, ux * vx + uy * vy)

  @wp.func
  def hinted(turn: real, hint: vec3, ax: real, ay: real, bx: real, by: real, ex: vec3, ey: vec3):
    # the way past the hint; of the turns that are wound only the number is kept
    hx = wp.dot(hint, ex)
    hy = wp.dot(hint, ey)
    way = around(ax, ay, hx, hy) + around(hx, hy, bx, by)
    found = way + tau * wp.round((turn - way) / tau)
    if found * way < zero:
      found = way
    return found

  return SimpleNamespace(
    wound=wound, followed=followed, sign_of=sign_of, flip_of=flip_of, around=around, hinted=hinted
  )
