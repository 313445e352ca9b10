"""An Atwood machine: two weights, one cable, a sheave that turns with it."""

from mujocable.models.atwood.model import CABLE, CAMERA, Atwood, build

__all__ = ["CABLE", "CAMERA", "Atwood", "build"]
