"""A musculoskeletal arm: shoulder, elbow and six muscles, two of them across both joints."""

from mujocable.models.muscle_arm.model import CAMERA, RECIPE, MuscleArm, build, native

__all__ = ["CAMERA", "RECIPE", "MuscleArm", "build", "native"]
