"""Readouts: what the cables do, as a legend, a table and two live plots."""

from html import escape
from typing import Any

import numpy as np

from mujocable.runtime.config import takes_up
from mujocable.runtime.view import SolveStatus
from mujocable.viewer import palette
from mujocable.viewer.live import Live
from mujocable.viewer.web.server import Server, uplot

EVERY = len(palette.CURVES)  # curves of "all cables": one color each
MOST_ENDS = 4  # cables with a curve for their end too; more would be a tangle
ALL = "all cables"


class Readouts:
  """Elements of the page that show the simulation; call `update` with its lock held."""

  def __init__(self, server: Server, live: Live):
    self._live = live
    gui = server.gui
    self._status = gui.add_html("")
    gui.add_html(_legend(live))
    self._table = gui.add_html("")
    self._names = list(live.cables)
    self._shown: list[int] = []
    self._drawn = -np.inf
    if self._names:
      with gui.add_folder("Plots"):
        choice = (ALL, *self._names) if len(self._names) > 1 else tuple(self._names)
        self._choice = gui.add_dropdown("Cable", choice)
        self._choice.on_update(lambda _: self._choose())
        self._tension = _plot(gui, "tension [N]")
        # where nothing takes cable in there is nothing to plot
        taking = [takes_up(live.model, name) for name in self._names]
        self._take_up = _plot(gui, "take-up [mm]") if any(taking) else None
      self._choose()
    self.update()

  def update(self) -> None:
    """Writes the present numbers; plots only where there is a new sample."""
    self._status.content = self._clock()
    self._table.content = self._rows()
    if self._names and self._live.history.last != self._drawn:
      self._draw()

  # ------------------------------------ numbers

  def _clock(self) -> str:
    live = self._live
    state = "paused" if live.paused else f"{live.rate:.2f} of real time"
    return _html(
      f"<b>time</b> <span id='mujocable-time'>{live.data.time:.2f}</span> s &nbsp; {state}"
    )

  def _rows(self) -> str:
    head = "".join(
      f"<th style='text-align:right;padding-left:0.6em;font-weight:600'>{title}</th>"
      for title in ("source N", "end N", "bend °", "slack mm", "")
    )
    body = []
    for name, cable in self._live.cables.items():
      tension, status = cable.tension, cable.status
      cells = {
        "source": f"{tension[0]:.3f}",
        "end": f"{tension[-1]:.3f}",
        "bend": f"{np.rad2deg(cable.wrap_angle.sum()):.1f}",
        "slack": f"{1e3 * cable.slack:.1f}",
        "status": "" if status == SolveStatus.VALID else str(status),
      }
      columns = "".join(
        f"<td data-{key} style='text-align:right;padding-left:0.6em'>{value}</td>"
        for key, value in cells.items()
      )
      body.append(f"<tr data-cable='{escape(name, quote=True)}'><td>{escape(name)}</td>{columns}")
    if not body:
      return _html("This model has no cables.")
    return _html(f"<table><tr><th></th>{head}</tr>{'</tr>'.join(body)}</tr></table>")

  # ------------------------------------ plots

  def _choose(self) -> None:
    with self._live.lock:
      every = self._choice.value == ALL
      self._shown = (
        list(range(len(self._names)))[:EVERY] if every else [self._names.index(self._choice.value)]
      )
      self._draw()

  def _draw(self) -> None:
    time, source, end, take_up = self._live.history.arrays()
    if not len(time):
      return
    self._drawn = self._live.history.last
    tension, moved = {}, {}
    for color, i in zip(palette.CURVES, self._shown, strict=False):
      name = self._names[i]
      tension[name, color, False] = source[:, i]
      if len(self._shown) <= MOST_ENDS:
        tension[f"{name}, end", color, True] = end[:, i]
      moved[name, color, False] = 1e3 * take_up[:, i]
    _set(self._tension, time, tension)
    if self._take_up is not None:
      _set(self._take_up, time, moved)


def _plot(gui, label: str):
  return gui.add_uplot(
    (np.zeros(1), np.zeros(1)),
    (uplot.Series(label="time [s]"), uplot.Series(label=label)),
    title=label,
    scales={"x": uplot.Scale(time=False)},
    legend=uplot.Legend(show=True),
    height=190,
  )


def _set(plot, time: np.ndarray, curves: dict[tuple[str, str, bool], np.ndarray]) -> None:
  series: list[Any] = [{"label": "time [s]"}]
  for name, color, dashed in curves:
    dash = {"dash": (5, 4)} if dashed else {}
    series.append({"label": name, "stroke": color, "width": 1.6, **dash})
  if [s.get("label") for s in plot.series] != [s["label"] for s in series]:
    plot.series = tuple(series)
  plot.data = (time, *curves.values())


def _legend(live: Live) -> str:
  stops = [palette.hex_color(stop) for stop in palette.STOPS]
  bar = ", ".join(stops)
  labels = "".join(f"<span>{label}</span>" for label in palette.scale_labels(live.cables.values()))
  gray = palette.hex_color(palette.SLACK)
  return _html(
    "<div id='mujocable-legend'><b>tension</b>"
    f"<div style='height:0.7em;border-radius:2px;background:linear-gradient(90deg,{bar})'></div>"
    f"<div style='display:flex;justify-content:space-between'>{labels}</div>"
    f"<span style='border-top:3px dashed {gray};display:inline-block;width:2.4em;"
    "vertical-align:middle'></span> slack &nbsp; "
    "<span style='display:inline-block;width:0.6em;height:0.6em;border-radius:50%;"
    "background:#191919'></span> contact &nbsp; "
    "<span style='display:inline-block;width:0.6em;height:0.6em;border-radius:50%;"
    "background:#f07800'></span> contact that slides &nbsp; "
    "<span>plots: solid at the source, dashed at the end</span></div>"
  )


def _html(content: str) -> str:
  return f"<div style='font-size:0.8em;line-height:1.4;padding:0.2em 1em'>{content}</div>"
