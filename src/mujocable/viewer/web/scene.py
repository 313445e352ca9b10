"""Scene: the robot, drawn by mjviser, and its cables, drawn as the engine colors them."""

import copy
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import trimesh
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from mujocable.viewer.live import Live
from mujocable.viewer.paths import Painter, contact_points, dashes, sliding_points
from mujocable.viewer.web.server import Server, ViserMujocoScene

_THICK = 4.0  # of a cable [pixels]
_NONE = np.zeros((1, 3), np.float32)
CONTACT = (25, 25, 25)  # color of a contact point
SLIDING = (240, 120, 0)  # the same where the cable slides with friction


class Scene:
  """Follows a simulation; call `update` with its lock held."""

  def __init__(self, server: Server, live: Live):
    self._server, self._live = server, live
    _keep_transparency(server)
    # mjviser writes its own looks into the model it is given
    self._robot = ViserMujocoScene(server, copy.copy(live.model), num_envs=1)
    self._robot.camera_tracking_enabled = False
    self._painter = Painter(live.model)
    extent = float(live.model.stat.extent)
    self._dash = 0.008 * extent
    empty = np.zeros((1, 2, 3), np.float32)
    self._cables = server.scene.add_line_segments(
      "/cables", empty, empty.astype(np.uint8), thickness=_THICK, thickness_units="screen"
    )
    self._contacts = server.scene.add_point_cloud(
      "/contacts",
      _NONE,
      CONTACT,
      point_size=0.005 * extent,
      point_shape="circle",
      precision="float32",
    )
    self.show_contacts = True
    _place_camera(server, live.model, live.data)

  def update(self) -> None:
    """Shows the present results."""
    pieces = dashes(self._painter.pieces(self._live.data), self._dash)
    found = contact_points(self._live.cables) if self.show_contacts else _NONE[:0]
    points, colors = pieces.ends, _linear(pieces.rgba[:, None, :3])
    with self._server.atomic():
      self._robot.update_from_mjdata(self._live.data)
      self._cables.visible = len(points) > 0
      if len(points):
        self._cables.points = points.astype(np.float32)
        self._cables.colors = np.repeat(colors, 2, axis=1)
      self._contacts.visible = len(found) > 0
      if len(found):
        self._contacts.points = found.astype(np.float32)
        sliding = sliding_points(self._live.cables)[:, None]
        self._contacts.colors = np.where(sliding, SLIDING, CONTACT).astype(np.uint8)


def _keep_transparency(server: Server) -> None:
  """Lets mjviser's meshes be seen through: it colors vertices, whose alpha the page ignores."""
  scene: Any = server.scene
  for kind in ("add_mesh_trimesh", "add_batched_meshes_trimesh"):
    setattr(scene, kind, _seen_through(getattr(scene, kind)))


def _seen_through(add: Callable) -> Callable:
  def add_blended(name: str, mesh: trimesh.Trimesh, **more):
    colors = getattr(mesh.visual, "vertex_colors", None)
    if colors is not None and len(colors) and np.all(colors == colors[0]) and colors[0][3] < 255:
      rgb = _linear(np.asarray(colors[0][:3]) / 255)
      material = PBRMaterial(
        baseColorFactor=[*rgb, colors[0][3]], alphaMode="BLEND", metallicFactor=0.0
      )
      mesh.visual = TextureVisuals(material=material)
    return add(name, mesh, **more)

  return add_blended


def _linear(rgb: np.ndarray) -> np.ndarray:
  """What the page must be sent so that a line shows this sRGB color, uint8."""
  low, high = rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
  return (255 * np.where(rgb <= 0.04045, low, high)).round().astype(np.uint8)


def _place_camera(server: Server, model: mujoco.MjModel, data: mujoco.MjData) -> None:
  """Where the model's first camera stands, or in front of the model."""
  camera, center, extent = server.initial_camera, model.stat.center, float(model.stat.extent)
  if model.ncam:
    eye, frame = data.cam_xpos[0], data.cam_xmat[0].reshape(3, 3)
    depth = max(float((eye - center) @ frame[:, 2]), 0.1 * extent)
    camera.position, camera.look_at = eye, eye - depth * frame[:, 2]
    camera.fov = float(np.deg2rad(model.cam_fovy[0]))
  else:
    camera.position = center + extent * np.array([1.6, -1.6, 0.9])
    camera.look_at = center
    camera.fov = float(np.deg2rad(45.0))
  camera.near, camera.far = 0.01 * extent, 200.0 * extent
