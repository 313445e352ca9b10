"""Describe: the cables of a compiled model as frozen data, and the model without them."""

import copy
from types import SimpleNamespace

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.spec.cable import Cable
from mujocable.spec.members import PLUGIN, members
from mujocable.spec.read import read_cables
from mujocable.spec.route import target
from mujocable.spec.write import remove_cable

_OBJ = mujoco.mjtObj
_GAIN, _BIAS = mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtBias.mjBIAS_NONE


def cables_of(source: mujoco.MjModel | mujoco.MjSpec) -> dict[str, Cable]:
  """The cables of a model by name, as data that can be pickled: put_model takes it with a model
  from which strip() has removed them."""
  if isinstance(source, mujoco.MjSpec):
    return read_cables(source)
  if not isinstance(source, mujoco.MjModel):
    raise BadValue(f"cables_of(model): model must be an MjModel or MjSpec, got {source!r}")
  return read_cables(_view(source)) if source.nplugin else {}  # pyright: ignore


def strip(source):
  """The same model without the engine plugin, as a copy: MjSpec -> MjSpec, MjModel -> MjModel.

  Commands stay: each commanded cable leaves an actuator of its name that has ctrl, act and no
  force. A stripped MjSpec has no sensors of cables, and its commands come after other actuators; in
  a stripped MjModel everything keeps its place, and the sensors read zero.
  """
  if isinstance(source, mujoco.MjSpec):
    return _strip_spec(source)
  if isinstance(source, mujoco.MjModel):
    return _strip_model(source)
  raise BadValue(f"strip(model): model must be an MjModel or MjSpec, got {source!r}")


def _strip_spec(source: mujoco.MjSpec) -> mujoco.MjSpec:
  spec = source.copy()
  for name, cable in read_cables(spec).items():
    # what the actuator was, but for its load; the carrier only made room for that
    kept, member = [], members(spec)[name]
    for actuator in spec.actuators:
      if member.drives(actuator):
        fields = ("name", "ctrlrange", "ctrllimited", "dyntype", "dynprm", "group")
        kept.append({f: copy.copy(getattr(actuator, f)) for f in fields})
    remove_cable(spec, name)
    for values in kept:
      actuator = spec.add_actuator(**values)
      actuator.trntype, actuator.target = mujoco.mjtTrn.mjTRN_SITE, target(cable.route[0])
      actuator.gear = [0.0] * 6
      actuator.gaintype, actuator.biastype = _GAIN, _BIAS
      actuator.gainprm = [0.0] * len(actuator.gainprm)
  return spec


def _strip_model(source: mujoco.MjModel) -> mujoco.MjModel:
  model = copy.copy(source)
  ours = _instances(model)
  driven = np.isin(model.actuator_plugin, ours)
  model.actuator_gainprm[driven] = 0.0
  model.actuator_plugin[driven] = -1
  shown = np.isin(model.sensor_plugin, ours)
  model.sensor_type[shown] = mujoco.mjtSensor.mjSENS_USER
  model.sensor_plugin[shown] = -1
  _seat_instances(model)
  return model


def _seat_instances(model: mujoco.MjModel) -> None:
  # put_model makes its table of plugins from those of geoms but sizes it by all instances: any geom
  # takes one, which means nothing unless the geom is a signed distance field
  unseated = sorted(set(range(model.nplugin)) - set(model.geom_plugin.tolist()))
  free = np.flatnonzero(
    (model.geom_plugin < 0) & (model.geom_type != int(mujoco.mjtGeom.mjGEOM_SDF))
  )
  if len(unseated) > len(free):
    raise BadValue(
      f"strip(model): {len(unseated)} plugin instances, but only {len(free)} geoms; strip the"
      " MjSpec instead and compile that"
    )
  for instance, geom in zip(unseated, free, strict=False):
    model.geom_plugin[geom] = instance
    begin, end = _attribute_range(model, instance)
    model.plugin_attr[begin:end] = 0


# ------------------------------------ an MjModel, seen as read_cables sees an MjSpec


def _instances(model: mujoco.MjModel) -> list[int]:
  return [i for i in range(model.nplugin) if _plugin_name(model, i) == PLUGIN]


