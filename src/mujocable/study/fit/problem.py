"""Parameters of a fit as free numbers, and what the machine does with them."""

import math
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName
from mujocable.runtime.parameters import hush
from mujocable.spec.read import read_cables
from mujocable.study.fit.measured import Experiment, Reader, read_experiment
from mujocable.study.jobs import workers as crew
from mujocable.study.jobs.point import Own, model_of, own_part
from mujocable.study.observed import observed
from mujocable.study.parameters import (
  FORMS,
  Parameter,
  check,
  parameter,
  value_of,
  write_settings,
)
from mujocable.study.simulate import start

_POSITIVE = {  # fitted as logarithms: field -> (least, most, start where the model has none)
  "stiffness": (1.0, 1e8, 1e4),
  "EA": (1.0, 1e9, 1e4),
  "damping": (1e-4, 1e5, 1.0),
  "lag": (1e-4, 10.0, 0.05),
  "home_length": (1e-4, 1e4, 1.0),
  "max_tension": (1e-3, 1e7, 100.0),
  "frictionloss": (1e-9, 1e4, 1e-3),
  "armature": (1e-12, 1e4, 1e-5),
  "radius": (1e-5, 10.0, 0.01),
  "spool": (1e-5, 10.0, 0.01),
  "mass": (1e-6, 1e5, 1.0),
}
_OF_JOINTS = {  # the same of a joint, in N m/rad and N m s/rad or as of a cable
  "stiffness": (1e-6, 1e8, 0.1),
  "damping": (1e-8, 1e5, 1e-3),
}
_LINEAR = {  # field -> (least, most, start, scale)
  "friction": (0.0, 3.0, 0.1, 0.1),
  "pretension": (0.0, 1e5, 1.0, 1.0),
  "pretension_offset": (-1.0, 1.0, 0.0, 1e-3),
}
_PLACE = 0.01  # scale of where something sits [m]
_SPAN = 0.05  # how far it may be moved [m]


@dataclass(frozen=True)
class Shared:
  """What all simulations of a fit have in common."""

  model: bytes  # pickled
  experiments: tuple[Experiment, ...]
  keyframe: int | None
  settle: float


def simulated(shared: Shared, own: Own | str) -> list[np.ndarray] | str:
  """Every measured column of every experiment, one after the other; or why not."""
  if isinstance(own, str):
    return own
  model = model_of(shared.model, own)
  found = []
  for experiment in shared.experiments:
    columns = _run(model, experiment, own, shared)
    if not all(np.isfinite(c).all() for c in columns):
      return "the simulation diverged"
    found += columns
  return found


def _run(model, experiment: Experiment, own: Own, shared: Shared) -> list[np.ndarray]:
  data = start(model, shared.keyframe)
  write_settings(model, data, own.settings)
  hush(model, data)
  h = float(model.opt.timestep)
  first = experiment.commands.values[0]
  data.ctrl[:] = first
  if shared.settle > 0:
    mujoco.mj_step(model, data, nstep=round(shared.settle / h))
  reader = Reader(model, data)
  getters = [reader.getter(name) for name in experiment.values]
  place = experiment.time / h
  last = math.floor(place[-1] + 1e-9) + 1
  controls = experiment.commands.table(h * np.arange(last + 1))
  # only the steps around a measurement are read
  wanted = np.zeros(last + 2, bool)
  below = np.minimum(np.floor(place + 1e-9).astype(int), last - 1)
  wanted[below] = wanted[below + 1] = True
  seen = np.zeros((len(getters), last + 1))
  for k in range(last + 1):
    data.ctrl[:] = controls[k]
    if wanted[k]:
      for i, (get, is_state) in enumerate(getters):
        if is_state:
          seen[i, k] = get()
    mujoco.mj_step(model, data)
    if wanted[k]:
      for i, (get, is_state) in enumerate(getters):
        if not is_state:
          seen[i, k] = get()
  share = np.clip(place - below, 0.0, 1.0)
  return [(1 - share) * row[below] + share * row[below + 1] for row in seen]


