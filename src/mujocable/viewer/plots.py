"""Plots: time series of cables, and pictures with the tension written beside each segment."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mujocable.errors import BadValue
from mujocable.viewer.palette import CURVES
from mujocable.viewer.recording import Recording

COLORS = CURVES[:6]
_TOLD_APART = 3 * len(COLORS)  # curves: each color with three kinds of line
_GRAY = "#444444"

Panel = tuple[str, Mapping[str, np.ndarray]]  # label of the axis, curves by legend


def blank(
  size: tuple[float, float], rows: int = 1, columns: int = 1, **more
) -> tuple[Figure, np.ndarray]:
  """A figure of a size [inches] and its axes, (rows, columns); it needs no display."""
  figure = Figure(figsize=size, layout="constrained")
  FigureCanvasAgg(figure)
  axes = figure.subplots(rows, columns, squeeze=False, **more)
  for ax in axes.flat:
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
  return figure, axes


def plot_panels(time: np.ndarray, panels: Sequence[Panel], title: str = "") -> Figure:
  """One panel above the other over a common time axis; a legend where there are several curves."""
  figure, grid = blank((8, 0.6 + 1.7 * len(panels)), len(panels), sharex=True)
  axes = grid[:, 0]
  for ax, (label, curves) in zip(axes, panels, strict=True):
    for i, (legend, values) in enumerate(curves.items()):
      ax.plot(time, values, **look(i, len(curves)), label=legend)
    if len(curves) > 1:
      explain(ax)
    ax.set_ylabel(label)
  axes[0].set_title(title)
  axes[-1].set_xlabel("time [s]")
  axes[-1].set_xlim(time[0], time[-1])
  figure.align_ylabels()
  return figure


def look(index: int, count: int) -> dict[str, Any]:
  """Color and line of one of so many curves: where they are too many to tell apart, a scale."""
  if count <= _TOLD_APART:
    line = ("-", "--", ":")[index // len(COLORS)]
    return {"color": COLORS[index % len(COLORS)], "linestyle": line, "linewidth": 1.4}
  return {"color": colormaps["viridis"](0.9 * index / (count - 1)), "linewidth": 1.1}


def explain(ax, figure: Figure | None = None) -> None:
  """A legend for the curves of one panel, or, below them all, of a figure whose panels have the
  same; of very many curves the first, the last and some between."""
  handles, labels = ax.get_legend_handles_labels()
  every = -(-(len(labels) - 1) // (len(COLORS) - 1)) if len(labels) > _TOLD_APART else 1
  shown = sorted({*range(0, len(labels), every), len(labels) - 1})
  few = len(shown) <= len(COLORS)
  # many lines of text stand beside the panel: within it they would cover the curves
  place: dict[str, Any] = {"loc": "best", "fontsize": "small"}
  if not few:
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.05), "fontsize": "x-small"}
    place["labelspacing"] = 0.2
  if figure is not None:
    place = {"loc": "outside lower center", "fontsize": "x-small", "ncols": 3}
  (figure or ax).legend(
    [handles[i] for i in shown],
    [labels[i] for i in shown],
    frameon=False,
    **place,
  )


def plot_cable(recording: Recording, name: str, more: Sequence[Panel] = ()) -> Figure:
  """Tension of every segment, take-up where there is any, slack and more of one recorded cable."""
  tension = recording.columns(f"{name}.tension[")
  if not tension:
    raise BadValue(f"plot_cable: the recording has no sample of a cable {name!r}")
  take_up = recording[f"{name}.take_up"]
  panels: list[Panel] = [
    ("tension [N]", {_segment(i, len(tension)): x for i, x in enumerate(tension.values())})
  ]
  if take_up.any():  # a cable that is fixed, or whose tension is given, has none
    panels.append(("take-up [m]", {"take-up": take_up}))
  panels += [*more, ("slack [mm]", {"slack": 1e3 * recording[f"{name}.slack"]})]
  return plot_panels(recording["time"], panels, title=f"cable '{name}'")


def _segment(index: int, count: int) -> str:
  ends = {0: " (source)", count - 1: " (distal end)"} if count > 1 else {}
  return f"segment {index}{ends.get(index, '')}"


def plot_strip(pictures: Sequence[np.ndarray], labels: Sequence[str]) -> Figure:
  """Pictures of one motion side by side, each with its label."""
  height, width = pictures[0].shape[:2]
  figure, axes = blank((2.6 * len(pictures), 2.6 * height / width + 0.3), 1, len(pictures))
  for ax, picture, label in zip(axes[0], pictures, labels, strict=True):
    ax.imshow(picture)
    ax.set_title(label, fontsize="small")
    ax.set_axis_off()
  return figure


def save(figure: Figure, path: Path) -> None:
  """Writes a figure at its own size."""
  figure.savefig(path, dpi=110)


def write_picture(
  path: Path,
  picture: np.ndarray,
  labels: Sequence[tuple[str, np.ndarray, tuple[float, float]]] = (),
) -> None:
  """A picture with labels: (text, the pixel it means, offset of the text from there in pixels)."""
  height, width = picture.shape[:2]
  figure = Figure(figsize=(width / 100, height / 100), dpi=100)
  FigureCanvasAgg(figure)
  ax = figure.add_axes((0, 0, 1, 1))
  ax.imshow(picture, interpolation="none")
  ax.set_axis_off()
  for text, at, offset in labels:
    ax.annotate(
      text,
      xy=(at[0], at[1]),
      xytext=(at[0] + offset[0], at[1] + offset[1]),
      fontsize=0.012 * width,
      color=_GRAY,
      ha="right" if offset[0] < 0 else "left",
      va="center",
      bbox={"boxstyle": "round,pad=0.35", "fc": "white", "ec": "none", "alpha": 0.85},
      arrowprops={"arrowstyle": "-", "color": _GRAY, "linewidth": 1.0},
    )
  figure.savefig(path, dpi=100)
