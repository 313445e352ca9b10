"""Bowden elbow: its parameters, its bodies, its cable. Seen from -y: x to the front, z up."""

from dataclasses import dataclass

import mujoco

from mujocable.models import studio
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor, Sheath, Wrap
from mujocable.spec.takeup import LengthCommand
from mujocable.spec.write import add_cable

CABLE, CAMERA = "flexor", "side"
_SKIN = [0.86, 0.72, 0.62, 1.0]
_FRONT = [0.0, -1.0, 0.0]  # axis of a hinge that swings what hangs to the front


@dataclass(frozen=True)
class BowdenElbow:
  """Parameters. Illustrative numbers of an exosuit; none is measured."""

  upper_arm: float = 0.28  # [m]
  forearm: float = 0.25  # [m]
  forearm_mass: float = 1.2  # [kg]
  pulley: float = 0.03  # radius at the elbow [m]
  spring: float = 1.0  # that straightens the elbow [N m/rad]
  housing: float = 0.45  # length of the sheath [m]
  friction: float = 0.1  # cable on liner
  EA: float = 2e4  # of the cable [N]
  pretension: float = 5.0  # [N]
  shoulder_gain: float = 2000.0  # of the servo that holds the shoulder [N m/rad]
  gravity: float = 9.81  # [m/s^2]
  timestep: float = 0.002  # [s]


def build(params: BowdenElbow | None = None) -> mujoco.MjSpec:
  """The arm hangs; commands: cable taken in by the motor [m], angle of the shoulder [rad]."""
  p = params or BowdenElbow()
  spec = studio.empty("bowden_elbow", p.timestep, p.gravity)
  spec.compiler.degree = False
  _add_surroundings(spec)
  _add_torso(spec)
  upper = _add_upper_arm(spec, p)
  _add_forearm(upper, p)
  servo = spec.add_actuator(
    name="shoulder", target="shoulder", trntype=mujoco.mjtTrn.mjTRN_JOINT, ctrlrange=[-1.0, 2.5]
  )
  servo.set_to_position(kp=p.shoulder_gain, kv=0.1 * p.shoulder_gain)
  flexor = Cable(
    CABLE,
    [
      Anchor("motor"),
      Sheath("back", "biceps", length=p.housing),
      Wrap("pulley", side="under"),
      Anchor("clamp"),
    ],
    Axial(EA=p.EA, damping=20.0, pretension=p.pretension),
    friction=p.friction,
    take_up=LengthCommand(range=(-0.01, 0.1)),
  )
  add_cable(spec, flexor)
  return spec


def _add_torso(spec: mujoco.MjSpec) -> None:
  world = spec.worldbody
  spine = [-0.05, 0.0, -0.05, -0.05, 0.0, 0.4]
  studio.add_part(world, "capsule", [0.07], fromto=spine, rgba=[0.78, 0.80, 0.83, 1.0])
  world.add_site(name="motor", pos=[-0.15, 0.0, 0.1], size=[0.006] * 3, group=2)
  world.add_site(name="back", pos=[-0.15, 0.0, 0.2], size=[0.006] * 3, group=2)


def _add_upper_arm(spec: mujoco.MjSpec, p: BowdenElbow) -> mujoco.MjsBody:
  upper = spec.worldbody.add_body(name="upper_arm", pos=[0.0, -0.1, 0.4])
  upper.add_joint(name="shoulder", type=mujoco.mjtJoint.mjJNT_HINGE, axis=_FRONT, damping=0.5)
  bone = [0.0, 0.0, 0.0, 0.0, 0.0, 0.02 - p.upper_arm]
  studio.add_part(upper, "capsule", [0.028], fromto=bone, mass=1.8, rgba=_SKIN)
  # the sheath ends in front of the arm and points down along it
  upper.add_site(
    name="biceps",
    pos=[p.pulley, 0.0, -0.1],
    quat=[0.0, 1.0, 0.0, 0.0],
    size=[0.006] * 3,
    group=2,
  )
  studio.add_site(upper, "under", [0.0, 0.0, -p.upper_arm - 2 * p.pulley], 0.004)
  return upper


def _add_forearm(upper: mujoco.MjsBody, p: BowdenElbow) -> None:
  forearm = upper.add_body(name="forearm", pos=[0.0, 0.0, -p.upper_arm])
  forearm.add_joint(
    name="elbow",
    type=mujoco.mjtJoint.mjJNT_HINGE,
    axis=_FRONT,
    stiffness=[p.spring, 0.0, 0.0],
    damping=[0.3, 0.0, 0.0],
    limited=mujoco.mjtLimited.mjLIMITED_TRUE,
    range=[0.0, 2.4],
  )
  across: dict = dict(quat=studio.ALONG_Y, mass=0.05, rgba=[0.45, 0.52, 0.60, 1.0])
  studio.add_part(forearm, "cylinder", [p.pulley, 0.015], name="pulley", **across)
  bone = [0.0, 0.03, 0.0, 0.0, 0.03, -p.forearm]
  studio.add_part(forearm, "capsule", [0.022], fromto=bone, mass=p.forearm_mass, rgba=_SKIN)
  # the cable winds off the pulley, so that its lever stays the radius
  studio.add_site(forearm, "clamp", [-p.pulley, 0.0, 0.0], 0.004)


def _add_surroundings(spec: mujoco.MjSpec) -> None:
  studio.add_sky(spec, light=[0.8, -1.0, 1.2], toward=[-0.4, 0.5, -0.7])
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.15, -1.3, 0.25], xyaxes=[1.0, 0.1, 0.0, 0.0, 0.05, 1.0], fovy=45.0
  )
