"""Winch: its parameters, its mechanism and its cable. Seen from -y: x to the right, z up."""

from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.models import studio
from mujocable.models.winch import scenery
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor, Wrap
from mujocable.spec.takeup import SpoolAngle
from mujocable.spec.write import add_cable

CABLE, CAMERA = "hoist", "front"

# centers of the drum and of the sheave [m]
DRUM = np.array([-0.95, 0.0, 0.24])
SHEAVE = np.array([0.0, 0.0, 1.5])


@dataclass(frozen=True)
class Winch:
  """Parameters. Illustrative numbers of a workshop hoist; none is measured."""

  payload_mass: float = 8.0  # [kg]
  sheave_radius: float = 0.12  # of the groove [m]
  sheave_mass: float = 1.5  # [kg]
  bearing_torque: float = 1.2  # dry friction of the sheave's bearing [N m]
  drum_radius: float = 0.08  # [m]
  drum_turns: float = 3.0  # how far the motor may wind [turns]
  motor_lag: float = 0.1  # time constant of the motor [s]
  cable_radius: float = 0.007  # [m]
  stiffness: float = 20000.0  # [N/m]
  damping: float = 150.0  # [N s/m]
  friction: float = 0.15  # between cable and sheave
  max_tension: float = 250.0  # [N]
  slack: float = 0.04  # loose cable at the start [m]
  timestep: float = 0.0005  # [s]


def build(params: Winch | None = None) -> mujoco.MjSpec:
  """The winch with its payload on the floor and the cable hanging loose."""
  p = params or Winch()
  spec = studio.empty("winch", p.timestep)
  scenery.add_surroundings(spec, CAMERA)
  scenery.add_frame(spec.worldbody, DRUM, SHEAVE)
  _add_drum(spec.worldbody, p)
  _add_sheave(spec.worldbody, p)
  _add_payload(spec.worldbody, p)
  add_cable(spec, cable(p))
  return spec


def cable(p: Winch) -> Cable:
  """Motor -> over the sheave -> hook, taken in by a spool that lags behind its command."""
  return Cable(
    name=CABLE,
    route=[Anchor("motor"), Wrap("sheave", side="over_sheave"), Anchor("hook")],
    axial=Axial(
      stiffness=p.stiffness,
      damping=p.damping,
      max_tension=p.max_tension,
      pretension_offset=-p.slack,
    ),
    friction=p.friction,
    radius=p.cable_radius,
    take_up=SpoolAngle(
      radius=p.drum_radius, range=(0.0, 2 * np.pi * p.drum_turns), lag=p.motor_lag
    ),
  )


def turn_drum(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  """Turns the drum that one sees to the angle of the motor (the cable's own spool has no body)."""
  actuator = model.actuator(CABLE).id
  angle = data.act[model.actuator_actadr[actuator]]
  mocap = model.body("drum").mocapid[0]
  mujoco.mju_axisAngle2Quat(data.mocap_quat[mocap], [0, -1, 0], angle)


def _add_drum(world: mujoco.MjsBody, p: Winch) -> None:
  drum = world.add_body(name="drum", pos=DRUM, mocap=True)
  scenery.add_drum_look(drum, p.drum_radius, p.cable_radius)
  # where the cable leaves it: outer tangent of drum and sheave, on the side away from the payload
  drum_radius, sheave_radius = p.drum_radius + p.cable_radius, p.sheave_radius + p.cable_radius
  apart = np.linalg.norm(SHEAVE - DRUM)
  along = (SHEAVE - DRUM) / apart
  across = np.array([-along[2], 0.0, along[0]])
  sine = (drum_radius - sheave_radius) / apart
  outward = sine * along + np.sqrt(1 - sine**2) * across
  studio.add_site(world, "motor", DRUM + drum_radius * outward, 0.006)


def _add_sheave(world: mujoco.MjsBody, p: Winch) -> None:
  studio.add_site(world, "over_sheave", np.add(SHEAVE, [0, 0, 2 * p.sheave_radius]), 0.006)
  sheave = world.add_body(name="sheave", pos=SHEAVE)
  sheave.add_joint(
    name="axle",
    type=mujoco.mjtJoint.mjJNT_HINGE,
    axis=[0, -1, 0],  # positive while the payload rises
    frictionloss=p.bearing_torque,
  )
  scenery.add_sheave_look(sheave, p.sheave_radius, p.cable_radius)
  scenery.cylinder(sheave, "groove", p.sheave_radius, 0.018, name="sheave", mass=p.sheave_mass)


def _add_payload(world: mujoco.MjsBody, p: Winch) -> None:
  half = 0.1
  payload = world.add_body(name="payload", pos=[p.sheave_radius + p.cable_radius, 0, half])
  # the winch lies in one plane, and so does everything its payload can do
  payload.add_joint(name="payload_x", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
  payload.add_joint(name="payload_z", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
  payload.add_joint(name="payload_swing", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
  payload.add_geom(
    name="payload",
    type=mujoco.mjtGeom.mjGEOM_CYLINDER,
    size=[0.1, half, 0],
    mass=p.payload_mass,
    material="payload",
  )
  scenery.add_payload_look(payload, half)
  studio.add_site(payload, "hook", [0, 0, half + 0.06], 0.006)
