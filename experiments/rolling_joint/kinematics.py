"""Kinematics: circles that roll on each other and strings over circles, in the plane, closed form.

Nothing here knows the simulator or its models. Points are complex numbers, u + i w: u along the
finger, w toward the palm; the proximal hinge is the origin. All in m and rad.
"""

from cmath import exp, phase
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import asin, cos, hypot, pi

from scipy.optimize import brentq


@dataclass(frozen=True)
class Circle:
  """A circle that a string passes: +1 on its left (the string turns left), -1 on its right."""

  center: complex
  radius: float
  left: int


@dataclass(frozen=True)
class Pose:
  """Where the distal bone is: its hinge, and how far it has turned toward the palm."""

  hinge: complex
  angle: float

  def place(self, point: complex) -> complex:
    """A point of the distal bone, given as seen from its own hinge."""
    return self.hinge + exp(1j * self.angle) * point


def roll(angle: float, reach: float) -> Pose:
  """Pure rolling of equal circles: the line of centers turns by half of what the bone turns."""
  return Pose(reach * exp(0.5j * angle), angle)


def string(start: complex, circles: Sequence[Circle], end: complex) -> float:
  """Length of the shortest string that passes the circles on their sides; one that it would have
  to be held to is left out."""
  stops = [Circle(start, 0.0, 1), *circles, Circle(end, 0.0, 1)]
  lines = [_tangent(one, two) for one, two in pairwise(stops)]
  total = sum(length for length, _ in lines)
  for i, circle in enumerate(circles):
    turn = circle.left * phase(exp(1j * (lines[i + 1][1] - lines[i][1])))
    if turn < 0:
      return string(start, [c for c in circles if c is not circle], end)
    total += circle.radius * turn
  return total


def _tangent(one: Circle, two: Circle) -> tuple[float, float]:
  # length and direction of the straight piece from circle to circle
  apart = two.center - one.center
  sine = (one.left * one.radius - two.left * two.radius) / abs(apart)
  tilt = asin(min(max(sine, -1.0), 1.0))  # 1: arcs that meet with one tangent
  return abs(apart) * cos(tilt), phase(apart) + tilt


@dataclass(frozen=True)
class Cable:
  """A string from bone to bone: ends seen from each bone's own hinge, circles by bone."""

  start: complex
  end: complex
  proximal: tuple[Circle, ...] = ()
  distal: tuple[Circle, ...] = ()
  across: float = 0.0  # how far the ends are apart across the finger: a helix on the circles [m]

  def length(self, pose: Pose) -> float:
    """Length in a pose."""
    moved = [Circle(pose.place(c.center), c.radius, c.left) for c in self.distal]
    circles = [*self.proximal, *moved]
    return hypot(string(self.start, circles, pose.place(self.end)), self.across)


def flexion(cable: Cable, reach: float, shortening: float) -> float:
  """The angle at which a cable has become shorter by so much, the bones rolling."""
  home = cable.length(roll(0.0, reach))

  def excess(angle):
    return home - cable.length(roll(angle, reach)) - shortening

  return brentq(excess, 0.0, pi / 2, xtol=1e-12)
