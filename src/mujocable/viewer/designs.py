"""Designs: the front of a search and its progress; the report of a design."""

import math

import numpy as np
from matplotlib.figure import Figure

from mujocable.viewer import pages
from mujocable.viewer.plots import COLORS, blank
from mujocable.viewer.units import with_unit


def plot_design(result) -> Figure:
  """Progress of one goal, or the front of the first two."""
  figure, ((ax,),) = blank((8, 4.2))
  names = list(result.goals)
  good = [p for p in result.points if p.feasible]
  if len(names) == 1:
    name, up = names[0], result.goals[names[0]] == "maximize"
    values = np.array([p.measures[name] if p.feasible else np.nan for p in result.points])
    fill = -np.inf if up else np.inf
    best = np.where(np.isnan(values), fill, values)
    best = np.maximum.accumulate(best) if up else np.minimum.accumulate(best)
    ax.plot(values, ".", color="#999999", label="designs within the limits")
    ax.plot(np.where(np.isinf(best), np.nan, best), color=COLORS[0], label="best so far")
    if math.isfinite(result.given.measures[name]):
      ax.axhline(result.given.measures[name], color=COLORS[1], ls="--", label="as given")
    ax.set(xlabel="design", ylabel=with_unit(name))
  else:
    first, second = names[:2]

    def places(points):
      return [p.measures[first] for p in points], [p.measures[second] for p in points]

    ax.plot(*places(good), ".", color="#999999", label="designs within the limits")
    front = sorted(result.front, key=lambda p: p.measures[first])
    ax.plot(*places(front), "o-", color=COLORS[0], markersize=4, label="front")
    if not result.given.broken:
      ax.plot(*places([result.given]), "D", color=COLORS[1], label="as given")
    ax.set(xlabel=with_unit(first), ylabel=with_unit(second))
  ax.legend(frameon=False, fontsize="small")
  return figure


def design_page(result, sized: str = "") -> str:
  """The report of a design (mujocable.study.design.Design) as one HTML page."""
  measures = list(result.given.measures)
  head = ["", *map(with_unit, [*result.given.values, *measures]), "within the limits"]

  def row(name: str, point) -> list[str]:
    values = [f"{x:.5g}" for x in point.values.values()]
    shown = ["" if math.isnan(x) else f"{x:.5g}" for x in point.measures.values()]
    return [name, *values, *shown, point.broken or ("yes" if point.feasible else "no")]

  rows = [row("as given", result.given)]
  rows += [row(f"{i + 1}", point) for i, point in enumerate(result.front[:30])]
  limits = [
    [
      with_unit(name),
      "" if math.isinf(low) else f"{low:g}",
      "" if math.isinf(high) else f"{high:g}",
    ]
    for name, (low, high) in result.limits.items()
  ]
  parts = [pages.bullets(result.notes), pages.table(head, rows)]
  if limits:
    parts += [pages.heading("Limits"), pages.table(("measure", "at least", "at most"), limits)]
  parts.append(pages.figure(plot_design(result), "the search"))
  if sized:
    parts += [pages.heading("Motor, spool and cable"), pages.bullets(sized.splitlines())]
  return pages.page("Design", result.verdict, result.best is not None, parts)
