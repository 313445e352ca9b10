"""Convert: MuJoCo's own spatial tendons become cables that carry the same pull."""

from mujocable.study.convert.conversion import KINDS, SAME, Conversion, Converted, Kept
from mujocable.study.convert.convert import convert

__all__ = ["KINDS", "SAME", "Conversion", "Converted", "Kept", "convert"]
