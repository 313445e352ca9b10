"""A capstan: a rope with several turns around a bollard holds a large load with a small pull."""

from mujocable.models.capstan.model import CABLE, CAMERA, Capstan, build, wind

__all__ = ["CABLE", "CAMERA", "Capstan", "build", "wind"]
