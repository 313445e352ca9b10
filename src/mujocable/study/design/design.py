"""Design: which routing, pulleys, springs and spools do best, under the limits of a machine.

    result = mujocable.design(
      spec,
      vary={"site:guide.z": (0.01, 0.03), "geom:pulley.radius": (0.004, 0.01)},
      goals={"site:tip.force": "maximize", "flexor.peak_tension": "minimize"},
      limits={"flexor.max_slack": (0.0, 0.002)},
    )
    print(result)
    result.spec_of(result.best).compile()

The search is Optuna's: trees of Parzen estimators for one goal, NSGA-II for several. Points that
are asked for together are simulated together, on all cores or a cluster; who ran them changes
nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import mujoco

from mujocable.errors import BadValue
from mujocable.study.design.question import Question
from mujocable.study.design.result import Design, Point, front_of
from mujocable.study.jobs import workers as crew
from mujocable.study.jobs.journal import Journal, fingerprint
from mujocable.study.jobs.point import Own, measure, outcome
from mujocable.study.motion import Command
from mujocable.study.parameters import value_of

_TOGETHER = 8  # points that are asked for at once, whatever runs them


def design(
  spec: mujoco.MjSpec,
  *,
  vary: Mapping[str, tuple[float, float]],
  goals: Mapping[str, str],
  limits: Mapping[str, tuple[float, float]] | None = None,
  motion: str | Command = "pull",
  duration: float = 4.0,
  fit_motion: bool = False,
  keyframe: int | None = None,
  trials: int = 100,
  seed: int = 0,
  workers: int = 1,
  cluster: str | None = None,
  folder: Path | None = None,
  resume: bool = False,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Design:
  """Searches `vary` (parameter -> low, high) for the best `goals` (measure -> "maximize" or
  "minimize") within `limits` (measure -> low, high).

  Measures: CABLE.efficiency, .peak_tension, .lost, .max_slack, .stroke, .bend_radius and the like;
  site:NAME.travel [m], site:NAME.force [N] (the site held where the run begins), joint:NAME.travel,
  sensor:NAME.peak. Every design runs the same commands. A design whose path is lost, whose load
  flies or which diverges is never chosen.
  """
  study = Question(spec, vary, goals, limits or {}, motion, duration, fit_motion, keyframe)
  if not isinstance(trials, int) or trials < 1:
    raise BadValue(f"design: trials must be at least 1, a whole number, got {trials!r}")
  # of limits too: which point is asked for next depends on them
  asked = study.vary, study.goals, study.limits, seed, trials
  mark = fingerprint(study.shared.model, study.controls.tobytes(), keyframe, *asked)
  journal = Journal(folder, mark, trials + 1, resume=resume)
  try:
    with crew.Crew(measure, study.shared, workers=workers, cluster=cluster) as team:
      points = _search(study, team, journal, trials, seed, progress)
  finally:
    journal.close()
  given, *tried = points
  return Design(
    goals=dict(goals),
    limits=study.limits,
    given=given,
    points=tuple(tried),
    front=front_of(tried if study.outside(given) else points, goals),
    notes=study.notes,
    unsaved=journal.unsaved,
    _write=study.write,
  )


def _search(study: Question, team: crew.Crew, journal, trials: int, seed: int, progress):
  try:
    import optuna
  except ImportError as error:
    raise ImportError(f'{error}; a design needs Optuna: pip install "mujocable[design]"') from None
  optuna.logging.set_verbosity(optuna.logging.ERROR)
  if len(study.goals) == 1:
    start = max(10, 4 * len(study.vary))
    sampler: Any = optuna.samplers.TPESampler(seed=seed, n_startup_trials=start)
  else:
    size = max(16, min(50, trials // 5))
    sampler = optuna.samplers.NSGAIISampler(seed=seed, population_size=size)
  directions = list(study.goals.values())
  asked = optuna.create_study(directions=directions, sampler=sampler)
  spans: dict[str, Any] = {
    name: optuna.distributions.FloatDistribution(low, high)
    for name, (low, high) in study.vary.items()
  }
  home = [value_of(study.spec, one, study.cables) for one in study.parameters]
  points = _measured(study, team, journal, [(0, home)])
  bar = iter(progress(range(trials)))
  done = 0
  while done < trials:
    batch = [asked.ask(spans) for _ in range(min(_TOGETHER, trials - done))]
    values = [[trial.params[name] for name in study.vary] for trial in batch]
    numbers = range(done + 1, done + 1 + len(batch))
    found = _measured(study, team, journal, list(zip(numbers, values, strict=True)))
    for trial, point in zip(batch, found, strict=True):
      trial.set_constraint("limits", 1e6 if point.broken else min(point.excess, 1e6))
      if point.broken:
        asked.tell(trial, [_worst(how) for how in directions])
      else:
        asked.tell(trial, [point.measures[name] for name in study.goals])
      next(bar, None)
    points += found
    done += len(batch)
  next(bar, None)
  return points


def _worst(how: str) -> float:
  return -1e12 if how == "maximize" else 1e12


def _measured(study: Question, team: crew.Crew, journal: Journal, asked) -> list[Point]:
  # every run of every point at once; those that are on disk are not run again
  jobs: list[tuple[int, Own | str]] = []
  for index, values in asked:
    if index not in journal.done:
      jobs += [(index, job) for job in study.jobs(values)]
  results: dict[int, list[Any]] = {}
  for (index, _), result in zip(jobs, team.all([job for _, job in jobs]), strict=True):
    results.setdefault(index, []).append(outcome(result))
  for index, _ in asked:
    if index in results:
      journal.add(index, results[index])
  return [study.point(values, journal.done[index]) for index, values in asked]
