"""Read: the cables of an MjSpec as frozen data, however they were written."""

from dataclasses import fields, replace

import mujoco

from mujocable.errors import BadRoute, BadValue, CableError, UnknownName, listing
from mujocable.spec import takeup
from mujocable.spec.cable import Cable
from mujocable.spec.keys import laws_of, read_number
from mujocable.spec.members import Member, around, members
from mujocable.spec.route import Anchor, Element, Eyelet, Wrap
from mujocable.spec.text import build, decoded, parse_contacts, parse_route
from mujocable.spec.tuples import JOINT, TENDON, route_of, tuple_of

# roles of a seed tendon's sites, in site user[0]
ENDPOINT, HINT, GUIDE = 1.0, 2.0, 3.0


def read_cables(spec: mujoco.MjSpec, *, skip_broken: bool = False) -> dict[str, Cable]:
  """The cables of a model by name; names carry the prefix of an attached model.

  A cable that cannot be read is refused, such as one whose route is gone because a site, geom,
  joint or tendon of it was deleted: take it out with remove_cable. `skip_broken` leaves such cables
  out and reads the others.
  """
  if not hasattr(spec, "plugins"):  # a compiled model can be seen as a spec, with what is read here
    kind = type(spec).__name__
    raise BadValue(f"read_cables(spec): spec must be a mujoco.MjSpec, got {kind}")
  known = members(spec)
  lost = [name for name, member in known.items() if not _has_route(spec, member)]
  if lost and not skip_broken:
    raise _no_route(lost)
  found = {}
  for name, member in known.items():
    try:
      found[name] = _read(spec, member)
    except CableError:
      if not skip_broken:
        raise
  return found


def _has_route(spec: mujoco.MjSpec, member: Member) -> bool:
  written = member.config.get("route") or member.config.get("seed")
  return bool(written) or tuple_of(spec, member.name) is not None


def _no_route(names: list[str]) -> BadRoute:
  which = ", ".join(map(repr, names))
  return BadRoute(
    f"cable {which}: no route; where add_cable wrote it, a site, geom, joint or tendon of it was"
    " deleted, and MuJoCo dropped its tuple: take the cable out with remove_cable, or read the"
    " others with read_cables(spec, skip_broken=True). Accepted by hand: config route, config seed,"
    " a tuple of the cable's name"
  )


def _read(spec: mujoco.MjSpec, member: Member) -> Cable:
  name, config = member.name, member.config
  rows = []
  t = tuple_of(spec, name)
  if t is not None:
    rows = list(zip(t.objtype, t.objname, t.objprm, strict=True))
  rename = _renamer(spec, *around(member.instance))
  if config.get("route"):
    route = parse_route(name, config["route"], config.get("contacts", ""))
    route = [_rename(element, rename) for element in route]
  elif config.get("seed"):
    route = _seed_route(spec, name, rename(config["seed"]), config, rename)
  elif rows:
    route = route_of(name, rows, config.get("contacts", ""))
  else:
    raise _no_route([name])
  refers = {prm: objname for _, objname, prm in rows if prm in (JOINT, TENDON)}
  for key, role in (("spool_joint", JOINT), ("tendon", TENDON)):
    if config.get(key):
      refers[role] = rename(config[key])
  take_up = _take_up(spec, member, refers)
  return Cable(name=name, route=route, take_up=take_up, **laws_of(name, config))


def _renamer(spec: mujoco.MjSpec, prefix: str, suffix: str):
  # names inside strings keep their authored form when a model is attached with a prefix
  kinds = (spec.site, spec.geom, spec.joint, spec.tendon)

  def known(element: str) -> bool:
    return any(find(element) is not None for find in kinds)

  def rename(element: str) -> str:
    for word in dict.fromkeys((decoded(element), element)):
      for full in (prefix + word + suffix, word):
        if known(full):
          return full
    return element

  return rename


def _rename(element: Element, rename) -> Element:
  names = {field.name: getattr(element, field.name) for field in fields(element)}
  names = {key: x for key, x in names.items() if key != "mode" and isinstance(x, str)}
  return replace(element, **{key: rename(name) for key, name in names.items()})


def _seed_route(spec, name: str, seed: str, config: dict[str, str], rename) -> list[Element]:
  tendons = {t.name: t for t in spec.tendons if t.name}
  if seed not in tendons:
    raise UnknownName(
      f"cable {name!r}: seed {seed!r} is not a tendon of this model; {listing('tendons', tendons)}"
    )
  surfaces = [rename(geom) for geom in config.get("surfaces", "").split()]
  sites = [wrap.target for wrap in tendons[seed].path]
  roles = [next(iter(site.userdata), None) for site in sites]
  if roles.count(HINT) != len(surfaces):
    count = f"{roles.count(HINT)} surface hints but {len(surfaces)} surfaces"
    raise BadRoute(f"cable {name!r}: seed {seed!r} has {count}; one each is needed")
  options = iter(parse_contacts(name, config.get("contacts", "")))
  route = []
  for site, role in zip(sites, roles, strict=True):
    if role == ENDPOINT:
      route.append(Anchor(site.name))
    elif role == HINT:
      given = {"side": site.name, **next(options, {})}
      route.append(build(name, Wrap, surfaces.pop(0), given))
    elif role == GUIDE:
      route.append(build(name, Eyelet, site.name, next(options, {})))
    else:
      accepted = "1 (endpoint), 2 (surface hint), 3 (hard guide)"
      raise BadRoute(f"cable {name!r}: site {site.name!r} has role {role}; accepted: {accepted}")
  return route


def _take_up(spec, member: Member, refers: dict) -> takeup.TakeUp | None:
  name, config = member.name, member.config
  word = config.get("take_up") or "fixed"
  if word == "fixed":
    return None
  if word not in takeup.TAKE_UPS:
    words = ", ".join(["fixed", *takeup.TAKE_UPS])
    raise BadValue(f"cable {name!r}: take_up must be one of {words}, got {word!r}")
  kind = takeup.TAKE_UPS[word]
  given = {}
  for field in fields(kind):
    key = takeup.CONFIG_KEYS.get(field.name)
    if key and config.get(key):
      given[field.name] = read_number(name, key, config[key])
    elif field.name == "range":
      given["range"] = _range(spec, member)
    elif field.name in ("joint", "tendon"):
      role, key = (JOINT, "spool_joint") if field.name == "joint" else (TENDON, "tendon")
      if role not in refers:
        where = f"key {key}, or prm {role:g} in tuple {name!r}"
        raise BadRoute(f"cable {name!r}: take_up {word} needs a {field.name}: {where}")
      given[field.name] = refers[role]
    elif field.name == "radius":
      raise BadValue(f"cable {name!r}: take_up {word} needs spool_radius [m]")
  return kind(**given)


def _range(spec: mujoco.MjSpec, member: Member) -> takeup.Range:
  for actuator in spec.actuators:
    if member.drives(actuator):
      low, high = actuator.ctrlrange
      limited = low < high and actuator.ctrllimited != mujoco.mjtLimited.mjLIMITED_FALSE
      return (low, high) if limited else None
  return None
