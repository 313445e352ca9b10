"""A log-spiral arm that curls when one of its cables is pulled."""

from mujocable.models.spirob.geometry import Spiral, Unit, largest_unit
from mujocable.models.spirob.model import (
  Drive,
  Spirob,
  build,
  cable,
  cable_names,
  public_11,
)
from mujocable.models.spirob.scenery import CAMERA

__all__ = [
  "CAMERA",
  "Drive",
  "Spiral",
  "Spirob",
  "Unit",
  "build",
  "cable",
  "cable_names",
  "largest_unit",
  "public_11",
]
