"""The same scene in other units of length, mass and time."""

import dataclasses

import numpy as np

import mujocable as mjc


@dataclasses.dataclass(frozen=True)
class Units:
  """Factors that numbers of the scene are multiplied by."""

  length: float = 1.0
  mass: float = 1.0
  time: float = 1.0

  @property
  def force(self):
    return self.mass * self.length / self.time**2


def convert(spec, units):
  """Rewrites bodies with stated inertia, joints, geoms, sites, meshes and options of a scene."""
  for body in spec.bodies[1:]:
    body.mass *= units.mass
    body.inertia = np.array(body.inertia) * units.mass * units.length**2
  for element in (*spec.bodies, *spec.geoms, *spec.sites, *spec.joints):
    element.pos = np.array(element.pos) * units.length
  for body in spec.bodies:
    body.ipos = np.array(body.ipos) * units.length
  for element in (*spec.geoms, *spec.sites):
    element.size = np.array(element.size) * units.length
  for mesh in spec.meshes:
    mesh.uservert = np.array(mesh.uservert) * units.length
  spec.option.gravity = np.array(spec.option.gravity) * units.length / units.time**2
  spec.option.timestep *= units.time


def converted(cable, units):
  """The cable in the same units."""
  force, length = units.force, units.length
  stiffness = force / length
  axial = _times(
    cable.axial, stiffness=stiffness, damping=stiffness * units.time, transition=length,
    max_tension=force, pretension=force
  )  # fmt: skip
  limits = _times(cable.limits, penetration=length)
  route = [
    _times(e, side=length, radius=length, tube=length, rounding=length)
    if isinstance(e, (mjc.Wrap, mjc.Ring))
    else e
    for e in cable.route
  ]
  take_up = cable.take_up
  if isinstance(take_up, mjc.TensionCommand):
    take_up = _times(take_up, range=force)
  elif isinstance(take_up, mjc.LengthCommand):
    take_up = _times(take_up, range=length, lag=units.time)
  elif isinstance(take_up, mjc.SpoolRate):
    take_up = _times(take_up, radius=length, range=1 / units.time)
  return dataclasses.replace(
    cable, axial=axial, limits=limits, route=route, take_up=take_up, radius=length * cable.radius
  )


def _times(record, **factors):
  # fields that are numbers, or tuples of them
  changes = {}
  for name, factor in factors.items():
    value = getattr(record, name, None)
    if isinstance(value, tuple):
      changes[name] = tuple(factor * x for x in value)
    elif isinstance(value, float):
      changes[name] = factor * value
  return dataclasses.replace(record, **changes)
