"""Capstan: its parameters, its bodies, its rope. Seen from -y: x to the right, z up."""

from dataclasses import dataclass
from math import pi

import mujoco

from mujocable.models import studio
from mujocable.spec.cable import Cable
from mujocable.spec.route import Anchor, Wrap
from mujocable.spec.takeup import TensionCommand
from mujocable.spec.write import add_cable

CABLE, CAMERA = "rope", "front"


@dataclass(frozen=True)
class Capstan:
  """Parameters. Illustrative numbers of a dockside bollard; none is measured."""

  radius: float = 0.1  # of the bollard [m]
  load: float = 20.0  # that hangs from the rope [kg]
  friction: float = 0.2
  max_pull: float = 500.0  # of the hand [N]
  rope_radius: float = 0.006  # [m]
  reach: float = 0.6  # of the hand from the bollard's axis [m]
  gravity: float = 9.81  # [m/s^2]
  timestep: float = 0.001  # [s]


def build(params: Capstan | None = None) -> mujoco.MjSpec:
  """The load hangs on the right; the hand is on the left, the rope half around the bollard."""
  p = params or Capstan()
  spec = studio.empty("capstan", p.timestep, p.gravity)
  _add_surroundings(spec, p)
  world, outer = spec.worldbody, p.radius + p.rope_radius
  studio.add_site(world, "over", [0.0, 0.0, 2 * p.radius], 0.004)
  bollard: dict = dict(name="bollard", quat=studio.ALONG_Y, rgba=[0.55, 0.60, 0.66, 1.0])
  studio.add_part(world, "cylinder", [p.radius, 0.12], **bollard)
  # the hand walks around the bollard: a joint coaxial with it, so that turns are counted
  hand = world.add_body(name="hand")
  hand.add_joint(
    name="walk",
    type=mujoco.mjtJoint.mjJNT_HINGE,
    axis=[0.0, -1.0, 0.0],  # positive winds on
    damping=50.0,
    armature=50.0,  # it stands where it is put
  )
  at = [-outer, -0.05, -p.reach]
  studio.add_part(hand, "sphere", [0.03], pos=at, mass=0.001, rgba=[0.80, 0.65, 0.55, 1.0])
  studio.add_site(hand, "hand", at, 0.004)
  load = world.add_body(name="load", pos=[outer, 0.05, -0.5])
  load.add_joint(name="lift", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0.0, 0.0, 1.0], damping=200.0)
  below, wood = [0.0, 0.0, -0.08], [0.72, 0.53, 0.32, 1.0]
  studio.add_part(load, "box", [0.08] * 3, pos=below, mass=p.load, rgba=wood)
  studio.add_site(load, "hook", [0.0] * 3, 0.004)
  rope = Cable(
    name=CABLE,
    route=[Anchor("hand"), Wrap("bollard", side="over"), Anchor("hook")],
    friction=p.friction,
    radius=p.rope_radius,
    take_up=TensionCommand(range=(0.0, p.max_pull)),
  )
  add_cable(spec, rope)
  return spec


def wind(data: mujoco.MjData, turns: int) -> None:
  """Puts the hand where it is after so many more turns around the bollard."""
  data.joint("walk").qpos[0] = 2 * pi * turns


def _add_surroundings(spec: mujoco.MjSpec, p: Capstan) -> None:
  studio.add_sky(spec, light=[0.8, -1.0, 1.2], toward=[-0.4, 0.5, -0.7])
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.9, -1.8, 0.1], xyaxes=[0.9, 0.45, 0.0, -0.06, 0.12, 1.0], fovy=42.0
  )
