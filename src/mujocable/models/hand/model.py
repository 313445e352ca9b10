"""Hand: its digits, their rolling joints, ten cables. Fingers up along z, the palm faces +y."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.models import studio
from mujocable.models.hand import scenery
from mujocable.models.rolling import add_rolling
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Axial
from mujocable.spec.route import Anchor, Eyelet, Wrap
from mujocable.spec.takeup import LengthCommand
from mujocable.spec.write import add_cable

JOINTS = ("mcp", "pip", "dip")
PHALANGES = ("proximal", "middle", "distal")

Three = tuple[float, float, float]


@dataclass(frozen=True)
class Digit:
  """A finger or a thumb: where it stands on the palm, its phalanges, the condyles between them."""

  name: str
  at: Three  # center of the palm's condyle, in the palm's frame [m]
  along: Three = (0.0, 0.0, 1.0)  # toward the tip
  toward: Three = (0.0, 1.0, 0.0)  # where it bends to
  lengths: Three = (0.043, 0.026, 0.018)  # of the phalanges, from center to center [m]
  radii: Three = (0.0080, 0.0065, 0.0050)  # of the condyles of each joint [m]

  @property
  def flexor(self) -> str:
    """Name of the cable that closes."""
    return f"{self.name}_flexor"

  @property
  def extensor(self) -> str:
    """Name of the cable that opens."""
    return f"{self.name}_extensor"

  def joint(self, index: int) -> str:
    """Name of a rolling joint: its hinges are NAME:1 and NAME:2."""
    return f"{self.name}_{JOINTS[index]}"


FINGERS = (
  Digit("index", (0.030, 0.0, 0.088)),
  Digit("middle", (0.010, 0.0, 0.092), lengths=(0.047, 0.030, 0.019)),
  Digit("ring", (-0.010, 0.0, 0.088), lengths=(0.043, 0.028, 0.019)),
  Digit(
    "little",
    (-0.030, 0.0, 0.080),
    lengths=(0.034, 0.020, 0.016),
    radii=(0.0070, 0.0055, 0.0045),
  ),
)
THUMB = Digit(
  "thumb",
  (0.042, 0.010, 0.030),
  along=(0.62, 0.44, 0.65),
  toward=(-0.72, 0.60, 0.30),
  lengths=(0.040, 0.030, 0.020),
  radii=(0.0090, 0.0070, 0.0060),
)


@dataclass(frozen=True)
class Hand:
  """Parameters; of every digit from the palm (mcp, pip, dip). See README."""

  digits: Sequence[Digit] = (THUMB, *FINGERS)
  # joints
  stop: float = pi / 2  # of every joint [rad]
  stiffness: Three = (0.060, 0.045, 0.030)  # [N m/rad]
  damping: Three = (0.0030, 0.0015, 0.0008)  # [N m s/rad]
  armature: float = 1e-6  # of every hinge [kg m^2]
  density: float = 1200.0  # of palm and phalanges [kg/m^3]
  gravity: float = 9.81  # [m/s^2], along -z
  # cables
  offset: float = 1.2  # of the flexor's guides, in radii of the condyle
  guide: float = 1.0  # how far before and behind the condyle's center they are, in its radii
  cable_radius: float = 4e-4  # [m]
  cable_stiffness: float = 5000.0  # [N/m]
  cable_damping: float = 2.0  # [N s/m]
  friction: float = 0.05  # at every guide and condyle
  max_tension: float = 60.0  # [N]
  slack: float = 2e-4  # of every cable at home [m]
  lag: float = 0.02  # of the motors [s]
  # simulation
  timestep: float = 5e-4  # [s]
  names: tuple[str, ...] = field(init=False)  # of the cables, as in ctrl

  def __post_init__(self):
    object.__setattr__(self, "digits", tuple(self.digits))
    names = [digit.name for digit in self.digits]
    if not names or len(set(names)) < len(names):
      raise BadValue(f"Hand: digits must be one or more, each with its own name, got {names}")
    cables = [name for digit in self.digits for name in (digit.flexor, digit.extensor)]
    object.__setattr__(self, "names", tuple(cables))

  def shortening(self, digit: Digit, angles: Sequence[float]) -> float:
    """What the flexor's path loses when the joints stand at `angles` [rad]: in closed form [m]."""
    total = 0.0
    for radius, angle in zip(digit.radii, angles, strict=True):
      # both guides seen from the contact point, along the common tangent and across it
      offset, guide = self.offset * radius, self.guide * radius
      half, reach = angle / 2, radius + guide
      # the guide before it, mirrored in the common tangent, is the guide behind it
      total += 2 * reach - 2 * abs(radius + guide * cos(half) - offset * sin(half))
    return total

  def lengthening(self, digit: Digit, angles: Sequence[float]) -> float:
    """What the extensor's path gains: it rolls off both condyles by half of every angle [m]."""
    radii = np.add(digit.radii, self.cable_radius)
    return float(radii @ np.asarray(angles))


