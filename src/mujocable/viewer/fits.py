"""Fits: measured against fitted, over time and as loops; the report of a fit."""

import math
from collections.abc import Sequence

from matplotlib.figure import Figure

from mujocable.viewer import pages
from mujocable.viewer.plots import COLORS, blank
from mujocable.viewer.units import with_unit


def plot_fit(curves: Sequence) -> Figure:
  """One row per mujocable.study.fit.Column: over time, and over the command that moves most."""
  figure, axes = blank((10, 2.8 * len(curves)), len(curves), 2, width_ratios=[2, 1])
  for (left, right), curve in zip(axes, curves, strict=True):
    for ax, across in ((left, curve.time), (right, curve.command)):
      ax.plot(across, curve.measured, ".", color="#999999", markersize=3, label="measured")
      ax.plot(across, curve.fitted, color=COLORS[0], linewidth=1.4, label="fitted")
    left.set(xlabel="time [s]", ylabel=with_unit(curve.name), title=curve.experiment)
    right.set(xlabel="command")
    left.legend(frameon=False, fontsize="small")
  return figure


def fit_page(result) -> str:
  """The report of a fit (mujocable.study.fit.Fit) as one HTML page."""
  rows = []
  for one in result.values.values():
    known = f"{one.low:.4g} to {one.high:.4g}" if one.told else "the data cannot tell"
    rows.append([with_unit(one.name), f"{one.value:.5g}", known, f"{one.start:.4g}"])
  columns = [
    [
      c.experiment,
      with_unit(c.name),
      f"{c.rms:.3g}",
      "" if math.isnan(c.explained) else f"{c.explained:.2%}",
    ]
    for c in result.columns
  ]
  names = list(result.values)
  correlation = [
    [name, *(f"{x:.2f}" for x in row)] for name, row in zip(names, result.correlation, strict=True)
  ]
  parts = [
    pages.bullets(result.together),
    pages.table(("parameter", "value", "95 % interval", "started at"), rows),
    pages.heading("Measured and fitted"),
    pages.figure(plot_fit(result.columns), "measured and fitted"),
    pages.table(("experiment", "column", "rms of the difference", "explained"), columns),
  ]
  if len(names) > 1:
    parts += [
      pages.heading("Correlation of the parameters"),
      pages.table(("", *names), correlation),
    ]
  return pages.page("Fit", result.verdict, result.told, parts)
