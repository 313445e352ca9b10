"""An elbow that a motor on the back drives through a Bowden sheath across the shoulder."""

from mujocable.models.bowden_elbow.model import CABLE, CAMERA, BowdenElbow, build

__all__ = ["CABLE", "CAMERA", "BowdenElbow", "build"]
