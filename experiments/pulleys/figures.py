"""Figures: theory and simulation overlaid, error below; agreement, convergence, evidence, rigs."""

from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from PIL import Image

import mujocable as mjc
from experiments.pulleys.case import Case, Signal
from experiments.pulleys.result import Measured, Result
from experiments.pulleys.study import PAPER_TIME, Convergence, Landing
from experiments.pulleys.theory import Motion

THEORY, SIMULATION, ERROR, PAPER, BOOK = "#8fb8de", "#12355b", "#c0392b", "#d98324", "#6b8f71"
GRID = {"color": "#e3e3e3", "linewidth": 0.6}
COLORS = ("#12355b", "#c0392b", "#6b8f71", "#d98324", "#7b4b94", "#2a9d8f", "#8c564b", "#5c6b73")
MARKS = "osD^vP*X"


def save(figure: Figure, file: Path) -> None:
  """Writes a small PNG: a palette is plenty for lines."""
  FigureCanvasAgg(figure)
  file.parent.mkdir(parents=True, exist_ok=True)
  figure.savefig(file, dpi=110)
  with Image.open(file) as image:
    small = image.convert("RGB").quantize(160, dither=Image.Dither.NONE)
  small.save(file, optimize=True)


def _axes(axes: Axes) -> Axes:
  axes.grid(**GRID)
  axes.set_axisbelow(True)
  axes.spines[["top", "right"]].set_visible(False)
  axes.tick_params(labelsize=8)
  return axes


# ---- one case ------------------------------------------------------------------------------------


def case_figure(result: Result) -> Figure:
  """A column per signal: theory and simulation above, their difference below."""
  signals = result.case.signals()
  figure = Figure(figsize=(3.9 * len(signals), 4.4), layout="constrained")
  grid = figure.add_gridspec(2, len(signals), height_ratios=(2.2, 1))
  for column, signal in enumerate(signals):
    above = _axes(figure.add_subplot(grid[0, column]))
    below = _axes(figure.add_subplot(grid[1, column], sharex=above))
    _overlay(above, below, signal, result)
    if column == 0:
      above.legend(fontsize=8, frameon=False, loc="best")
  figure.align_ylabels()
  name, title = result.case.name, result.case.title
  figure.suptitle(f"{name}: {title}" if name.isupper() else title, fontsize=11)
  return figure


def _overlay(above: Axes, below: Axes, signal: Signal, result: Result) -> None:
  factor, unit = signal.shown
  unit = unit or signal.unit
  end = np.nanmin([result.sim.event, result.theory.event, np.inf])
  sim, theory = result.sim, result.theory.until(end)
  above.plot(theory.time, factor * signal.of(theory), color=THEORY, lw=4.5, label="theory")
  above.plot(sim.time, factor * signal.of(sim), color=SIMULATION, lw=1.2, label="simulation")
  if np.isfinite(end):
    above.axvline(end, color=ERROR, lw=0.8, ls=":")
    below.axvline(end, color=ERROR, lw=0.8, ls=":")
    above.annotate(
      "lands",
      (end, 0.45),
      (5, 0),
      xycoords=("data", "axes fraction"),
      textcoords="offset points",
      fontsize=8,
      color=ERROR,
    )
  error = signal.of(sim.until(end)) - signal.of(theory)
  power, label = _readable(error, signal.unit)
  below.plot(theory.time, error * power, color=ERROR, lw=0.9)
  above.set_ylabel(f"{signal.name} [{unit}]" if unit else signal.name, fontsize=9)
  below.set_ylabel(f"error [{label}]" if label else "error", fontsize=9)
  below.set_xlabel("time [s]", fontsize=9)
  above.tick_params(labelbottom=False)
  values = factor * signal.of(theory)
  if np.ptp(values) < 1e-9:  # a numerical zero: show it as one
    above.set_ylim(-1, 1)


def _readable(error: np.ndarray, unit: str) -> tuple[float, str]:
  """A factor that brings the largest error between 0.1 and 100, and its label."""
  largest = float(np.abs(error).max())
  power = 3 * int(np.floor(np.log10(largest) / 3)) if largest > 0 else 0
  if largest > 0 and largest / 10.0**power >= 100:
    power += 3
  if power == 0:
    return 1.0, unit
  return 10.0**-power, f"$10^{{{power}}}$ {unit}".strip()


# ---- all cases -----------------------------------------------------------------------------------


def agreement(results: Sequence[Result]) -> Figure:
  """Simulation over theory, normalized; and every entry beside the published one."""
  figure = Figure(figsize=(11, 5.0), layout="constrained")
  left, right = figure.subplots(1, 2, width_ratios=(1, 1.35))
  _diagonal(_axes(left), results)
  _entries(_axes(right), results)
  return figure


