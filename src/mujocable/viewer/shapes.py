"""Shapes: where a cable lies and how its tension falls along it, at several moments."""

from collections.abc import Sequence

import mujoco
import numpy as np
from matplotlib.figure import Figure

from mujocable.runtime.view import CableView, bind
from mujocable.viewer.offscreen import restore
from mujocable.viewer.plots import blank
from mujocable.viewer.recording import Recording

_MOMENTS = 6


def cable_names(recording: Recording) -> list[str]:
  """The cables of a recording."""
  return [name.removesuffix(".take_up") for name in recording.names if name.endswith(".take_up")]


def profile(view: CableView) -> tuple[np.ndarray, np.ndarray]:
  """Tension [N] over the distance from the source along the path [m]: ends of every segment."""
  points = view.points
  walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
  tension, place, values = view.tension, [0.0], [view.tension[0]]
  for i in np.flatnonzero(view.touching):
    for point, value in ((view.entry[i], tension[i]), (view.exit[i], tension[i + 1])):
      place.append(float(walked[np.linalg.norm(points - point, axis=1).argmin()]))
      values.append(value)
  return np.maximum.accumulate([*place, walked[-1]]), np.array([*values, tension[-1]])


def plot_along(
  model: mujoco.MjModel, states: Sequence[np.ndarray], recording: Recording, name: str
) -> Figure:
  """Tension along the cable, source to distal end, at several moments."""
  figure, ((ax,),) = blank((7, 3.6))
  for color, time, view in _moments(model, states, recording, name):
    place, tension = profile(view)
    ax.plot(1e3 * place, tension, color=color, label=f"{time:.2f} s")
  ax.set(xlabel="distance from the source [mm]", ylabel="tension [N]", title=f"cable '{name}'")
  ax.set_ylim(bottom=0)
  ax.legend(frameon=False, fontsize="small")
  return figure


def plot_shapes(
  model: mujoco.MjModel, states: Sequence[np.ndarray], recording: Recording, name: str
) -> Figure:
  """The path at several moments, one over the other, seen where it is widest."""
  figure, ((ax,),) = blank((6, 5))
  paths = [(c, t, view.points) for c, t, view in _moments(model, states, recording, name)]
  spread = np.ptp(np.concatenate([points for _, _, points in paths]), axis=0)
  axes = sorted(np.argsort(-spread, kind="stable")[:2])
  for color, time, points in paths:
    ax.plot(*(1e3 * points[:, axes].T), color=color, label=f"{time:.2f} s")
    ax.plot(*(1e3 * points[[0, -1]][:, axes].T), "o", color=color, markersize=3)
  ax.set(xlabel=f"{'xyz'[axes[0]]} [mm]", ylabel=f"{'xyz'[axes[1]]} [mm]", title=f"cable '{name}'")
  ax.set_aspect("equal", adjustable="datalim")
  ax.legend(frameon=False, fontsize="small")
  return figure


def _moments(model, states: Sequence[np.ndarray], recording: Recording, name: str):
  # color, time and view of each, early to late
  from matplotlib import colormaps

  picks = np.unique(np.linspace(0, len(states) - 1, _MOMENTS).round().astype(int))
  colors = colormaps["viridis"](np.linspace(0, 0.9, len(picks)))
  time = recording["time"]
  for color, pick in zip(colors, picks, strict=True):
    data = restore(model, states[pick])
    yield color, float(time[pick]), bind(model, data)[name]
