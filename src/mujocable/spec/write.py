"""Write: a cable into an MjSpec, all of it or nothing."""

import re
from collections.abc import Iterable

import mujoco

from mujocable.errors import BadValue, RepeatedName, UnknownCable, listing, suggestion
from mujocable.spec import members, takeup
from mujocable.spec.cable import Cable
from mujocable.spec.carrier import add_carrier
from mujocable.spec.keys import config_of
from mujocable.spec.members import PLUGIN, Member
from mujocable.spec.resolve import check_name, resolve
from mujocable.spec.route import target
from mujocable.spec.tables import FIELDS
from mujocable.spec.text import contacts_text, encoded, route_text
from mujocable.spec.tuples import END, rows_of, tuple_of

_LIMITED = mujoco.mjtLimited
_MIN_LAG = 1e-9  # [s]: stands for no lag where only the rate is limited

# what the actuator must not inherit from the model's defaults
_PLAIN = {
  "gear": [0.0] * 6,
  "gaintype": mujoco.mjtGain.mjGAIN_FIXED,
  "gainprm": [1.0, *[0.0] * 9],
  "biastype": mujoco.mjtBias.mjBIAS_NONE,
  "biasprm": [0.0] * 10,
  "dynprm": [1.0, *[0.0] * 9],
  "actdim": -1,
  "actearly": False,
  "actrange": [0.0, 0.0],
  "actlimited": _LIMITED.mjLIMITED_FALSE,
  "forcerange": [0.0, 0.0],
  "forcelimited": _LIMITED.mjLIMITED_FALSE,
  "lengthrange": [0.0, 0.0],
  "inheritrange": 0.0,
  "damping": [0.0, 0.0, 0.0],
  "armature": 0.0,
  "delay": 0.0,
  "nsample": 0,
}


def add_cable(spec: mujoco.MjSpec, cable: Cable) -> None:
  """Writes a cable into a model.

  Under the cable's name: a plugin instance (the parameters), a tuple (the route by reference, so
  that MjSpec.attach renames it), a sensor (the record that views read) and, for a commanded cable,
  an actuator on a site, or on a hidden carrier tendon. Where a model has more than four cables, the
  others share an instance. On any error the spec is left as it was.
  """
  _check_spec("add_cable(spec, cable)", spec)
  if not isinstance(cable, Cable):
    raise BadValue(f"add_cable(spec, cable): cable must be a mujocable.Cable, got {cable!r}")
  check_name(spec, cable)
  bodies = resolve(spec, cable)
  made = []  # every element but the instance
  try:
    instance = members.add(spec, cable.name, _config(cable))
    _add_tuple(spec, cable, made)
    if isinstance(cable.take_up, takeup.Command):
      carrier = add_carrier(spec, cable, bodies, made)
      _add_actuator(spec, cable.name, instance, carrier, cable.take_up, made)
    _add_record(spec, cable.name, instance, made)
  except BaseException:
    _discard(spec, cable.name, reversed(made))
    raise


def add_sensor(spec: mujoco.MjSpec, cable: str, field: str) -> None:
  """Adds a MuJoCo sensor `cable.field` that carries one field of the record, e.g. "tension".

  A sensor is never NaN: `entry` and `exit` of a lifted contact are 0 there.
  """
  _check_spec("add_sensor(spec, cable, field)", spec)
  member = _member(spec, cable)
  if field not in FIELDS:
    raise BadValue(f"cable {cable!r} has no field {field!r}; accepted: {', '.join(FIELDS)}")
  name = f"{cable}.{field}"
  if any(sensor.name == name for sensor in spec.sensors):
    raise RepeatedName(f"cable {cable!r}: a sensor {name!r} is already in this model")
  _add_record(spec, name, member.instance.name, [])


def remove_cable(spec: mujoco.MjSpec, name: str) -> None:
  """Removes a cable and everything that add_cable wrote for it.

  Also what is left of one that MuJoCo dropped with its last sensor.
  """
  _check_spec("remove_cable(spec, name)", spec)
  route = tuple_of(spec, name)
  lost = route is not None and END in list(route.objprm) and not members.has(spec, name)
  # what is left refers to an instance of that name, as its tuple has
  member = Member(name, route, {}, shared=False) if lost else _member(spec, name)
  actuators = _actuators(spec, member)
  users, commanded = [*filter(member.shows, spec.sensors), *actuators], bool(actuators)
  owned = [e for e in (*(spec.tendons if commanded else ()), *spec.tuples) if e.name == name]
  sites = spec.sites if commanded or lost else ()  # which takes long where there are many
  hidden = [site for site in sites if site.name.startswith(f"{name}:carrier:")]
  _discard(spec, name, (*users, *owned, *hidden))


