"""Controls: the places of `ctrl` by name. An actuator of MuJoCo may have several, or none."""

import mujoco


def control_names(model: mujoco.MjModel) -> list[str]:
  """A name for every control: that of its actuator, numbered where there are several."""
  names = []
  for actuator in range(model.nactuator):
    name = model.actuator(actuator).name or f"actuator_{actuator}"
    count = int(model.actuator_ctrlnum[actuator])
    names += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
  return names
