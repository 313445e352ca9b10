"""Kinds: one mechanism three times over, with cables, with native tendons, with none.

A native tendon has no friction, no slack and no two wraps without a site between: where a route has
them, a site is put on the second surface, at the side where the cable runs.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise

import mujoco
import numpy as np

import mujocable as mjc

KINDS = ("none", "native", "cable")
Mechanism = Callable[[], tuple[mujoco.MjSpec, Iterable[mjc.Cable]]]
Ready = tuple[mujoco.MjModel, mujoco.MjData]


def split(spec: mujoco.MjSpec) -> tuple[mujoco.MjSpec, list[mjc.Cable]]:
  """A model of the package as a mechanism and its cables."""
  cables = list(mjc.read_cables(spec).values())
  for cable in cables:
    mjc.remove_cable(spec, cable.name)
  return spec, cables


def builder(make: Mechanism, ctrl=()) -> Callable[[str], Ready]:
  """A function of the kind that returns a model and data, commanded and ready to step."""

  def spec_of(kind: str) -> tuple[mujoco.MjSpec, Iterable[float]]:
    spec, cables = make()
    if kind == "cable":
      for cable in cables:
        mjc.add_cable(spec, cable)
    elif kind == "native":
      stretched = _stretches(*build("cable"))
      for cable in cables:
        add_route(spec, cable)
      lengths = spec.compile().tendon_length0  # surfaces have no cable radius there
      for cable, length in zip(cables, lengths, strict=True):
        _add_law(spec, cable, length - stretched[cable.name])
    return spec, ctrl

  build = built(spec_of)
  return build


def built(spec_of: Callable[[str], tuple[mujoco.MjSpec, Iterable[float] | float]]):
  """What `builder` returns, from a function of the kind that makes the spec and the controls."""

  def build(kind: str) -> Ready:
    if kind not in KINDS:
      raise ValueError(f"kind must be one of {KINDS}, got {kind!r}")
    spec, controls = spec_of(kind)
    model = spec.compile()
    data = mujoco.MjData(model)
    if model.nu:
      data.ctrl[:] = controls
    return model, data

  build.spec = spec_of  # the same, not compiled
  return build


def _stretches(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
  data.ctrl[:] = 0.0
  mujoco.mj_forward(model, data)
  return {name: view.stretch for name, view in mjc.bind(model, data).items()}


def add_route(spec: mujoco.MjSpec, cable: mjc.Cable) -> None:
  """A native tendon along the route of a cable, under its name."""
  tendon = spec.add_tendon(name=cable.name)
  for number, (element, following) in enumerate(pairwise([*cable.route, None])):
    if not isinstance(element, mjc.Wrap):
      tendon.wrap_site(element.site)
      continue
    side = element.side
    if not isinstance(side, str):
      side = _site_on(spec, element, f"{cable.name}:side_{number}", above=False)
    tendon.wrap_geom(element.geom, side)
    if isinstance(following, mjc.Wrap):
      tendon.wrap_site(_site_on(spec, following, f"{cable.name}:between_{number}", above=True))


def _add_law(spec: mujoco.MjSpec, cable: mjc.Cable, home: float) -> None:
  tendon, stiffness = spec.tendon(cable.name), cable.axial.stiffness or 0.0
  if cable.take_up is None:
    tendon.stiffness, tendon.damping = [stiffness, 0, 0], [cable.axial.damping, 0, 0]
    tendon.springlength = [0.0, home]
  else:
    _add_motor(spec, cable, stiffness, home)


def _site_on(spec: mujoco.MjSpec, wrap: mjc.Wrap, name: str, above: bool) -> str:
  """A site where the side of a wrap is: at that very point, or just above the surface there."""
  geom = spec.geom(wrap.geom)
  if wrap.side is None or isinstance(wrap.side, str):
    raise ValueError(f"wrap {wrap.geom!r}: the side must be a point to put a site there")
  point = np.asarray(wrap.side, float)
  if above:
    point *= 1.02 * geom.size[0] / np.linalg.norm(point)
  turned = np.zeros(3)
  mujoco.mju_rotVecQuat(turned, point, np.asarray(geom.quat, float))
  geom.parent.add_site(name=name, pos=np.asarray(geom.pos) + turned)
  return name


def _add_motor(spec: mujoco.MjSpec, cable: mjc.Cable, stiffness: float, home: float) -> None:
  # with gear -1 its length is -L: T = k (L - home + gain u) + d dL/dt, or T = u
  tension = isinstance(cable.take_up, mjc.TensionCommand)
  gain = getattr(cable.take_up, "radius", 1.0)
  motor = spec.add_actuator(
    name=cable.name,
    trntype=mujoco.mjtTrn.mjTRN_TENDON,
    target=cable.name,
    gear=[-1, 0, 0, 0, 0, 0],
    gainprm=[1.0 if tension else stiffness * gain] + [0] * 9,
  )
  if not tension:
    motor.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    motor.biasprm = [-stiffness * home, -stiffness, -cable.axial.damping] + [0] * 7
  lag = getattr(cable.take_up, "lag", 0.0)
  if lag:
    motor.dyntype = mujoco.mjtDyn.mjDYN_FILTEREXACT
    motor.dynprm = [lag] + [0] * 9
  if np.isfinite(cable.axial.max_tension):
    motor.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
    motor.forcerange = [0.0, cable.axial.max_tension]
