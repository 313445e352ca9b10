"""Studies: how errors fall with the step and with the stiffness, and the evidence on AT."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from experiments.pulleys.atwood import AT, Atwood
from experiments.pulleys.case import Case, measure, scale
from experiments.pulleys.simulate import simulate
from experiments.pulleys.theory import GRAVITY, Motion, integrate

ROWS = 80_000  # rows of a log: longer runs keep one in several
FLOOR = 1e-9  # relative error below which the reference itself (1e-10) shows


@dataclass(frozen=True)
class Convergence:
  """One entry of one case over a sweep."""

  case: str
  key: str
  values: tuple[float, ...]  # of the parameter that was swept
  errors: tuple[float, ...]  # absolute [SI]
  scale: float  # the paper's normalization

  @property
  def order(self) -> float:
    """Slope of error over parameter, both logarithmic, of the errors above the floor."""
    values, errors = np.array(self.values), np.abs(self.errors)
    clear = errors > max(FLOOR * self.scale, 1e-12)
    if clear.sum() < 2:
      return np.nan
    return float(np.polyfit(np.log(values[clear]), np.log(errors[clear]), 1)[0])


# ---- step size -----------------------------------------------------------------------------------

# multiples of the case's own step; stiff slip (WS, AT) or a light pulley (MP) bound it
_STEPS = {"WS": (1.0, 0.5, 0.25), "AT": (4.0, 2.0, 1.0), "free pulley": (4.0, 2.0, 1.0, 0.5)}
_STEPS |= {"eyelet 0": (16.0, 8.0, 4.0, 2.0), "eyelet 45": (16.0, 8.0, 4.0, 2.0)}
_STEPS |= {"MP": (1.0, 0.5, 0.25), "capstan": (1.0, 0.5, 0.25), "Weston": (1.0, 0.5, 0.25)}


def by_step(case: Case, ref: Motion) -> list[Convergence]:
  """Errors against the elastic theory `ref` as the step is halved."""
  steps = [factor * case.timestep for factor in _STEPS.get(case.name, (2.0, 1.0, 0.5, 0.25))]
  return _sweep(case, steps, lambda h: replace(case, timestep=h), lambda _: ref)


# ---- stiffness -----------------------------------------------------------------------------------

_STIFFER = (1.0, 2.0, 4.0, 8.0, 16.0)


def by_stiffness(case: Case) -> list[Convergence]:
  """Errors against the rigid limit as the cable gets stiffer, at a constant damping ratio."""
  # from slack: started at its running tension, a falling machine hardly feels the stiffness
  if isinstance(case, Atwood):
    case = replace(case, tension=0.0)
  rigid = case.stiff_limit(case.times())
  if rigid is None:
    return []

  def stiffer(stiffness: float) -> Case:
    factor = stiffness / case.stiffness
    damping = case.damping * np.sqrt(factor)
    changed = replace(
      case,
      stiffness=stiffness,
      damping=damping,
      transition=case.transition / factor,
      timestep=case.timestep / (1 if case.name in ("WS", "Weston") else 4),
    )
    if hasattr(case, "tether_stiffness"):
      changed = replace(
        changed,
        tether_stiffness=case.tether_stiffness * factor,
        tether_damping=case.tether_damping * np.sqrt(factor),
      )
    return changed

  values = [case.stiffness * factor for factor in _STIFFER]
  return _sweep(case, values, stiffer, lambda _: rigid)


def _sweep(
  case: Case,
  values: Sequence[float],
  changed: Callable[[float], Case],
  reference: Callable[[float], Motion],
) -> list[Convergence]:
  errors: dict[str, list[float]] = {entry.key: [] for entry in case.entries()}
  for value in values:
    one = changed(value)
    stride = max(1, round(one.duration / one.timestep / ROWS))
    run = simulate(one, stride)
    for entry in case.entries():
      errors[entry.key].append(measure(entry, run.motion, reference(value)))
  ref = reference(values[0])
  return [
    Convergence(case.name, entry.key, tuple(values), tuple(errors[entry.key]), scale(entry, ref))
    for entry in case.entries()
    if not np.isnan(errors[entry.key]).any()
  ]


# ---- AT: does the sheave take part? --------------------------------------------------------------

PAPER_TIME, PAPER_SPEED, PAPER_LANDING = -0.0358, 0.0668, 0.346  # [s, m/s, s]
FRICTIONS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.3)


@dataclass(frozen=True)
class Landing:
  """One variant of the Atwood machine against the textbook form with the sheave's inertia."""

  what: str
  friction: float
  time_error: float  # [s]
  speed_rmse: float  # [m/s]
  theory_time_error: float  # the same from the elastic theory, without the simulator [s]
  rolling: float  # rim speed / cable speed at landing: 1 when the sheave takes part


def landing(what: str, case: Atwood) -> Landing:
  """Simulates a variant and measures it as the paper did."""
  run = simulate(case).motion
  ref = integrate(case.machine(), run.time, case.watch)
  book = case.textbook(run.time)
  time_error, speed_rmse = (measure(entry, run, book) for entry in case.entries()[:2])
  end = int(np.searchsorted(run.time, run.event)) - 1
  rolling = case.radius * run.v["sheave"][end] / -run.v["right"][end]
  return Landing(what, case.friction, time_error, speed_rmse, ref.event - book.event, rolling)


def by_friction() -> list[Landing]:
  """The error of the landing as the sheave is driven more and more."""
  return [landing(f"friction {mu:g}", replace(AT, friction=mu)) for mu in FRICTIONS]


def other_causes() -> list[Landing]:
  """What soft cables, long steps, loose starts and a heavy hand could explain, one at a time."""
  return [
    landing("as AT", AT),
    landing("cable 10 times softer (1500 N/m)", replace(AT, stiffness=1500.0)),
    landing("cable 100 times softer (150 N/m)", replace(AT, stiffness=150.0)),
    landing("starts without tension", replace(AT, tension=0.0)),
    landing("no cable damping", replace(AT, damping=0.0)),
    landing(
      "step of 1 ms, semi-implicit Euler, slip speed 20 mm/s",
      replace(AT, timestep=1e-3, integrator="implicitfast", slip_speed=0.02),
    ),
    landing("cable slides on the sheave (no friction)", replace(AT, friction=0.0)),
  ]


def fitted() -> Atwood:
  """The frictionless machine that meets all three published numbers, if the hypothesis holds.

  Unknown are the acceleration with the sheave (a), without it (b), and the drop; published are
  the landing, its error and the error of the speed. Total mass and radius stay those of AT.
  """
  theory = PAPER_LANDING - PAPER_TIME  # landing of the textbook form [s]
  # same drop: a theory^2 = b landing^2; linear difference of speed: (b - a) landing / sqrt(3)
  gain = (theory / PAPER_LANDING) ** 2

  def mismatch(a):
    return (gain - 1) * a * PAPER_LANDING / np.sqrt(3) - PAPER_SPEED

  a = brentq(mismatch, 0.1, 9.0)
  total = AT.left + AT.right
  difference = gain * a / GRAVITY * total
  inertia = (gain - 1) * total * AT.radius**2
  return replace(
    AT,
    friction=0.0,
    left=(total - difference) / 2,
    right=(total + difference) / 2,
    inertia=inertia,
    mass=2 * inertia / AT.radius**2,
    watch=("right", -a * theory**2 / 2),
  )