class Problem:
  """Parameters as free numbers u, and the columns that belong to them."""

  def __init__(self, spec, data, parameters, start, bounds, keyframe, settle):
    if not parameters:
      raise BadValue(f"fit: nothing is asked for; accepted: {FORMS}")
    if isinstance(parameters, str):
      raise BadValue(f"fit: parameters must be a list, such as [{parameters!r}]")
    files = [data] if isinstance(data, str | Path) else list(data)
    if not files:
      raise BadValue("fit: no measured file is given")
    spec = observed(spec)
    model = spec.compile()
    self.spec, self.cables = spec, read_cables(spec)
    if not self.cables:
      raise UnknownName("fit: this model has no cables; mujocable convert makes them of tendons")
    self.parameters = [parameter(text) for text in parameters]
    for one in self.parameters:
      check(spec, one, self.cables)
    self.experiments = tuple(read_experiment(model, Path(f), keyframe) for f in files)
    self.shared = Shared(pickle.dumps(model), self.experiments, keyframe, settle)
    for kind, given in (("start", start), ("bounds", bounds)):
      for name in given or {}:
        if name not in [one.text for one in self.parameters]:
          raise BadValue(f"fit: {kind} of {name!r}, which is not fitted")
    self.is_log, self.low, self.high, self.scale, self.begin = [], [], [], [], []
    for one in self.parameters:
      self._limits(one, (start or {}).get(one.text), (bounds or {}).get(one.text))
    self.measured = [c for e in self.experiments for c in e.values.values()]
    self.workers: crew.Crew
    self.simulations = 0

  def _limits(self, one: Parameter, begin: float | None, span: tuple[float, float] | None) -> None:
    own = value_of(self.spec, one, self.cables)
    is_log = one.field in _POSITIVE
    if is_log:
      of_kind = _OF_JOINTS if one.kind == "joint" else {}
      low, high, usual = of_kind.get(one.field, _POSITIVE[one.field])
      scale = 1.0
    elif one.field in _LINEAR:
      low, high, usual, scale = _LINEAR[one.field]
    else:
      usual, scale = (0.0 if math.isnan(own) else own), _PLACE
      low, high = usual - _SPAN, usual + _SPAN
    fine = math.isfinite(own) and own != 0
    if span is not None:
      low, high = map(float, span)
    elif fine and (own > 0 or not is_log):
      low, high = min(low, own), max(high, own)  # the model's own value is no mistake
    value = float(begin) if begin is not None else (own if fine else usual)
    if not (low < high and (not is_log or low > 0)):
      raise BadValue(f"fit: bounds of {one.text!r} must be low < high, got {low:g}, {high:g}")
    if begin is not None and not low <= value <= high:
      raise BadValue(f"fit: start of {one.text!r} must lie in {low:g} to {high:g}, got {value:g}")
    value = min(max(value, low), high)
    put = math.log if is_log else float
    self.is_log.append(is_log)
    self.low.append(put(low))
    self.high.append(put(high))
    self.scale.append(scale)
    self.begin.append(put(value))

  def values(self, u: np.ndarray) -> list[float]:
    """The parameters that the free numbers stand for."""
    return [math.exp(x) if log else float(x) for x, log in zip(u, self.is_log, strict=True)]

  def given(self, u: np.ndarray) -> list[tuple[Parameter, float]]:
    """The same, with their names."""
    return list(zip(self.parameters, self.values(u), strict=True))

  def columns(self, many: Sequence[np.ndarray]) -> list[list[np.ndarray] | str]:
    """Simulated columns for many sets of numbers."""
    self.simulations += len(many)
    found: list[Any] = self.workers.all(
      [own_part(self.spec, self.given(u), self.cables) for u in many]
    )
    return [one.reason if isinstance(one, crew.Failure) else one for one in found]
