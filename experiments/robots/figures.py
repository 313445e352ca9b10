"""Figures: shapes, joint rotation, time series, tension along the cable, rendered strips."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import mujoco
import numpy as np
from matplotlib import colormaps, get_data_path
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator, NullLocator
from PIL import Image, ImageDraw, ImageFont

from experiments.robots.simulate import Run

GRID = {"color": "#e3e3e3", "linewidth": 0.6}
TENSION = colormaps["plasma"]


def shades(count: int) -> list:
  """One color per friction, from light to dark blue-green."""
  return [colormaps["viridis"](x) for x in np.linspace(0.85, 0.05, count)]


def save(figure: Figure, file: Path) -> None:
  """Writes a small PNG."""
  FigureCanvasAgg(figure)
  file.parent.mkdir(parents=True, exist_ok=True)
  figure.savefig(file, dpi=110)
  _shrink(file, 256)


def _shrink(file: Path, colors: int) -> None:
  with Image.open(file) as image:
    small = image.convert("RGB").quantize(colors, dither=Image.Dither.NONE)
  small.save(file, optimize=True)


def axes_of(figure: Figure, *place, **options) -> Axes:
  """An axes in the house's look."""
  axes = figure.add_subplot(*place, **options)
  axes.grid(**GRID)
  axes.set_axisbelow(True)
  axes.spines[["top", "right"]].set_visible(False)
  axes.tick_params(labelsize=9)
  return axes


# ---- shapes --------------------------------------------------------------------------------------


def outlines(run: Run) -> list[np.ndarray]:
  """Every mesh or box of the robot at the end, seen along x: hulls of (y, z) in mm."""
  from scipy.spatial import ConvexHull

  data = _last(run)
  hulls = []
  for geom in range(run.model.ngeom):
    points = _corners(run.model, geom)
    if points is None:
      continue
    world = data.geom_xpos[geom] + points @ data.geom_xmat[geom].reshape(3, 3).T
    flat = 1e3 * world[:, 1:]
    hulls.append(flat[ConvexHull(flat).vertices])
  return hulls


def _corners(model: mujoco.MjModel, geom: int) -> np.ndarray | None:
  kind = model.geom_type[geom]
  if kind == mujoco.mjtGeom.mjGEOM_MESH:
    mesh = model.geom_dataid[geom]
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    return model.mesh_vert[start : start + count]
  if kind == mujoco.mjtGeom.mjGEOM_BOX:
    signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
    return signs * model.geom_size[geom]
  return None


def _last(run: Run) -> mujoco.MjData:
  from mujocable.viewer import offscreen

  return offscreen.restore(run.model, run.states[max(run.states)])


def shapes(runs: Mapping[str, Run], title: str = "") -> Figure:
  """The robots at the end side by side, their cable colored by tension."""
  figure = Figure(layout="constrained")
  pulls = np.concatenate([run.segments for run in runs.values()])
  norm = Normalize(0, pulls.max())
  if pulls.min() < 0.05 * pulls.max():
    norm = LogNorm(max(pulls.min(), 1e-4 * pulls.max()), pulls.max())
  drawn = []
  for i, (name, run) in enumerate(runs.items()):
    axes = figure.add_subplot(1, len(runs), i + 1)
    axes.set_aspect("equal")
    axes.set_title(f"{name}\n{run.bend[-1]:.1f}°", fontsize=10)
    for hull in outlines(run):
      axes.add_patch(Polygon(hull, fc="#dfe7ee", ec="#7d8b99", lw=0.7))
    path = 1e3 * run.path[:, 1:]
    lines = LineCollection(np.stack([path[:-1], path[1:]], 1), cmap=TENSION, norm=norm, lw=1.8)
    lines.set_array(run.segments)
    axes.add_collection(lines)
    axes.autoscale_view()
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("y [mm]", fontsize=9)
    if i == 0:
      axes.set_ylabel("z [mm]", fontsize=9)
    drawn.append(axes)
  # one scale for all
  bounds = np.array([[*a.get_xlim(), *a.get_ylim()] for a in drawn])
  x, y = (bounds[:, 0].min(), bounds[:, 1].max()), (bounds[:, 2].min(), bounds[:, 3].max())
  for axes in drawn:
    axes.set_xlim(x)
    axes.set_ylim(y)
  width = 2.45 * len(runs)
  tall = width / len(runs) * (y[1] - y[0]) / (x[1] - x[0])
  figure.set_size_inches(width + 1.7, tall + 1.3)
  bar = figure.colorbar(ScalarMappable(norm, TENSION), ax=drawn, pad=0.01, aspect=14)
  bar.formatter = "{x:g}"
  bar.set_label("tension of the cable [N]", fontsize=9)
  bar.ax.tick_params(labelsize=8)
  if title:
    figure.suptitle(title, fontsize=11)
  return figure


# ---- joints --------------------------------------------------------------------------------------


