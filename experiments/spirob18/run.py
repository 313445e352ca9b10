"""Run: the friction sweep of the 18-joint arm, its native twin, a static solver and the paper."""

from argparse import Namespace

import numpy as np

from experiments.progress import bar
from experiments.robots import results, statics
from experiments.robots.results import Report
from experiments.robots.simulate import Run, simulate
from experiments.spirob18 import page
from experiments.spirob18.published import FRICTIONS, HOLD, RUN, Retraction, pull
from mujocable.models import spirob
from mujocable.spec.laws import Sliding

SHOTS = (0.0, 1.0, 2.0, 2.6, 3.0)  # of the strip [s]


def main(arguments: Namespace) -> int:
  """Runs everything and writes everything; 0 when all checks are met."""
  frictions = (0.0, 0.6) if arguments.quick else FRICTIONS
  runs, halves, twins = {}, {}, {}
  with bar("spirob18", len(frictions) * (1 if arguments.quick else 2) + 2) as progress:
    for mu in frictions:
      progress.start(f"friction {mu:g}")
      runs[mu] = sweep(mu)
      progress.done()
    for mu in () if arguments.quick else frictions:
      progress.start(f"friction {mu:g}, half the step")
      halves[mu] = sweep(mu, timestep=2.5e-4)
      progress.done()
    for drive in ("native", "tension"):
      progress.start(f"drive: {drive}")
      twins[drive] = twin(drive)
      progress.done()
  return results.finish(report(runs, halves, twins), arguments)


def sweep(mu: float, **changes) -> Run:
  """One row, simulated: the paper's run, then a hold."""
  # friction of the paper: fully developed while the motor pulls in, no memory
  params = spirob.Spirob(friction=Sliding(mu, mode="forward"), **changes)
  retraction = Retraction(params.max_tension, params.timestep)
  return simulate(spirob.build(params), retraction, RUN + HOLD, snapshots=SHOTS)


def twin(drive: spirob.Drive) -> Run:
  """The frictionless arm at a constant pull: MuJoCo's tendon, or a cable."""
  return simulate(spirob.build(spirob.Spirob(drive=drive)), pull, RUN, every=5e-3)


def equilibrium(mu: float, take_up: float) -> statics.Shape:
  """The hold of one row, by the static solver."""
  p = spirob.Spirob(friction=mu)
  arm = statics.spiral_arm(
    units=19,
    radius=4.5e-3,
    stiffness=0.0235 * np.exp(-0.1764 * np.pi / 6 * 4.5) ** np.arange(18),
    friction=mu,
  )
  axial = statics.Axial(p.cable_stiffness, p.transition, p.reserve + p.slack, p.max_tension)
  return statics.hold(arm, axial, take_up)


def row(mu: float, run: Run) -> dict:
  """One row of the results: the hold, and what it was at the end of the paper's run."""
  early = run.at(RUN)
  return {
    "mu": mu,
    "bend_deg": float(run.bend[-1]),
    "tension_N": float(run.tension[-1, 0]),
    "peak_tension_N": run.peak,
    "take_up_m": float(run.take_up[-1, 0]),
    "bend_6s_deg": float(run.bend[early]),
    "tension_6s_N": float(run.tension[early, 0]),
    "turn_sum_rad": float(run.turns.sum()),
    "released_tension_N": run.released_peak,
    "valid_fraction": run.valid,
    "joint_deg": run.joint_deg.tolist(),
  }


def report(runs: dict[float, Run], halves: dict[float, Run], twins: dict[str, Run]) -> Report:
  """Rows, checks, page."""
  found = Report("spirob18", "Log-spiral arm, 18 joints: the paper's friction sweep")
  found.rows = [row(mu, run) for mu, run in runs.items()]
  static = {r["mu"]: equilibrium(r["mu"], r["take_up_m"]) for r in found.rows}
  native, cable = twins["native"], twins["tension"]
  found.more = {
    "native": page.native_object(native),
    "equal_tension": page.equal_tension(native, cable),
    "static": [page.static_object(mu, shape) for mu, shape in static.items()],
  }
  found.checks = page.checks(found, static, halves)
  found.text = page.text(found, static)
  page.figures(found, runs, static, native)
  return found
