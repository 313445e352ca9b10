"""Tuples: a route by reference, in the tuple of a cable's name; MjSpec.attach renames it."""

import mujoco

from mujocable.errors import BadRoute
from mujocable.spec.cable import Cable
from mujocable.spec.route import Anchor, Element, Eyelet, Ring, Sheath, Wrap, target
from mujocable.spec.takeup import SpoolJoint, TendonDrive
from mujocable.spec.text import build, parse_contacts

# Meaning of prm. No other tuple has END, that of the last anchor, so that a cable whose instance is
# gone is noticed.
ELEMENT, SIDE, JOINT, RING, TENDON, SHEATH, EXIT, END = map(float, range(8))
ON_THE_PATH = (ELEMENT, RING, SHEATH, EXIT, END)
_ROLES = {Ring: RING, Sheath: SHEATH}  # of other elements it is ELEMENT
_OBJ = mujoco.mjtObj

Row = tuple[int, str, float]  # type and name of what is referred to, prm


def tuple_of(spec: mujoco.MjSpec, name: str):
  """The tuple of a cable, None where it has none."""
  # (MuJoCo 3.11 does not find one by its name that was removed and added)
  return spec.tuple(name) or next((one for one in spec.tuples if one.name == name), None)


def rows_of(cable: Cable) -> list[Row]:
  """The route of a cable, and what its take-up refers to."""
  rows = []
  for index, element in enumerate(cable.route, 1):
    role = END if index == len(cable.route) else _ROLES.get(type(element), ELEMENT)
    kind = _OBJ.mjOBJ_GEOM if isinstance(element, Wrap) else _OBJ.mjOBJ_SITE
    rows.append((kind, target(element), role))
    if isinstance(element, Wrap | Ring) and isinstance(element.side, str):
      rows.append((_OBJ.mjOBJ_SITE, element.side, SIDE))
    if isinstance(element, Sheath):
      rows.append((_OBJ.mjOBJ_SITE, element.exit_site, EXIT))
  if isinstance(cable.take_up, SpoolJoint):
    rows.append((_OBJ.mjOBJ_JOINT, cable.take_up.joint, JOINT))
  if isinstance(cable.take_up, TendonDrive):
    rows.append((_OBJ.mjOBJ_TENDON, cable.take_up.tendon, TENDON))
  return rows


def route_of(name: str, rows: list[Row], contacts: str) -> list[Element]:
  """The elements of a route, with their options from config `contacts`."""
  stops: list[tuple[int, str, float, dict]] = []
  for kind, objname, prm in rows:
    if prm in (ELEMENT, RING, SHEATH, END):
      stops.append((kind, objname, prm, {}))
    elif prm in (SIDE, EXIT) and stops:  # of the element just before it
      stops[-1][3]["side" if prm == SIDE else "exit"] = objname
  options, inner = parse_contacts(name, contacts), stops[1:-1]
  if len(options) > len(inner):
    raise BadRoute(f"cable {name!r}: {len(options)} entries in contacts for {len(inner)} contacts")
  for stop, given in zip(inner, options, strict=False):
    stop[3].update({**given, **stop[3]})
  ends = (0, len(stops) - 1)
  return [
    build(name, _kind(kind, prm, index in ends), objname, given)
    for index, (kind, objname, prm, given) in enumerate(stops)
  ]


def _kind(objtype: int, prm: float, is_end: bool) -> type:
  if prm in (RING, SHEATH):
    return Ring if prm == RING else Sheath
  if objtype == _OBJ.mjOBJ_GEOM:
    return Wrap
  return Anchor if is_end else Eyelet
