"""Scenery: what the bones look like, where they touch, what cables lie on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
  from mujocable.models.rolling_joint.model import RollingJoint

CAMERA = "side"
CONDYLES = ("proximal", "distal")
FACET = np.deg2rad(3.0)  # of the bones that one sees
_BONE, _TRACK, _METAL = [0.80, 0.72, 0.62, 1.0], [0.45, 0.50, 0.56, 1.0], [0.55, 0.57, 0.6, 1.0]
_ACROSS = [0.70710678118654752, 0.0, 0.70710678118654752, 0.0]  # axis along x
_BACK = -9e-3  # where the condyle ends and the shaft begins [m]


def add_surroundings(spec: mujoco.MjSpec) -> None:
  """Light, a pale sky and a camera that sees the joint from the side."""
  spec.visual.headlight.ambient = [0.4] * 3
  spec.visual.headlight.diffuse = [0.35] * 3
  spec.visual.headlight.specular = [0.0] * 3
  spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
  spec.stat.extent, spec.stat.center = 0.04, [0.0, 0.004, 0.006]
  sky = spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX)
  sky.builtin = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
  sky.rgb1, sky.rgb2, sky.width, sky.height = [1.0] * 3, [0.93] * 3, 64, 384
  spec.worldbody.add_light(pos=[0.2, 0.1, 0.2], dir=[-1.0, -0.4, -0.9], diffuse=[0.3] * 3)
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.15, 0.011, 0.006], xyaxes=[0.0, 1.0, 0.0, 0.0, 0.0, 1.0], fovy=25.0
  )


def add_proximal(spec: mujoco.MjSpec, body, p: RollingJoint) -> None:
  """The fixed bone: condyle, shaft, and the rib that carries the flexor's ring."""
  _add_bone(spec, body, p, mirrored=False)
  x, top, z = p.rib
  _add_look(body, "BOX", [2.05e-3, top / 2 - 2e-3, 1e-3], [x, top / 2 + 2e-3, z], _BONE)


def add_distal(spec: mujoco.MjSpec, body, p: RollingJoint) -> None:
  """The bone that rolls, with a marker at the fingertip."""
  _add_bone(spec, body, p, mirrored=True)
  tip = [0.36e-3, 0.0, 35.5e-3 - p.reach]
  body.add_site(name="tip", pos=tip, size=[4e-4] * 3, group=4)


def add_contact(spec: mujoco.MjSpec, bodies, p: RollingJoint) -> None:
  """What the condyles touch each other with: capsules, that is circles in the plane of rolling, or
  meshes of the outline."""
  names = [f"{name}:condyle" for name in CONDYLES]
  for body, name, mirrored in zip(bodies, names, (False, True), strict=True):
    geom = body.add_geom(name=name, mass=0.0, contype=0, conaffinity=0, group=3)
    if p.surface == "mesh":
      geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, name
      _add_mesh(spec, name, p.profile.solid(p.facet, _BACK, mirrored))
    else:
      geom.type, geom.quat = mujoco.mjtGeom.mjGEOM_CAPSULE, _ACROSS
      geom.size = [p.profile.palmar, p.profile.width / 2, 0.0]
  pair = spec.add_pair(name="condyles", geomname1=names[0], geomname2=names[1], condim=3)
  pair.friction = [p.friction, p.friction, 0.02, 0.005, 0.005]
  pair.margin, pair.gap = p.skin, 1e-4  # how near they are can be read before they press
  pair.solref, pair.solimp = [0.001, 1.0], [0.99, 0.9999, 1e-5, 0.5, 2.0]


def add_groove(spec: mujoco.MjSpec, body, name: str, p: RollingJoint, depth: float) -> None:
  """A mesh that a cable lies on, below the outline of the bone."""
  inside = p.profile.inset(depth, 8e-3)
  _add_mesh(spec, name, inside.solid(p.facet, _BACK, body.name == CONDYLES[1]))
  body.add_geom(
    name=name,
    type=mujoco.mjtGeom.mjGEOM_MESH,
    meshname=name,
    mass=0.0,
    contype=0,
    conaffinity=0,
    group=3,
    rgba=_TRACK,
  )


def add_track(body, name: str, at: float, radius: float, half_width: float) -> None:
  """A cylinder that a cable lies on."""
  body.add_geom(
    name=name,
    type=mujoco.mjtGeom.mjGEOM_CYLINDER,
    pos=[0.0, 0.0, at],
    size=[radius, half_width, 0.0],
    quat=_ACROSS,
    mass=0.0,
    contype=0,
    conaffinity=0,
    rgba=_TRACK,
  )


def add_ring(body, p: RollingJoint) -> None:
  """The wire of the flexor's ring, as beads."""
  x, y, z = p.ring_at
  radius = p.ring_hole + p.ring_tube
  for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
    at = [x + radius * np.cos(angle), y + radius * np.sin(angle), z]
    _add_look(body, "SPHERE", [p.ring_tube, 0.0, 0.0], at, _METAL)


def _add_bone(spec: mujoco.MjSpec, body, p: RollingJoint, mirrored: bool) -> None:
  sign = -1.0 if mirrored else 1.0
  mesh = f"{body.name}:bone"
  _add_mesh(spec, mesh, p.profile.solid(FACET, _BACK, mirrored))
  body.add_geom(
    type=mujoco.mjtGeom.mjGEOM_MESH,
    meshname=mesh,
    mass=0.0,
    contype=0,
    conaffinity=0,
    rgba=_BONE,
  )
  _add_look(body, "CAPSULE", [3.2e-3, 6e-3, 0.0], [0.0, 1e-3, sign * (_BACK - 6e-3)], _BONE)


def _add_mesh(spec: mujoco.MjSpec, name: str, solid) -> None:
  vertices, faces = solid
  spec.add_mesh(name=name, uservert=vertices.ravel(), userface=faces.ravel())


def _add_look(body, kind: str, size, pos, rgba) -> None:
  body.add_geom(
    type=getattr(mujoco.mjtGeom, f"mjGEOM_{kind}"),
    size=size,
    pos=pos,
    mass=0.0,
    contype=0,
    conaffinity=0,
    rgba=rgba,
  )
