"""Resolve: every name a cable uses, found in an MjSpec. All checks before anything is written."""

from collections.abc import Iterable

import mujoco

from mujocable.errors import BadRoute, RepeatedName, UnknownName, listing, suggestion
from mujocable.spec.cable import Cable
from mujocable.spec.route import Ring, Wrap, check_order, label
from mujocable.spec.takeup import SpoolJoint, TendonDrive

PLUGIN = "mujocable.cable"

# geom types that a Wrap may stand on
SURFACES = {
  mujoco.mjtGeom.mjGEOM_CYLINDER: "cylinder",
  mujoco.mjtGeom.mjGEOM_SPHERE: "sphere",
  mujoco.mjtGeom.mjGEOM_ELLIPSOID: "ellipsoid",
  mujoco.mjtGeom.mjGEOM_CAPSULE: "capsule",
  mujoco.mjtGeom.mjGEOM_BOX: "box",
  mujoco.mjtGeom.mjGEOM_MESH: "mesh",
}
# those with a groove that can hold a cable
_GROOVED = (mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_SPHERE)
_SPOOL_JOINTS = {
  mujoco.mjtJoint.mjJNT_HINGE: "hinge",
  mujoco.mjtJoint.mjJNT_SLIDE: "slide",
}


def instances(spec: mujoco.MjSpec) -> dict:
  """The plugin instances that are cables, by name."""
  return {p.name: p for p in spec.plugins if p.plugin_name == PLUGIN and p.name}


def resolve(spec: mujoco.MjSpec, cable: Cable) -> list[mujoco.MjsBody]:
  """Checks a cable against a model; returns the body of every route element, in route order."""
  _check_name(spec, cable)
  check_order(cable.name, cable.route)
  sites, geoms = _named(spec.sites), _named(spec.geoms)
  bodies = []
  for index, element in enumerate(cable.route):
    where = f"cable {cable.name!r}: {label(index, element)}"
    if isinstance(element, Wrap):
      geom = _find(where, "geom", element.geom, geoms, {"site": sites})
      _check_type(where, geom.type, SURFACES, "geom")
      _check_wrap(where, geom, element, cable.radius)
      bodies.append(geom.parent)
    else:
      bodies.append(_find(where, "site", element.site, sites, {"geom": geoms}).parent)
    if isinstance(element, Ring) and element.tube + cable.radius >= element.radius:
      raise BadRoute(
        f"{where}: no hole is left: tube {element.tube:g} and cable radius {cable.radius:g}"
        f" together must be smaller than the ring radius {element.radius:g}"
      )
    if isinstance(element, Wrap | Ring) and isinstance(element.side, str):
      _find(f"{where} side {element.side!r}", "site", element.side, sites, {"geom": geoms})
  if isinstance(cable.take_up, SpoolJoint):
    _check_spool(spec, cable, cable.take_up, bodies)
  if isinstance(cable.take_up, TendonDrive):
    where = f"cable {cable.name!r}: take_up tendon {cable.take_up.tendon!r}"
    _find(where, "tendon", cable.take_up.tendon, _named(spec.tendons), {})
  return bodies


def _named(elements: Iterable) -> dict:
  return {element.name: element for element in elements if element.name}


def _find(where: str, kind: str, name: str, known: dict, others: dict[str, dict]):
  if name in known:
    return known[name]
  wrong = "".join(f" (a {other} has this name)" for other, names in others.items() if name in names)
  hint = suggestion(name, known)
  raise UnknownName(
    f"{where} is not a {kind} of this model{wrong}; {listing(kind + 's', known)}{hint}"
  )


def _check_name(spec: mujoco.MjSpec, cable: Cable) -> None:
  # add_cable writes one element of each of these kinds
  name = cable.name
  written = {
    "a cable": instances(spec),
    "a plugin instance": _named(spec.plugins),
    "a sensor": _named(spec.sensors),
    "a tuple": _named(spec.tuples),
  }
  # a cable that shares its name with the tendon it carries is no mistake
  if not isinstance(cable.take_up, TendonDrive):
    written |= {"an actuator": _named(spec.actuators), "a tendon": _named(spec.tendons)}
  for kind, names in written.items():
    if name in names:
      raise RepeatedName(f"cable {name!r}: {kind} of this model already has this name")


def _check_type(where: str, found, accepted: dict, kind: str) -> None:
  if found not in accepted:
    name, words = found.name.partition("_")[2].lower(), ", ".join(accepted.values())
    raise UnknownName(f"{where} is a {kind} of type {name}; accepted types: {words}")


def _check_wrap(where: str, geom: mujoco.MjsGeom, wrap: Wrap, cable_radius: float) -> None:
  box = geom.type == mujoco.mjtGeom.mjGEOM_BOX
  if wrap.permanent and geom.type not in _GROOVED:
    raise BadRoute(f"{where}: permanent holds a cable in the groove of a cylinder or sphere only")
  if wrap.turns and geom.type != mujoco.mjtGeom.mjGEOM_CYLINDER:
    raise BadRoute(f"{where}: turns are wound around a cylinder only")
  edged = box or geom.type == mujoco.mjtGeom.mjGEOM_MESH
  if wrap.rounding is not None and not edged:
    raise BadRoute(f"{where}: rounding is for the edges of a box or mesh")
  if box and wrap.rounding is None and not cable_radius > 0:
    raise BadRoute(
      f"{where}: a cable cannot bend around the sharp edges of a box;"
      " give the Wrap a rounding [m] or the Cable a radius [m]"
    )


def _check_spool(spec, cable: Cable, spool: SpoolJoint, bodies: list[mujoco.MjsBody]) -> None:
  where = f"cable {cable.name!r}: take_up joint {spool.joint!r}"
  joint = _find(where, "joint", spool.joint, _named(spec.joints), {})
  _check_type(where, joint.type, _SPOOL_JOINTS, "joint")
  # a drum with the end of the cable on it already winds through the route
  for end, neighbour in ((0, 1), (-1, -2)):
    drum = cable.route[neighbour]
    on_drum = all(_moves_with(bodies[index], joint.parent) for index in (end, neighbour))
    if isinstance(drum, Wrap) and on_drum:
      anchor = label(end % len(bodies), cable.route[end])
      raise BadRoute(
        f"{where} turns wrap {drum.geom!r}, which also holds {anchor}:"
        " the drum would be counted twice, once by its windings and once by the take-up;"
        " drop the take-up, or drop the wrap and anchor the cable to a body that does not turn"
      )


def _moves_with(body: mujoco.MjsBody, carrier: mujoco.MjsBody) -> bool:
  # whether no joint lies between a body and the carrier above it
  while body is not carrier:
    if body.parent is None or body.joints:
      return False
    body = body.parent
  return True
