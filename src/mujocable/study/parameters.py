"""Parameters: what can be varied in a model, by name: for sweeps, fits and designs.

flexor.friction        every contact of a cable but drums; `*.friction`: of every cable
flexor.friction[2]     one contact, counted from the source; all of the element that has several
hoist.stiffness        any number of a Cable; lag, rate_limit and spool of its take-up
site:eye.z             where a site or geom sits in its body [m]; geom:sheave.radius
site:arm_*.y_scale     of all whose names match: their own y, times a factor
joint:mcp.stiffness    also damping, frictionloss, armature; geom:load.mass
hoist.route[1]         a threading: another site or geom at this place of the route (source: 0)
hoist.side[2]          another side site of the wrap at this place; `-`: without it
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.runtime.members import member_of
from mujocable.runtime.parameters import PARAMETERS as AT_RUN_TIME
from mujocable.runtime.parameters import checked, slice_of, write
from mujocable.spec import keys
from mujocable.spec.cable import Cable
from mujocable.spec.members import members, rewrite
from mujocable.spec.route import Anchor, Ring, Wrap, contact_count
from mujocable.spec.takeup import TendonDrive, TensionCommand
from mujocable.spec.tuples import tuple_of
from mujocable.spec.write import add_cable, remove_cable, replace_cable

FORMS = "CABLE.NAME, CABLE.friction[CONTACT], *.NAME, site:S.x, geom:G.radius, joint:J.stiffness"
WITHOUT = "-"  # as the name of an element or side: the route without it
_THREADING = ("route", "side")
_SPATIAL = {"x": 0, "y": 1, "z": 2}
_SCALED = {f"{axis}_scale": i for axis, i in _SPATIAL.items()}
_TAKE_UP = {"lag": "lag", "rate_limit": "rate_limit", "spool": "radius"}  # fields of a take-up
_ELEMENTS = {
  "site": (*_SPATIAL, *_SCALED),
  "geom": (*_SPATIAL, *_SCALED, "radius", "mass"),
  "joint": ("stiffness", "damping", "frictionloss", "armature"),
}
# what a cable has that is pulled by a given tension
_NO_LAW = (
  "stiffness",
  "EA",
  "damping",
  "home_length",
  "pretension",
  "pretension_offset",
  "reserve",
)
_FIELDS = tuple(key for key in keys.KEYS if key not in keys.WORDS)


@dataclass(frozen=True)
class Parameter:
  """One number of a model, by name."""

  text: str  # as it was asked for
  kind: str  # "cable", or the kind of the element
  name: str  # of the element; "*": every cable
  field: str
  index: int | None = None  # of a contact; of a place in the route for a threading

  @property
  def named(self) -> bool:
    """Whether its values are names: a threading."""
    return self.kind == "cable" and self.field in _THREADING and self.index is not None


def parameter(text: str) -> Parameter:
  """Reads `hoist.friction`, `flexor.friction[0]`, `site:eye.z` and the like."""
  kinds = "|".join(_ELEMENTS)
  match = re.fullmatch(rf"\s*(?:({kinds}):)?(.+)\.(\w+)(?:\[(\d+)\])?\s*", text)
  if not match:
    raise BadValue(f"cannot read the parameter {text!r}; accepted: {FORMS}")
  kind, name, field, index = match.groups()
  return Parameter(
    text.strip(), kind or "cable", name, field, None if index is None else int(index)
  )


def check(
  spec: mujoco.MjSpec, one: Parameter, cables: Mapping[str, Cable], *, threadings: bool = False
) -> None:
  """Refuses what is not in the model, or has no effect there; threadings too, unless allowed."""
  where = f"{one.text!r}"
  if one.kind != "cable":
    _check_element(spec, one, where)
    return
  if one.name != "*" and one.name not in cables:
    known = f"{listing('cables', cables)}{suggestion(one.name, cables)}"
    raise UnknownName(f"{where}: no cable {one.name!r}; {known}")
  if one.named:
    if not threadings:
      raise BadValue(
        f"{where}: a threading is a choice of names, not a number; sweep compares them"
      )
    _check_threading(one, where, cables)
    return
  accepted = tuple(dict.fromkeys((*AT_RUN_TIME, *_FIELDS)))
  if one.field not in (*accepted, *_TAKE_UP):
    hint = suggestion(one.field, (*accepted, *_TAKE_UP))
    names = ", ".join((*accepted, *_TAKE_UP))
    raise BadValue(f"{where}: a cable has no {one.field!r}; accepted: {names}{hint}")
  if one.index is not None:
    count = len(_places(cables[one.name])) if one.name != "*" else 0
    if one.field != "friction" or not one.index < count:
      raise BadValue(
        f"{where}: only the friction of one cable has an index, from 0 to its contacts - 1"
        f" ({max(0, count - 1)})"
      )
  if not affected(one, cables):
    raise BadValue(
      f"{where}: has no effect: the tension of this cable is given, by a tendon or a command,"
      " or its take-up has no such number; friction, radius and max_tension have one"
    )


def _check_threading(one: Parameter, where: str, cables: Mapping[str, Cable]) -> None:
  if one.name == "*":
    raise BadValue(f"{where}: a threading is of one cable; name it")
  route = cables[one.name].route
  places = [i for i, e in enumerate(route) if one.field == "route" or isinstance(e, Wrap | Ring)]
  if one.index not in places:
    raise BadValue(
      f"{where}: the route of {one.name!r} has no such place; accepted: "
      + (", ".join(map(str, places)) or "none")
    )


def _places(cable: Cable) -> list[int]:
  # of every contact, where its element stands in the route
  return [place for place, e in enumerate(cable.route) for _ in range(contact_count(e))]


def at_run_time(one: Parameter, cables: Mapping[str, Cable]) -> bool:
  """Whether simulations that differ in it share one model."""
  if one.kind != "cable" or one.field not in AT_RUN_TIME:
    return False
  laws = [cables[name].axial for name in affected(one, cables)]
  # a rigidity is kept at another length, and gives way to a stiffness that is the same at each
  if one.field in ("stiffness", "home_length") and any(law.EA is not None for law in laws):
    return False
  # a pretension in newtons is kept, so that another stiffness has another length at home
  return not (one.field == "stiffness" and any(law.pretension is not None for law in laws))


def affected(one: Parameter, cables: Mapping[str, Cable]) -> list[str]:
  """The cables on which a parameter has an effect."""
  names = list(cables) if one.name == "*" else [one.name]
  found = []
  for name in names:
    take_up = cables[name].take_up
    given = isinstance(take_up, TendonDrive | TensionCommand)
    if one.field in _TAKE_UP:
      if hasattr(take_up, _TAKE_UP[one.field]):
        found.append(name)
    elif not (given and one.field in _NO_LAW):
      found.append(name)
  return found


def _check_element(spec: mujoco.MjSpec, one: Parameter, where: str) -> None:
  elements = {e.name for e in getattr(spec, f"{one.kind}s")}
  elements.discard("")
  if not _matching(spec, one):
    known = f"{listing(one.kind + 's', sorted(elements))}{suggestion(one.name, elements)}"
    raise UnknownName(f"{where}: no {one.kind} {one.name!r}; {known}")
  accepted = _ELEMENTS[one.kind]
  if one.field not in accepted:
    raise BadValue(f"{where}: a {one.kind} has no {one.field!r}; accepted: {', '.join(accepted)}")
  if one.field == "mass" and not any(_weighs(spec, geom) for geom in _matching(spec, one)):
    raise BadValue(
      f"{where}: has no effect: its body does not move, or its <inertial> says what it weighs"
    )


def _weighs(spec: mujoco.MjSpec, geom) -> bool:
  # whether the mass of its body is that of its geoms
  body, rule = geom.parent, spec.compiler.inertiafromgeom
  if body == spec.worldbody or rule == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE:
    return False
  always = rule == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
  return bool(always or not body.explicitinertial)


def _matching(spec: mujoco.MjSpec, one: Parameter) -> list:
  # the element of this name, or all whose names match the pattern
  named = [e for e in getattr(spec, f"{one.kind}s") if e.name]
  exact = [e for e in named if e.name == one.name]
  return exact or [e for e in named if fnmatchcase(e.name, one.name)]


def value_of(spec: mujoco.MjSpec, one: Parameter, cables: Mapping[str, Cable]) -> float:
  """What a parameter is in the model; of the first cable for `*`. NaN where it has none."""
  if one.kind != "cable":
    element = _matching(spec, one)[0]
    if one.field in _SCALED:
      return 1.0
    if one.field in _SPATIAL:
      return float(_place(element)[_SPATIAL[one.field]])
    value = element.size[0] if one.field == "radius" else getattr(element, one.field)
    return float(np.ravel(value)[0])
  cable = cables[affected(one, cables)[0]]
  if one.field in _TAKE_UP:
    return float(getattr(cable.take_up, _TAKE_UP[one.field]))
  if one.index is not None:
    own = getattr(cable.route[_places(cable)[one.index]], "friction", None)
    return float(cable.coefficient if own is None else own)
  value = keys.value_of(cable, one.field)
  return float("nan") if value is None else float(value)


def written(
  spec: mujoco.MjSpec, given: Sequence[tuple[Parameter, float | str]], cables: Mapping[str, Cable]
) -> mujoco.MjSpec:
  """A copy of the model with these values in it."""
  spec = spec.copy()
  changed: dict[str, Cable] = {}
  threads: dict[str, list[tuple[Parameter, str]]] = {}
  for one, value in given:
    if isinstance(value, str):
      threads.setdefault(one.name, []).append((one, value))
    elif one.kind == "cable":
      for name in affected(one, cables):
        changed[name] = _changed(changed.get(name, cables[name]), one, value)
    else:
      for element in _matching(spec, one):
        _write_element(element, one.field, value)
  for name, cable in changed.items():
    if name not in threads:
      _rewrite(spec, cable)
  for name, choices in threads.items():
    replace_cable(spec, _threaded(changed.get(name, cables[name]), choices))
  return spec


def _threaded(cable: Cable, choices: Sequence[tuple[Parameter, str]]) -> Cable:
  # places count as in the cable that was given, whatever is left out
  route: list = list(cable.route)
  gone = set()
  for one, name in choices:
    element = route[one.index or 0]
    if one.field == "side":
      route[one.index or 0] = replace(element, side=None if name == WITHOUT else name)
    elif name == WITHOUT:
      gone.add(one.index)
    else:
      field = "geom" if isinstance(element, Wrap) else "site"
      route[one.index or 0] = replace(element, **{field: name})
  return replace(cable, route=[element for i, element in enumerate(route) if i not in gone])


def _rewrite(spec: mujoco.MjSpec, cable: Cable) -> None:
  # in its place, so that actuators, controls and keyframes keep their order
  if tuple_of(spec, cable.name) is None:
    replace_cable(spec, cable)  # its route was written as text, or by a seed
    return
  scratch = spec.copy()
  remove_cable(scratch, cable.name)
  add_cable(scratch, cable)
  rewrite(spec, cable.name, members(scratch)[cable.name].config)
  member = members(spec)[cable.name]
  for actuator in spec.actuators:
    if actuator.name == cable.name and member.drives(actuator):
      new = scratch.actuator(cable.name)
      actuator.dyntype = new.dyntype
      actuator.dynprm[:] = new.dynprm


def _write_element(element, field: str, value: float) -> None:
  if field in _SPATIAL:
    _move(element, _SPATIAL[field], value)
  elif field in _SCALED:
    axis = _SCALED[field]
    _move(element, axis, value * float(_place(element)[axis]))
  elif field == "radius":
    element.size[0] = value
  elif isinstance(getattr(element, field), np.ndarray):
    getattr(element, field)[0] = value
  else:
    setattr(element, field, value)


def _has_ends(element) -> bool:
  # whether a site or geom is given by its two ends; its pos then means nothing
  return bool(np.isfinite(element.fromto).all())


def _place(element) -> np.ndarray:
  # where it sits in its body [m]; of two ends their middle
  return np.mean(element.fromto.reshape(2, 3), axis=0) if _has_ends(element) else element.pos


def _move(element, axis: int, value: float) -> None:
  if _has_ends(element):
    by = value - float(_place(element)[axis])
    element.fromto[axis] += by
    element.fromto[3 + axis] += by
  else:
    element.pos[axis] = value


def _changed(cable: Cable, one: Parameter, value: float) -> Cable:
  if one.field in _TAKE_UP:
    return replace(cable, take_up=replace(cable.take_up, **{_TAKE_UP[one.field]: value}))  # type: ignore[type-var]
  if one.index is not None:
    route, place = list(cable.route), _places(cable)[one.index]
    route[place] = replace(route[place], friction=value)
    return replace(cable, route=route)
  change: dict = {one.field: value}
  if one.field == "stiffness" and cable.axial.EA is not None:
    change["EA"] = None
  if one.field == "pretension":
    change["pretension_offset"] = None
  if one.field == "friction":
    # of every contact, those with a value of their own too, which a drum rubs by
    route = [
      replace(e, friction=value) if getattr(e, "friction", None) is not None else e
      for e in cable.route
    ]
    change["route"] = route
  return keys.with_keys(cable, **change)


Setting = tuple[str, str, int | None, float]  # cable, field, contact, value


def settings(
  given: Sequence[tuple[Parameter, float | str]], cables: Mapping[str, Cable]
) -> list[Setting]:
  """What must be written into a simulation for parameters that need no model of their own."""
  found = []
  for one, value in given:
    for name in affected(one, cables):
      indices: Sequence[int | None] = [None]
      if one.index is not None:
        # an element has one friction, at all of its contacts
        places = _places(cables[name])
        indices = [i for i, place in enumerate(places) if place == places[one.index]]
      found += [(name, one.field, index, float(value)) for index in indices]
  return found


def write_settings(model: mujoco.MjModel, data: mujoco.MjData, settings: Sequence[Setting]) -> None:
  """Writes them; they last until the next reset."""
  for cable, field, index, value in settings:
    member = member_of(model, cable)
    if index is None:
      write(model, data, member, cable, field, value)
    else:
      place = slice_of(member, cable, field)
      data.plugin_state[place.start + index] = checked(cable, field, value, 1)[0]


def check_value(
  spec: mujoco.MjSpec, one: Parameter, value: float | str, cables: Mapping[str, Cable]
) -> None:
  """Refuses a number that no simulation would take, and a name that the model does not have."""
  if isinstance(value, str):
    _check_name(spec, one, value, cables)
  elif one.kind == "cable" and one.field in AT_RUN_TIME:
    for name in affected(one, cables):
      checked(name, one.field, value, 1)


def _check_name(spec, one: Parameter, name: str, cables: Mapping[str, Cable]) -> None:
  element = cables[one.name].route[one.index or 0]
  if name == WITHOUT:
    if one.field == "route" and isinstance(element, Anchor):
      raise BadValue(f"{one.text!r}: an end cannot be left out; accepted: the name of a site")
    return
  kind = "geom" if one.field == "route" and isinstance(element, Wrap) else "site"
  known = {e.name for e in getattr(spec, f"{kind}s")} - {""}
  if name not in known:
    names = f"{listing(kind + 's', sorted(known))}{suggestion(name, known)}"
    raise UnknownName(f"{one.text!r}: no {kind} {name!r}; {names}")
