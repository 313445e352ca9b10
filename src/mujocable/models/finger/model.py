"""Finger: its parameters, its bodies, its six cables. Straight up along z; it flexes toward +y."""

from dataclasses import dataclass, replace
from math import inf, pi

import mujoco
import numpy as np

from mujocable.models import studio
from mujocable.models.finger import scenery
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial, Sliding
from mujocable.spec.route import Anchor, Eyelet, Wrap
from mujocable.spec.takeup import LengthCommand
from mujocable.spec.write import add_cable

JOINTS = ("mcp", "pip", "dip")
BODIES = ("palm", "proximal", "middle", "distal")
FLEXOR, EXTENSOR = "flexor", "extensor"
COUPLINGS = ("mcp_leads_pip", "pip_leads_mcp", "pip_leads_dip", "dip_leads_pip")

Three = tuple[float, float, float]


@dataclass(frozen=True)
class Finger:
  """Parameters: of joints (mcp, pip, dip) and phalanges (proximal, middle, distal); see README."""

  # bodies
  lengths: Three = (0.045, 0.028, 0.022)  # [m]
  masses: Three = (0.018, 0.009, 0.005)  # [kg]
  stop: float = 89.77 * pi / 180  # of every joint [rad]
  stiffness: Three = (3.485e-3, 2.788e-3, 2.091e-3)  # [N m/rad]
  damping: float = 2e-4  # [N m s/rad]
  # flexor and extensor
  offsets: Three = (0.010, 0.008, 0.006)  # of the flexor's guides; radius of the pulleys behind [m]
  guides: Three = (0.012, 0.010, 0.008)  # how far before and behind the joint a guide is [m]
  cable_stiffness: float = 2000.0  # [N/m]
  cable_damping: float = 0.5  # [N s/m]
  reserve: float = 5e-4  # of the extensor [m]
  max_tension: float = 0.395  # of the source [N]
  friction: float | Sliding = 0.0  # at every guide and pulley; a mode is of the flexor alone
  stroke: float = 0.06  # of the motor, each way [m]
  rate_limit: float = inf  # of the motor [m/s]
  # couplings
  couplings: bool = True
  coupling_offset: float = 0.004  # of their guides on the palmar side [m]
  coupling_guide: float = 0.006  # how far before and behind the joint these are [m]
  coupling_pulley: float = 0.0058  # their radius on the dorsal side [m]
  coupling_stiffness: float = 300.0  # [N/m]
  coupling_damping: float = 0.05  # [N s/m]
  coupling_slack: float = 7e-4  # loose at home [m]
  # simulation
  timestep: float = 5e-4  # [s]


def build(params: Finger | None = None) -> mujoco.MjSpec:
  """The straight finger on its palm."""
  p = params or Finger()
  spec = studio.empty("finger", p.timestep, 0.0)
  scenery.add_surroundings(spec, sum(p.lengths))
  bodies = _add_bodies(spec, p)
  add_cable(spec, _flexor(bodies, p))
  add_cable(spec, _extensor(bodies, p))
  if p.couplings:
    for first, x in ((0, 0.005), (1, 0.0035)):
      add_cable(spec, _coupling(bodies, p, first, lead=True, x=x))
      add_cable(spec, _coupling(bodies, p, first, lead=False, x=-x))
  return spec


def command(take_up: float) -> tuple[float, float]:
  """The one command of the motor [m]: the flexor takes in what the extensor pays out."""
  return take_up, -take_up


def _add_bodies(spec: mujoco.MjSpec, p: Finger) -> list:
  body = spec.worldbody.add_body(name=BODIES[0])
  scenery.add_palm(body)
  bodies = [body]
  for joint, name, below, length, mass, stiffness in zip(
    JOINTS, BODIES[1:], (0.0, *p.lengths), p.lengths, p.masses, p.stiffness, strict=False
  ):
    body = body.add_body(name=name, pos=[0.0, 0.0, below])
    body.add_joint(
      name=joint,
      type=mujoco.mjtJoint.mjJNT_HINGE,
      axis=[-1.0, 0.0, 0.0],
      stiffness=stiffness,
      damping=p.damping,
      limited=mujoco.mjtLimited.mjLIMITED_TRUE,
      range=[0.0, np.rad2deg(p.stop)],
      solref_limit=[0.005, 1.0],
      solimp_limit=[0.99, 0.999, 0.001, 0.5, 2.0],  # a stop of metal: it gives way by 0.02 deg
    )
    scenery.add_phalanx(body, name, length, mass)
    bodies.append(body)
  _site(bodies[-1], "tip", 0.0, 0.0, p.lengths[-1])
  return bodies


