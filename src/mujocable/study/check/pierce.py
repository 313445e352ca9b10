"""Pierce: whether a straight piece of a path runs through a body that is not part of its route."""

from collections.abc import Iterator

import mujoco
import numpy as np

_GEOM = mujoco.mjtGeom
_GRAZE = 1e-3  # a chord shorter than this part of the geom's size only grazes it

Piece = tuple[np.ndarray, np.ndarray, frozenset[int]]  # from, to [m, world], bodies it ends on


def pierced(
  model: mujoco.MjModel, data: mujoco.MjData, piece: Piece, route: frozenset[int], visual: bool
) -> Iterator[tuple[int, float]]:
  """Geoms that a piece runs through, with the length inside [m].

  Geoms of the moving bodies that the piece ends on do not count (a drilled hole), nor those of its
  route, nor one that an end lies in, nor, unless `visual`, those that collide with nothing.
  """
  begin, end, bodies = piece
  along = end - begin
  length = float(np.linalg.norm(along))
  if not length > 0:
    return
  along = along / length
  # spheres around the geoms first
  centers = data.geom_xpos - begin
  nearest = np.clip(centers @ along, 0, length)
  gap = np.linalg.norm(centers - nearest[:, None] * along, axis=1)
  near = (gap < model.geom_rbound) & (model.geom_rbound > 0)
  if not visual:
    near &= (model.geom_contype != 0) | (model.geom_conaffinity != 0)
  for geom in np.flatnonzero(near):
    body = int(model.body_weldid[model.geom_bodyid[geom]])
    if int(geom) in route or (body in bodies and (body > 0 or bodies == {0})):
      continue
    there = _distance(model, data, int(geom), begin, along)
    back = _distance(model, data, int(geom), end, -along)
    inside = length - there - back
    if there >= 0 and back >= 0 and inside > _GRAZE * model.geom_rbound[geom]:
      yield int(geom), inside


def _distance(model, data, geom: int, point: np.ndarray, direction: np.ndarray) -> float:
  # to the surface, along a ray; -1: never met
  kind = int(model.geom_type[geom])
  if kind == int(_GEOM.mjGEOM_MESH):
    return mujoco.mj_rayMesh(model, data, geom, point, direction)
  if kind == int(_GEOM.mjGEOM_HFIELD):
    return mujoco.mj_rayHfield(model, data, geom, point, direction)
  return mujoco.mju_rayGeom(
    data.geom_xpos[geom], data.geom_xmat[geom], model.geom_size[geom], point, direction, kind
  )
