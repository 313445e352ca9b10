"""Page: the checks, tables and figures of the 18-joint arm."""

from itertools import pairwise

import mujoco
import numpy as np

from experiments.robots import results
from experiments.robots.results import Check, Report
from experiments.robots.simulate import Run
from experiments.robots.statics import Shape
from experiments.spirob18.published import NATIVE, RUN, SWEEP
from mujocable.models import spirob


def native_object(run: Run) -> dict:
  """The native twin at the end of its run."""
  length = []
  for qpos in (run.angles[0], run.angles[-1]):
    data = mujoco.MjData(run.model)
    data.qpos[:] = qpos
    mujoco.mj_forward(run.model, data)
    length.append(float(data.ten_length[0]))
  return {
    "bend_deg": float(run.bend[-1]),
    "peak_tension_N": NATIVE[1],
    "take_up_m": length[0] - length[1],
    "joint_deg": run.joint_deg.tolist(),
  }


def equal_tension(native: Run, cable: Run) -> dict:
  """Native tendon and frictionless cable at the same pull: the largest difference of any joint."""
  apart = np.rad2deg(np.abs(native.angles - cable.angles))
  return {"bend_deg": float(cable.bend[-1]), "max_joint_difference_deg": float(apart.max())}


def static_object(mu: float, shape: Shape) -> dict:
  """A hold of the static solver."""
  return {
    "mu": mu,
    "bend_deg": float(np.rad2deg(shape.angles.sum())),
    "tension_N": shape.source,
    "joint_deg": np.rad2deg(shape.angles).tolist(),
  }


def checks(found: Report, static: dict[float, Shape], halves: dict[float, Run]) -> list[Check]:
  """What must hold."""
  rows = found.rows

  def largest(value, keep=lambda mu: True) -> float:
    return max(float(np.max(np.abs(value(r, r["mu"])))) for r in rows if keep(r["mu"]))

  def joints(r, mu):
    return np.subtract(r["joint_deg"], np.rad2deg(static[mu].angles))

  def percent(key, column):
    return lambda r, mu: 100 * (r[key] / SWEEP[mu][column] - 1)

  first, last = rows[0], rows[-1]
  peak = percent("peak_tension_N", 1)
  list_ = [
    Check("each joint, against the static solver", largest(joints), 0.05, "deg"),
    Check(
      "tension at the hold, against the static solver",
      largest(lambda r, mu: 100 * (r["tension_N"] / static[mu].source - 1)),
      0.5,
      "%",
    ),
    Check("bend, against the paper", largest(percent("bend_deg", 0)), 5.0, "%"),
    Check(
      "take-up, against the paper",
      largest(lambda r, mu: 1e3 * (r["take_up_m"] - SWEEP[mu][2])),
      2.0,
      "mm",
    ),
    Check("peak tension, against the paper", largest(peak, lambda mu: mu != 0.15), 10.0, "%"),
  ]
  if any(r["mu"] == 0.15 for r in rows):
    found_peak = largest(peak, lambda mu: mu == 0.15)
    list_.append(Check("peak tension at friction 0.15, against the paper", found_peak, 30.0, "%"))
  list_ += [
    Check(
      "bend lost by every step of friction",
      -max(b - a for a, b in pairwise(r["bend_deg"] for r in rows)),
      0.0,
      "deg",
      least=True,
    ),
    Check(
      "peak tension at friction 0.6 / at 0",
      last["peak_tension_N"] / first["peak_tension_N"],
      4.0,
      least=True,
    ),
    Check(
      "rotation lost by the last joint, friction 0 to 0.6",
      first["joint_deg"][-1] - last["joint_deg"][-1],
      5.0,
      "deg",
      least=True,
    ),
    Check(
      "rotation gained by the first joint, friction 0 to 0.6",
      last["joint_deg"][0] - first["joint_deg"][0],
      2.0,
      "deg",
      least=True,
    ),
    Check("tension of the released cable", largest(lambda r, _: r["released_tension_N"]), 0.0, "N"),
    Check("steps with an invalid route", largest(lambda r, _: 1 - r["valid_fraction"]), 0.0),
    Check(
      "cable without friction and native tendon at equal tension, any joint, any time",
      found.more["equal_tension"]["max_joint_difference_deg"],
      1e-9,
      "deg",
    ),
  ]
  if halves:
    change = largest(lambda r, mu: r["bend_deg"] - halves[mu].bend[-1])
    list_.append(Check("bend, change when the step is halved", change, 0.1, "deg"))
  return list_


