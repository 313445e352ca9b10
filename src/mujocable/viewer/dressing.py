"""Dressing: what makes a drawn model readable: sky, floor, cables that can be seen, a legend."""

from collections.abc import Sequence

import mujoco
import numpy as np

from mujocable.runtime.view import CableView
from mujocable.viewer import palette

PIXELS = 3.0  # a cable is drawn at least this wide [pixels]
_SKY = (0.60, 0.67, 0.76, 1.0)
_FLOOR = (0.62, 0.63, 0.65, 1.0)
_ROUND = (int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER))


class Dressing:
  """Added to a scene after `update_scene`; nothing of the model is changed.

  A model without a sky gets a plain one; one without a plane or terrain gets a floor below all that
  it has in these states.
  """

  def __init__(self, model: mujoco.MjModel, data: Sequence[mujoco.MjData], height: int):
    self._model, self._height = model, height
    sky = int(mujoco.mjtTexture.mjTEXTURE_SKYBOX)
    self._sky = not np.any(model.tex_type == sky)
    self._floor = _floor_height(model, data)

  def add(self, scene: mujoco.MjvScene) -> None:
    """Widens what is drawn of cables and tendons, then adds sky and floor."""
    eye = _eye(scene)
    self._widen(scene, eye)
    if not self._model.nlight and scene.nlight:  # the lamp at the eye is all there is
      scene.lights[0].ambient[:], scene.lights[0].diffuse[:] = 0.45, 0.55
    far = float(self._model.vis.map.zfar * self._model.stat.extent)
    if self._floor is not None:
      below = np.array([eye[0], eye[1], self._floor])
      size = [0.4 * far, 0.4 * far, 0.01]
      if _add(scene, mujoco.mjtGeom.mjGEOM_PLANE, size, below, _FLOOR):
        scene.geoms[scene.ngeom - 1].emission = 0.3
    if self._sky and _add(scene, mujoco.mjtGeom.mjGEOM_SPHERE, [0.45 * far, 0, 0], eye, _SKY):
      scene.geoms[scene.ngeom - 1].emission = 0.9  # much the same whatever the lights
      scene.flags[mujoco.mjtRndFlag.mjRND_CULL_FACE] = 0  # it is seen from within

  def _widen(self, scene: mujoco.MjvScene, eye: np.ndarray) -> None:
    camera = scene.camera[0]
    # a pixel is this large at unit depth [m]
    pixel = (camera.frustum_top - camera.frustum_bottom) / camera.frustum_near / self._height
    tendon, decor = int(mujoco.mjtObj.mjOBJ_TENDON), int(mujoco.mjtCatBit.mjCAT_DECOR)
    for geom in scene.geoms[: scene.ngeom]:
      if geom.type not in _ROUND:
        continue
      cable = geom.objtype == int(mujoco.mjtObj.mjOBJ_UNKNOWN) and geom.category == decor
      if cable or geom.objtype == tendon:
        depth = max(float(np.dot(geom.pos - eye, camera.forward)), camera.frustum_near)
        radius = max(float(geom.size[0]), PIXELS / 2 * pixel * depth)
        geom.size[0] = geom.size[1] = radius


def _eye(scene: mujoco.MjvScene) -> np.ndarray:
  # between the eyes
  return (np.array(scene.camera[0].pos, float) + np.array(scene.camera[1].pos, float)) / 2


def _add(scene: mujoco.MjvScene, kind, size, place: np.ndarray, rgba) -> bool:
  if scene.ngeom >= scene.maxgeom:
    return False
  geom = scene.geoms[scene.ngeom]
  mujoco.mjv_initGeom(
    geom, kind, np.array(size, float), place, np.eye(3).ravel(), np.array(rgba, np.float32)
  )
  geom.category = int(mujoco.mjtCatBit.mjCAT_DECOR)
  scene.ngeom += 1
  return True


def _floor_height(model: mujoco.MjModel, data: Sequence[mujoco.MjData]) -> float | None:
  ground = (int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD))
  if not model.ngeom or np.any(np.isin(model.geom_type, ground)):
    return None
  lowest = np.inf
  for one in data:
    # boxes around the geoms, in their frames
    turned = one.geom_xmat.reshape(-1, 3, 3)[:, 2, :]
    middle = one.geom_xpos[:, 2] + np.sum(turned * model.geom_aabb[:, :3], axis=1)
    reach = np.sum(np.abs(turned) * model.geom_aabb[:, 3:], axis=1)
    lowest = min(lowest, float(np.min(middle - reach)))
  return lowest - 0.05 * float(model.stat.extent)


# ------------------------------------ legend


def legend(cables: Sequence[CableView], width: int) -> np.ndarray:
  """The colors of tension with their numbers, RGBA in 0..1, for the lower left of a picture."""
  from matplotlib.backends.backend_agg import FigureCanvasAgg
  from matplotlib.figure import Figure

  across = max(width / 3, 220) / 100  # [inches of 100 pixels]
  figure = Figure(figsize=(across, 0.42), dpi=100)
  figure.patch.set_facecolor((1.0, 1.0, 1.0, 0.75))
  canvas = FigureCanvasAgg(figure)
  ax = figure.add_axes((0.06, 0.52, 0.62, 0.24))
  ramp = np.array([palette.color(x) for x in np.linspace(0, 1, 100)])[None]
  ax.imshow(ramp, aspect="auto", extent=(0, 3, 0, 1))
  ax.set_yticks([])
  labels = [text.removesuffix(" of the cable") for text in palette.scale_labels(cables)]
  ax.set_xticks(range(4), labels, fontsize=6.5)
  ax.tick_params(length=2, pad=1)
  figure.text(0.71, 0.64, "tension", fontsize=7, va="center")
  figure.text(0.87, 0.64, "slack", fontsize=7, va="center", color=palette.SLACK[:3])
  canvas.draw()
  return np.asarray(canvas.buffer_rgba(), float) / 255


def stamp(picture: np.ndarray, label: np.ndarray) -> np.ndarray:
  """A picture with a label on it, lower left."""
  rows, columns = label.shape[:2]
  if rows + 8 > picture.shape[0] or columns + 8 > picture.shape[1]:
    return picture
  done = picture.copy()
  part = done[-rows - 8 : -8, 8 : columns + 8]
  alpha = label[:, :, 3:]
  part[:] = np.round(alpha * 255 * label[:, :, :3] + (1 - alpha) * part).astype(np.uint8)
  return done
