"""A humanoid finger: four joints, a flexor and an extensor spring, its tip on a plate."""

from mujocable.models.tendon_finger.model import CAMERA, RECIPE, TendonFinger, build, native

__all__ = ["CAMERA", "RECIPE", "TendonFinger", "build", "native"]
