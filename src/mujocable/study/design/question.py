"""Question: what a design may vary, what is wanted of it, and how one point is measured."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco

from mujocable.errors import BadValue, UnknownName, suggestion
from mujocable.spec.read import read_cables
from mujocable.study.design.result import Point
from mujocable.study.jobs import watch
from mujocable.study.jobs.point import Own, own_part, share
from mujocable.study.motion import commanded, stepwise
from mujocable.study.observed import observed
from mujocable.study.parameters import FORMS, check, parameter, written

_BROKEN = ("invalid", "diverged", "flies")  # troubles that no design may have
OF_CABLES = (
  "peak_tension",
  "end_tension",
  "peak_end_tension",
  "rms_tension",
  "efficiency",
  "work_in",
  "work_out",
  "lost",
  "max_slack",
  "stroke",
  "peak_rate",
  "peak_power",
  "saturated",
  "bend_radius",
)


class Question:
  """The question, checked, and how one point of it is measured."""

  def __init__(self, spec, vary, goals, limits, motion, duration, fit_motion, keyframe):
    if not vary:
      raise BadValue(f"design: nothing varies; accepted: {FORMS}")
    if not goals:
      raise BadValue("design: no goal is given; accepted: a measure, to maximize or minimize")
    for word, given in (("vary", vary), ("goals", goals), ("limits", limits)):
      if not isinstance(given, Mapping):
        raise BadValue(f"design: {word} must be a dict, by name, got {given!r}")
    spec = observed(spec)
    model = spec.compile()
    self.spec, self.cables = spec, read_cables(spec)
    self.parameters = [parameter(text) for text in vary]
    self.vary = {name: _ends(span) for name, span in vary.items()}
    for one, (name, (low, high)) in zip(self.parameters, self.vary.items(), strict=True):
      check(spec, one, self.cables)
      if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise BadValue(f"design: {one.text!r} must vary from low to high, got {vary[name]!r}")
    for name, how in goals.items():
      if how not in ("maximize", "minimize"):
        raise BadValue(f"design: goal {name!r} must be 'maximize' or 'minimize', got {how!r}")
    self.limits = {name: _ends(span) for name, span in limits.items()}
    for name, (low, high) in self.limits.items():
      if not low < high:
        raise BadValue(f"design: limit {name!r} must be low < high, got {limits[name]!r}")
    self.goals = dict(goals)
    self.measures = list(dict.fromkeys([*goals, *limits]))
    for name in self.measures:
      self._check_measure(name)
    self.watched = [m for m in self.measures if watch.parts(m) and not m.endswith(".force")]
    self._of_any_cable = any(not watch.parts(m) for m in self.measures)
    self.held = [m for m in self.measures if watch.parts(m) and m.endswith(".force")]
    command, self.notes = commanded(model, motion, duration, keyframe=keyframe, fit=fit_motion)
    self.controls = stepwise(model, command, duration)[:-1]
    self.shared = share(model, self.controls, keyframe, self.watched)

  def _check_measure(self, name: str) -> None:
    cable, _, what = name.rpartition(".")
    if cable in self.cables:
      if what not in OF_CABLES:
        hint = suggestion(what, OF_CABLES)
        raise BadValue(
          f"design: {name!r}: a cable has no measure {what!r}; accepted: {', '.join(OF_CABLES)}"
          f"{hint}"
        )
      return
    if watch.parts(name) is None and ":" not in name:
      hint = suggestion(cable, self.cables)
      raise UnknownName(f"design: {name!r}: no cable {cable!r} in this model{hint}")
    watch.check(self.spec, name)

  def outside(self, point: Point) -> bool:
    """Whether a point is not among those that are searched."""
    spans = self.vary.items()
    return not all(low <= point.values[name] <= high for name, (low, high) in spans)

  def write(self, point: Point) -> mujoco.MjSpec:
    """The model of a point."""
    given = [(one, point.values[one.text]) for one in self.parameters]
    return written(self.spec, given, self.cables)

  def jobs(self, values: Sequence[float]) -> list[Own | str]:
    """One run as it is, and one with the sites held whose force is asked for."""
    given = list(zip(self.parameters, values, strict=True))
    kinds: list[list[str]] = [[]] if self.watched or self._of_any_cable else []
    kinds += [self.held] if self.held else []
    keyframe = self.shared.keyframe
    return [own_part(self.spec, given, self.cables, held, keyframe) for held in kinds]

  def point(self, values: Sequence[float], results: Sequence[Any]) -> Point:
    """What the runs of one point add up to."""
    named = {one.text: float(x) for one, x in zip(self.parameters, values, strict=True)}
    measures, broken = dict.fromkeys(self.measures, math.nan), []
    for result in results:
      if "failed" in result:
        broken.append(result["failed"])
      else:
        broken += [t for t in result["troubles"] if t.startswith(_BROKEN)]
        measures |= {k: float(x) for k, x in result["watched"].items() if k in measures}
        # where sites are held the cables do not do their job
        if not any(k in self.held for k in result["watched"]):
          measures |= self._of_cables(result)
    excess = 0.0
    for name, (low, high) in self.limits.items():
      value = measures[name]
      size = max(abs(low) if math.isfinite(low) else 0, abs(high) if math.isfinite(high) else 0)
      if math.isnan(value):
        excess = math.inf
      else:
        excess = max(excess, max(low - value, value - high) / (size or 1.0))
    if not broken and any(math.isnan(measures[name]) for name in self.goals):
      broken.append("a goal has no value here")
    return Point(named, measures, "; ".join(dict.fromkeys(broken)), max(0.0, excess))

  def _of_cables(self, result: dict[str, Any]) -> dict[str, float]:
    found = {}
    for name in self.measures:
      cable, _, what = name.rpartition(".")
      if cable in self.cables:
        value = (
          result["bends"].get(cable) if what == "bend_radius" else result["cables"][cable][what]
        )
        found[name] = math.nan if value is None else float(value)
    return found


def _ends(span: object) -> tuple[float, float]:
  # NaN where it is no pair of numbers
  try:
    low, high = map(float, span)  # type: ignore[call-overload]
  except (TypeError, ValueError):
    return math.nan, math.nan
  return low, high
