"""Resolve: every name a cable uses, found in an MjSpec. All checks before anything is written."""

import mujoco

from mujocable.errors import BadRoute, RepeatedName, UnknownName, listing, suggestion
from mujocable.spec.cable import Cable
from mujocable.spec.members import has
from mujocable.spec.route import Ring, Sheath, Wrap, check_order, label, target
from mujocable.spec.takeup import SpoolJoint, TendonDrive
from mujocable.spec.text import OPTIONS, given

# geom types that a Wrap may stand on
SURFACES = {
  mujoco.mjtGeom.mjGEOM_CYLINDER: "cylinder",
  mujoco.mjtGeom.mjGEOM_SPHERE: "sphere",
  mujoco.mjtGeom.mjGEOM_ELLIPSOID: "ellipsoid",
  mujoco.mjtGeom.mjGEOM_CAPSULE: "capsule",
  mujoco.mjtGeom.mjGEOM_BOX: "box",
  mujoco.mjtGeom.mjGEOM_MESH: "mesh",
}
_SPOOL_JOINTS = {
  mujoco.mjtJoint.mjJNT_HINGE: "hinge",
  mujoco.mjtJoint.mjJNT_SLIDE: "slide",
}


def resolve(spec: mujoco.MjSpec, cable: Cable) -> list[mujoco.MjsBody]:
  """Checks a cable against a model; returns the body of every route element, in route order.

  A sheath has two: that of its entry and that of its exit.
  """
  check_order(cable.name, cable.route)
  bodies = []
  for index, element in enumerate(cable.route):
    where = f"cable {cable.name!r}: {label(index, element)}"
    if isinstance(element, Wrap):
      geom = _find(spec, where, "geom", element.geom)
      _check_type(where, geom.type, SURFACES, "geom")
      _check_wrap(where, geom, element, cable.radius)
      bodies.append(geom.parent)
    else:
      bodies.append(_find(spec, where, "site", target(element)).parent)
    if isinstance(element, Sheath):
      exit_site = _find(spec, f"{where} exit {element.exit_site!r}", "site", element.exit_site)
      bodies.append(exit_site.parent)
    if isinstance(element, Ring) and element.tube + cable.radius >= element.radius:
      raise BadRoute(
        f"{where}: no hole is left: tube {element.tube:g} and cable radius {cable.radius:g}"
        f" together must be smaller than the ring radius {element.radius:g}"
      )
    if isinstance(element, Wrap | Ring) and isinstance(element.side, str):
      _find(spec, f"{where} side {element.side!r}", "site", element.side)
  if isinstance(cable.take_up, SpoolJoint):
    _check_spool(spec, cable, cable.take_up, bodies)
  if isinstance(cable.take_up, TendonDrive):
    where = f"cable {cable.name!r}: take_up tendon {cable.take_up.tendon!r}"
    _find(spec, where, "tendon", cable.take_up.tendon)
  return bodies


def _find(spec: mujoco.MjSpec, where: str, kind: str, name: str):
  # one look-up, not a list of all: a model may have thousands of sites
  found = getattr(spec, kind)(name)
  if found is not None:
    return found
  known = [element.name for element in getattr(spec, f"{kind}s") if element.name]
  other = {"site": "geom", "geom": "site"}.get(kind)
  wrong = f" (a {other} has this name)" if other and getattr(spec, other)(name) else ""
  hint = suggestion(name, known)
  raise UnknownName(
    f"{where} is not a {kind} of this model{wrong}; {listing(kind + 's', known)}{hint}"
  )


def check_name(spec: mujoco.MjSpec, cable: Cable) -> None:
  """Whether the name is free for one element of each kind that add_cable writes."""
  name = cable.name
  if has(spec, name):
    raise RepeatedName(f"cable {name!r}: a cable of this model already has this name")
  written = {
    "a plugin instance": spec.plugin(name),
    "a sensor": spec.sensor(name),
    "a tuple": spec.tuple(name),
  }
  # a cable that shares its name with the tendon it carries is no mistake
  if not isinstance(cable.take_up, TendonDrive):
    written |= {"an actuator": spec.actuator(name), "a tendon": spec.tendon(name)}
  for kind, element in written.items():
    if element is not None:
      raise RepeatedName(f"cable {name!r}: {kind} of this model already has this name")


def _check_type(where: str, found, accepted: dict, kind: str) -> None:
  if found not in accepted:
    name, words = found.name.partition("_")[2].lower(), ", ".join(accepted.values())
    raise UnknownName(f"{where} is a {kind} of type {name}; accepted types: {words}")


def _check_wrap(where: str, geom: mujoco.MjsGeom, wrap: Wrap, cable_radius: float) -> None:
  kind = SURFACES[geom.type]
  for key in given(wrap):
    option = OPTIONS[key]
    if option.geoms and kind not in option.geoms:
      raise BadRoute(f"{where}: {option.refusal}")
  if kind == "box" and wrap.rounding is None and not cable_radius > 0:
    raise BadRoute(
      f"{where}: a cable cannot bend around the sharp edges of a box;"
      " give the Wrap a rounding [m] or the Cable a radius [m]"
    )


def _check_spool(spec, cable: Cable, spool: SpoolJoint, bodies: list[mujoco.MjsBody]) -> None:
  where = f"cable {cable.name!r}: take_up joint {spool.joint!r}"
  joint = _find(spec, where, "joint", spool.joint)
  _check_type(where, joint.type, _SPOOL_JOINTS, "joint")
  # a drum with the end of the cable on it already winds through the route
  for end, neighbour in ((0, 1), (-1, -2)):
    drum = cable.route[neighbour]
    on_drum = all(_moves_with(bodies[index], joint.parent) for index in (end, neighbour))
    if isinstance(drum, Wrap) and on_drum:
      anchor = label(end % len(cable.route), cable.route[end])
      raise BadRoute(
        f"{where} turns wrap {drum.geom!r}, which also holds {anchor}:"
        " the drum would be counted twice, once by its windings and once by the take-up;"
        " drop the take-up, or drop the wrap and anchor the cable to a body that does not turn"
      )


def _moves_with(body: mujoco.MjsBody, carrier: mujoco.MjsBody) -> bool:
  # whether no joint lies between a body and the carrier above it
  while body is not carrier:
    if body.name == "world" or body.joints:
      return False
    body = body.parent
  return True
