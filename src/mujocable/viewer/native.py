"""Native: MuJoCo's own window, with live figures of what the cables do.

On macOS run the program with `mjpython` instead of `python`: MuJoCo's window needs the main thread.
"""

import importlib
import os
import sys
import time

import mujoco
import numpy as np

from mujocable.errors import BadValue, NoDisplay
from mujocable.viewer.figures import Figures
from mujocable.viewer.live import Control, Live

_SPACE = 32
_PERIOD = 1 / 60  # between two pictures [s]


def launch(
  model: mujoco.MjModel,
  data: mujoco.MjData | None = None,
  *,
  control: Control | None = None,
  speed: float = 1.0,
  paused: bool = False,
  figures: bool = True,
) -> None:
  """Shows a model in MuJoCo's viewer until its window is closed; the space bar pauses.

  `control(model, data)` writes `data.ctrl` before every step; without one the sliders of the window
  do. Raises NoDisplay where there is no window to be had.
  """
  if not isinstance(model, mujoco.MjModel):
    raise BadValue(f"the viewer takes an MjModel, got {type(model).__name__}")
  if reason := why_not():
    raise NoDisplay(reason)
  live = Live(model, data, control, speed, paused)
  panels = Figures(live)

  def key(code: int) -> None:
    if code == _SPACE:
      live.paused = not live.paused

  viewer = importlib.import_module("mujoco.viewer")
  with viewer.launch_passive(model, live.data, key_callback=key, show_left_ui=False) as window:
    aim(window.cam, model, live.data)
    last = time.perf_counter()
    while window.is_running():
      now = time.perf_counter()
      with window.lock():
        live.advance(now - last)
        panels.update()
      last = now
      if figures and window.viewport is not None:
        window.set_figures(panels.placed(window.viewport))
      window.sync()
      time.sleep(max(0.0, _PERIOD - (time.perf_counter() - now)))


def aim(camera: mujoco.MjvCamera, model: mujoco.MjModel, data: mujoco.MjData) -> None:
  """Puts the free camera, which the mouse can move, where the model's first camera stands."""
  if not model.ncam:
    return
  eye, forward = data.cam_xpos[0], -data.cam_xmat[0].reshape(3, 3)[:, 2]
  depth = max(float((model.stat.center - eye) @ forward), 0.1 * model.stat.extent)
  camera.lookat[:] = eye + depth * forward
  # as large in the picture as with the other angle of view
  angles = np.deg2rad([model.cam_fovy[0], model.vis.global_.fovy])
  camera.distance = depth * np.divide(*np.tan(angles / 2))
  camera.azimuth = np.rad2deg(np.arctan2(forward[1], forward[0]))
  camera.elevation = np.rad2deg(np.arcsin(np.clip(forward[2], -1, 1)))


def why_not() -> str:
  """Why MuJoCo's window cannot open here, and what to do; empty where it can."""
  instead = "; the browser viewer needs no display of this machine: mujocable.viewer.web"
  if sys.platform == "darwin":
    viewer = importlib.import_module("mujoco.viewer")
    if viewer._MJPYTHON is None:
      return f"on macOS MuJoCo's window needs mjpython: mjpython {sys.argv[0]}{instead}"
    return ""
  if sys.platform.startswith("linux") and not any(
    os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
  ):
    return f"no display here: neither DISPLAY nor WAYLAND_DISPLAY is set{instead}"
  return ""
