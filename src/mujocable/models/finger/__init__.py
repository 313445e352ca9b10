"""An underactuated finger: three joints, one motor, six cables."""

from mujocable.models.finger.model import (
  COUPLINGS,
  EXTENSOR,
  FLEXOR,
  JOINTS,
  Finger,
  build,
  command,
)
from mujocable.models.finger.scenery import CAMERA

__all__ = [
  "CAMERA",
  "COUPLINGS",
  "EXTENSOR",
  "FLEXOR",
  "JOINTS",
  "Finger",
  "build",
  "command",
]
