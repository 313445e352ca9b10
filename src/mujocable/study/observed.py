"""Observed: a model in which the record of every cable can be read after a step."""

import mujoco

from mujocable.spec.resolve import PLUGIN, instances


def observed(spec: mujoco.MjSpec) -> mujoco.MjSpec:
  """The model, or a copy with the sensors that cables written by hand may lack."""
  seen = {
    sensor.plugin.name
    for sensor in spec.sensors
    if sensor.plugin.active and sensor.name == sensor.plugin.name
  }
  missing = [name for name in instances(spec) if name not in seen]
  if not missing:
    return spec
  spec = spec.copy()
  for name in missing:
    sensor = spec.add_sensor(name=name, type=mujoco.mjtSensor.mjSENS_PLUGIN)
    plugin = sensor.plugin
    plugin.name, plugin.plugin_name, plugin.active = name, PLUGIN, True
  return spec
