"""What a worker process does: take a pickled simulation, step it, send it back."""

from __future__ import annotations

import pickle

import mujoco
import numpy as np

import mujocable  # noqa: F401 - registers the plugin, before a pickled model is opened


def go_on(job: tuple[bytes, np.ndarray]) -> tuple[bytes, np.ndarray]:
  frozen, ctrl = job
  model, data = pickle.loads(frozen)
  for row in ctrl:
    data.ctrl[:] = row
    mujoco.mj_step(model, data)
  return pickle.dumps((model, data)), data.sensordata.copy()