def text(found: Report, static: dict[float, Shape]) -> list[str]:
  """Tables and what they say."""
  head = ("friction", "bend [deg]", "paper", "peak tension [N]", "paper", "take-up [mm]", "paper")
  head += ("hold tension [N]", "static solver", "sum of turns [rad]")
  cells = [
    (
      f"{r['mu']:g}",
      f"{r['bend_deg']:.1f}",
      f"{SWEEP[r['mu']][0]:.1f}",
      f"{r['peak_tension_N']:.3f}",
      f"{SWEEP[r['mu']][1]:.3f}",
      f"{1e3 * r['take_up_m']:.2f}",
      f"{1e3 * SWEEP[r['mu']][2]:.2f}",
      f"{r['tension_N']:.4f}",
      f"{static[r['mu']].source:.4f}",
      f"{r['turn_sum_rad']:.1f}",
    )
    for r in found.rows
  ]
  native = found.more["native"]
  apart = found.more["equal_tension"]["max_joint_difference_deg"]
  paragraphs = [
    "The paper prints the results of this arm, not its parameters: size, springs, cable stiffness,"
    " tension limit and the way it is retracted are inferred from the printed numbers"
    " (experiments/spirob18/README.md). The table is therefore a test of plausibility; the test of"
    " the simulation is the static solver, which shares no code with it.",
    results.table(head, cells),
    "Friction costs bend at the tip and is paid for with tension: near closure a hole turns the"
    " cable by more than a radian, so the curled arm has five times as much turn in its holes as it"
    " bends.",
    f"MuJoCo's own tendon on the same arm, pulled with {NATIVE[1]:g} N, bends it"
    f" {native['bend_deg']:.1f} deg with {1e3 * native['take_up_m']:.1f} mm (paper"
    f" {NATIVE[0]:g} deg, about {1e3 * NATIVE[2]:.0f} mm). A cable without friction at the same"
    f" pull follows it to {apart:.1e} deg in every joint at every time.",
  ]
  same = [r for r in found.rows if r["mu"] == 0.15]
  if same:
    (r,) = same
    ratios = results.table(
      ("cable at friction 0.15 / native tendon", "here", "paper"),
      [
        ("bend", f"{r['bend_deg'] / native['bend_deg']:.3f}", f"{523.0 / 521.8:.3f}"),
        ("peak tension", f"{r['peak_tension_N'] / NATIVE[1]:.2f}", f"{2.538 / 0.644:.2f}"),
        ("take-up", f"{r['take_up_m'] / native['take_up_m']:.3f}", "1.09"),
      ],
    )
    paragraphs += ["The paper's comparison is at unequal friction, 0.15 against none:", ratios]
  return paragraphs


def figures(found: Report, runs: dict[float, Run], static: dict[float, Shape], native: Run) -> None:
  """Adds the pictures."""
  # matplotlib is loaded late: numbers need none of it
  from experiments.robots import figures as draw

  named = {f"friction {mu:g}": run for mu, run in runs.items()}
  angles = {f"friction {mu:g}": np.rad2deg(static[mu].angles) for mu in runs}
  spans = {f"friction {mu:g}": static[mu].tensions for mu in runs}
  found.figure(
    "shapes",
    "The arm at the end of the hold, at each friction; the active cable colored by its tension.",
    lambda file: draw.save(draw.shapes(named), file),
  )
  found.figure(
    "joints",
    "Rotation of each joint: friction takes it from the tip and gives it to the base.",
    lambda file: draw.save(draw.joint_rotation(named, angles), file),
  )
  found.figure(
    "time",
    "Bend, tension at the source and take-up over time; the paper's run ends at the dotted line.",
    lambda file: draw.save(draw.time_series(named, mark=RUN), file),
  )
  found.figure(
    "tension",
    "Tension along the active cable at the end of the hold.",
    lambda file: draw.save(draw.tension_along(named, spans), file),
  )
  found.figure(
    "paper",
    "Bend, peak tension and take-up over friction, beside the paper and the native tendon.",
    lambda file: draw.save(_sweep(found), file),
  )
  some = {f"μ = {mu:g}": runs[mu] for mu in (min(runs), max(runs))}
  found.figure(
    "strip",
    "The arm while it is pulled, without friction and at the largest friction.",
    lambda file: draw.strip(file, some, spirob.CAMERA),
  )


def _sweep(found: Report):
  from matplotlib.figure import Figure

  from experiments.robots.figures import axes_of

  figure = Figure(figsize=(10.5, 3.5), layout="constrained")
  native = found.more["native"]
  panels = (
    ("bend [deg]", "bend_deg", 0, 1.0),
    ("peak tension [N]", "peak_tension_N", 1, 1.0),
    ("take-up [mm]", "take_up_m", 2, 1e3),
  )
  mus = [r["mu"] for r in found.rows]
  for i, (label, key, column, unit) in enumerate(panels):
    axes = axes_of(figure, 1, 3, i + 1)
    axes.plot(mus, [unit * r[key] for r in found.rows], "o-", color="#12355b", label="here")
    paper = [unit * SWEEP[mu][column] for mu in mus]
    axes.plot(mus, paper, "s", color="#d98324", mfc="none", ms=8, mew=1.6, label="paper")
    axes.plot(-0.03, unit * native[key], "<", color="#2a9d8f", ms=7, label="native tendon, here")
    axes.plot(
      -0.03,
      unit * NATIVE[column],
      "<",
      color="#d98324",
      mfc="none",
      ms=9,
      mew=1.4,
      label="native tendon, paper",
    )
    axes.set(xlabel="friction", ylabel=label)
    if i == 0:
      axes.legend(fontsize=8, frameon=False, loc="lower left")
  return figure
