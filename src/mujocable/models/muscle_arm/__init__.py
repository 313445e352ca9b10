"""A musculoskeletal arm: shoulder, elbow and six muscles, two of them across both joints."""

from mujocable.models.muscle_arm.model import RECIPE, MuscleArm, build, native

__all__ = ["RECIPE", "MuscleArm", "build", "native"]
