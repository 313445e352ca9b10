"""Precision: kernels are written once, and built for float32 (worlds) or float64 (home)."""

from typing import Any, NamedTuple

import warp as wp


class Precision(NamedTuple):
  """Types and tolerances of one build."""

  real: Any
  vec3: Any
  mat33: Any
  on_surface: float  # relative height below which a point counts as lying on a circle
  edge: float  # relative distance from the edge of a cone that rounding may leave
  spread: float  # factor after which a lazy scale is multiplied out
  exponents: float  # of all ratios of a cable together


SINGLE = Precision(wp.float32, wp.vec3f, wp.mat33f, 1e-5, 2e-6, 4.0, 40.0)
DOUBLE = Precision(wp.float64, wp.vec3d, wp.mat33d, 1e-9, 1e-14, 100.0, 600.0)