def _plugin_name(model: mujoco.MjModel, instance: int) -> str:
  # a stripped model has instances without attributes, which are nobody's
  begin, end = _attribute_range(model, instance)
  return PLUGIN if len(_texts(model, begin, end)) == len(_keys()) else ""


def _attribute_range(model: mujoco.MjModel, instance: int) -> tuple[int, int]:
  begin = int(model.plugin_attradr[instance])
  last = instance + 1 == model.nplugin
  return begin, int(model.npluginattr if last else model.plugin_attradr[instance + 1])


def _texts(model: mujoco.MjModel, begin: int, end: int) -> list[str]:
  raw = bytes(np.asarray(model.plugin_attr[begin:end], np.uint8))
  if not any(raw):
    return []
  return raw.decode("utf-8", "replace").split("\0")[:-1]


def _keys() -> list[str]:
  from mujocable.runtime.library import library  # late: only a model with the plugin needs it

  return [line.split("|")[0] for line in library().mujocable_attributes().decode().splitlines()]


def _view(model: mujoco.MjModel) -> SimpleNamespace:
  def name(kind, index) -> str:
    return mujoco.mj_id2name(model, kind, index) or ""

  def named(kind, count):
    return [SimpleNamespace(name=name(kind, i)) for i in range(count)]

  keys, plugins = _keys(), []
  for i in _instances(model):
    texts = _texts(model, *_attribute_range(model, i))
    config = dict(zip(keys, texts, strict=True))
    plugins.append(
      SimpleNamespace(name=name(_OBJ.mjOBJ_PLUGIN, i), plugin_name=PLUGIN, config=config)
    )
  tuples = []
  for i in range(model.ntuple):
    rows = slice(model.tuple_adr[i], model.tuple_adr[i] + model.tuple_size[i])
    types, ids = model.tuple_objtype[rows], model.tuple_objid[rows]
    names = [name(t, k) for t, k in zip(types, ids, strict=True)]
    tuples.append(
      SimpleNamespace(
        name=name(_OBJ.mjOBJ_TUPLE, i),
        objtype=types,
        objname=names,
        objprm=model.tuple_objprm[rows].tolist(),
      )
    )
  tendons = []
  for i in range(model.ntendon):
    path = []
    for w in range(model.tendon_adr[i], model.tendon_adr[i] + model.tendon_num[i]):
      site = int(model.wrap_objid[w])
      if model.wrap_type[w] == mujoco.mjtWrap.mjWRAP_SITE:
        user = model.site_user[site].tolist() if model.nuser_site else []
        target = SimpleNamespace(name=name(_OBJ.mjOBJ_SITE, site), userdata=user)
        path.append(SimpleNamespace(target=target))
    tendons.append(SimpleNamespace(name=name(_OBJ.mjOBJ_TENDON, i), path=path))
  actuators = []
  for i in range(model.nactuator):
    instance = int(model.actuator_plugin[i])
    plugin = SimpleNamespace(active=instance >= 0, name=name(_OBJ.mjOBJ_PLUGIN, instance))
    command = int(model.actuator_ctrladr[i])
    limits = (*map(float, model.actuator_ctrlrange[command]),)
    limited = mujoco.mjtLimited(int(model.actuator_ctrllimited[command]))
    own = name(_OBJ.mjOBJ_ACTUATOR, i)
    actuators.append(
      SimpleNamespace(name=own, plugin=plugin, ctrlrange=limits, ctrllimited=limited)
    )

  def finder(found: list):
    by_name = {one.name: one for one in found if one.name}
    return by_name.get

  sites, geoms = named(_OBJ.mjOBJ_SITE, model.nsite), named(_OBJ.mjOBJ_GEOM, model.ngeom)
  return SimpleNamespace(
    plugins=plugins,
    tendons=tendons,
    actuators=actuators,
    tuple=finder(tuples),
    tuples=tuples,
    site=finder(sites),
    geom=finder(geoms),
    joint=finder(named(_OBJ.mjOBJ_JOINT, model.njnt)),
    tendon=finder(tendons),
  )
