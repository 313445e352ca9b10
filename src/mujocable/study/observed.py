"""Observed: a model in which the record of every cable can be read after a step."""

import mujoco

from mujocable.errors import BadValue
from mujocable.spec.members import PLUGIN, members


def observed(spec: mujoco.MjSpec) -> mujoco.MjSpec:
  """The model, or a copy with the sensors that cables written by hand may lack."""
  if not isinstance(spec, mujoco.MjSpec):
    raise BadValue(f"a study: spec must be a mujoco.MjSpec, got {type(spec).__name__}")
  seen = {(s.plugin.name, s.name) for s in spec.sensors if s.plugin.active}
  found = {name: member.instance.name for name, member in members(spec).items()}
  missing = {name: instance for name, instance in found.items() if (instance, name) not in seen}
  if not missing:
    return spec
  spec = spec.copy()
  for name, instance in missing.items():
    sensor = spec.add_sensor(name=name, type=mujoco.mjtSensor.mjSENS_PLUGIN)
    plugin = sensor.plugin
    plugin.name, plugin.plugin_name, plugin.active = instance, PLUGIN, True
  return spec
