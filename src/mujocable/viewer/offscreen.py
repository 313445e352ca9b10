"""Offscreen: pictures and videos without a display.

MuJoCo decides how to draw when it is imported, and an unusable choice can end the process. So each
back-end is tried in a process of its own first, and the one that works is switched to.
"""

import importlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mujocable.errors import NoDisplay
from mujocable.runtime.view import bind
from mujocable.viewer import dressing as dressings
from mujocable.viewer.dressing import Dressing

_OFF = ("disable", "disabled", "off", "false", "0")  # what turns drawing off, says MuJoCo

# Debian packages that bring a back-end
PACKAGES = {"egl": "libegl1", "osmesa": "libosmesa6"}

_switched: str | None = None  # the back-end of renderer(), once one was found

_PROBE = """
import mujoco
xml = '<mujoco><worldbody><light pos="0 0 3"/><geom size="1"/></worldbody></mujoco>'
model = mujoco.MjModel.from_xml_string(xml)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 16, 16) as renderer:
  renderer.update_scene(data)
  assert renderer.render().any()
"""


def candidates() -> list[str]:
  """Back-ends to try here, best first: the one in MUJOCO_GL, or all that need no display."""
  asked = os.environ.get("MUJOCO_GL", "").lower().strip()
  if asked in _OFF:
    return []
  if asked:
    return [asked]
  if sys.platform == "darwin":
    return ["cgl"]
  if sys.platform == "win32":
    return ["wgl"]
  return ["egl", "osmesa", *(["glfw"] if os.environ.get("DISPLAY") else [])]


def works(backend: str) -> bool:
  """Whether a process of its own can draw with this back-end."""
  environment = {**os.environ, "MUJOCO_GL": backend}
  environment.pop("PYOPENGL_PLATFORM", None)
  command = [sys.executable, "-c", _PROBE]
  try:
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
  except subprocess.TimeoutExpired:
    return False
  return done.returncode == 0


def switch_on() -> str | None:
  """Makes mujoco.Renderer work in this process; returns the back-end, None where there is none."""
  backend = next(filter(works, candidates()), None)
  if backend is not None:
    os.environ["MUJOCO_GL"] = backend
    if backend in PACKAGES:
      os.environ["PYOPENGL_PLATFORM"] = backend
    importlib.reload(importlib.import_module("mujoco.rendering.classic.gl_context"))
  return backend


def renderer(model: mujoco.MjModel, height: int, width: int) -> mujoco.Renderer:
  """A renderer that works here, with or without a display; raises NoDisplay where none does."""
  global _switched
  _switched = _switched or switch_on()
  if _switched is None:
    raise NoDisplay(why_not())
  return mujoco.Renderer(model, height, width)


def why_not() -> str:
  """What to do where switch_on found nothing."""
  asked = os.environ.get("MUJOCO_GL", "")
  if asked.lower().strip() in _OFF:
    return f"MUJOCO_GL={asked} turns drawing off; unset it"
  either = " or ".join(f"{package} ({name})" for name, package in PACKAGES.items())
  only = f"; MUJOCO_GL={asked} allows no other back-end" if asked else ""
  return f"no offscreen OpenGL here; on Debian and Ubuntu: apt install {either}{only}"


# ------------------------------------ states, frames, files


def snapshot(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
  """The present state, enough to draw it later."""
  kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  state = np.empty(mujoco.mj_stateSize(model, kind))
  mujoco.mj_getState(model, data, state, kind)
  return state


def restore(model: mujoco.MjModel, state: np.ndarray) -> mujoco.MjData:
  """Data as they were at a snapshot, with every result computed."""
  data = mujoco.MjData(model)
  mujoco.mj_setState(model, data, state, int(mujoco.mjtState.mjSTATE_INTEGRATION))
  mujoco.mj_forward(model, data)
  return data


def frames(
  model: mujoco.MjModel,
  states: Iterable[np.ndarray],
  camera: str | int | mujoco.MjvCamera = -1,
  width: int = 640,
  height: int = 480,
  legend: bool = False,
) -> Iterator[np.ndarray]:
  """A picture of each snapshot, uint8, shape (height, width, 3), with its cables.

  Cables are drawn wide enough to be seen, sky and floor are added where the model has none; on
  request with a legend of the tensions. Larger ones than 640 x 480 need offwidth and offheight in
  the model's visual/global.
  """
  states = list(states)
  if not states:
    return
  ends = [restore(model, states[i]) for i in {0, len(states) // 2, len(states) - 1}]
  dressing = Dressing(model, ends, height)
  cables = list(bind(model, ends[0]).values()) if legend else []
  label = dressings.legend(cables, width) if cables else None
  with mujoco.Renderer(model, height, width) as renderer:
    for state in states:
      renderer.update_scene(restore(model, state), camera)
      dressing.add(renderer.scene)
      picture = renderer.render().copy()
      yield picture if label is None else dressings.stamp(picture, label)


def framing(model: mujoco.MjModel, states: Sequence[np.ndarray]) -> mujoco.MjvCamera:
  """A camera that sees all cables in all states, from the side on which they are widest."""
  points, middle = [np.zeros((0, 3))], np.zeros(3)
  for state in (states[0], states[len(states) // 2], states[-1]):
    data = restore(model, state)
    points += [view.points for view in bind(model, data).values()]
    middle = data.geom_xpos.mean(axis=0) if model.ngeom else middle
  cloud = np.concatenate(points)
  camera = mujoco.MjvCamera()
  mujoco.mjv_defaultFreeCamera(model, camera)
  if not cloud.size:
    return camera
  low, high = cloud.min(axis=0), cloud.max(axis=0)
  camera.lookat[:] = (low + high) / 2
  size = max(float(np.linalg.norm(high - low)), 0.1 * model.stat.extent)
  camera.distance = 0.8 * size / np.tan(np.deg2rad(model.vis.global_.fovy) / 2)
  # across their wider side, from without: not through the rest of the model
  across = 1 if high[0] - low[0] >= high[1] - low[1] else 0
  outward = camera.lookat[across] > middle[across]
  camera.azimuth = (90.0 if across == 1 else 0.0) + (180.0 if outward else 0.0)
  camera.elevation = -15.0
  return camera


def pixel(data: mujoco.MjData, camera: str, point, width: int, height: int) -> np.ndarray:
  """Where a world point [m] appears in a picture: column and row [pixels]."""
  view = data.camera(camera)
  x, y, z = view.xmat.reshape(3, 3).T @ (np.asarray(point) - view.xpos)
  fovy = np.deg2rad(data.model.camera(camera).fovy[0])
  focal = height / 2 / np.tan(fovy / 2)
  return np.array([width / 2 - focal * x / z, height / 2 + focal * y / z])


def write_video(path: Path | str, pictures: Iterable[np.ndarray], fps: float) -> None:
  """An .mp4 (H.264, plays in every browser) or a .gif, by the suffix."""
  import imageio.v2 as imageio

  mp4 = {"fps": fps, "macro_block_size": 2, "quality": 8}  # even sizes suffice
  path = Path(path)
  options = mp4 if path.suffix == ".mp4" else {"duration": 1000 / fps, "loop": 0}
  writer: Any = imageio.get_writer(path, **options)
  with writer:
    for picture in pictures:
      writer.append_data(picture)
