"""A motor winch that lifts a payload over a freely turning sheave."""

from mujocable.models.winch.model import CABLE, CAMERA, Winch, build, turn_drum

__all__ = ["CABLE", "CAMERA", "Winch", "build", "turn_drum"]
