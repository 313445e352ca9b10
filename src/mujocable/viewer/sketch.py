"""Sketch: a line drawing of paths over the bodies they run along, as SVG text.

Needs no OpenGL and no plotting library, and is small: a page may hold hundreds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import mujoco
import numpy as np

_GEOM = mujoco.mjtGeom
_AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_DIRECTIONS = np.stack([np.cos(_AROUND), np.sin(_AROUND)])


@dataclass(frozen=True)
class Line:
  """One polyline."""

  points: np.ndarray  # (n, 3) [m, world]
  color: str
  width: float = 2.0  # [pixels]
  dashed: bool = False


@dataclass(frozen=True)
class View:
  """Where one looks from: two directions of the world that are right and up on paper."""

  right: np.ndarray
  up: np.ndarray

  def flat(self, points: np.ndarray) -> np.ndarray:
    """Points of the world (n, 3) on paper, (n, 2) [m], y down."""
    return np.stack([points @ self.right, -(points @ self.up)], axis=1)


def best_view(points: np.ndarray) -> View:
  """From the side on which points (n, 3) are widest, upright; from above where they lie flatter."""
  spread = points - points.mean(axis=0)
  _, _, axes = np.linalg.svd(spread[:, :2], full_matrices=True)
  wide = np.array([*axes[0], 0.0])
  wide *= 1.0 if wide[np.abs(wide).argmax()] > 0 else -1.0
  deep = np.array([-wide[1], wide[0], 0.0])
  if np.ptp(points[:, 2]) < np.ptp(points @ deep):
    return View(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
  return View(wide, np.array([0, 0, 1.0]))


def sketch(
  model: mujoco.MjModel,
  data: mujoco.MjData,
  lines: Sequence[Line],
  geoms: Iterable[int],
  wraps: Iterable[int] = (),
  *,
  view: View,
  frame: np.ndarray,
  title: str = "",
  size: tuple[int, int] = (300, 220),
) -> str:
  """An SVG picture: bodies gray, `wraps` marked, lines above; `frame` (n, 3) is what it shows."""
  width, height = size
  seen = view.flat(frame)
  low, high = seen.min(axis=0), seen.max(axis=0)
  scale = 0.8 * min(width / max(high[0] - low[0], 1e-9), height / max(high[1] - low[1], 1e-9))
  middle = np.array([width, height]) / 2 - scale * (low + high) / 2

  def paper(points: np.ndarray) -> str:
    flat = scale * view.flat(points) + middle
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in flat)

  marked = list(dict.fromkeys(wraps))
  parts = []
  for geom in dict.fromkeys([*geoms, *marked]):
    points = outline(model, data, geom, view)
    if points is not None:
      looks = 'fill="#f6d7a7" stroke="#c98b2b"' if geom in marked else 'fill="#e3e7ec"'
      parts.append(f'<polygon points="{paper(points)}" {looks} fill-opacity=".65"/>')
  for line in lines:
    dash = ' stroke-dasharray="5 3"' if line.dashed else ""
    parts.append(
      f'<polyline points="{paper(line.points)}" fill="none" stroke="{line.color}"'
      f' stroke-width="{line.width:.2g}" stroke-linecap="round"{dash}/>'
    )
  label = f"<title>{escape(title)}</title>" if title else ""
  return (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
    f' height="{height}" role="img">{label}{"".join(parts)}</svg>'
  )


def outline(model: mujoco.MjModel, data: mujoco.MjData, geom: int, view: View) -> np.ndarray | None:
  """Corners of what a geom covers on paper, as points of the world (n, 3); None for what has none.

  What is hollow is filled: its hull in 24 directions.
  """
  points = _surface(model, geom)
  if points is None:
    return None
  points = data.geom_xpos[geom] + points @ data.geom_xmat[geom].reshape(3, 3).T
  furthest = (view.flat(points) @ _DIRECTIONS).argmax(axis=0)
  return points[list(dict.fromkeys(furthest.tolist()))]


def _surface(model: mujoco.MjModel, geom: int) -> np.ndarray | None:
  # points of the geom's surface, in its frame
  kind, size = int(model.geom_type[geom]), model.geom_size[geom]
  ring = np.stack([np.cos(_AROUND), np.sin(_AROUND), np.zeros_like(_AROUND)], axis=1)
  ball = np.concatenate(
    [ring * [np.cos(a), np.cos(a), 0] + [0, 0, np.sin(a)] for a in np.linspace(-1.57, 1.57, 9)]
  )
  if kind in (int(_GEOM.mjGEOM_MESH), int(_GEOM.mjGEOM_SDF)):
    mesh = int(model.geom_dataid[geom])
    begin = int(model.mesh_vertadr[mesh])
    return model.mesh_vert[begin : begin + int(model.mesh_vertnum[mesh])].astype(float)
  if kind == int(_GEOM.mjGEOM_SPHERE):
    return ball * size[0]
  if kind == int(_GEOM.mjGEOM_ELLIPSOID):
    return ball * size
  up = np.array([0, 0, size[1]])
  if kind == int(_GEOM.mjGEOM_CAPSULE):
    return np.concatenate([ball * size[0] + up, ball * size[0] - up])
  if kind == int(_GEOM.mjGEOM_CYLINDER):
    return np.concatenate([ring * size[0] + up, ring * size[0] - up])
  if kind == int(_GEOM.mjGEOM_BOX):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return corners * size
  return None
