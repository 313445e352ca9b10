"""Spirob: its parameters, its bodies, its cables. Seen from +x: y to the right, z up, tip up."""

from dataclasses import dataclass, field, replace
from math import cos, inf, pi, sin
from typing import Literal

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.models import studio
from mujocable.models.spirob import scenery
from mujocable.models.spirob.geometry import Spiral, Unit, largest_unit
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial, DampingRate, Sliding
from mujocable.spec.route import Anchor, Eyelet
from mujocable.spec.takeup import LengthCommand, TensionCommand
from mujocable.spec.write import add_cable

Drive = Literal["length", "tension", "native", "none"]


@dataclass(frozen=True)
class Spirob:
  """Parameters of an arm; the defaults are the 18-joint arm whose constants are inferred (README).

  Joint i = 1, 2, ... has the values of joint 1 times ratio**(decay * (i - 1)).
  """

  spiral: Spiral = field(default_factory=lambda: Spiral(units=19, radius=4.5e-3))
  cables: int = 2  # 2: hinges, the arm bends in a plane; 3: two hinges a joint, it bends all round
  drive: Drive = "length"  # what the cables follow; "native": MuJoCo's own tendons and motors [N]
  # joints
  stiffness: float = 0.0235  # of joint 1 [N m/rad]
  stiffness_decay: float = 4.5
  damping: float = 0.05  # of joint 1 [N m s/rad]
  damping_decay: float = 4.5
  range: float = pi / 6  # each way [rad]
  # bodies
  density: float = 1000.0  # [kg/m^3]
  collide: bool = False  # neighboring units touch
  height: float = 0.004  # of the fixed unit above the ground [m]
  gravity: float = 0.0  # along -z [m/s^2]
  # cables
  cable_stiffness: float = 430.0  # kappa [N/m]
  cable_damping: float = 0.5  # d [N s/m]
  damping_rate: DampingRate = "length"
  transition: float = 1.5e-4  # a [m]
  reserve: float = 1e-4  # s [m]
  slack: float = 0.0  # loose at home: -p [m]
  max_tension: float = 8.0  # [N]
  friction: float | Sliding = 0.0  # at every hole
  stroke: tuple[float, float] = (-0.12, 0.12)  # of the take-up [m]
  lag: float = 0.0  # of the motor [s]
  rate_limit: float = inf  # of the motor [m/s]
  cable_radius: float = 8e-4  # seen only: holes are points [m]
  source: float = 0.002  # where a cable starts, below its hole at the base of the arm [m]
  # simulation
  timestep: float = 5e-4  # [s]

  def __post_init__(self):
    if self.cables not in (2, 3):
      raise BadValue(f"Spirob: cables must be 2 or 3, got {self.cables!r}")
    if self.spiral.units < 2:
      raise BadValue(f"Spirob: units must be 2 or more, got {self.spiral.units!r}")
    if self.drive not in ("length", "tension", "native", "none"):
      kinds = "'length', 'tension', 'native', 'none'"
      raise BadValue(f"Spirob: drive must be one of {kinds}, got {self.drive!r}")

  @property
  def joints(self) -> int:
    """Number of joints along the arm."""
    return self.spiral.units - 1

  @property
  def unit(self) -> Unit:
    """The largest unit."""
    return largest_unit(self.spiral)

  def joint_stiffness(self) -> np.ndarray:
    """Of every joint from the base [N m/rad]."""
    return self.stiffness * self.unit.ratio ** (self.stiffness_decay * np.arange(self.joints))

  def joint_damping(self) -> np.ndarray:
    """Of every joint from the base [N m s/rad]."""
    return self.damping * self.unit.ratio ** (self.damping_decay * np.arange(self.joints))


def public_11(friction: float | Sliding = 0.0, **changes) -> Spirob:
  """The public 11-joint arm, fully specified: two cables with 25 mm of slack each."""
  arm = Spirob(
    spiral=Spiral(units=12, radius=4.95e-3),
    stiffness=0.0015,
    stiffness_decay=0.0,
    damping=0.0015,
    damping_decay=0.0,
    range=0.70,
    density=350.0,
    cable_stiffness=180.0,
    cable_damping=0.08,
    slack=0.025,
    max_tension=7.0,
    friction=friction,
    stroke=(0.0, 0.05),
    lag=0.04,
    rate_limit=0.04,
    timestep=2e-4,
  )
  return replace(arm, **changes)


def cable_names(params: Spirob) -> list[str]:
  """The cables, counted around z from +y."""
  return [f"cable_{i}" for i in range(params.cables)]


