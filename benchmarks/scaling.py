"""Scaling: how the cost grows with guides, with cables, and with hundreds of tendons."""

import mujoco
import numpy as np

import mujocable as mjc
from benchmarks.kinds import add_route, builder, built

_OFF = dict(contype=0, conaffinity=0)


def guides(count: int):
  """One cable through `count` guides on an arm of eight hinges."""

  def make():
    spec, bodies = _arm()
    return spec, [_cable(bodies, "cable", count, 0.01)]

  return builder(make, [1.0])


def cables(count: int):
  """`count` cables of eight guides on one arm of eight hinges."""

  def make():
    spec, bodies = _arm()
    places = 0.01 * (1 + np.arange(count) / count) * (-1.0) ** np.arange(count)
    return spec, [_cable(bodies, f"cable_{i}", 8, y) for i, y in enumerate(places)]

  return builder(make, np.full(count, 1.0 / count))


def limbs(count: int, friction: float = 0.0):
  """Many tendons: limbs of two hinges, each with ten tendons, two of these over a knee."""
  law = mjc.Axial(stiffness=500.0, damping=0.5, pretension=10.0)

  def make():
    spec, routes = _limbs(count)
    return spec, [mjc.Cable(n, route, law, friction=friction) for n, route in routes.items()]

  return builder(make)


def muscles(count: int, friction: float):
  """The same with a muscle on each tendon; cables carry what those pull with."""

  def spec_of(kind: str):
    spec, routes = _limbs(count)
    if kind == "none":
      return spec, 0.0
    for name, route in routes.items():
      add_route(spec, mjc.Cable(name, route, mjc.Axial(stiffness=1.0)))
      muscle = spec.add_actuator(name=name, trntype=mujoco.mjtTrn.mjTRN_TENDON, target=name)
      muscle.set_to_muscle(tausmooth=0.0, force=20.0)
      muscle.lengthrange = [0.05, 0.25]
      if kind == "cable":
        mjc.add_cable(
          spec, mjc.Cable(name, route, friction=friction, take_up=mjc.TendonDrive(name))
        )
    return spec, 0.3

  return built(spec_of)


def _limbs(count: int, tendons: int = 10) -> tuple[mujoco.MjSpec, dict[str, list]]:
  spec, routes = _quiet(), {}
  for i in range(count):
    base = spec.worldbody.add_body(pos=[0.2 * (i % 10), 0.2 * (i // 10), 0])
    # springs bend the limbs to either side, so that they move and half of the knees are touched
    thigh = _link(base, 0.0, 12.0 * (-1) ** i)
    shank = _link(thigh, 0.1, 24.0 * (-1) ** i)
    cylinder, across = mujoco.mjtGeom.mjGEOM_CYLINDER, [0.5**0.5, 0, 0.5**0.5, 0]
    knee = thigh.add_geom(name=f"knee_{i}", type=cylinder, quat=across, mass=0, **_OFF)
    knee.size, knee.pos = [0.015, 0.05, 0], [0, 0, 0.1]
    thigh.add_site(name=f"front_{i}", pos=[0, 0.04, 0.1])
    for k in range(tendons):
      name, x, y = f"tendon_{i}_{k}", 0.004 * (k - tendons / 2), 0.018 * (-1) ** k
      sites = [f"{name}:{j}" for j in range(4)]
      places = zip(sites, (base, thigh, thigh, shank), (-0.02, 0.02, 0.06, 0.06), strict=True)
      for site, body, z in places:
        body.add_site(name=site, pos=[x, y, z])
      wrap = [mjc.Wrap(f"knee_{i}", side=f"front_{i}")] if k in (0, 2) else []
      guided = [mjc.Eyelet(sites[1]), mjc.Eyelet(sites[2]), *wrap]
      routes[name] = [mjc.Anchor(sites[0]), *guided, mjc.Anchor(sites[3])]
  return spec, routes


def _quiet() -> mujoco.MjSpec:
  spec = mujoco.MjSpec()
  spec.option.timestep = 0.0005
  spec.option.gravity = [0, 0, 0]
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  return spec


def _link(parent, z: float, rest: float = 0.0):  # rest [degree]
  body = parent.add_body(pos=[0, 0, z])
  body.add_joint(axis=[1, 0, 0], stiffness=2.0, damping=0.05, springref=rest)
  body.add_geom(size=[0.02, 0, 0], mass=0.2, **_OFF)
  return body


def _arm() -> tuple[mujoco.MjSpec, list]:
  spec = _quiet()
  bodies = [spec.worldbody]
  for _ in range(8):
    bodies.append(_link(bodies[-1], 0.05))
  return spec, bodies


def _cable(bodies: list, name: str, count: int, y: float) -> mjc.Cable:
  """Guides spread over the links, a little to and fro, so that each one turns the cable."""
  sites = []
  for i in range(count + 2):
    along = i * (len(bodies) - 1e-9) / (count + 2)
    sites.append(f"{name}:{i}")
    at = [0.001 * (i % 3), y + 0.002 * (i % 2), 0.05 * (along % 1)]
    bodies[int(along)].add_site(name=sites[-1], pos=at)
  first, *middle, last = sites
  return mjc.Cable(
    name=name,
    route=[mjc.Anchor(first), *map(mjc.Eyelet, middle), mjc.Anchor(last)],
    friction=0.1,
    take_up=mjc.TensionCommand(range=(0.0, 8.0)),
  )
