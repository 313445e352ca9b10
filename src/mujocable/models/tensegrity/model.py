"""Tensegrity: the twisted triangular prism, its struts and its cables."""

from dataclasses import dataclass
from math import inf, pi, sin, sqrt

import mujoco
import numpy as np

from mujocable.models import studio
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor
from mujocable.spec.takeup import LengthCommand
from mujocable.spec.write import add_cable

CAMERA = "front"
STRUTS = ("strut_0", "strut_1", "strut_2")
CABLES = tuple(f"{kind}_{i}" for kind in ("bottom", "top", "side") for i in range(3))

_TWIST = pi / 6  # of the top triangle: the only one that carries a prestress


@dataclass(frozen=True)
class Tensegrity:
  """Parameters. Illustrative numbers of a desk model; none is measured."""

  radius: float = 0.12  # of the circles around both triangles [m]
  height: float = 0.22  # between the triangles [m]
  clearance: float = 0.02  # of the lower triangle above the floor, at the start [m]
  strut_mass: float = 0.06  # [kg]
  strut_radius: float = 0.006  # [m]
  tension: float = 20.0  # of the side cables at the start [N]; the others follow from it
  stiffness: float = 2500.0  # of every cable [N/m]
  damping: float = 3.0  # [N s/m]
  max_tension: float = inf  # [N]
  stroke: float = 0.0  # of the side cables' motors [m]; 0: all cables are passive
  gravity: float = 9.81  # [m/s^2]
  timestep: float = 0.001  # [s]


def nodes(p: Tensegrity) -> tuple[np.ndarray, np.ndarray]:
  """Ends of the cables: lower and upper triangle, shape (3, 3) each [m]."""

  def triangle(twist: float, z: float) -> np.ndarray:
    angles = 2 * pi / 3 * np.arange(3) + twist
    return np.stack([p.radius * np.cos(angles), p.radius * np.sin(angles), np.full(3, z)], axis=1)

  low = p.clearance + p.strut_radius
  return triangle(0.0, low), triangle(_TWIST, low + p.height)


def pretensions(p: Tensegrity) -> dict[str, float]:
  """Tension of every cable [N] that balances the struts: force per length of a triangle's side is
  that of a side cable / (2 sin 60 deg)."""
  lower, upper = nodes(p)
  side = float(np.linalg.norm(upper[0] - lower[0]))
  edge = sqrt(3.0) * p.radius
  triangle = p.tension / side / (2 * sin(pi / 3)) * edge
  return {name: p.tension if name.startswith("side") else triangle for name in CABLES}


def build(params: Tensegrity | None = None) -> mujoco.MjSpec:
  """The prism above the floor, in balance with itself."""
  p = params or Tensegrity()
  spec = studio.empty("tensegrity", p.timestep, p.gravity)
  _add_surroundings(spec, p)
  lower, upper = nodes(p)
  for i, name in enumerate(STRUTS):
    _add_strut(spec.worldbody, p, name, i, lower[i], upper[(i + 1) % 3])
  tensions = pretensions(p)
  for name in CABLES:
    kind, i = name.split("_")
    one, two = int(i), (int(i) + 1) % 3
    ends = {
      "bottom": (f"low_{one}", f"low_{two}"),
      "top": (f"high_{one}", f"high_{two}"),
      "side": (f"low_{one}", f"high_{one}"),
    }[kind]
    moved = kind == "side" and p.stroke > 0
    cable = Cable(
      name=name,
      route=[Anchor(ends[0]), Anchor(ends[1])],
      axial=Axial(
        stiffness=p.stiffness,
        damping=p.damping,
        pretension=tensions[name],
        max_tension=p.max_tension,
      ),
      radius=0.0015,
      take_up=LengthCommand(range=(-p.stroke, p.stroke)) if moved else None,
    )
    add_cable(spec, cable)
  return spec


def _add_strut(world, p: Tensegrity, name: str, i: int, foot: np.ndarray, head: np.ndarray) -> None:
  center = (foot + head) / 2
  body = world.add_body(name=name, pos=center)
  body.add_freejoint(name=name)
  body.add_geom(
    type=mujoco.mjtGeom.mjGEOM_CAPSULE,
    fromto=[*(foot - center), *(head - center)],
    size=[p.strut_radius, 0.0, 0.0],
    mass=p.strut_mass,
    rgba=[0.72, 0.53, 0.32, 1.0],
  )
  for site, at in ((f"low_{i}", foot), (f"high_{(i + 1) % 3}", head)):
    studio.add_site(body, site, at - center, 0.004)


def _add_surroundings(spec: mujoco.MjSpec, p: Tensegrity) -> None:
  studio.add_sky(spec, light=[0.5, -0.5, 1.0], toward=[-0.4, 0.4, -0.8])
  spec.worldbody.add_geom(
    name="floor",
    type=mujoco.mjtGeom.mjGEOM_PLANE,
    size=[1.0, 1.0, 0.05],
    rgba=[0.90, 0.91, 0.93, 1.0],
  )
  middle = p.clearance + p.height / 2
  spec.worldbody.add_camera(
    name=CAMERA, pos=[0.0, -0.75, middle + 0.12], xyaxes=[1.0, 0.0, 0.0, 0.0, 0.16, 1.0], fovy=34.0
  )
