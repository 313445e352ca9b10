"""Run: the five rows of the 11-joint sweep, beside what was published and a static solver."""

from argparse import Namespace

import numpy as np

from experiments.progress import bar
from experiments.robots import results, statics
from experiments.robots.results import Check, Report
from experiments.robots.simulate import Run, simulate
from experiments.spirob11.published import (
  DURATION,
  FRICTIONS,
  JOINTS,
  PULLED,
  SWEEP,
  TIPS,
  control,
)
from mujocable.models import spirob
from mujocable.spec.laws import Sliding

SHOTS = (0.0, 4.2, 4.4, 4.6)  # of the strip [s]


def main(arguments: Namespace) -> int:
  """Runs the sweep and writes everything; 0 when all checks are met."""
  frictions = (0.0, 0.2) if arguments.quick else FRICTIONS
  halved = () if arguments.quick else (frictions[0], frictions[-1])
  with bar("spirob11", len(frictions) + len(halved)) as progress:
    runs, halves = {}, {}
    for mu in frictions:
      progress.start(f"friction {mu:g}")
      runs[mu] = sweep(mu)
      progress.done()
    for mu in halved:
      progress.start(f"friction {mu:g}, half the step")
      halves[mu] = sweep(mu, timestep=1e-4)
      progress.done()
  return results.finish(report(runs, halves), arguments)


def sweep(mu: float, **changes) -> Run:
  """One row, simulated."""
  # friction of the paper: fully developed while the motor pulls in, no memory
  spec = spirob.build(spirob.public_11(Sliding(mu, mode="forward"), **changes))
  return simulate(spec, control, DURATION, snapshots=SHOTS)


def equilibrium(mu: float) -> statics.Shape:
  """One row, by the static solver: every number is a published parameter."""
  arm = statics.spiral_arm(units=12, radius=4.95e-3, stiffness=[0.0015] * 11, friction=mu)
  axial = statics.Axial(stiffness=180.0, transition=1.5e-4, loose=0.025 + 1e-4, max_tension=7.0)
  return statics.hold(arm, axial, take_up=PULLED)


def row(mu: float, run: Run) -> dict:
  """One row of the results."""
  return {
    "mu": mu,
    "bend_deg": float(run.bend[-1]),
    "tension_N": float(run.tension[-1, 0]),
    "peak_tension_N": run.peak,
    "take_up_m": float(run.take_up[-1, 0]),
    "turn_sum_rad": float(run.turns.sum()),
    "max_joint_deg": float(run.joint_deg.max()),
    "released_tension_N": run.released_peak,
    "valid_fraction": run.valid,
    "tip_yz_m": run.tip[1:].tolist(),
    "joint_deg": run.joint_deg.tolist(),
  }


def report(runs: dict[float, Run], halves: dict[float, Run]) -> Report:
  """Rows, checks, page."""
  found = Report("spirob11", "Log-spiral arm, 11 joints: every published row")
  found.rows = [row(mu, run) for mu, run in runs.items()]
  static = {mu: equilibrium(mu) for mu in runs}
  found.more["static"] = [
    {
      "mu": mu,
      "bend_deg": float(np.rad2deg(shape.angles.sum())),
      "tension_N": shape.source,
      "joint_deg": np.rad2deg(shape.angles).tolist(),
    }
    for mu, shape in static.items()
  ]
  found.checks = checks(found.rows, static, halves)
  found.text = _text(found.rows, static)
  _figures(found, runs, static)
  return found


