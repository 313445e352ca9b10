"""Sweeps: results over one parameter as curves, over two as maps."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from mujocable.viewer.plots import blank, explain, look
from mujocable.viewer.units import with_unit

_MEASURES = {
  "peak_tension": "peak tension [N]",
  "end_tension": "tension at the end [N]",
  "efficiency": "work out / work in",
  "lost": "lost to friction [J]",
}


def plot_sweep(rows: Sequence[Mapping], parameters: Sequence[str], title: str) -> Figure:
  """One panel per measure: over the first parameter, one curve per combination of the others.

  Two parameters with at least four values each become a map instead.
  """
  figure, panels = blank((9, 6), 2, 2)
  grids = [sorted({row[name] for row in rows}) for name in parameters]
  words = any(isinstance(value, str) for grid in grids for value in grid)
  is_map = len(parameters) == 2 and min(len(grid) for grid in grids) >= 4 and not words
  for ax, (measure, label) in zip(panels.flat, _MEASURES.items(), strict=True):
    if is_map:
      values = np.full((len(grids[1]), len(grids[0])), np.nan)
      for row in rows:
        place = grids[1].index(row[parameters[1]]), grids[0].index(row[parameters[0]])
        values[place] = row[measure]
      ax.grid(False)
      mesh = ax.pcolormesh(grids[0], grids[1], values, shading="nearest", rasterized=True)
      figure.colorbar(mesh, ax=ax, label=label)
      ax.set(xlabel=with_unit(parameters[0]), ylabel=with_unit(parameters[1]))
    else:
      _curves(ax, rows, parameters, measure)
      ax.set(xlabel=with_unit(parameters[0]), ylabel=label)
  figure.suptitle(f"cable '{title}'")
  if len(parameters) > 1 and not is_map:
    explain(panels[0, 0], figure)
  return figure


def _curves(ax, rows: Sequence[Mapping], parameters: Sequence[str], measure: str) -> None:
  first, *others = parameters
  combinations = list(dict.fromkeys(tuple(row[name] for name in others) for row in rows))
  for k, combination in enumerate(combinations):
    mine = [row for row in rows if tuple(row[name] for name in others) == combination]
    label = ", ".join(
      f"{n} = {v}" if isinstance(v, str) else f"{n} = {v:g}"
      for n, v in zip(others, combination, strict=True)
    )
    values = [row[measure] for row in mine]
    look_ = look(k, len(combinations))
    ax.plot([row[first] for row in mine], values, marker="o", markersize=3, label=label, **look_)
