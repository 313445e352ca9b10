"""Scenery: what the hand looks like and what its outside touches; condyles carry cables alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco

from mujocable.models import studio

if TYPE_CHECKING:
  from mujocable.models.hand.model import Digit

CAMERA = "front"
_BONE, _CONDYLE = [0.80, 0.72, 0.62, 0.5], [0.45, 0.50, 0.56, 1.0]


def add_surroundings(spec: mujoco.MjSpec) -> None:
  """Light, a pale sky and a camera that sees the open hand from its palm."""
  studio.add_stage(spec, 0.25, [0.0, 0.0, 0.1], [0.4, 0.6, 0.8], [-0.4, -0.6, -0.6])
  spec.worldbody.add_camera(
    name=CAMERA,
    pos=[0.36, 0.44, 0.19],
    xyaxes=[-0.78, 0.62, 0.0, -0.10, -0.12, 0.99],
    fovy=26.0,
  )


def add_palm(body, density: float) -> None:
  """A plate below the knuckles."""
  _solid(body, "palm", "BOX", [0.040, 0.009, 0.036], [0.0, 0.0, 0.036], density)


def add_base(body, digit: Digit, density: float) -> None:
  """The bone in the palm that carries a digit."""
  radius = digit.radii[0]
  size = [0.75 * radius, 0.011, 0.0]
  _solid(body, f"{digit.name}_base", "CAPSULE", size, [0.0, 0.0, -0.011 - radius], density)


def add_phalanx(body, digit: Digit, index: int, density: float) -> None:
  """A bone from the condyle at its own frame to the next one, or to the tip."""
  length, thick = digit.lengths[index], 0.75 * digit.radii[index]
  size, at = [thick, length / 2 - 0.2 * thick, 0.0], [0.0, 0.0, length / 2]
  _solid(body, body.name, "CAPSULE", size, at, density)


def add_condyle(body, name: str, at: float, radius: float) -> None:
  """A cylinder across the digit; it touches nothing but cables."""
  across: dict = dict(pos=[0.0, 0.0, at], quat=studio.ALONG_X, mass=0.0, rgba=_CONDYLE)
  studio.add_part(body, "cylinder", [radius, 0.0065], name=name, **across)


def _solid(body, name: str, kind: str, size, pos, density: float) -> None:
  body.add_geom(
    name=name,
    type=getattr(mujoco.mjtGeom, f"mjGEOM_{kind}"),
    size=size,
    pos=pos,
    density=density,
    contype=1,  # touches what is touched by default, not another part of the hand
    conaffinity=0,
    condim=4,
    friction=[1.0, 0.005, 0.0001],
    rgba=_BONE,
  )