def checks(rows: list[dict], static: dict[float, statics.Shape], halves: dict) -> list[Check]:
  """What must hold."""

  def largest(value) -> float:
    return max(float(np.max(np.abs(value(r, r["mu"])))) for r in rows)

  def joints(r, mu):
    return np.subtract(r["joint_deg"], JOINTS[mu]) if mu in JOINTS else 0.0

  def tip(r, mu):
    return np.subtract(1e3 * np.array(r["tip_yz_m"]), TIPS[mu]) if mu in TIPS else 0.0

  found = [
    Check(
      "bend, against published", largest(lambda r, mu: r["bend_deg"] - SWEEP[mu][0]), 0.01, "deg"
    ),
    Check(
      "steady tension, against published",
      largest(lambda r, mu: r["tension_N"] - SWEEP[mu][1]),
      1e-4,
      "N",
    ),
    Check("each joint, against published (friction 0, 0.2)", largest(joints), 0.02, "deg"),
    Check(
      "peak tension, against published",
      largest(lambda r, mu: 100 * (r["peak_tension_N"] / SWEEP[mu][2] - 1)),
      5.0,
      "%",
    ),
    Check(
      "sum of turns, against published",
      largest(lambda r, mu: r["turn_sum_rad"] - SWEEP[mu][3]),
      1e-3,
      "rad",
    ),
    Check(
      "each joint, against the static solver",
      largest(lambda r, mu: np.subtract(r["joint_deg"], np.rad2deg(static[mu].angles))),
      0.01,
      "deg",
    ),
    Check(
      "steady tension, against the static solver",
      largest(lambda r, mu: r["tension_N"] - static[mu].source),
      1e-5,
      "N",
    ),
    Check("tip, against published (friction 0, 0.2)", largest(tip), 0.01, "mm"),
    Check("tension of the released cable", largest(lambda r, _: r["released_tension_N"]), 0.0, "N"),
    Check("steps with an invalid route", largest(lambda r, _: 1 - r["valid_fraction"]), 0.0),
  ]
  if halves:
    change = largest(lambda r, mu: r["bend_deg"] - halves[mu].bend[-1] if mu in halves else 0.0)
    found.append(
      Check("bend, change when the step is halved (least and most friction)", change, 0.1, "deg")
    )
  return found


def _text(rows: list[dict], static: dict[float, statics.Shape]) -> list[str]:
  head = ("friction", "bend [deg]", "published", "static solver", "tension [N]", "published")
  head += ("static solver", "peak tension [N]", "published")
  cells = [
    (
      f"{r['mu']:g}",
      f"{r['bend_deg']:.3f}",
      f"{SWEEP[r['mu']][0]:.3f}",
      f"{np.rad2deg(static[r['mu']].angles.sum()):.3f}",
      f"{r['tension_N']:.6f}",
      f"{SWEEP[r['mu']][1]:.6f}",
      f"{static[r['mu']].source:.6f}",
      f"{r['peak_tension_N']:.5f}",
      f"{SWEEP[r['mu']][2]:.5f}",
    )
    for r in rows
  ]
  return [
    "Two cables through the holes of twelve units, friction in every hole. All parameters are"
    " published; none is fitted here. Both cables are drawn taut, then the active one takes in"
    " 25 mm and the other lets go.",
    results.table(head, cells),
    "The end pose needs nothing but statics. The peak tension needs the protocol: it is met by"
    " commands that step (the motors' lag and rate limit shape them); a ramp of 4 s gives half of"
    " it.",
  ]


def _figures(found: Report, runs: dict[float, Run], static: dict[float, statics.Shape]) -> None:
  # matplotlib is loaded late: numbers need none of it
  from experiments.robots import figures

  named = {f"friction {mu:g}": run for mu, run in runs.items()}
  angles = {f"friction {mu:g}": np.rad2deg(static[mu].angles) for mu in runs}
  spans = {f"friction {mu:g}": static[mu].tensions for mu in runs}
  published = {f"friction {mu:g}": JOINTS[mu] for mu in JOINTS}
  found.figure(
    "shapes",
    "The arm at the end of the hold, at each friction; the active cable colored by its tension.",
    lambda file: figures.save(figures.shapes(named), file),
  )
  found.figure(
    "joints",
    "Rotation of each joint: friction moves the bend toward the base.",
    lambda file: figures.save(figures.joint_rotation(named, angles, published), file),
  )
  found.figure(
    "time",
    "Bend, tension at the source and take-up of the active cable over time.",
    lambda file: figures.save(figures.time_series(named), file),
  )
  found.figure(
    "tension",
    "Tension along the active cable at the end: a straight line over the turn is the Capstan law.",
    lambda file: figures.save(figures.tension_along(named, spans), file),
  )
  some = {f"μ = {mu:g}": runs[mu] for mu in (min(runs), max(runs))}
  found.figure(
    "strip",
    "The arm while it is pulled, without friction and at the largest friction.",
    lambda file: figures.strip(file, some, spirob.CAMERA),
  )
