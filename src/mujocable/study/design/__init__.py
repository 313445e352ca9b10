"""Design: which routing, pulleys, springs and spools do best, under the limits of a machine."""

from mujocable.study.design.design import design
from mujocable.study.design.file import read_study
from mujocable.study.design.result import Design, Point

__all__ = ["Design", "Point", "design", "read_study"]
