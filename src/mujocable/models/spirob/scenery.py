"""Scenery: what the arm looks like and what it touches, apart from its cables."""

import colorsys

import mujoco
import numpy as np

from mujocable.models import studio
from mujocable.models.spirob.geometry import Unit, prism, turned

CAMERA = "side"
_SURFACE = "unit"


def add_surroundings(spec: mujoco.MjSpec, unit: Unit, units: int) -> None:
  """Light, a camera that sees the straight and the curled arm, a pale sky."""
  length = unit.height * (1 - unit.ratio**units) / (1 - unit.ratio)
  light = [3 * length, -length, 3 * length]
  studio.add_stage(spec, length, [0.0, 0.0, length / 2], light, [-1.0, 0.3, -0.9])
  spec.worldbody.add_camera(
    name=CAMERA,
    pos=[2.6 * length, 0.3 * length, 0.5 * length],
    xyaxes=[0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    fovy=26.0,
  )


def add_shapes(spec: mujoco.MjSpec, unit: Unit, params) -> list[str]:
  """One mesh per unit; returns their names."""
  points = prism(unit, params.spiral.thickness) if params.cables == 2 else turned(unit)
  names = []
  for i in range(params.spiral.units):
    mesh = spec.add_mesh(name=f"{_SURFACE}_{i}")
    mesh.uservert = (points * unit.ratio**i).ravel()
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
    names.append(mesh.name)
  return names


def add_look(body, shapes: list[str], i: int, density: float) -> None:
  """The unit's geom, with its mass; touches nothing by itself."""
  hue = 0.55 + 0.20 * i / max(len(shapes) - 1, 1)
  rgba = [*colorsys.hsv_to_rgb(hue, 0.55, 0.85 if i % 2 else 0.65), 0.35]
  name = shapes[i]
  studio.add_part(body, "mesh", [], name=name, meshname=name, density=density, rgba=rgba)


def add_contacts(spec: mujoco.MjSpec, joints: int) -> None:
  """Neighboring units collide."""
  for i in range(joints):
    pair = spec.add_pair(geomname1=f"{_SURFACE}_{i}", geomname2=f"{_SURFACE}_{i + 1}")
    pair.friction = np.array([0.8, 0.8, 0.005, 0.0001, 0.0001])
    pair.solref, pair.solimp = [0.006, 1.0], [0.95, 0.995, 0.001, 0.5, 2.0]
