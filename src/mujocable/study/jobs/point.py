"""Point: one simulation of a study, as a job that any worker can do.

What is shared is packed once: the model, the controls of every step, what is watched. A point has
its own settings, or a model of its own. The result is plain data with every digit.
"""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from mujocable.runtime.account import Follower
from mujocable.runtime.config import config, contact_names
from mujocable.runtime.parameters import hush
from mujocable.runtime.view import Cables
from mujocable.spec.cable import Cable
from mujocable.study.jobs import watch
from mujocable.study.jobs.workers import Failure
from mujocable.study.parameters import (
  Parameter,
  Setting,
  at_run_time,
  settings,
  write_settings,
  written,
)
from mujocable.study.simulate import start


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


def own_part(
  spec: mujoco.MjSpec,
  given: Sequence[tuple[Parameter, float | str]],
  cables: Mapping[str, Cable],
  held: Sequence[str] = (),
  keyframe: int | None = None,
) -> Own | str:
  """What a point with these values has for itself; a text where its model does not compile: why.

  `held`: measures of the force of sites, which are held where they begin (at a keyframe, or at
  home) and watched alone.
  """
  compiled = [one for one in given if not at_run_time(one[0], cables)]
  running = [one for one in given if at_run_time(one[0], cables)]
  packed = None
  if compiled or held:
    try:
      changed = written(spec, compiled, cables)
      packed = pickle.dumps((watch.held(changed, held, keyframe) if held else changed).compile())
    except ValueError as error:
      return reason(error)
  return Own(tuple(settings(running, cables)), packed, tuple(held) or None)


def reason(error: Exception) -> str:
  """All that MuJoCo and the plugin said, in one line."""
  lines = [line.strip().removeprefix("Error: ") for line in str(error).splitlines()]
  lines = list(dict.fromkeys(line for line in lines if line))
  # that the plugin refused says nothing where its own words follow
  said = [line for line in lines if not line.startswith("engine error: plugin->init failed")]
  return "; ".join(said or lines)


def outcome(result: Any) -> dict[str, Any]:
  """The result of a point, also where its worker failed."""
  return {"failed": result.reason} if isinstance(result, Failure) else result


def measure(shared: Shared, own: Own | str) -> dict[str, Any]:
  """Runs one point: {"cables": accounts by name, "troubles": texts, "watched": numbers}.

  {"failed": why} where there is no model to run.
  """
  if isinstance(own, str):
    return {"failed": own}
  model = model_of(shared.model, own)
  data = start(model, shared.keyframe)
  write_settings(model, data, own.settings)
  hush(model, data)  # a point says what troubled it
  mujoco.mj_forward(model, data)
  watched = shared.watched if own.watched is None else own.watched
  followed, seen = Follower(model, data), watch.Watch(model, data, watched)
  for row in shared.controls:
    data.ctrl[:] = row
    mujoco.mj_step(model, data)
    followed.step()
    seen.step()
  accounts = followed.finish()
  seen.step()
  return {
    "cables": {name: one.to_dict() for name, one in accounts.items()},
    "troubles": [f"{one.kind}: {one}" for one in followed.troubles()],
    "bends": _bends(model, followed.views),
    "watched": seen.results(),
  }


def _bends(model: mujoco.MjModel, views: Cables) -> dict[str, float]:
  # least radius that the axis of each cable is bent to, over round surfaces of its route [m]
  kinds = [int(mujoco.mjtGeom.mjGEOM_CYLINDER), int(mujoco.mjtGeom.mjGEOM_SPHERE)]
  kinds.append(int(mujoco.mjtGeom.mjGEOM_CAPSULE))
  found = {}
  for name, view in views.items():
    own = float(config(model, view._member).get("radius") or 0.0)
    radii = []
    for contact in contact_names(model, name, view.touching.size):
      geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, contact)
      if geom >= 0 and int(model.geom_type[geom]) in kinds:
        radii.append(float(model.geom_size[geom, 0]) + own)
    if radii:
      found[name] = min(radii)
  return found


_models: dict[bytes, mujoco.MjModel] = {}  # the last one unpacked in this process


def model_of(shared: bytes, own: Own) -> mujoco.MjModel:
  """The model that a point runs in; the shared one from the last time where it is the same."""
  if own.model is not None:
    return pickle.loads(own.model)
  if shared not in _models:
    _models.clear()
    _models[shared] = pickle.loads(shared)
  return _models[shared]
