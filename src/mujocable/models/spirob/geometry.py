"""Geometry: one unit of a log-spiral arm, and where its cable holes are.

Unrolled, the arm lies along z: from the hinge of its largest unit at z = 0 to its tip. Every unit
is the largest one times a power of `ratio`. Lateral is y. The formulas are those of public SpiRobs
(r = a exp(b theta), cut every `step`); lengths in m, angles in rad.
"""

from dataclasses import dataclass
from math import cos, exp, pi, sin

import numpy as np


@dataclass(frozen=True)
class Spiral:
  """A log spiral cut into units, and the straight line that the holes lie on."""

  units: int  # the first is fixed, each of the others has a joint
  radius: float  # a: of the spiral at angle 0, at the tip [m]
  growth: float = 0.1764  # b [1/rad]
  step: float = pi / 6  # angle of one unit; also where neighboring faces meet [rad]
  center: float = 0.5  # place of the backbone between the inner and the outer turn
  tip_hole: float = 0.5  # hole at the tip / half width there
  base_hole: float = 0.9  # hole at the base / half width there
  thickness: float = 0.6  # across the plane of a two-cable arm / width of the unit


@dataclass(frozen=True)
class Unit:
  """The largest unit, in the frame of its proximal hinge: (y, z) in m."""

  ratio: float  # size of a unit / size of the one before
  height: float  # between its hinges [m]
  half_width: float  # [m]
  rim: tuple[float, float]  # z of the two corners at y = half_width [m]
  entry: np.ndarray  # where the cable enters (y, z) [m]
  exit: np.ndarray  # where the cable leaves (y, z) [m]


def largest_unit(spiral: Spiral) -> Unit:
  """Corners and holes of the first unit; unit i is this one times ratio**i."""
  ratio = exp(-spiral.growth * spiral.step)
  inner = spiral.radius * exp(spiral.growth * spiral.step * (spiral.units - 1))
  backbone = (1 - spiral.center) + spiral.center * exp(2 * pi * spiral.growth)

  # two corners on the inner turn, two on the backbone; the plane turned so that the latter lie on z
  def polar(radius, angle):
    return radius * np.array([cos(angle), sin(angle)])

  start, end = polar(backbone * inner / ratio, spiral.step), polar(backbone * inner, 0.0)
  height = float(np.linalg.norm(end - start))
  along = (end - start) / height
  near, far = polar(inner / ratio, spiral.step) - start, polar(inner, 0.0) - start
  half_width = float(abs(near[0] * along[1] - near[1] * along[0]))
  rim = float(near @ along), float(far @ along)

  # the hole line y = base + slope z, cut with the slanted faces through (0, 0) and (0, height)
  length = height * (1 - ratio**spiral.units) / (1 - ratio)
  base = spiral.base_hole * half_width
  tip = spiral.tip_hole * half_width * ratio ** (spiral.units - 1)
  slope = (tip - base) / length

  def cut(foot: float, corner: float) -> np.ndarray:
    rise = half_width / (corner - foot)
    z = (base + rise * foot) / (rise - slope)
    return np.array([base + slope * z, z])

  return Unit(ratio, height, half_width, rim, cut(0.0, rim[0]), cut(height, rim[1]))


def prism(unit: Unit, thickness: float) -> np.ndarray:
  """Corners of the unit as a hexagonal prism, x across, shape (12, 3)."""
  profile = _profile(unit)
  outline = [(y, z) for y, z in profile] + [(-y, z) for y, z in profile if y > 0]
  x = thickness * unit.half_width
  return np.array([(side * x, y, z) for y, z in outline for side in (-1, 1)])


def turned(unit: Unit, corners: int = 16) -> np.ndarray:
  """Corners of the unit as a body of revolution around z."""
  profile = _profile(unit)
  angles = 2 * pi * np.arange(corners) / corners
  points = [(y * cos(t), y * sin(t), z) for y, z in profile if y > 0 for t in angles]
  return np.array(points + [(0.0, 0.0, z) for y, z in profile if y == 0])


def _profile(unit: Unit) -> list[tuple[float, float]]:
  width, (near, far) = unit.half_width, unit.rim
  return [(0.0, 0.0), (width, near), (width, far), (0.0, unit.height)]
