"""Scenery: what the bones look like, where they touch, what cables lie on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from mujocable.models import studio

if TYPE_CHECKING:
  from mujocable.models.rolling_joint.model import RollingJoint

CAMERA = "side"
CONDYLES = ("proximal", "distal")
FACET = np.deg2rad(3.0)  # of the bones that one sees
_BONE, _TRACK, _METAL = [0.80, 0.72, 0.62, 1.0], [0.45, 0.50, 0.56, 1.0], [0.55, 0.57, 0.6, 1.0]
_BACK = -9e-3  # where the condyle ends and the shaft begins [m]


def add_surroundings(spec: mujoco.MjSpec) -> None:
  """Light, a pale sky and a camera that sees the joint from the side."""
  studio.add_stage(spec, 0.04, [0.0, 0.004, 0.006], [0.2, 0.1, 0.2], [-1.0, -0.4, -0.9])
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.15, 0.011, 0.006], xyaxes=[0.0, 1.0, 0.0, 0.0, 0.0, 1.0], fovy=25.0
  )


def add_proximal(spec: mujoco.MjSpec, body, p: RollingJoint) -> None:
  """The fixed bone: condyle, shaft, and the rib that carries the flexor's ring."""
  _add_bone(spec, body, p, mirrored=False)
  x, top, z = p.rib
  half, middle = [2.05e-3, top / 2 - 2e-3, 1e-3], [x, top / 2 + 2e-3, z]
  studio.add_part(body, "box", half, pos=middle, mass=0.0, rgba=_BONE)


def add_distal(spec: mujoco.MjSpec, body, p: RollingJoint) -> None:
  """The bone that rolls, with a marker at the fingertip."""
  _add_bone(spec, body, p, mirrored=True)
  tip = [0.36e-3, 0.0, 35.5e-3 - p.reach]
  studio.add_site(body, "tip", tip, 4e-4)


def add_contact(spec: mujoco.MjSpec, bodies, p: RollingJoint) -> None:
  """What the condyles touch each other with: capsules, that is circles in the plane of rolling, or
  meshes of the outline."""
  names = [f"{name}:condyle" for name in CONDYLES]
  for body, name, mirrored in zip(bodies, names, (False, True), strict=True):
    hidden: dict = dict(name=name, mass=0.0, group=3)
    if p.surface == "mesh":
      _add_mesh(spec, name, p.profile.solid(p.facet, _BACK, mirrored))
      studio.add_part(body, "mesh", [], meshname=name, **hidden)
    else:
      size = [p.profile.palmar, p.profile.width / 2]
      studio.add_part(body, "capsule", size, quat=studio.ALONG_X, **hidden)
  pair = spec.add_pair(name="condyles", geomname1=names[0], geomname2=names[1], condim=3)
  pair.friction = [p.friction, p.friction, 0.02, 0.005, 0.005]
  pair.margin, pair.gap = p.skin, 1e-4  # how near they are can be read before they press
  pair.solref, pair.solimp = [0.001, 1.0], [0.99, 0.9999, 1e-5, 0.5, 2.0]


def add_groove(spec: mujoco.MjSpec, body, name: str, p: RollingJoint, depth: float) -> None:
  """A mesh that a cable lies on, below the outline of the bone."""
  inside = p.profile.inset(depth, 8e-3)
  _add_mesh(spec, name, inside.solid(p.facet, _BACK, body.name == CONDYLES[1]))
  studio.add_part(body, "mesh", [], name=name, meshname=name, mass=0.0, group=3, rgba=_TRACK)


def add_track(body, name: str, at: float, radius: float, half_width: float) -> None:
  """A cylinder that a cable lies on."""
  across: dict = dict(pos=[0.0, 0.0, at], quat=studio.ALONG_X, mass=0.0, rgba=_TRACK)
  studio.add_part(body, "cylinder", [radius, half_width], name=name, **across)


def add_ring(body, p: RollingJoint) -> None:
  """The wire of the flexor's ring, as beads."""
  x, y, z = p.ring_at
  radius = p.ring_hole + p.ring_tube
  for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
    at = [x + radius * np.cos(angle), y + radius * np.sin(angle), z]
    studio.add_part(body, "sphere", [p.ring_tube], pos=at, mass=0.0, rgba=_METAL)


def _add_bone(spec: mujoco.MjSpec, body, p: RollingJoint, mirrored: bool) -> None:
  sign = -1.0 if mirrored else 1.0
  mesh = f"{body.name}:bone"
  _add_mesh(spec, mesh, p.profile.solid(FACET, _BACK, mirrored))
  studio.add_part(body, "mesh", [], meshname=mesh, mass=0.0, rgba=_BONE)
  shaft = [0.0, 1e-3, sign * (_BACK - 6e-3)]
  studio.add_part(body, "capsule", [3.2e-3, 6e-3], pos=shaft, mass=0.0, rgba=_BONE)


def _add_mesh(spec: mujoco.MjSpec, name: str, solid) -> None:
  vertices, faces = solid
  spec.add_mesh(name=name, uservert=vertices.ravel(), userface=faces.ravel())