def _flexor(bodies: list, p: Finger) -> Cable:
  """Through a guide before and a guide behind every joint, on the palmar side."""
  ends = (0.0, *p.lengths)  # of each body, above its own frame
  route = [Anchor(_site(bodies[0], "flexor:source", 0, p.offsets[0], -0.020))]
  for i, (offset, guide) in enumerate(zip(p.offsets, p.guides, strict=True)):
    before = _site(bodies[i], f"flexor:before_{JOINTS[i]}", 0, offset, ends[i] - guide)
    behind = _site(bodies[i + 1], f"flexor:behind_{JOINTS[i]}", 0, offset, guide)
    route += [Eyelet(before), Eyelet(behind)]
  end = _site(bodies[-1], "flexor:tip", 0, p.offsets[-1], p.guides[-1] + 0.006)
  return Cable(
    name=FLEXOR,
    route=[*route, Anchor(end)],
    axial=Axial(stiffness=p.cable_stiffness, damping=p.cable_damping, max_tension=p.max_tension),
    friction=p.friction,
    radius=4e-4,
    take_up=LengthCommand(range=(-p.stroke, p.stroke), rate_limit=p.rate_limit),
  )


def _extensor(bodies: list, p: Finger) -> Cable:
  """Over a pulley at every joint, on the dorsal side."""
  route: list = [Anchor(_site(bodies[0], "extensor:source", 0, -p.offsets[0], -0.020))]
  ends = (0.0, *p.lengths)
  for i, radius in enumerate(p.offsets):
    at = [0.0, 0.0, ends[i]]
    scenery.add_pulley(bodies[i], f"{JOINTS[i]}_pulley", at, radius - 4e-4)
    route.append(Wrap(f"{JOINTS[i]}_pulley", side=(0.0, -2 * radius, 0.0)))
  end = _site(bodies[-1], "extensor:tip", 0, -p.offsets[-1], p.guides[-1])
  return Cable(
    name=EXTENSOR,
    route=[*route, Anchor(end)],
    axial=Axial(
      stiffness=p.cable_stiffness,
      damping=p.cable_damping,
      max_tension=p.max_tension,
      reserve=p.reserve,
    ),
    friction=_along_slip(p.friction),
    radius=4e-4,
    take_up=LengthCommand(range=(-p.stroke, p.stroke), rate_limit=p.rate_limit),
  )


def _coupling(bodies: list, p: Finger, first: int, lead: bool, x: float) -> Cable:
  """Dorsal at one of two neighboring joints, palmar at the other: taut when the former leads."""
  one, two = JOINTS[first], JOINTS[first + 1]
  name = f"{one}_leads_{two}" if lead else f"{two}_leads_{one}"
  base, link, end = bodies[first : first + 3]
  foot, length = (0.0, *p.lengths)[first], p.lengths[first]
  guide, palmar, dorsal = p.coupling_guide, p.coupling_offset, -p.coupling_pulley
  lower, upper = (dorsal, palmar) if lead else (palmar, dorsal)
  route: list = [Anchor(_site(base, f"{name}:start", x, lower, foot - guide))]
  if lead:
    scenery.add_pulley(base, f"{name}:pulley", [x, 0.0, foot], p.coupling_pulley - 4e-4, 0.0012)
    route.append(Wrap(f"{name}:pulley", side=(0.0, -0.02, 0.0)))
    route.append(Eyelet(_site(link, f"{name}:before", x, upper, length - guide)))
  else:
    route.append(Eyelet(_site(link, f"{name}:behind", x, lower, guide)))
    scenery.add_pulley(link, f"{name}:pulley", [x, 0.0, length], p.coupling_pulley - 4e-4, 0.0012)
    route.append(Wrap(f"{name}:pulley", side=(0.0, -0.02, 0.0)))
  route.append(Anchor(_site(end, f"{name}:end", x, upper, guide)))
  return Cable(
    name=name,
    route=route,
    axial=Axial(
      stiffness=p.coupling_stiffness,
      damping=p.coupling_damping,
      pretension_offset=-p.coupling_slack,
    ),
    friction=_along_slip(p.friction),
    radius=4e-4,
  )


def _along_slip(friction: float | Sliding) -> float | Sliding:
  return replace(friction, mode="velocity") if isinstance(friction, Sliding) else friction


def _site(body, name: str, x: float, y: float, z: float) -> str:
  return studio.add_site(body, name, [x, y, z], 0.0008)
