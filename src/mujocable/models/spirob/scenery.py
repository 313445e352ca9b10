"""Scenery: what the arm looks like and what it touches, apart from its cables."""

import colorsys

import mujoco
import numpy as np

from mujocable.models.spirob.geometry import Unit, prism, turned

CAMERA = "side"
_SURFACE = "unit"


def add_surroundings(spec: mujoco.MjSpec, unit: Unit, units: int) -> None:
  """Light, a camera that sees the straight and the curled arm, a pale sky."""
  length = unit.height * (1 - unit.ratio**units) / (1 - unit.ratio)
  spec.visual.headlight.ambient = [0.4] * 3
  spec.visual.headlight.diffuse = [0.35] * 3
  spec.visual.headlight.specular = [0.0] * 3
  spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
  spec.stat.extent, spec.stat.center = length, [0.0, 0.0, length / 2]
  sky = spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX)
  sky.builtin = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
  sky.rgb1, sky.rgb2, sky.width, sky.height = [1.0] * 3, [0.93] * 3, 64, 384
  spec.worldbody.add_light(
    pos=[3 * length, -length, 3 * length], dir=[-1.0, 0.3, -0.9], diffuse=[0.3] * 3
  )
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
  body.add_geom(
    name=shapes[i],
    type=mujoco.mjtGeom.mjGEOM_MESH,
    meshname=shapes[i],
    density=density,
    contype=0,
    conaffinity=0,
    rgba=[*colorsys.hsv_to_rgb(hue, 0.55, 0.85 if i % 2 else 0.65), 0.35],
  )


def add_contacts(spec: mujoco.MjSpec, joints: int) -> None:
  """Neighboring units collide."""
  for i in range(joints):
    pair = spec.add_pair(geomname1=f"{_SURFACE}_{i}", geomname2=f"{_SURFACE}_{i + 1}")
    pair.friction = np.array([0.8, 0.8, 0.005, 0.0001, 0.0001])
    pair.solref, pair.solimp = [0.006, 1.0], [0.95, 0.995, 0.001, 0.5, 2.0]
