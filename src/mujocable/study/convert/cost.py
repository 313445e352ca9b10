"""Cost: what a step of one model takes beside a step of another, measured in turns."""

import time

import mujoco
import numpy as np

_ROUNDS = 15
_STEPS = 40  # of a round


def step_cost(models: dict[str, mujoco.MjModel]) -> dict[str, float]:
  """Seconds per mj_step of each model, by its name: the fastest of rounds that take turns.

  Every model starts anew in each round and is driven by a fifth of its control ranges.
  """
  times: dict[str, list[float]] = {name: [] for name in models}
  datas = {name: mujoco.MjData(model) for name, model in models.items()}
  for _ in range(_ROUNDS):
    for name, model in models.items():
      data = datas[name]
      mujoco.mj_resetData(model, data)
      low, high = model.actuator_ctrlrange.T
      data.ctrl[:] = np.where(model.actuator_ctrllimited, low + 0.2 * (high - low), 0.0)
      mujoco.mj_step(model, data)  # the first one allocates
      begin = time.perf_counter()
      mujoco.mj_step(model, data, nstep=_STEPS)
      times[name].append((time.perf_counter() - begin) / _STEPS)
  return {name: min(values) for name, values in times.items()}
