"""A hand: four fingers and a thumb on rolling joints, ten cables."""

from mujocable.models.hand.model import (
  FINGERS,
  JOINTS,
  THUMB,
  Digit,
  Hand,
  build,
  command,
)
from mujocable.models.hand.scenery import CAMERA

__all__ = ["CAMERA", "FINGERS", "JOINTS", "THUMB", "Digit", "Hand", "build", "command"]
