"""A tensegrity prism: three struts that touch nothing but nine cables."""

from mujocable.models.tensegrity.model import (
  CABLES,
  CAMERA,
  STRUTS,
  Tensegrity,
  build,
  pretensions,
)

__all__ = ["CABLES", "CAMERA", "STRUTS", "Tensegrity", "build", "pretensions"]
