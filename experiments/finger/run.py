"""Run: the finger flexed by one motor, without and with friction in its guides."""

from argparse import Namespace

import numpy as np

from experiments.finger.equilibrium import Chain, Rest, solve
from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import Check, Report
from experiments.robots.simulate import Run, simulate
from mujocable.models import finger
from mujocable.spec.laws import Sliding

# flexion [deg] and internal force [N], low and high friction, as the paper prints them
PAPER = ((269.3, 0.395), (214.3, 0.183))
HIGH = 0.206  # the friction that meets both drops at once
FRICTIONS = (0.0, 0.05, 0.1, 0.15, HIGH, 0.25, 0.3)

PULLED, RAMP, DURATION = 0.056, 4.0, 6.0  # take-up [m], how long it takes, all [s]
SHOTS = (0.0, 1.0, 2.0, 3.0)  # of the strip [s]


def main(arguments: Namespace) -> int:
  """Runs the sweep and writes everything; 0 when all checks are met."""
  frictions = (0.0, HIGH) if arguments.quick else FRICTIONS
  runs, halves = {}, {}
  with bar("finger", len(frictions) + (0 if arguments.quick else 2)) as progress:
    for mu in frictions:
      progress.start(f"friction {mu:g}")
      runs[mu] = flex(mu)
      progress.done()
    for mu in () if arguments.quick else (0.0, HIGH):
      progress.start(f"friction {mu:g}, half the step")
      halves[mu] = flex(mu, timestep=2.5e-4)
      progress.done()
  return results.finish(report(runs, halves), arguments)


def control(data):
  """A smooth ramp; past the tension limit the motor takes in cable without more pull."""
  x = min(data.time / RAMP, 1.0)
  pulled, released = finger.command(PULLED * (3 * x**2 - 2 * x**3))
  return pulled, released


def flex(mu: float, **changes) -> Run:
  """One friction, simulated."""
  # friction of the paper: fully developed while the motor pulls in, no memory
  spec = finger.build(finger.Finger(friction=Sliding(mu, mode="forward"), **changes))
  return simulate(spec, control, DURATION, snapshots=SHOTS)


def equilibrium(mu: float) -> Rest:
  """One friction, by the static solver."""
  p = finger.Finger()
  chain = Chain(
    lengths=p.lengths,
    offsets=p.offsets,
    guides=p.guides,
    stiffness=p.stiffness,
    stop=p.stop,
    coupling_stiffness=p.coupling_stiffness,
    coupling_slack=p.coupling_slack,
    coupling_pulley=p.coupling_pulley,
    coupling_offset=p.coupling_offset,
    coupling_guide=p.coupling_guide,
  )
  return solve(chain, p.max_tension, mu)


def row(mu: float, run: Run) -> dict:
  """One row of the results; the internal force is the tension that reaches the fingertip."""
  return {
    "mu": mu,
    "flexion_deg": float(run.bend[-1]),
    "internal_force_N": run.distal_peak,
    "source_tension_N": float(run.tension[-1, 0]),
    "final_internal_force_N": float(run.segments[-1]),
    "coupling_tension_N": run.tension[-1, 2:].tolist(),
    "released_tension_N": run.released_peak,
    "valid_fraction": run.valid,
    "joint_deg": run.joint_deg.tolist(),
  }


def report(runs: dict[float, Run], halves: dict[float, Run]) -> Report:
  """Rows, checks, page."""
  found = Report("finger", "Underactuated finger: friction in its guides")
  sweep = [row(mu, run) for mu, run in runs.items()]
  static = {mu: equilibrium(mu) for mu in runs}
  found.rows = [r for r in sweep if r["mu"] in (0.0, HIGH)]
  found.more["sweep"] = sweep
  found.more["static"] = [
    {
      "mu": mu,
      "flexion_deg": float(np.rad2deg(rest.angles.sum())),
      "internal_force_N": float(rest.tensions[-1]),
      "joint_deg": np.rad2deg(rest.angles).tolist(),
    }
    for mu, rest in static.items()
  ]
  found.checks = checks(found, static, halves)
  found.text = _text(sweep, static)
  _figures(found, runs, static)
  return found