def _diagonal(axes: Axes, results: Sequence[Result]) -> None:
  axes.plot([0, 1.05], [0, 1.05], color=THEORY, lw=5, zorder=1, label="theory")
  shown = [result for result in results if result.measured[0].scale and result.case.name != "FS0"]
  for i, result in enumerate(shown):
    signal = result.case.signals()[0]
    end = np.nanmin([result.sim.event, result.theory.event, np.inf])
    theory, sim = signal.of(result.theory.until(end)), signal.of(result.sim.until(end))
    order = np.argsort(theory)
    # a dozen points, not those of the other cases
    levels = theory.min() + np.ptp(theory) * (np.arange(12) + (i + 0.5) / len(shown)) / 12
    pick = order[np.searchsorted(theory[order], levels)]
    top = np.abs(theory).max()
    axes.plot(
      theory[pick] / top,
      sim[pick] / top,
      MARKS[i % len(MARKS)],
      color=COLORS[i % len(COLORS)],
      ms=5,
      label=f"{result.case.name}: {signal.name}",
    )
  axes.set(xlabel="theory / its largest magnitude", ylabel="simulation / the same", aspect="equal")
  axes.legend(fontsize=7.5, frameon=False, loc="upper left")


def _entries(axes: Axes, results: Sequence[Result]) -> None:
  rows: list[tuple[str, Measured]] = [
    (f"{result.case.name}  {_plain(one.entry.key)}", one)
    for result in results
    for one in result.measured
    if one.entry.paper is not None
  ]
  for y, (_, one) in enumerate(rows):
    ours, paper = max(one.percent, 1e-15), one.paper_percent
    axes.plot([ours, paper], [y, y], color="#c8c8c8", lw=2, zorder=1)
    axes.plot(paper, y, "s", color=PAPER, ms=7, label="paper" if y == 0 else None)
    axes.plot(ours, y, "o", color=SIMULATION, ms=7, label="here" if y == 0 else None)
    if one.entry.target is None:  # others have a target of their own
      axes.plot(paper / 10, y, "|", color=PAPER, ms=11, label="a tenth of it" if y == 0 else None)
  axes.set_xscale("log")
  axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=8)
  axes.set_ylim(len(rows) - 0.4, -0.6)
  axes.set_xlabel("error, per cent of the largest magnitude of the theory")
  axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(0.0, 1.1), ncols=3)


def _plain(key: str) -> str:
  """`travel_rmse_m` -> `travel rmse`."""
  words = key.split("_")
  while words[-1] in ("m", "s", "N", "Nm", "rad"):
    words.pop()
  return " ".join(words)


# ---- studies -------------------------------------------------------------------------------------


def convergence(steps: Sequence[Convergence], stiffness: Sequence[Convergence]) -> Figure:
  """Error over step size (left) and over stiffness (right), one line per case."""
  figure = Figure(figsize=(11.5, 5.2), layout="constrained")
  left, right = figure.subplots(1, 2)
  names = [one.case for one in steps]
  slopes = ((1, "order 1"), (4, "order 4"))
  _lines(_axes(left), steps, names, 1e3, "time step [ms]", slopes)
  _lines(_axes(right), stiffness, names, 1e-3, "stiffness [kN/m]", ((-1, "1 / stiffness"),))
  left.set_title("against the elastic theory", fontsize=10)
  right.set_title("against the rigid limit", fontsize=10)
  return figure


