"""Scenery: everything of the winch that is only seen: floor, light, frame, spokes. No mass."""

from itertools import pairwise

import mujoco
import numpy as np

from mujocable.models import studio

_GEOM, _TEXTURE, _BUILTIN = mujoco.mjtGeom, mujoco.mjtTexture, mujoco.mjtBuiltin

# name -> color, specular, shininess
_MATERIALS = {
  "steel": ([0.33, 0.36, 0.40, 1], 0.6, 0.7),
  "frame": ([0.17, 0.30, 0.42, 1], 0.3, 0.4),
  "motor": ([0.20, 0.21, 0.23, 1], 0.4, 0.5),
  "rope": ([0.52, 0.54, 0.57, 1], 0.2, 0.2),
  "groove": ([0.55, 0.57, 0.60, 1], 0.5, 0.6),
  "flange": ([0.80, 0.81, 0.83, 1], 0.4, 0.5),
  "mark": ([0.93, 0.45, 0.10, 1], 0.3, 0.4),
  "payload": ([0.93, 0.62, 0.12, 1], 0.4, 0.5),
}


def add_surroundings(spec: mujoco.MjSpec, camera: str) -> None:
  """Floor, sky, light and the camera of the demo's pictures."""
  spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
  spec.visual.quality.shadowsize = 2048
  spec.visual.headlight.ambient = [0.35, 0.35, 0.35]
  spec.visual.headlight.diffuse = [0.35, 0.35, 0.35]
  spec.visual.headlight.specular = [0.1, 0.1, 0.1]
  spec.visual.rgba.haze = [0.93, 0.95, 0.97, 1]
  for name, (rgba, specular, shininess) in _MATERIALS.items():
    spec.add_material(name=name, rgba=rgba, specular=specular, shininess=shininess)
  spec.add_texture(
    name="sky",
    type=_TEXTURE.mjTEXTURE_SKYBOX,
    builtin=_BUILTIN.mjBUILTIN_GRADIENT,
    rgb1=[0.93, 0.95, 0.97],
    rgb2=[0.72, 0.79, 0.86],
    width=256,
    height=256,
  )
  spec.add_texture(
    name="floor",
    type=_TEXTURE.mjTEXTURE_2D,
    builtin=_BUILTIN.mjBUILTIN_CHECKER,
    rgb1=[0.82, 0.84, 0.86],
    rgb2=[0.78, 0.80, 0.83],
    width=256,
    height=256,
  )
  textures = [""] * mujoco.mjtTextureRole.mjNTEXROLE.value
  textures[mujoco.mjtTextureRole.mjTEXROLE_RGB.value] = "floor"
  spec.add_material(name="floor", textures=textures, texrepeat=[4, 4], texuniform=True)
  world = spec.worldbody
  world.add_geom(name="floor", type=_GEOM.mjGEOM_PLANE, size=[0, 0, 0.05], material="floor")
  world.add_light(
    pos=[-1.5, -2.0, 4.0],
    dir=[0.35, 0.45, -0.85],
    type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
    castshadow=True,
    diffuse=[0.6, 0.6, 0.6],
  )
  right = np.array([0.96, 0.28, 0.0])
  up = np.cross(right, [-0.265, 0.91, -0.105])  # tilted down a little
  world.add_camera(name=camera, pos=[0.48, -3.02, 1.12], xyaxes=[*right, *up], fovy=35)


def add_frame(world: mujoco.MjsBody, drum: np.ndarray, sheave: np.ndarray) -> None:
  """Base plate, mast with its axle, brace, and the motor behind the drum."""
  behind = 0.26
  _box(world, "steel", [-0.6, 0.06, 0.02], [0.6, 0.28, 0.02])
  _box(world, "steel", [0.02, behind, 0.018], [0.1, 0.08, 0.018])
  _box(world, "frame", [0, behind, 0.81], [0.05, 0.05, 0.79])
  _rod(world, "frame", [drum[0] + 0.2, behind, 0.05], [-0.02, behind, 1.1], 0.03)
  _rod(world, "steel", [0, -0.06, sheave[2]], [0, behind, sheave[2]], 0.016)
  for side in (-0.14, 0.14):
    _box(world, "frame", [drum[0], side, 0.15], [0.03, 0.012, 0.13])
  _rod(world, "steel", [drum[0], -0.16, drum[2]], [drum[0], 0.2, drum[2]], 0.02)
  _rod(world, "motor", [drum[0], 0.16, drum[2]], [drum[0], 0.34, drum[2]], 0.09)


def add_drum_look(drum: mujoco.MjsBody, radius: float, cable_radius: float) -> None:
  """Barrel with rope on it, flanges, and marks that show the turning."""
  cylinder(drum, "steel", radius, 0.1)
  for y in np.arange(-0.085, 0.09, 2.1 * cable_radius):
    cylinder(drum, "rope", radius + 2 * cable_radius, 0.85 * cable_radius, y)
  for y in (-0.105, 0.105):
    cylinder(drum, "flange", radius + 0.05, 0.006, y)
  _add_spokes(drum, radius + 0.045, -0.112, 4)


def add_sheave_look(sheave: mujoco.MjsBody, radius: float, cable_radius: float) -> None:
  """Flanges, hub and spokes, one of them marked."""
  for y in (-0.02, 0.02):
    cylinder(sheave, "flange", radius + 0.2 * cable_radius, 0.003, y)
  cylinder(sheave, "motor", 0.034, 0.012, -0.03)
  _add_spokes(sheave, 0.97 * radius, -0.025, 6)


def add_payload_look(payload: mujoco.MjsBody, half: float) -> None:
  """A dark band and the eye that the hook holds."""
  cylinder(payload, "motor", 0.101, 0.02, facing=[1, 0, 0, 0])
  cylinder(payload, "motor", 0.03, 0.012, facing=[1, 0, 0, 0], z=half + 0.012)
  corners = [[-0.025, 0, half + 0.02], [-0.02, 0, half + 0.05], [0, 0, half + 0.06]]
  corners += [[-x, 0, z] for x, _, z in corners[1::-1]]
  for start, end in pairwise(corners):
    _rod(payload, "motor", start, end, 0.007)


def cylinder(body, material, radius, half_length, y=0.0, z=0.0, name="", mass=0.0, facing=None):
  """A cylinder along y (or as `facing` says) that touches nothing but cables."""
  quat = studio.ALONG_Y if facing is None else facing
  more: dict = dict(name=name, pos=[0, y, z], quat=quat, mass=mass, material=material)
  studio.add_part(body, "cylinder", [radius, half_length], **more)


def _add_spokes(body: mujoco.MjsBody, length: float, y: float, count: int) -> None:
  for index in range(count):
    angle = 2 * np.pi * index / count
    outward = np.array([np.sin(angle), 0, np.cos(angle)])
    start, end = 0.25 * length * outward, 0.92 * length * outward
    lift = np.array([0, y, 0])
    _rod(body, "motor" if index else "mark", start + lift, end + lift, 0.008)


def _rod(body: mujoco.MjsBody, material: str, start, end, radius: float) -> None:
  ends = [*start, *end]
  studio.add_part(body, "cylinder", [radius], fromto=ends, mass=0, material=material)


def _box(body: mujoco.MjsBody, material: str, pos, half) -> None:
  studio.add_part(body, "box", half, pos=pos, mass=0, material=material)