def build(params: Hand | None = None) -> mujoco.MjSpec:
  """The open hand."""
  p = params or Hand()
  spec = studio.empty("hand", p.timestep, p.gravity)
  scenery.add_surroundings(spec)
  palm = spec.worldbody.add_body(name="palm")
  scenery.add_palm(palm, p.density)
  for digit in p.digits:
    bodies = _add_digit(spec, palm, p, digit)
    add_cable(spec, _flexor(bodies, p, digit))
    add_cable(spec, _extensor(bodies, p, digit))
  return spec


def command(params: Hand, closure: float | Sequence[float]) -> np.ndarray:
  """Controls for a closure of the hand, or of every digit: 0 open, 1 closed. Flexors take in what
  the closed pose needs, extensors pay it out; the springs share it among the joints."""
  closures = np.broadcast_to(np.asarray(closure, float), len(params.digits))
  controls = []
  for digit, part in zip(params.digits, closures, strict=True):
    angles = [part * params.stop] * 3
    taken, paid = params.shortening(digit, angles), params.lengthening(digit, angles)
    controls += [taken, -paid]
  return np.array(controls)


def _add_digit(spec: mujoco.MjSpec, palm, p: Hand, digit: Digit) -> list:
  # frame of the digit: z along it, y where it bends to
  z = np.array(digit.along) / np.linalg.norm(digit.along)
  x = np.cross(digit.toward, z)
  x /= np.linalg.norm(x)
  quat = np.zeros(4)
  mujoco.mju_mat2Quat(quat, np.column_stack([x, np.cross(z, x), z]).ravel())
  bodies = [palm.add_body(name=f"{digit.name}_base", pos=digit.at, quat=quat)]
  scenery.add_base(bodies[0], digit, p.density)
  for i, (phalanx, radius) in enumerate(zip(PHALANGES, digit.radii, strict=True)):
    body = add_rolling(
      spec,
      bodies[-1],
      digit.joint(i),
      f"{digit.name}_{phalanx}",
      digit.lengths[i - 1] if i else 0.0,
      (radius, radius),
      range=(0.0, p.stop),
      stiffness=p.stiffness[i],
      damping=p.damping[i],
      armature=p.armature,
      link_mass=2e-4,
    )
    scenery.add_phalanx(body, digit, i, p.density)
    bodies.append(body)
  tip = [0.0, 0.0, digit.lengths[-1] + digit.radii[-1]]
  studio.add_site(bodies[-1], f"{digit.name}_tip", tip, 0.0008)
  return bodies


def _flexor(bodies: list, p: Hand, digit: Digit) -> Cable:
  """Through a guide before and a guide behind every joint, on the palmar side."""
  name = digit.flexor
  ends = (0.0, *digit.lengths)  # of each body, above its own frame
  first, last = (p.offset * radius for radius in (digit.radii[0], digit.radii[-1]))
  route: list = [Anchor(_site(bodies[0], f"{name}:source", first, -0.025))]
  for i, radius in enumerate(digit.radii):
    offset, guide = p.offset * radius, p.guide * radius
    before = _site(bodies[i], f"{name}:before_{JOINTS[i]}", offset, ends[i] - guide)
    behind = _site(bodies[i + 1], f"{name}:behind_{JOINTS[i]}", offset, guide)
    route += [Eyelet(before), Eyelet(behind)]
  end = _site(bodies[-1], f"{name}:tip", last, digit.lengths[-1])
  return _cable(p, name, [*route, Anchor(end)])


def _extensor(bodies: list, p: Hand, digit: Digit) -> Cable:
  """Over both condyles of every joint, on the dorsal side."""
  name = digit.extensor
  first, last = (-(radius + p.cable_radius) for radius in (digit.radii[0], digit.radii[-1]))
  route: list = [Anchor(_site(bodies[0], f"{name}:source", first, -0.025))]
  for i, radius in enumerate(digit.radii):
    side = (0.0, -2 * radius, 0.0)
    for body, condyle in ((bodies[i], "head"), (bodies[i + 1], "base")):
      geom = f"{digit.joint(i)}:{condyle}"
      at = (0.0, *digit.lengths)[i] if condyle == "head" else 0.0
      scenery.add_condyle(body, geom, at, radius)
      route.append(Wrap(geom, side=side))
  end = _site(bodies[-1], f"{name}:tip", last, 0.8 * digit.lengths[-1])
  return _cable(p, name, [*route, Anchor(end)])


def _cable(p: Hand, name: str, route: list) -> Cable:
  return Cable(
    name=name,
    route=route,
    axial=Axial(
      stiffness=p.cable_stiffness,
      damping=p.cable_damping,
      max_tension=p.max_tension,
      pretension_offset=-p.slack,
    ),
    friction=p.friction,
    radius=p.cable_radius,
    take_up=LengthCommand(range=(-0.08, 0.08), lag=p.lag),
  )


def _site(body, name: str, y: float, z: float) -> str:
  return studio.add_site(body, name, [0.0, y, z], 0.0006)
