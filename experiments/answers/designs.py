"""Designs: two bad routings, what the search makes of them, and what trying everything finds."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from mujocable.models import finger, spirob
from mujocable.spec.read import read_cables
from mujocable.study.design import Design, design
from mujocable.study.jobs import watch
from mujocable.study.jobs.point import Own, measure, share
from mujocable.study.motion import preset, stepwise
from mujocable.study.parameters import parameter, written

GRID = 9  # values of each parameter that are all tried


@dataclass(frozen=True)
class Problem:
  """A model with a bad routing, and the question."""

  spec: mujoco.MjSpec
  vary: dict[str, tuple[float, float]]
  goals: dict[str, str]
  limits: dict[str, tuple[float, float]]
  motion: str
  duration: float


def bad_finger() -> Problem:
  """Guides close to the bones: no lever. Wanted: force at the tip, with little cable to take in."""
  spec = finger.build(finger.Finger(friction=0.1, offsets=(0.004, 0.004, 0.004)))
  return Problem(
    spec,
    vary={"site:flexor:*_mcp.y": (0.003, 0.014), "site:flexor:*_dip.y": (0.003, 0.010)},
    goals={"site:tip.force": "maximize"},
    limits={"flexor.max_slack": (0.0, 0.005)},
    motion="ramp",
    duration=0.15,
  )


def bad_arm() -> Problem:
  """Holes near the axis, cables rough: the arm hardly bends. Wanted: reach, without a hard pull."""
  params = spirob.Spirob(spiral=spirob.Spiral(units=8, radius=6e-3), friction=0.1, drive="tension")
  spec = spirob.build(params)
  for site in spec.sites:
    if site.name.startswith("cable_"):
      site.pos[1] *= 0.3
  return Problem(
    spec,
    vary={"site:cable_0:entry_*.y_scale": (0.5, 3.0), "site:cable_0:exit_*.y_scale": (0.5, 3.0)},
    goals={"site:tip.travel": "maximize"},
    limits={"cable_0.lost": (0.0, 0.025)},
    motion="ramp",
    duration=0.25,
  )


PROBLEMS = {"finger": bad_finger, "arm": bad_arm}


def search(problem: Problem, trials: int, workers: int = 1, folder: Path | None = None) -> Design:
  """What the optimizer finds."""
  return design(
    problem.spec,
    vary=problem.vary,
    goals=problem.goals,
    limits=problem.limits,
    motion=problem.motion,
    duration=problem.duration,
    trials=trials,
    workers=workers,
    folder=folder,
  )


def exhaustive(problem: Problem, count: int = GRID) -> tuple[float, dict[str, float]]:
  """The best of a grid, and where it is: every model built and run, one by one."""
  (goal,) = problem.goals
  ((limit, (_, most)),) = problem.limits.items()
  best, where = -np.inf, {}
  grids = [np.linspace(*span, count) for span in problem.vary.values()]
  for values in itertools.product(*grids):
    named = dict(zip(problem.vary, map(float, values), strict=True))
    found = _try(problem, named, goal, limit)
    if found[limit] <= most and found[goal] > best:
      best, where = found[goal], named
  return best, where


def _try(problem: Problem, named: dict[str, float], goal: str, limit: str) -> dict[str, float]:
  spec, cables = problem.spec, read_cables(problem.spec)
  spec = written(spec, [(parameter(name), value) for name, value in named.items()], cables)
  cable, _, field = limit.rpartition(".")
  command = preset(spec.compile(), problem.motion, problem.duration)

  def run(model: mujoco.MjModel, watched: tuple[str, ...]) -> dict:
    controls = stepwise(model, command, problem.duration)[:-1]
    return measure(share(model, controls, None, watched), Own())

  free = run(spec.compile(), () if goal.endswith(".force") else (goal,))
  value = free["watched"].get(goal)
  if value is None:
    value = run(watch.held(spec, [goal]).compile(), (goal,))["watched"][goal]
  return {goal: value, limit: free["cables"][cable][field]}
