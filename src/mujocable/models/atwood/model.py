"""Atwood: its parameters, its bodies, its cable. Seen from -y: x to the right, z up."""

from dataclasses import dataclass

import mujoco

from mujocable.models import studio
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor, Wrap
from mujocable.spec.write import add_cable

CABLE, CAMERA = "rope", "front"
GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True)
class Atwood:
  """Parameters; defaults are chosen to fit the landing of the paper's machine (README)."""

  left: float = 0.17  # weights [kg]
  right: float = 0.25
  radius: float = 0.05  # of the sheave, up to the middle of the rope [m]
  rope_radius: float = 0.001  # [m]
  sheave_mass: float = 0.18  # of a disc [kg]
  bearing_damping: float = 0.0  # [N m s/rad]
  drop: float = 0.112  # of the right weight onto the floor [m]
  hang: float = 0.25  # from the sheave's axis to the weights [m]
  stiffness: float = 15000.0  # kappa [N/m]
  damping: float = 20.0  # d [N s/m]
  transition: float = 1e-5  # a [m]
  friction: float = 0.15  # on the sheave
  floor: bool = True
  timestep: float = 1e-4  # [s]

  @property
  def acceleration(self) -> float:
    """Of the weights while the sheave turns with the cable [m/s^2]: the rigid closed form."""
    total = self.left + self.right + self.sheave_mass / 2
    return (self.right - self.left) * GRAVITY / total

  @property
  def tension(self) -> float:
    """Of the lighter side while falling [N]; the cable starts with it."""
    return self.left * (GRAVITY + self.acceleration)


def build(params: Atwood | None = None) -> mujoco.MjSpec:
  """Both weights at the same height, about to fall."""
  p = params or Atwood()
  spec = studio.empty("atwood", p.timestep, GRAVITY)
  top = p.hang + p.drop + 0.03
  _add_surroundings(spec, p, top)
  world = spec.worldbody
  studio.add_site(world, "over", [0.0, 0.0, top + 2 * p.radius], 0.003)
  sheave = world.add_body(name="sheave", pos=[0.0, 0.0, top])
  disc = p.sheave_mass * p.radius**2 / 2
  sheave.explicitinertial, sheave.mass, sheave.ipos = True, p.sheave_mass, [0.0, 0.0, 0.0]
  sheave.inertia = [disc / 2, disc, disc / 2]
  sheave.add_joint(
    name="sheave",
    type=mujoco.mjtJoint.mjJNT_HINGE,
    axis=[0.0, 1.0, 0.0],  # positive while the right weight falls
    damping=p.bearing_damping,
  )
  groove: dict = dict(name="sheave", quat=studio.ALONG_Y, rgba=[0.55, 0.60, 0.66, 1.0])
  studio.add_part(sheave, "cylinder", [p.radius - p.rope_radius, 0.008], mass=0.0, **groove)
  for name, side, mass in (("left", -1, p.left), ("right", 1, p.right)):
    _add_weight(world, name, [side * p.radius, 0.0, top - p.hang], mass)
  cable = Cable(
    name=CABLE,
    route=[Anchor("left_hook"), Wrap("sheave", side="over"), Anchor("right_hook")],
    axial=Axial(
      stiffness=p.stiffness, damping=p.damping, transition=p.transition, pretension=p.tension
    ),
    friction=p.friction,
    radius=p.rope_radius,
  )
  add_cable(spec, cable)
  return spec


def _add_weight(world, name: str, pos, mass: float) -> None:
  body = world.add_body(name=name, pos=pos)
  body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0.0, 0.0, 1.0])
  body.add_geom(
    type=mujoco.mjtGeom.mjGEOM_BOX,
    size=[0.02, 0.02, 0.015],
    pos=[0.0, 0.0, -0.015],
    mass=mass,
    solref=[0.005, 1.0],
    rgba=[0.72, 0.53, 0.32, 1.0],
  )
  studio.add_site(body, f"{name}_hook", [0.0] * 3, 0.003)


def _add_surroundings(spec: mujoco.MjSpec, p: Atwood, top: float) -> None:
  studio.add_sky(spec, light=[0.4, -0.6, 1.0], toward=[-0.3, 0.5, -0.8])
  if p.floor:
    spec.worldbody.add_geom(
      name="floor",
      type=mujoco.mjtGeom.mjGEOM_PLANE,
      size=[0.5, 0.5, 0.05],
      rgba=[0.90, 0.91, 0.93, 1.0],
    )
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.0, -0.95, 0.5 * top], xyaxes=[1.0, 0.0, 0.0, 0.0, 0.0, 1.0], fovy=32.0
  )
