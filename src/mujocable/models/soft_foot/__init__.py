"""A soft foot: an arch of two bones, toes of three links, and a rope under all of them."""

from mujocable.models.soft_foot.model import CAMERA, RECIPE, SoftFoot, build, native

__all__ = ["CAMERA", "RECIPE", "SoftFoot", "build", "native"]