def _lines(
  axes: Axes, sweeps: Sequence[Convergence], names: list[str], unit: float, label: str, slopes
) -> None:
  for sweep in sweeps:
    i = names.index(sweep.case)  # a case looks the same on both sides
    values = unit * np.array(sweep.values)
    errors = 100 * np.abs(sweep.errors) / (sweep.scale or 1.0)
    axes.plot(
      values,
      np.maximum(errors, 1e-14),
      marker=MARKS[i % len(MARKS)],
      color=COLORS[i % len(COLORS)],
      ls="-" if i < len(COLORS) else "--",
      lw=1.2,
      ms=5,
      label=f"{sweep.case}: {_plain(sweep.key)}",
    )
  axes.set_xscale("log")
  axes.set_yscale("log")
  axes.set_xlabel(label)
  axes.set_ylabel("error [% of the theory's largest magnitude]")
  # guides for the slopes, in a corner of their own
  low, high = axes.get_xlim()
  bottom, top = axes.get_ylim()
  for order, name in slopes:
    x = np.array([low, low * (high / low) ** 0.25])
    y = (top * 0.3 if order < 0 else bottom * 10) * (x / x[0]) ** order
    axes.plot(x, y, color="black", lw=1, ls=":")
    axes.annotate(name, (x[1], y[1]), fontsize=7.5, xytext=(3, 0), textcoords="offset points")
  axes.set_ylim(bottom, top)
  axes.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def evidence(driven: Result, sliding: Motion, fitted: Landing, sweep: Sequence[Landing]) -> Figure:
  """AT: speed with and without the sheave's part; landing error over friction."""
  figure = Figure(figsize=(11, 4.4), layout="constrained")
  left, right = figure.subplots(1, 2)
  _axes(left)
  _axes(right)
  case, book = driven.case, driven.textbook
  assert book is not None
  light = case.left + case.right
  alone = (case.right - case.left) / light * 9.81  # without the sheave
  end = sliding.event
  for a, color, name, stop in (
    (case.pull(), THEORY, "textbook, with the sheave", book.event),
    (alone, "#f0c48a", "textbook, without the sheave", np.sqrt(-2 * case.watch[1] / alone)),
  ):
    left.plot([0, stop], [0, a * stop], color=color, lw=5, label=name, solid_capstyle="butt")
  for motion, color, name in (
    (driven.sim, SIMULATION, f"simulated, friction {case.friction:g}"),
    (sliding, ERROR, "simulated, no friction"),
  ):
    until = motion.until(motion.event)
    left.plot(until.time, -until.v["right"], color=color, lw=1.3, label=name)
    left.plot(motion.event, -until.v["right"][-1], "o", color=color, ms=5)
  left.annotate(
    "",
    (end, 0.2),
    (book.event, 0.2),
    arrowprops={"arrowstyle": "<->", "color": ERROR, "shrinkA": 0, "shrinkB": 0},
  )
  left.axvline(end, color=ERROR, lw=0.7, ls=":")
  left.axvline(book.event, color=SIMULATION, lw=0.7, ls=":")
  left.annotate(
    f"{1e3 * (end - book.event):.1f} ms",
    (end, 0.2),
    (-8, 0),
    textcoords="offset points",
    ha="right",
    va="center",
    fontsize=8.5,
    color=ERROR,
  )
  left.set(xlabel="time [s]", ylabel="speed of the heavier weight [m/s]")
  left.set(xlim=(0, 0.42), ylim=(0, 0.72))
  left.legend(fontsize=8, frameon=False, loc="upper left")

  friction = [one.friction for one in sweep]
  theory, simulated = (
    [1e3 * of for of in errors]
    for errors in zip(*((one.theory_time_error, one.time_error) for one in sweep), strict=True)
  )
  right.plot(friction, theory, color=THEORY, lw=5, label="elastic theory")
  right.plot(friction, simulated, "o-", color=SIMULATION, lw=1.2, ms=5, label="simulation")
  right.axhline(1e3 * PAPER_TIME, color=PAPER, lw=1.6, ls="--", label="paper: -35.8 ms")
  star = "no friction, masses fitted to the paper"
  right.plot(0, 1e3 * fitted.time_error, "*", color=ERROR, ms=11, zorder=5, label=star)
  right.set(xlabel="friction on the sheave", ylabel="error of the landing [ms]", ylim=(-39, 3))
  right.legend(fontsize=8, frameon=False, loc="center right")
  return figure


# ---- rigs ----------------------------------------------------------------------------------------


def rigs(results: Sequence[Result]) -> Figure:
  """Every rig as solved by the library: the path at the start (light) and at the end (dark)."""
  same = {"FP0": "FP0, FP15, FS0, FS15, WS", "eyelet 45": "eyelet"}
  skipped = ("FP15", "FS0", "FS15", "WS", "FP0 free", "eyelet 0")
  results = [result for result in results if result.case.name not in skipped]
  columns = 5
  rows = -(-len(results) // columns)
  figure = Figure(figsize=(2.3 * columns, 3.1 * rows), layout="constrained")
  for i, result in enumerate(results):
    axes = figure.add_subplot(rows, columns, i + 1)
    _rig(axes, result.case, result)
    axes.set_title(same.get(result.case.name, result.case.name), fontsize=10)
  return figure


def _rig(axes: Axes, case: Case, result: Result) -> None:
  model = case.spec().compile()
  data = mujoco.MjData(model)
  axes.set_aspect("equal")
  axes.axis("off")
  ends = {name: values[-1] for name, values in result.sim.x.items()}
  for moved, shade in ((False, 0.35), (True, 1.0)):
    mujoco.mj_resetData(model, data)
    for joint, value in case.start().items():
      data.joint(joint).qpos[0] = value
    if moved:
      _move(model, data, ends)
    mujoco.mj_forward(model, data)
    for geom in range(model.ngeom):
      x, _, z = data.geom_xpos[geom]
      kind, size = model.geom_type[geom], model.geom_size[geom]
      look = {"fc": "#efe3c2", "ec": "#8a7440", "lw": 0.8, "alpha": shade}
      if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        axes.add_patch(Circle((x, z), size[0], **look))
      elif kind == mujoco.mjtGeom.mjGEOM_BOX:
        corner = (x - size[0], z - size[2])
        look |= {"fc": "#b9c2cc", "ec": "#4a5560"}
        axes.add_patch(Rectangle(corner, 2 * size[0], 2 * size[2], **look))
      else:
        axes.axhline(z, color="#4a5560", lw=1)
    for view in mjc.bind(model, data).values():
      points = view.points
      axes.plot(points[:, 0], points[:, 2], color=ERROR, lw=1.3, alpha=shade)
  axes.autoscale_view()


def _move(model: mujoco.MjModel, data: mujoco.MjData, ends: dict[str, float]) -> None:
  for name, value in ends.items():
    joint = model.joint(name)
    up = 2 if model.jnt_type[joint.id] == mujoco.mjtJoint.mjJNT_FREE else 0
    data.qpos[int(joint.qposadr[0]) + up] += value