def joint_rotation(
  runs: Mapping[str, Run],
  statics: Mapping[str, np.ndarray],
  published: Mapping[str, Sequence[float]] | None = None,
  labels: Sequence[str] = (),
) -> Figure:
  """Angle of every joint: simulation as lines, the static solver as dots, published as crosses."""
  figure = Figure(figsize=(7.6, 4.3), layout="constrained")
  axes = axes_of(figure, 1, 1, 1)
  for color, (name, run) in zip(shades(len(runs)), runs.items(), strict=True):
    index = np.arange(1, run.joint_deg.size + 1)
    axes.plot(index, run.joint_deg, color=color, lw=1.8, label=name)
    axes.plot(index, statics[name], "o", color=color, ms=4.5, mfc="white")
    if published and name in published:
      axes.plot(index, published[name], "x", color="#c0392b", ms=7, mew=1.4)
  axes.plot([], [], "o", color="#555555", ms=4.5, mfc="white", label="static solver")
  if published:
    axes.plot([], [], "x", color="#c0392b", ms=7, mew=1.4, ls="none", label="published")
  axes.set(xlabel="joint, from the base", ylabel="angle at the end [deg]")
  axes.set_xticks(index, labels or None)
  axes.legend(fontsize=8.5, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
  return figure


# ---- time ----------------------------------------------------------------------------------------


def time_series(runs: Mapping[str, Run], mark: float | None = None) -> Figure:
  """Bend, source tension and take-up over time; `mark` is a time worth a line."""
  figure = Figure(figsize=(8.2, 6.4), layout="constrained")
  panels = (
    ("bend [deg]", lambda run: run.bend),
    ("source tension [N]", lambda run: run.tension[:, 0]),
    ("take-up [mm]", lambda run: 1e3 * run.take_up[:, 0]),
  )
  first = None
  for i, (label, value) in enumerate(panels):
    axes = axes_of(figure, len(panels), 1, i + 1, sharex=first)
    first = first or axes
    for color, (name, run) in zip(shades(len(runs)), runs.items(), strict=True):
      axes.plot(run.time, value(run), color=color, lw=1.6, label=name)
    axes.set_ylabel(label, fontsize=10)
    axes.margins(x=0)
    if mark is not None:
      axes.axvline(mark, color="#999999", lw=0.9, ls=":")
    if i < len(panels) - 1:
      axes.tick_params(labelbottom=False)
    else:
      axes.set_xlabel("time [s]", fontsize=10)
  first.legend(fontsize=8.5, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
  figure.align_ylabels()
  return figure


# ---- along the cable -----------------------------------------------------------------------------


def tension_along(
  runs: Mapping[str, Run], statics: Mapping[str, np.ndarray] | None = None
) -> Figure:
  """Tension of every segment over the path, and the turn that has been passed; all at the end."""
  figure = Figure(figsize=(10.4, 4.1), layout="constrained")
  left, right = axes_of(figure, 1, 2, 1), axes_of(figure, 1, 2, 2)
  for color, (name, run) in zip(shades(len(runs)), runs.items(), strict=True):
    edges = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(run.path, axis=0), axis=1))])
    left.stairs(run.segments, 1e3 * edges, color=color, lw=1.7, label=name, baseline=None)
    turned = np.concatenate([[0], np.cumsum(run.turns)])
    right.plot(turned, run.segments, color=color, lw=1.7, label=name)
    if statics and name in statics:
      # the segment before the first hole, then the one that crosses each joint
      spans = np.concatenate([[0], 2 * np.arange(1, statics[name].size)])
      right.plot(turned[spans], statics[name], "o", color=color, ms=3.5, mfc="white")
  left.set(xlabel="along the cable, from the source [mm]", ylabel="tension [N]", yscale="log")
  right.set(xlabel="turn passed since the source [rad]", ylabel="tension [N]", yscale="log")
  for axes in (left, right):
    low, high = axes.get_ylim()
    subs = (1, 2, 5) if high > 10 * low else (1, 1.5, 2, 3, 4, 5, 6, 7, 8)
    axes.yaxis.set_major_locator(LogLocator(subs=subs))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:g}")
  if statics:
    right.plot([], [], "o", color="#555555", ms=3.5, mfc="white", label="static solver")
  right.legend(fontsize=8.5, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
  return figure


# ---- rendered ------------------------------------------------------------------------------------


class Filmed(Protocol):
  """A run with snapshots."""

  model: mujoco.MjModel
  states: dict[float, np.ndarray]


def strip(
  file: Path,
  runs: Mapping[str, Filmed],
  camera: str,
  size: tuple[int, int] = (280, 280),
) -> None:
  """A rendered picture at every snapshot, one row per run; nothing where nothing can be drawn."""
  from mujocable.viewer import offscreen

  if offscreen.switch_on() is None:
    print(f"no picture {file.name}: {offscreen.why_not()}")
    return
  width, height = size
  margin, top = 96, 24
  times = sorted(next(iter(runs.values())).states)
  sheet = Image.new("RGB", (margin + width * len(times), top + height * len(runs)), "white")
  pen = ImageDraw.Draw(sheet)
  font = ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", 14)
  for row, (name, run) in enumerate(runs.items()):
    pen.text((8, top + height * row + height // 2 - 8), name, "black", font)
    states = [run.states[t] for t in times]
    pictures = offscreen.frames(run.model, states, camera, width, height)
    for column, picture in enumerate(pictures):
      sheet.paste(Image.fromarray(picture), (margin + width * column, top + height * row))
  for column, t in enumerate(times):
    pen.text((margin + width * column + width // 2 - 14, 4), f"{t:g} s", "black", font)
  sheet.save(file)
  _shrink(file, 256)
