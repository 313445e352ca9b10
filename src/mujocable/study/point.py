"""Point: one simulation of a study, as a job that any worker can do.

What is shared is packed once: the model, the controls of every step, what is watched. A point has
its own settings, or a model of its own. The result is plain data with every digit.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from mujocable.runtime.account import Follower
from mujocable.runtime.config import config, contact_names, instance_of
from mujocable.runtime.view import Cables
from mujocable.study.parameters import Setting, write_settings
from mujocable.study.simulate import start
from mujocable.study.watch import Watch


@dataclass(frozen=True)
class Shared:
  """What all points of a study have in common."""

  model: bytes  # pickled
  controls: np.ndarray  # of every step, (steps, nu)
  keyframe: int | None = None
  watched: tuple[str, ...] = ()  # measures beside those of the cables


@dataclass(frozen=True)
class Own:
  """What one point has for itself."""

  settings: tuple[Setting, ...] = ()
  model: bytes | None = None  # pickled; None: the shared one
  watched: tuple[str, ...] | None = None  # None: what is shared


def share(
  model: mujoco.MjModel,
  controls: np.ndarray,
  keyframe: int | None = None,
  watched: Sequence[str] = (),
) -> Shared:
  """Packs what all points have in common."""
  return Shared(pickle.dumps(model), controls, keyframe, tuple(watched))


def measure(shared: Shared, own: Own) -> dict[str, Any]:
  """Runs one point: {"cables": accounts by name, "troubles": texts, "watched": numbers}."""
  model = pickle.loads(own.model) if own.model is not None else unpacked(shared.model)
  data = start(model, shared.keyframe)
  write_settings(model, data, own.settings)
  mujoco.mj_forward(model, data)
  watched = shared.watched if own.watched is None else own.watched
  followed, watch = Follower(model, data), Watch(model, data, watched)
  for row in shared.controls:
    data.ctrl[:] = row
    mujoco.mj_step(model, data)
    followed.step()
    watch.step()
  accounts = followed.finish()
  watch.step()
  return {
    "cables": {name: one.to_dict() for name, one in accounts.items()},
    "troubles": [f"{one.kind}: {one}" for one in followed.troubles()],
    "bends": _bends(model, followed.views),
    "watched": watch.results(),
  }


def _bends(model: mujoco.MjModel, views: Cables) -> dict[str, float]:
  # least radius that the axis of each cable is bent to, over round surfaces of its route [m]
  kinds = [int(mujoco.mjtGeom.mjGEOM_CYLINDER), int(mujoco.mjtGeom.mjGEOM_SPHERE)]
  kinds.append(int(mujoco.mjtGeom.mjGEOM_CAPSULE))
  found = {}
  for name, view in views.items():
    own = float(config(model, instance_of(model, name)).get("radius") or 0.0)
    radii = []
    for contact in contact_names(model, name, view.touching.size):
      geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, contact)
      if geom >= 0 and int(model.geom_type[geom]) in kinds:
        radii.append(float(model.geom_size[geom, 0]) + own)
    if radii:
      found[name] = min(radii)
  return found


_models: dict[bytes, mujoco.MjModel] = {}  # the last one unpacked in this process


def unpacked(packed: bytes) -> mujoco.MjModel:
  """The model, from the last time where it is the same."""
  if packed not in _models:
    _models.clear()
    _models[packed] = pickle.loads(packed)
  return _models[packed]
