"""Winding: which way round a cylinder, and how often: by memory, by hinges, by the hint of a fresh
world."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools
import math
from types import SimpleNamespace

import warp as wp

from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records


@functools.cache
def winding(p: Precision) -> SimpleNamespace:
  """Functions by name."""
  real, vec3, r = p.real, p.vec3, records(p)
  Spans, Poses = r.Spans, r.Poses
  zero, one, tau = real(0.0), real(1.0), real(2 * math.pi)

  @wp.func
  def wound(wrap: int, w: int, spans: Spans, poses: Poses):
    # by hinges about the axis [rad]
    sum = zero
    for h in range(spans.hinge_begin[wrap], spans.hinge_begin[wrap + 1]):
      sum += spans.hinge_sign[h] * (poses.qpos[w, spans.hinge_qpos[h]] - spans.hinge_zero[h])
    return sum

  @wp.func
  def sign_of(x: real):
    if x < zero:
      return -one
    return one

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

  return SimpleNamespace(wound=wound, sign_of=sign_of, around=around, hinted=hinted)
