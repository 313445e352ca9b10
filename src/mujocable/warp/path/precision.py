"""Precision: kernels are written once, and built for float32 (worlds) or float64 (home)."""

from typing import Any, NamedTuple

import warp as wp


class Precision(NamedTuple):
  """Types and tolerances of one build."""

  real: Any
  vec3: Any
  mat33: Any
  on_surface: float  # relative height below which a point counts as lying on a circle


SINGLE = Precision(wp.float32, wp.vec3f, wp.mat33f, 1e-5)
DOUBLE = Precision(wp.float64, wp.vec3d, wp.mat33d, 1e-9)