def replace_cable(spec: mujoco.MjSpec, cable: Cable) -> None:
  """Writes another cable in the place of the one of its name, with the same kind of take-up.

  Its actuator, its sensors and whatever refers to them keep their places, so that controls and
  keyframes fit as before; a removed and added cable would be the last one.
  """
  _check_spec("replace_cable(spec, cable)", spec)
  if not isinstance(cable, Cable):
    raise BadValue(f"replace_cable(spec, cable): cable must be a mujocable.Cable, got {cable!r}")
  member = _member(spec, cable.name)
  scratch = spec.copy()
  remove_cable(scratch, cable.name)
  add_cable(scratch, cable)  # refuses what cannot be written, before anything is touched
  written = _member(scratch, cable.name)
  actuators = _actuators(spec, member)
  if bool(actuators) != isinstance(cable.take_up, takeup.Command):
    raise BadValue(f"cable {cable.name!r}: replace_cable keeps its actuator; remove it and add it")
  bodies = resolve(spec, cable)
  members.rewrite(spec, cable.name, written.config)
  for one in [e for e in spec.tuples if e.name == cable.name]:
    spec.delete(one)
  _add_tuple(spec, cable, [])
  for actuator in actuators:
    (new,) = _actuators(scratch, written)
    hidden = [e for e in spec.tendons if e.name == cable.name]
    hidden += [site for site in spec.sites if site.name.startswith(f"{cable.name}:carrier:")]
    # nothing that it stands on may go
    actuator.trntype, actuator.target = mujoco.mjtTrn.mjTRN_SITE, target(cable.route[0])
    for one in hidden:
      spec.delete(one)
    actuator.trntype, actuator.target = add_carrier(spec, cable, bodies, [])
    actuator.gear = new.gear
    actuator.dyntype, actuator.dynprm = new.dyntype, new.dynprm


def _check_spec(call: str, spec: object) -> None:
  if not isinstance(spec, mujoco.MjSpec):
    raise BadValue(f"{call}: spec must be a mujoco.MjSpec, got {type(spec).__name__}")


def _discard(spec: mujoco.MjSpec, name: str, elements: Iterable) -> None:
  for element in elements:
    spec.delete(element)
  members.remove(spec, name)


def _actuators(spec: mujoco.MjSpec, member: Member) -> list:
  # (MuJoCo 3.11 does not find one by its name that was removed and added)
  return [*filter(member.drives, spec.actuators)]


def _member(spec: mujoco.MjSpec, name: str) -> Member:
  known = members.members(spec)
  if name not in known:
    message = f"cable {name!r} is not in this model; {listing('cables', known)}"
    raise UnknownCable(message + suggestion(name, known))
  return known[name]


def _config(cable: Cable) -> dict[str, str]:
  config = config_of(cable)
  contacts = contacts_text(cable.route)
  if _by_name(cable):
    config |= {"route": route_text(cable.route), **_refers(cable)}
  elif contacts:
    config["contacts"] = contacts
  if cable.take_up is not None:
    config["take_up"] = cable.take_up.kind
    for field, key in takeup.CONFIG_KEYS.items():
      value = getattr(cable.take_up, field, None)
      if value is not None and value != getattr(type(cable.take_up), field, None):
        config[key] = repr(value)
  return config


def _by_name(cable: Cable) -> bool:
  # MuJoCo's XML cuts the names in a tuple at their blanks: such a route is written as text
  names = [target(element) for element in cable.route]
  names += [getattr(element, key, None) for element in cable.route for key in ("side", "exit_site")]
  names += [getattr(cable.take_up, kind, None) for kind in ("joint", "tendon")]
  return any(isinstance(name, str) and re.search(r"\s", name, re.ASCII) for name in names)


def _refers(cable: Cable) -> dict[str, str]:
  # the joint or tendon of a take-up, by name
  kinds = {"spool_joint": "joint", "tendon": "tendon"}
  names = {key: getattr(cable.take_up, kind, None) for key, kind in kinds.items()}
  return {key: encoded(name) for key, name in names.items() if name}


def _add_tuple(spec: mujoco.MjSpec, cable: Cable, made: list) -> None:
  if _by_name(cable):
    return
  types, names, prm = zip(*rows_of(cable), strict=True)
  made.append(spec.add_tuple(name=cable.name, objtype=types, objname=names, objprm=prm))


def _add_actuator(
  spec: mujoco.MjSpec,
  name: str,
  instance: str,
  carrier: tuple,
  take_up: takeup.Command,
  made: list,
) -> None:
  actuator = spec.add_actuator(name=name)
  made.append(actuator)
  for key, value in _PLAIN.items():
    setattr(actuator, key, value)
  actuator.trntype, actuator.target = carrier
  if actuator.trntype == mujoco.mjtTrn.mjTRN_TENDON:
    actuator.gear[0] = -1.0
  limited = take_up.range is not None
  actuator.ctrlrange = take_up.range if limited else [0.0, 0.0]
  actuator.ctrllimited = _LIMITED.mjLIMITED_TRUE if limited else _LIMITED.mjLIMITED_FALSE
  if isinstance(take_up, takeup.SpoolRate):
    actuator.dyntype = mujoco.mjtDyn.mjDYN_INTEGRATOR
  elif takeup.filtered(take_up):
    actuator.dyntype = mujoco.mjtDyn.mjDYN_FILTER
    actuator.dynprm[0] = max(take_up.lag, _MIN_LAG)
  else:
    actuator.dyntype = mujoco.mjtDyn.mjDYN_NONE
  _refer(actuator.plugin, instance)


def _add_record(spec: mujoco.MjSpec, name: str, instance: str, made: list) -> None:
  sensor = spec.add_sensor(name=name, type=mujoco.mjtSensor.mjSENS_PLUGIN)
  made.append(sensor)
  _refer(sensor.plugin, instance)


def _refer(plugin, instance: str) -> None:
  plugin.name, plugin.plugin_name, plugin.active = instance, PLUGIN, True
