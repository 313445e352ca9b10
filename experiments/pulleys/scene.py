"""Scene: words for building rigs in an MjSpec. The rigs are planar: x to the right, z up."""

from collections.abc import Sequence

import mujoco
import numpy as np

_JOINT = {"slide": mujoco.mjtJoint.mjJNT_SLIDE, "free": mujoco.mjtJoint.mjJNT_FREE}
_AXIS_Y = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # quaternion: z of the geom along -y
_BRASS, _STEEL = (0.75, 0.6, 0.3, 1.0), (0.45, 0.5, 0.55, 1.0)

Vector = Sequence[float]


def world(timestep: float, integrator: str) -> mujoco.MjSpec:
  """An empty world with gravity; nothing in it collides unless a rig says so."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  spec.worldbody.add_light(pos=[0, -1, 2], dir=[0, 0.4, -1])
  return spec


def site(body: mujoco.MjsBody, name: str, pos: Vector) -> None:
  """A point of `body` for a cable to end at, to pass through or to choose its side by."""
  body.add_site(name=name, pos=list(pos), size=[0.003, 0, 0])


def body(
  parent: mujoco.MjsBody, name: str, pos: Vector, mass: float, inertia: float = 1e-4
) -> mujoco.MjsBody:
  """A body with a stated inertia, so that no geom adds to it by accident."""
  child = parent.add_body(name=name, pos=list(pos))
  child.mass, child.ipos, child.inertia = mass, [0, 0, 0], [inertia] * 3
  child.explicitinertial = True
  return child


def rim(parent: mujoco.MjsBody, name: str, radius: float, pos: Vector = (0, 0, 0)) -> None:
  """The round surface of a sheave or drum, its axis along y."""
  parent.add_geom(
    name=name,
    type=mujoco.mjtGeom.mjGEOM_CYLINDER,
    size=[radius, 0.018, 0],
    pos=list(pos),
    quat=_AXIS_Y,
    rgba=_BRASS,
    contype=0,
    conaffinity=0,
  )


def hinge(on: mujoco.MjsBody, name: str, damping: float = 0.0, armature: float = 0.0) -> None:
  """A hinge about y: positive turns carry the top of a sheave to the right."""
  on.add_joint(
    name=name,
    type=mujoco.mjtJoint.mjJNT_HINGE,
    axis=[0, 1, 0],
    damping=damping,
    armature=armature,
  )


def sheave(
  parent: mujoco.MjsBody,
  name: str,
  pos: Vector,
  radius: float,
  mass: float,
  inertia: float,
  damping: float = 0.0,
) -> mujoco.MjsBody:
  """A sheave that turns freely on its own hinge; body, hinge and rim have one name."""
  wheel = body(parent, name, pos, mass, inertia)
  hinge(wheel, name, damping)
  rim(wheel, name, radius)
  return wheel


def weight(
  parent: mujoco.MjsBody,
  name: str,
  pos: Vector,
  mass: float,
  hook: float = 0.0,
  joint: str = "slide",
  damping: float = 0.0,
  armature: float = 0.0,
) -> mujoco.MjsBody:
  """A weight that moves up and down; its `<name>_hook` lies `hook` above its centre."""
  block = body(parent, name, pos, mass)
  block.add_joint(name=name, type=_JOINT[joint], axis=[0, 0, 1], damping=damping, armature=armature)
  block.add_geom(
    type=mujoco.mjtGeom.mjGEOM_BOX,
    size=[0.02, 0.02, 0.015],
    pos=[0, 0, -0.02],
    rgba=_STEEL,
    contype=0,
    conaffinity=0,
  )
  site(block, f"{name}_hook", (0, 0, hook))
  return block
