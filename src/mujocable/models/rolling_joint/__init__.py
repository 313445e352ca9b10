"""A finger joint of two condyles that roll on each other, and its twin on two hinges."""

from mujocable.models.rolling_joint.model import (
  CONDYLES,
  EXTENSOR,
  FLEXOR,
  LIGAMENTS,
  SERVO,
  RollingJoint,
  Tendon,
  build,
  flexion,
)
from mujocable.models.rolling_joint.profile import Profile
from mujocable.models.rolling_joint.scenery import CAMERA

__all__ = [
  "CAMERA",
  "CONDYLES",
  "EXTENSOR",
  "FLEXOR",
  "LIGAMENTS",
  "SERVO",
  "Profile",
  "RollingJoint",
  "Tendon",
  "build",
  "flexion",
]
