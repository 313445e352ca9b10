"""An underactuated hand: one motor closes three fingers through a whippletree."""

from mujocable.models.adaptive_hand.model import RECIPE, AdaptiveHand, build, native

__all__ = ["RECIPE", "AdaptiveHand", "build", "native"]
