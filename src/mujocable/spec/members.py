"""Members: the cables of an MjSpec, each in a plugin instance of its own or one of several in one.

MuJoCo asks every plugin instance six times a step, cable or not, which costs a hand of ten cables a
fiftieth of the time, and hundreds of cables a tenth. An instance with several has their names in
its key `cables`; every other key but `name` then has one value for all of them, or one each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mujoco

from mujocable.errors import BadValue
from mujocable.spec.keys import CONFIG_KEYS
from mujocable.spec.tables import FIELDS
from mujocable.spec.takeup import TAKE_UPS, Command
from mujocable.spec.tuples import END, tuple_of

PLUGIN = "mujocable.cable"
BETWEEN = "|"  # the values of the cables of an instance; blanks around it do not count
_JOINT = f" {BETWEEN} "
# Cables that get an instance of their own, which is easier to read in a saved model. Chosen: of so
# few, the time is not noticed; test_members would notice another number.
OWN = 4
_OF_INSTANCE = ("name", "cables")  # keys that are not a cable's


@dataclass(frozen=True)
class Member:
  """One cable where it stands."""

  name: str
  instance: Any  # MjsPlugin
  config: dict[str, str]  # of this cable; "name" is that of the instance, as its author wrote it
  shared: bool  # its instance names its cables

  def drives(self, actuator) -> bool:
    """Whether this is an actuator of the cable."""
    return self._refers(actuator) and (not self.shared or actuator.name == self.name)

  def shows(self, sensor) -> bool:
    """Whether this is a sensor of the cable."""
    if not self._refers(sensor) or not self.shared:
      return self._refers(sensor)
    # what attach put behind stands behind the field too
    parts = (f".{field}" for field in FIELDS)
    fields = (sensor.name.replace(part, "", 1) for part in parts if part in sensor.name)
    return self.name in (sensor.name, *fields)

  def _refers(self, element) -> bool:
    return element.plugin.active and element.plugin.name == self.instance.name


def instances(spec: mujoco.MjSpec) -> Iterator[Any]:
  """The plugin instances of cables, known by their keys.

  Not by `plugin_name`: in a copied MjSpec that belongs to the original and is gone with it, up to
  MuJoCo 4.0; reading it then gives anything, or ends the process.
  """
  return (p for p in spec.plugins if p.name and _is_ours(spec, p))


def _is_ours(spec: mujoco.MjSpec, instance) -> bool:
  keys = {key for key, text in instance.config.items() if text}
  if keys & {"cables", "route", "seed"}:
    return True
  route = tuple_of(spec, instance.name)
  if route is not None and END in list(route.objprm):
    return True
  return bool(keys) and keys <= {*CONFIG_KEYS} and ("name" in keys or route is not None)


def members(spec: mujoco.MjSpec) -> dict[str, Member]:
  """The cables of a model by name."""
  return {member.name: member for one in instances(spec) for member in _members(one)}


def has(spec: mujoco.MjSpec, name: str) -> bool:
  """Whether a model has a cable of this name; the others are not read."""
  for one in spec.plugins:
    listed = one.config.get("cables")
    if listed:
      prefix, suffix = around(one)
      authored = name.removeprefix(prefix).removesuffix(suffix)
      fits = prefix + authored + suffix == name
      if fits and authored in map(str.strip, listed.split(BETWEEN)):
        return True
    elif one.name == name and _is_ours(spec, one):
      return True
  return False


def around(instance) -> tuple[str, str]:
  """What attach put before and behind the authored name of an instance."""
  authored = instance.config.get("name") or instance.name
  authored = authored if authored in instance.name else authored.strip()
  if instance.name.endswith(authored):
    return instance.name.removesuffix(authored), ""
  prefix, found, suffix = instance.name.partition(authored)
  return (prefix, suffix) if found else ("", "")


def add(spec: mujoco.MjSpec, name: str, config: Mapping[str, str]) -> str:
  """Writes a cable into an instance of its own, or of several; returns the name of that."""
  spec.activate_plugin(PLUGIN)
  # (instances of other plugins count among those of one cable, which harms nothing)
  several = [one for one in spec.plugins if "cables" in one.config]
  own = len(spec.plugins) - len(several) < OWN
  own = own or name != name.strip() or any(BETWEEN in text for text in (name, *config.values()))
  for instance in several if not own else ():
    old = instance.config
    # not one of a model that was attached, or by hand
    if old.get("name") == instance.name and _commanded(old) == _commanded(config):
      instance.config = _appended(old, {"cables": name, **config})
      return instance.name
  authored = name if own else _free(spec, f"{name}:cables")
  instance = spec.add_plugin(name=authored, plugin_name=PLUGIN, active=True)
  instance.config = {"name": authored, **({} if own else {"cables": name}), **config}
  return authored


def remove(spec: mujoco.MjSpec, name: str) -> None:
  """Takes a cable out of its instance, and the instance away with its last one."""
  # MuJoCo deletes an instance itself together with the last element that refers to it
  member = members(spec).get(name)
  if member is None:
    return
  old = member.instance.config
  left = [one.config for one in _members(member.instance) if one.name != name]
  if not left:
    spec.delete(member.instance)
  else:
    member.instance.config = _joined(left, old.get("name", ""))


def rewrite(spec: mujoco.MjSpec, name: str, config: Mapping[str, str]) -> None:
  """Gives a cable another config, in its place."""
  member = members(spec)[name]
  authored = member.instance.config.get("name", "")
  new = {key: text for key, text in config.items() if key not in _OF_INSTANCE}
  if not member.shared:
    member.instance.config = {"name": authored, **new} if authored else new
    return
  if any(BETWEEN in text for text in new.values()):
    raise BadValue(
      f"cable {name!r}: a name with {BETWEEN!r} cannot stand in the instance of several cables that"
      " it has; remove the cable and add it"
    )
  new["cables"] = member.config["cables"]
  rows = [new if one.name == name else one.config for one in _members(member.instance)]
  member.instance.config = _joined(rows, authored)


def _members(instance) -> Iterator[Member]:
  config = instance.config
  if not config.get("cables"):
    yield Member(instance.name, instance, config, False)
    return
  prefix, suffix = around(instance)
  for one in _configs(config):
    yield Member(prefix + one["cables"] + suffix, instance, one, True)


def one_of(config: Mapping[str, str], number: int) -> dict[str, str]:
  """What the keys of an instance with several cables say of one of them, its name in "cables"."""
  return {key: parts[number % len(parts)] for key, parts in _parts(config).items()}


def _configs(config: Mapping[str, str]) -> list[dict[str, str]]:
  # of each cable of an instance
  parts = _parts(config)
  count = len(parts["cables"])
  return [{key: texts[k % len(texts)] for key, texts in parts.items()} for k in range(count)]


def _parts(config: Mapping[str, str]) -> dict[str, list[str]]:
  count = 1 + config["cables"].count(BETWEEN)
  parts = {}
  for key, text in config.items():
    parts[key] = [part.strip() for part in text.split(BETWEEN)] if key != "name" else [text]
    if len(parts[key]) not in (1, count):
      raise BadValue(
        f"cables {config['cables']!r}: {key} has {len(parts[key])} values for {count} cables; give"
        " one for all of them, or one each, with | between"
      )
  return parts


def _appended(config: Mapping[str, str], last: Mapping[str, str]) -> dict[str, str]:
  # one cable more; as _joined would write it, without reading all the others
  count = 1 + config["cables"].count(BETWEEN)
  new = dict(config)
  for key in {**config, **last}:
    text, value = config.get(key, ""), last.get(key, "")
    if key == "name" or (text == value and key != "cables"):
      continue
    several = BETWEEN in text or count == 1
    new[key] = _JOINT.join([*([text] if several else [text] * count), value])
  return new


def _joined(rows: list[dict[str, str]], authored: str) -> dict[str, str]:
  # one value where all are the same
  keys = dict.fromkeys(key for row in rows for key in row if key not in _OF_INSTANCE)
  config = {"name": authored, "cables": _JOINT.join(row["cables"] for row in rows)}
  for key in keys:
    texts = [row.get(key, "") for row in rows]
    config[key] = texts[0] if len({*texts}) == 1 else _JOINT.join(texts)
  return {key: text for key, text in config.items() if text}


def _commanded(config: Mapping[str, str]) -> bool:
  # Whether it has an actuator, or the first of several has. Those stand apart: where MuJoCo copies
  # a model, their instances come first.
  word = config.get("take_up", "").split(BETWEEN, 1)[0].strip()
  return issubclass(TAKE_UPS.get(word, object), Command)


def _free(spec: mujoco.MjSpec, name: str) -> str:
  # a name that no plugin instance has
  taken = {one.name for one in spec.plugins}
  numbers = (f"{name}_{k}" for k in range(2, len(taken) + 3))
  return next(one for one in (name, *numbers) if one not in taken)