def checks(found: Report, static: dict[float, Rest], halves: dict[float, Run]) -> list[Check]:
  """What must hold."""
  sweep = found.more["sweep"]

  def largest(value, rows=sweep) -> float:
    return max(float(np.max(np.abs(value(r)))) for r in rows)

  def paper(r):
    return PAPER[0 if r["mu"] == 0 else 1]

  list_ = [
    Check(
      "flexion, against the paper",
      largest(lambda r: 100 * (r["flexion_deg"] / paper(r)[0] - 1), found.rows),
      3.0,
      "%",
    ),
    Check(
      "internal force, against the paper",
      largest(lambda r: 100 * (r["internal_force_N"] / paper(r)[1] - 1), found.rows),
      5.0,
      "%",
    ),
    Check(
      "each joint, against the static solver",
      largest(lambda r: np.subtract(r["joint_deg"], np.rad2deg(static[r["mu"]].angles))),
      0.05,
      "deg",
    ),
    Check(
      "force at the tip, against the static solver",
      largest(lambda r: 100 * (r["final_internal_force_N"] / static[r["mu"]].tensions[-1] - 1)),
      0.5,
      "%",
    ),
    Check(
      "couplings, against the static solver",
      largest(lambda r: np.subtract(r["coupling_tension_N"], static[r["mu"]].couplings)),
      1e-3,
      "N",
    ),
    Check("tension of the released extensor", largest(lambda r: r["released_tension_N"]), 0.0, "N"),
    Check("steps with an invalid route", largest(lambda r: 1 - r["valid_fraction"]), 0.0),
  ]
  if halves:
    change = largest(lambda r: r["flexion_deg"] - halves[r["mu"]].bend[-1], found.rows)
    list_.append(Check("flexion, change when the step is halved", change, 0.1, "deg"))
  return list_


def _text(sweep: list[dict], static: dict[float, Rest]) -> list[str]:
  head = ("friction", "MCP, PIP, DIP [deg]", "flexion [deg]", "paper", "static solver")
  head += ("force at the tip [N]", "paper", "static solver")
  printed = {0.0: PAPER[0], HIGH: PAPER[1]}
  cells = []
  for r in sweep:
    rest, published = static[r["mu"]], printed.get(r["mu"])
    cells.append(
      (
        f"{r['mu']:g}",
        ", ".join(f"{angle:.1f}" for angle in r["joint_deg"]),
        f"{r['flexion_deg']:.1f}",
        f"{published[0]:.1f}" if published else "",
        f"{np.rad2deg(rest.angles.sum()):.1f}",
        f"{r['internal_force_N']:.3f}",
        f"{published[1]:.3f}" if published else "",
        f"{rest.tensions[-1]:.3f}",
      )
    )
  return [
    "One motor draws in the flexor and pays out the extensor; four passive cables couple the three"
    " joints. The paper prints the drop of the flexion and of an internal force; geometry, springs"
    " and friction are chosen here (experiments/finger/README.md). One friction meets both drops"
    " together, because the force that reaches the tip is the pull times exp(-mu flexion).",
    results.table(head, cells),
  ]


def _figures(found: Report, runs: dict[float, Run], static: dict[float, Rest]) -> None:
  # matplotlib is loaded late: numbers need none of it
  from experiments.robots import figures

  named = {f"friction {mu:g}": run for mu, run in runs.items()}
  shown = {name: named[name] for name in list(named)[:: 2 if len(named) > 4 else 1]}
  angles = {f"friction {mu:g}": np.rad2deg(static[mu].angles) for mu in runs}
  names = [joint.upper() for joint in finger.JOINTS]
  found.figure(
    "shapes",
    "The finger at the end, seen from the side; the flexor colored by its tension.",
    lambda file: figures.save(figures.shapes(shown), file),
  )
  found.figure(
    "joints",
    "Flexion of each joint at each friction.",
    lambda file: figures.save(figures.joint_rotation(named, angles, labels=names), file),
  )
  found.figure(
    "time",
    "Flexion, tension at the source and take-up of the flexor over time.",
    lambda file: figures.save(figures.time_series(named), file),
  )
  found.figure(
    "tension",
    "Tension along the flexor at the end.",
    lambda file: figures.save(figures.tension_along(named), file),
  )
  some = {f"μ = {mu:g}": runs[mu] for mu in (0.0, HIGH)}
  found.figure(
    "strip",
    "The finger while it flexes, without and with friction.",
    lambda file: figures.strip(file, some, finger.CAMERA),
  )