def build(params: Spirob | None = None) -> mujoco.MjSpec:
  """The straight arm."""
  p = params or Spirob()
  spec = studio.empty("spirob", p.timestep, p.gravity)
  scenery.add_surroundings(spec, p.unit, p.spiral.units)
  _add_bodies(spec, p)
  for name in cable_names(p):
    if p.drive == "native":
      _add_native(spec, p, name)
    elif p.drive != "none":
      add_cable(spec, cable(p, name))
  return spec


def cable(p: Spirob, name: str) -> Cable:
  """Base -> entry and exit hole of every unit -> tip."""
  take_up = LengthCommand(range=p.stroke, lag=p.lag, rate_limit=p.rate_limit)
  if p.drive == "tension":
    take_up = TensionCommand(range=(0.0, p.max_tension))
  first, *holes, last = _sites(p, name)
  return Cable(
    name=name,
    route=[Anchor(first), *map(Eyelet, holes), Anchor(last)],
    axial=Axial(
      stiffness=p.cable_stiffness,
      damping=p.cable_damping,
      damping_rate=p.damping_rate,
      transition=p.transition,
      reserve=p.reserve,
      pretension_offset=-p.slack,
      max_tension=p.max_tension,
    ),
    friction=p.friction,
    radius=p.cable_radius,
    take_up=take_up,
  )


def _sites(p: Spirob, name: str) -> list[str]:
  holes = [f"{name}:{hole}_{i}" for i in range(p.spiral.units) for hole in ("entry", "exit")]
  return [f"{name}:source", *holes, f"{name}:tip"]


def _add_native(spec: mujoco.MjSpec, p: Spirob, name: str) -> None:
  # the same sites, MuJoCo's own tendon; the control is the pull [N]
  tendon = spec.add_tendon(name=name, width=p.cable_radius, rgba=[0.9, 0.5, 0.1, 1.0])
  for site in _sites(p, name):
    tendon.wrap_site(site)
  motor = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_TENDON)
  motor.set_to_motor()
  motor.gear[0] = -1.0
  motor.ctrllimited, motor.ctrlrange = mujoco.mjtLimited.mjLIMITED_TRUE, [0.0, p.max_tension]


def _add_bodies(spec: mujoco.MjSpec, p: Spirob) -> None:
  unit = p.unit
  shape = scenery.add_shapes(spec, unit, p)
  body = spec.worldbody.add_body(name="unit_0", pos=[0.0, 0.0, p.height])
  stiffness, damping = p.joint_stiffness(), p.joint_damping()
  for i in range(p.spiral.units):
    size = unit.ratio**i
    if i > 0:
      body = body.add_body(name=f"unit_{i}", pos=[0.0, 0.0, unit.height * size / unit.ratio])
      _add_joints(body, p, i, stiffness[i - 1], damping[i - 1])
    scenery.add_look(body, shape, i, p.density)
    for k, name in enumerate(cable_names(p)):
      across = np.array([-sin(2 * pi * k / p.cables), cos(2 * pi * k / p.cables), 0.0])
      for hole, (y, z) in (("entry", unit.entry), ("exit", unit.exit)):
        _add_site(body, f"{name}:{hole}_{i}", size * (y * across + [0, 0, z]), size)
      if i == 0:
        _add_site(body, f"{name}:source", unit.entry[0] * across - [0, 0, p.source], size)
      if i == p.joints:
        at = size * (unit.exit[0] * across + [0, 0, unit.height])
        _add_site(body, f"{name}:tip", at, size)
  _add_site(body, "tip", [0.0, 0.0, unit.height * unit.ratio**p.joints], 1.0)
  if p.collide:
    scenery.add_contacts(spec, p.joints)


def _add_joints(body, p: Spirob, i: int, stiffness: float, damping: float) -> None:
  # positive angles bend toward cable 0 (around -x), with three cables also toward +x (around y)
  axes = {f"joint_{i}": [-1.0, 0.0, 0.0]}
  if p.cables == 3:
    axes[f"joint_{i}:across"] = [0.0, 1.0, 0.0]
  for name, axis in axes.items():
    body.add_joint(
      name=name,
      type=mujoco.mjtJoint.mjJNT_HINGE,
      axis=axis,
      stiffness=stiffness,
      damping=damping,
      limited=mujoco.mjtLimited.mjLIMITED_TRUE,
      range=[-np.rad2deg(p.range), np.rad2deg(p.range)],
    )


def _add_site(body, name: str, pos, size: float) -> None:
  studio.add_site(body, name, pos, 0.0008 * size)
