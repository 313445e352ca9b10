"""Rolling joint: two condyles that touch, crossed ligaments, flexor and extensor; its hinge twin.

The proximal bone is fixed, with its hinge at the origin: z along the finger, y toward the palm.
"""

from dataclasses import dataclass, field
from math import atan2, pi
from typing import Literal

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.models import studio
from mujocable.models.rolling import add_rolling
from mujocable.models.rolling_joint import scenery
from mujocable.models.rolling_joint.profile import Profile
from mujocable.models.rolling_joint.scenery import CONDYLES
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor, Ring, Wrap
from mujocable.spec.takeup import LengthCommand
from mujocable.spec.write import add_cable

FLEXOR, EXTENSOR = "flexor", "extensor"
LIGAMENTS = ("ligament_a", "ligament_b")
SERVO = "servo"

Bearing = Literal["contact", "hinges"]
Surface = Literal["smooth", "mesh"]
Point = tuple[float, float, float]  # across, palmar, along [m]; distal points from the origin too


@dataclass(frozen=True)
class Tendon:
  """A cable of the joint: its ends, and how it stretches."""

  start: Point  # on the proximal bone [m]
  end: Point  # on the distal bone of the straight joint, seen from the origin [m]
  stiffness: float  # [N/m]
  damping: float  # [N s/m]
  max_tension: float  # [N]
  transition: float  # [m]
  reserve: float = 0.0  # [m]
  pretension_offset: float = 0.0  # [m]


_DRIVEN = dict(stiffness=3000.0, damping=1.0, max_tension=12.0, transition=8e-5, reserve=1e-4)
_LIGAMENT = dict(
  stiffness=50.0, damping=0.02, max_tension=2.0, transition=1e-4, pretension_offset=5e-5
)


def _public(across: float, palmar: float, along: float) -> Point:
  """A point of the public model [mm]: its arcs are centered 0.07 mm palmar of its origin."""
  return across * 1e-3, (palmar - 0.07) * 1e-3, along * 1e-3


_FLEXOR = Tendon(_public(0.15, 12, -18), _public(0.64, 12, 30), **_DRIVEN)
_EXTENSOR = Tendon(_public(-0.11, -4.01, -11.74), _public(0.24, -4.01, 22.26), **_DRIVEN)
_LIGAMENT_A = Tendon(_public(-0.98, 10.44, -3.45), _public(-0.90, -3.89, 22.14), **_LIGAMENT)
_LIGAMENT_B = Tendon(_public(-1.59, -3.85, -11.90), _public(1.16, 7.43, 13.89), **_LIGAMENT)
_CENTER = _public(-0.51, 2.13, 24.0)
_RIB = _public(0.333, 10.069, -0.074)  # its top, where the flexor crosses it


