"""Figures: tension, take-up and the legend of colors, as MuJoCo's own viewer draws them."""

import mujoco
import numpy as np

from mujocable.viewer import palette
from mujocable.viewer.live import Live

MOST = 8  # cables that are plotted
_LEAST = 240, 165  # width and height of a figure that can be read [pixels]
_COLORS = (
  (0.34, 0.71, 0.91),
  (0.90, 0.62, 0.0),
  (0.0, 0.75, 0.55),
  (0.80, 0.47, 0.65),
  (0.94, 0.89, 0.26),
  (0.84, 0.37, 0.0),
  (0.7, 0.7, 0.7),
  (1.0, 1.0, 1.0),
)


class Figures:
  """Three figures of a live simulation; call `update` with its lock held."""

  def __init__(self, live: Live):
    self._live = live
    self._names = list(live.cables)[:MOST]
    self.tension = _figure("tension [N]", self._names)
    self.take_up = _figure("take-up [mm]", self._names)
    self.legend = _legend(live)

  def update(self) -> None:
    """Draws the history as it is now."""
    time, source, _, take_up = self._live.history.arrays()
    shown = len(self._names)
    _draw(self.tension, time, source[:, :shown] if shown else source)
    _draw(self.take_up, time, 1e3 * take_up[:, :shown] if shown else take_up)

  def placed(self, viewport: mujoco.MjrRect) -> list[tuple]:
    """The figures with their rectangles: plots at the bottom left, the legend above them."""
    width = max(_LEAST[0], int(0.28 * viewport.width))
    height = max(_LEAST[1], int(0.24 * viewport.height))
    left, bottom = viewport.left, viewport.bottom
    places = (self.take_up, self.tension, self.legend) if self._names else ()
    return [
      (mujoco.MjrRect(left, bottom + i * height, width, height), figure)
      for i, figure in enumerate(places)
    ]


def _figure(title: str, names: list[str]) -> mujoco.MjvFigure:
  figure = mujoco.MjvFigure()
  mujoco.mjv_defaultFigure(figure)
  figure.title, figure.xlabel = title, "time [s]"
  figure.xformat, figure.yformat = "%.1f", "%.3g"
  figure.figurergba[:] = 0.1, 0.1, 0.12, 0.55
  figure.panergba[:] = 0, 0, 0, 0.35
  figure.gridsize[:] = 3, 4
  figure.linewidth = 2.0
  figure.flg_extend = 0
  for i, name in enumerate(names):
    figure.linename[i] = name.encode()[:99]
    figure.linergb[i] = _COLORS[i]
  return figure


def _draw(figure: mujoco.MjvFigure, time: np.ndarray, values: np.ndarray) -> None:
  most = figure.linedata.shape[1] // 2 - 1
  time, values = time[-most:], values[-most:]
  for i in range(values.shape[1] if len(time) else 0):
    figure.linepnt[i] = len(time)
    figure.linedata[i, 0 : 2 * len(time) : 2] = time
    figure.linedata[i, 1 : 2 * len(time) : 2] = values[:, i]
  if len(time) and values.size:
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or max(0.05 * abs(high), 1e-3)
    figure.range[:] = (time[0], max(time[-1], time[0] + 1e-3)), (low - margin, high + margin)


def _legend(live: Live) -> mujoco.MjvFigure:
  """Lines of no length: their names, in their colors, are the legend."""
  names = [*palette.scale_labels(live.cables.values()), "slack"]
  figure = _figure("color of a cable [N]", names)
  figure.xlabel = ""
  figure.flg_ticklabel[:] = 0
  figure.gridsize[:] = 2, 2
  figure.panergba[3] = 0.0
  figure.gridrgb[:] = figure.figurergba[:3]
  for i, rgb in enumerate([*palette.STOPS, palette.SLACK[:3]]):
    figure.linergb[i] = rgb
    figure.linepnt[i] = 1
    figure.linedata[i, :2] = 0.0  # outside of the range: not drawn
  figure.range[:] = (1, 2), (1, 2)
  return figure
