"""Robots and machines: what the package ships, and an arm with many holes."""

import mujoco
import numpy as np

import mujocable as mjc
from benchmarks.kinds import builder, split
from mujocable.models import hand, winch

_OFF = dict(contype=0, conaffinity=0)


def winch_of_the_demo():
  """The payload hangs and the bearing is free: no constraint to solve."""

  def make():
    spec = winch.build(winch.Winch(slack=0.0, bearing_torque=0.0))
    payload = spec.geom("payload")
    payload.contype = payload.conaffinity = 0
    return split(spec)

  return builder(make, [0.05])


def hand_of_ten(**changes):
  """Half closed and held there."""
  parameters = hand.Hand(**changes)
  return builder(lambda: split(hand.build(parameters)), hand.command(parameters, 0.5))


def drum_and_sheave():
  """A drum turned by a motor, the end of the cable on it; a free sheave; a payload."""

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world, cylinder = spec.worldbody, mujoco.mjtGeom.mjGEOM_CYLINDER
    flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
    for name, at, damping in (("drum", [-0.5, 0, 0], 0.05), ("sheave", [0, 0, 0.5], 1e-4)):
      body = world.add_body(name=name, pos=at)
      body.add_joint(name=name, axis=[0, 1, 0], damping=damping)
      body.add_geom(name=name, type=cylinder, size=[0.05, 0.02, 0], quat=flat, mass=0.3, **_OFF)
    world.add_site(name="over_drum", pos=[-0.5, 0, 0.1])
    world.add_site(name="over_sheave", pos=[0, 0, 0.6])
    spec.body("drum").add_site(name="knot", pos=[-0.05, 0, 0])
    load = world.add_body(name="load", pos=[0.05, 0, 0])
    load.add_freejoint()
    load.add_geom(size=[0.02, 0, 0], mass=1.0, **_OFF)
    load.add_site(name="hook")
    motor = spec.add_actuator(name="motor", target="drum", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.set_to_motor()
    route = [
      mjc.Anchor("knot"),
      mjc.Wrap("drum", side="over_drum"),
      mjc.Wrap("sheave", side="over_sheave"),
      mjc.Anchor("hook"),
    ]
    hoist = mjc.Cable(
      "hoist", route, mjc.Axial(stiffness=2e3, damping=5.0, pretension=9.81), friction=0.1
    )
    return spec, [hoist]

  return builder(make, [-0.05 * 9.81])


def arm(friction: float, pulled: bool = False):
  """18 hinges; two cables, each through both holes of 19 units.

  `pulled`: through one hole of each, and 10 mm of one cable taken in at once.
  """

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.0005
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.gravity = [0, 0, 0]
    body, scale = spec.worldbody, 1.0
    sites: list[list[str]] = [[], []]
    for unit in range(19):
      if unit:
        body = body.add_body(pos=[0, 0, 0.0263 * scale])
        scale *= 0.912
        spring = 0.0235 * 0.912 ** (4.5 * (unit - 1))
        body.add_joint(axis=[1, 0, 0], stiffness=spring, damping=2.1 * spring)
      half = np.array([0.012, 0.02, 0.012]) * scale
      box = mujoco.mjtGeom.mjGEOM_BOX
      body.add_geom(type=box, size=half, pos=[0, 0, 0.013 * scale], **_OFF)
      for side, sign in enumerate((1, -1)):
        for hole, (y, z) in enumerate(((0.0208, 0.0096), (0.0197, 0.0245))[: 2 - pulled]):
          sites[side].append(f"{side}_{unit}_{hole}")
          body.add_site(name=sites[side][-1], pos=[0, sign * y * scale, z * scale])
    cables = []
    for side, (first, *holes, last) in enumerate(sites):
      cable = mjc.Cable(
        name=f"cable_{side}",
        route=[mjc.Anchor(first), *map(mjc.Eyelet, holes), mjc.Anchor(last)],
        axial=mjc.Axial(stiffness=5e3, damping=2.0) if pulled else mjc.Axial(),
        friction=friction,
        take_up=mjc.LengthCommand((0.0, 0.02)) if pulled else mjc.TensionCommand((0.0, 8.0)),
      )
      cables.append(cable)
    return spec, cables

  return builder(make, [0.01, 0.0] if pulled else [1.0, 0.2])