@dataclass(frozen=True)
class RollingJoint:
  """Parameters; see README for what is known, inferred and chosen."""

  bearing: Bearing = "contact"  # condyles that touch, or the twin on two hinges
  surface: Surface = "smooth"  # what touches and carries cables: cylinders, or meshes of both arcs
  profile: Profile = field(default_factory=Profile)
  facet: float = 2 * pi / 180  # of the meshes [rad]
  # distal bone
  mass: float = 8e-3  # [kg]
  center: Point = _CENTER  # of mass, in the straight joint [m]
  inertia: Point = (8e-7, 8e-7, 3e-7)  # [kg m^2]
  damping: float = 0.05  # of all six freedoms [N s/m], [N m s/rad]
  # contact
  friction: float = 1.2
  skin: float = 2e-5  # at which the condyles begin to press [m]
  # cables
  flexor: Tendon = _FLEXOR
  extensor: Tendon = _EXTENSOR
  ligament_a: Tendon = _LIGAMENT_A
  ligament_b: Tendon = _LIGAMENT_B
  cable_radius: float = 2.5e-4  # [m]
  groove: float = 5e-5  # how far inside the arcs the ligaments' middle runs [m]
  rib: Point = _RIB  # its top, with the flexor's ring on it [m]
  ring_hole: float = 5e-4  # radius [m]
  ring_tube: float = 5e-4  # radius of its wire [m]
  cable_friction: float = 0.0
  stroke: float = 15e-3  # of both motors, each way [m]
  lag: float = 0.02  # [s]
  rate_limit: float = 0.03  # [m/s]
  # simulation
  timestep: float = 2e-4  # [s]

  def __post_init__(self):
    if self.bearing not in ("contact", "hinges"):
      raise BadValue(f"RollingJoint: bearing must be 'contact' or 'hinges', got {self.bearing!r}")
    if self.surface not in ("smooth", "mesh"):
      raise BadValue(f"RollingJoint: surface must be 'smooth' or 'mesh', got {self.surface!r}")
    if not 0 < self.facet < pi / 6:
      raise BadValue(f"RollingJoint: facet must be between 0 and 30 degrees, got {self.facet!r}")

  @property
  def ring_at(self) -> Point:
    """Center of the flexor's ring: its hole stands on the rib [m]."""
    x, y, z = self.rib
    return x, y + self.ring_hole, z

  @property
  def reach(self) -> float:
    """From the one hinge to the other [m]."""
    return 2 * self.profile.palmar


def build(params: RollingJoint | None = None) -> mujoco.MjSpec:
  """The straight joint."""
  p = params or RollingJoint()
  spec = studio.empty("rolling_joint", p.timestep, 0.0)
  scenery.add_surroundings(spec)
  proximal = spec.worldbody.add_body(name="proximal")
  scenery.add_proximal(spec, proximal, p)
  if p.bearing == "hinges":
    _add_twin(spec, proximal, p)
  else:
    _add_joint(spec, proximal, p)
  return spec


def flexion(data: mujoco.MjData, prefix: str = "") -> float:
  """How far the distal bone has turned toward the palm [rad]."""
  along = data.body(f"{prefix}distal").xmat.reshape(3, 3)[:, 2]
  base = data.body(f"{prefix}proximal").xmat.reshape(3, 3)
  _, palmar, forward = along @ base
  return atan2(palmar, forward)


def _add_joint(spec: mujoco.MjSpec, proximal, p: RollingJoint) -> None:
  # condyles that roll because they are pressed together and rub; the damping is so strong that only
  # an integrator that solves contacts and damping together lets them roll without creep
  if mujoco.mj_version() < 3016000:
    running = mujoco.mj_versionString()
    raise BadValue(f"rolling joint by contact: needs MuJoCo 3.16 or newer, this is {running}")
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE
  spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
  spec.option.impratio = 100.0
  distal = spec.worldbody.add_body(name="distal", pos=[0.0, 0.0, p.reach + p.skin])
  distal.add_joint(name="rolling", type=mujoco.mjtJoint.mjJNT_FREE, damping=p.damping)
  scenery.add_distal(spec, distal, p)
  _weigh(distal, p)
  scenery.add_contact(spec, (proximal, distal), p)
  for body in (proximal, distal):
    for sign in (1, -1):
      at = [0.0, 2 * sign * p.profile.palmar, 0.0]
      studio.add_site(body, _side(body, sign), at, 4e-4)
  add_cable(spec, _flexor(proximal, distal, p))
  add_cable(spec, _extensor(proximal, distal, p))
  for name, over in zip(LIGAMENTS, (1, -1), strict=True):
    add_cable(spec, _crossed(spec, proximal, distal, p, name, over))


