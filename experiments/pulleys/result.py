"""Result: one case simulated, integrated and measured."""

from dataclasses import dataclass, replace

import numpy as np

from experiments.pulleys.case import ROUNDING, Case, Entry, Fact, measure, scale
from experiments.pulleys.simulate import simulate
from experiments.pulleys.theory import Motion, integrate

TIMES_BETTER = 10.0  # every entry that the paper printed must be this many times smaller
SMALL = 1e-3  # what the paper did not print: this part of the theory's largest magnitude


@dataclass(frozen=True)
class Measured:
  """An entry with its numbers [SI]."""

  entry: Entry
  error: float  # simulation against theory: elastic cable, slip
  textbook_error: float  # simulation against the rigid closed form; NaN: there is none
  scale: float  # largest magnitude of the theory

  @property
  def percent(self) -> float:
    """The paper's normalization; NaN of what is zero in theory and has no scale."""
    if self.entry.target == ROUNDING and self.entry.paper is None:
      return np.nan
    return 100 * abs(self.error) / self.scale

  @property
  def paper_percent(self) -> float:
    """The same for the published error; NaN where there is none."""
    return 100 * abs(self.entry.paper) / self.scale if self.entry.paper is not None else np.nan

  @property
  def better(self) -> float:
    """How many times the published error is larger; NaN where there is none."""
    if self.entry.paper is None:
      return np.nan
    return abs(self.entry.paper) / max(abs(self.error), 1e-300)

  @property
  def bound(self) -> float:
    """What the error must stay below."""
    if self.entry.target is not None:
      return self.entry.target
    if self.entry.paper is not None:
      return abs(self.entry.paper) / TIMES_BETTER
    return SMALL * self.scale

  @property
  def met(self) -> bool:
    return bool(abs(self.error) <= self.bound)


@dataclass(frozen=True)
class Result:
  """A case with its motions and its numbers."""

  case: Case
  sim: Motion
  theory: Motion
  textbook: Motion | None
  measured: tuple[Measured, ...]
  facts: tuple[Fact, ...]
  health: dict[str, float]  # validity of the route over every step
  steps: int
  seconds: float  # of the simulation

  @property
  def met(self) -> bool:
    """All entries within their bounds, the route valid in every step and tangent to 1e-9."""
    sound = self.health["route_valid_fraction"] == 1.0 and self.health["max_smoothness_rad"] < 1e-9
    return sound and all(one.met for one in self.measured)


def run(case: Case) -> Result:
  """Simulates and integrates a case, then compares."""
  log = simulate(case)
  times = case.times()
  sim = log.motion.every(round((times[1] - times[0]) / case.timestep))
  theory = integrate(case.machine(), times, case.watch)
  textbook = case.textbook(times)
  measured = tuple(
    Measured(
      entry,
      measure(entry, sim, theory),
      measure(entry, sim, textbook) if textbook is not None else np.nan,
      scale(entry, theory),
    )
    for entry in case.entries()
  )
  facts = case.facts(sim, theory)
  return Result(case, sim, theory, textbook, measured, facts, log.health(), log.steps, log.seconds)


def borrow_scale(result: Result, other: Result) -> Result:
  """The same result with the scales of another, by signal: FS0 is zero and borrows FS15's."""
  scales = {one.entry.signal.name: one.scale for one in other.measured}
  return replace(
    result,
    measured=tuple(replace(one, scale=scales[one.entry.signal.name]) for one in result.measured),
  )
