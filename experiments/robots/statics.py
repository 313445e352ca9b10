"""Statics: the equilibrium of a planar arm pulled by one cable through its holes.

Written from the equations alone; nothing here knows the simulator or its models. Joint by joint
from the base: the cable pulls with the tension of the free span that crosses the joint, on the
span's own arm, against the joint's spring; at every hole the tension falls by exp(-mu turn).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, exp, hypot, sin

import numpy as np
from scipy.optimize import brentq


@dataclass(frozen=True)
class Joint:
  """A hinge between two links, and the holes before and behind it; (y, z) in m."""

  stiffness: float  # [N m/rad]
  leave: tuple[float, float]  # the last hole before the joint, seen from the joint
  enter: tuple[float, float]  # the first hole behind it, seen from the joint, at angle 0
  before: tuple[float, float]  # direction of the cable before `leave`
  behind: tuple[float, float]  # direction of the cable behind `enter`, at angle 0
  stop: float = np.inf  # the angle cannot be larger [rad]

  def span(self, angle: float) -> tuple[float, float, float, float]:
    """Length of the free span [m], its arm [m], turn at `leave`, turn at `enter` [rad]."""
    enter, behind = _turn(self.enter, angle), _turn(self.behind, angle)
    y, z = enter[0] - self.leave[0], enter[1] - self.leave[1]
    length = hypot(y, z)
    # d(enter)/d(angle) is (enter_z, -enter_y)
    arm = -(y * enter[1] - z * enter[0]) / length
    return length, arm, _angle(self.before, (y, z)), _angle((y, z), behind)


@dataclass(frozen=True)
class Arm:
  """A chain of joints on one cable."""

  joints: Sequence[Joint]
  base_turn: float = 0.0  # turn of the cable before the first joint's holes [rad]
  friction: float = 0.0

  def bend(self, source: float) -> "Shape":
    """Equilibrium at a source tension [N]."""
    tension, turn = source * exp(-self.friction * self.base_turn), self.base_turn
    angles, tensions, taken = [], [source], 0.0
    for joint in self.joints:
      angle = self._angle(joint, tension)
      length, _, leave, enter = joint.span(angle)
      tension *= exp(-self.friction * leave)
      angles.append(angle)
      tensions.append(tension)
      taken += joint.span(0.0)[0] - length
      tension *= exp(-self.friction * enter)
      turn += leave + enter
    return Shape(source, np.array(angles), np.array(tensions), taken, turn)

  def _angle(self, joint: Joint, before: float) -> float:
    # the root of spring - cable; the cable's arm vanishes where the holes meet
    def excess(angle):
      _, arm, leave, _ = joint.span(angle)
      return joint.stiffness * angle - before * exp(-self.friction * leave) * arm

    closed = _angle(joint.enter, joint.leave)
    limit = min(closed, joint.stop)
    if excess(0.0) >= 0:
      return 0.0
    if excess(limit) <= 0:
      return limit
    return brentq(excess, 0.0, limit, xtol=1e-14, rtol=1e-14)


@dataclass(frozen=True)
class Shape:
  """An equilibrium."""

  source: float  # tension at the source [N]
  angles: np.ndarray  # of the joints from the base [rad]
  tensions: np.ndarray  # at the source, then in the free span of every joint [N]
  shortening: float  # of the cable's path since the arm was straight [m]
  turn: float  # of the cable up to the last joint's holes [rad]


@dataclass(frozen=True)
class Axial:
  """The cable's law at rest, (11): tension from take-up and shortening."""

  stiffness: float  # kappa [N/m]
  transition: float = 0.0  # a [m]
  loose: float = 0.0  # reserve s - pretension offset p [m]
  max_tension: float = np.inf  # [N]

  def tension(self, take_up: float, shortening: float) -> float:
    """Source tension [N]."""
    e, a = take_up - shortening - self.loose, self.transition
    psi = 0.0 if e <= 0 else e * e / (2 * a) if e < a else e - a / 2
    return min(self.stiffness * psi, self.max_tension)


def hold(arm: Arm, axial: Axial, take_up: float) -> Shape:
  """Equilibrium at a held take-up [m]."""

  def excess(source):
    return source - axial.tension(take_up, arm.bend(source).shortening)

  high = axial.tension(take_up, 0.0)
  return arm.bend(brentq(excess, 0.0, high, xtol=1e-13) if high > 0 else 0.0)


def spiral_arm(
  units: int,
  radius: float,
  stiffness: Sequence[float],
  friction: float,
  growth: float = 0.1764,
  step: float = np.pi / 6,
) -> Arm:
  """A log-spiral arm: `units` of angle `step`, spiral radius [m] at the tip, springs from the base.

  Its own derivation of the geometry, in complex numbers: real is along the arm, imaginary lateral.
  """
  ratio = exp(-growth * step)
  inner, outer = radius * exp(growth * step * (units - 1)), (1 + exp(2 * np.pi * growth)) / 2
  start, end = outer * inner / ratio * np.exp(1j * step), outer * inner
  height = abs(end - start)
  near, far = (
    complex(corner.real, abs(corner.imag))
    for corner in ((p - start) * height / (end - start) for p in (start / outer, end / outer))
  )
  # holes: on the line from 90 % of the half width at the base to 50 % at the tip
  width, length = near.imag, height * (1 - ratio**units) / (1 - ratio)
  base, slope = 0.9 * width, width * (0.5 * ratio ** (units - 1) - 0.9) / length
  ez = base / (width / near.real - slope)
  rise = width / (far.real - height)
  xz = (base + rise * height) / (rise - slope)
  ey, xy = base + slope * ez, base + slope * xz

  channel = (xy - ey, xz - ez)
  joints = [
    Joint(
      stiffness=stiffness[i],
      leave=(xy * ratio**i, (xz - height) * ratio**i),
      enter=(ey * ratio ** (i + 1), ez * ratio ** (i + 1)),
      before=channel,
      behind=channel,
    )
    for i in range(units - 1)
  ]
  return Arm(joints, base_turn=_angle((0.0, 1.0), channel), friction=friction)


def _turn(v: tuple[float, float], angle: float) -> tuple[float, float]:
  # positive from z toward y
  c, s = cos(angle), sin(angle)
  return c * v[0] + s * v[1], c * v[1] - s * v[0]


def _angle(u: tuple[float, float], v: tuple[float, float]) -> float:
  return abs(atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]))