def _add_twin(spec: mujoco.MjSpec, proximal, p: RollingJoint) -> None:
  # the same bones on a hinge at each center, driven by a servo on the second
  distal = add_rolling(
    spec,
    proximal,
    "rolling",
    "distal",
    0.0,
    (p.profile.palmar, p.profile.palmar),
    range=(0.0, 1.92),
    damping=p.damping / 2,
    armature=1e-3,
    frictionloss=1e-3,
  )
  scenery.add_distal(spec, distal, p)
  _weigh(distal, p)
  servo = spec.add_actuator(name=SERVO, target="rolling:2", trntype=mujoco.mjtTrn.mjTRN_JOINT)
  servo.set_to_position(kp=4.0, kv=0.08)
  servo.forcelimited, servo.forcerange = mujoco.mjtLimited.mjLIMITED_TRUE, [-1.0, 1.0]
  servo.ctrllimited, servo.ctrlrange = mujoco.mjtLimited.mjLIMITED_TRUE, [0.0, 0.96]


def _weigh(distal, p: RollingJoint) -> None:
  distal.explicitinertial, distal.mass, distal.inertia = True, p.mass, p.inertia
  distal.ipos = np.subtract(p.center, [0.0, 0.0, p.reach])


def _flexor(proximal, distal, p: RollingJoint) -> Cable:
  """Through a ring on the rib: nothing else holds a cable on the inner side of a bend."""
  studio.add_site(proximal, "flexor:ring", p.ring_at, 4e-4)
  scenery.add_ring(proximal, p)
  ring = Ring("flexor:ring", p.ring_hole + p.ring_tube, p.ring_tube, side=(0.0, p.ring_hole, 0.0))
  return _cable(proximal, distal, p, FLEXOR, p.flexor, [ring], driven=True)


def _extensor(proximal, distal, p: RollingJoint) -> Cable:
  """Over the dorsal arcs of both condyles."""
  center, wraps = p.profile.dorsal_center, []
  for body, where, at in zip((proximal, distal), CONDYLES, (center, -center), strict=True):
    geom = f"{where}:condyle"
    if p.surface == "smooth":
      geom = f"{where}:dorsal"
      scenery.add_track(body, geom, at, p.profile.dorsal, 1e-3)
    wraps.append(Wrap(geom, side=_side(body, -1)))
  return _cable(proximal, distal, p, EXTENSOR, p.extensor, wraps, driven=True)


def _crossed(spec, proximal, distal, p: RollingJoint, name: str, over: int) -> Cable:
  """From the one side of the proximal condyle through the touching point to the other side of the
  distal one: as long in every pose, so that it can stay tight."""
  depth, wraps = p.groove + p.cable_radius, []
  for body, where, sign in zip((proximal, distal), CONDYLES, (over, -over), strict=True):
    geom = f"{where}:{name}"
    if p.surface == "smooth":
      scenery.add_track(body, geom, 0.0, p.profile.palmar - depth, 2e-3)
    else:
      scenery.add_groove(spec, body, geom, p, depth)
    wraps.append(Wrap(geom, side=_side(body, sign)))
  return _cable(proximal, distal, p, name, getattr(p, name), wraps, driven=False)


def _side(body, sign: int) -> str:
  """A site well to the palmar (1) or dorsal (-1) side of a condyle."""
  return f"{body.name}:{'palmar' if sign > 0 else 'dorsal'}_side"


def _cable(proximal, distal, p: RollingJoint, name: str, tendon: Tendon, between, driven) -> Cable:
  start = studio.add_site(proximal, f"{name}:start", tendon.start, 4e-4)
  at = np.subtract(tendon.end, [0.0, 0.0, p.reach])
  end = studio.add_site(distal, f"{name}:end", at, 4e-4)
  stroke = LengthCommand((-p.stroke, p.stroke), lag=p.lag, rate_limit=p.rate_limit)
  return Cable(
    name=name,
    route=[Anchor(start), *between, Anchor(end)],
    axial=Axial(
      stiffness=tendon.stiffness,
      damping=tendon.damping,
      max_tension=tendon.max_tension,
      transition=tendon.transition,
      reserve=tendon.reserve,
      pretension_offset=tendon.pretension_offset,
    ),
    friction=p.cable_friction,
    radius=p.cable_radius,
    take_up=stroke if driven else None,
  )
