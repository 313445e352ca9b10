"""An exosuit sleeve: a motor at the back lifts the forearm through a cable on the sleeve."""

from mujocable.models.exosuit.model import CAMERA, RECIPE, Exosuit, build, native

__all__ = ["CAMERA", "RECIPE", "Exosuit", "build", "native"]
