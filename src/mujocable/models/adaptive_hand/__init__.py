"""An underactuated hand: one motor closes three fingers through a whippletree."""

from mujocable.models.adaptive_hand.model import CAMERA, RECIPE, AdaptiveHand, build, native

__all__ = ["CAMERA", "RECIPE", "AdaptiveHand", "build", "native"]
