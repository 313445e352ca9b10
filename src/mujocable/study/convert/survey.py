"""Survey: what the native tendons of a model look like over its poses, before conversion."""

from collections.abc import Sequence
from itertools import pairwise

import mujoco
import numpy as np

from mujocable.study import routes
from mujocable.study.poses import Pose

_SAME_PLACE = 1e-9  # sites that stay this close in every pose are one [m]


class Survey:
  """Lengths of tendons over the poses, and which sites lie inside which wraps.

  One look at each pose for all tendons together.
  """

  def __init__(self, model: mujoco.MjModel, tendons: Sequence[int], poses: Sequence[Pose]):
    self._model = model
    data = mujoco.MjData(model)
    mujoco.mj_fwdPosition(model, data)
    found = {t: routes.branches(model, t) for t in tendons}
    self._branches = {
      t: [_without_idle(model, data, branch) for branch in branches]
      for t, branches in found.items()
    }
    every = [branch for branches in self._branches.values() for branch in branches]
    self._spans = {pair: k for k, pair in enumerate(_spans(every))}
    lengths, apart, places = [], [], []
    for pose in poses:
      pose.take(model, data)
      mujoco.mj_fwdPosition(model, data)
      lengths.append(data.ten_length.copy())
      apart.append(_apart(data, list(self._spans)))
      places.append([data.geom_xpos.copy(), data.geom_xmat.copy(), data.site_xpos.copy()])
    self.lengths = np.array(lengths).T  # [tendon, pose] [m]
    self._apart = np.array(apart).T
    for branches in self._branches.values():
      branches[:] = [self._without_twins(branch) for branch in branches]
    every = [branch for branches in self._branches.values() for branch in branches]
    self._pairs = {pair: k for k, pair in enumerate(_pairs(every))}
    self._reach = np.array([_reach(model, place, list(self._pairs)) for place in places]).T

  def branches(self, tendon: int) -> list[routes.Branch]:
    """Its branches, without geoms that have no effect and without sites that never part."""
    return self._branches[tendon]

  def buried(self, tendon: int, pose: int, depth: float = 0.0) -> str:
    """The first site next to a wrap that lies inside it in a pose, in words; empty where none.

    `depth` is the part of the radius that it must lie below the surface.
    """
    model = self._model
    for branch in self._branches[tendon]:
      for stop, site in branch.neighbors():
        if self._at(stop.id, site)[pose] <= 1 - depth:
          return f"site '{model.site(site).name}' lies inside wrap '{model.geom(stop.id).name}'"
    return ""

  def _at(self, geom: int, site: int) -> np.ndarray:
    return self._reach[self._pairs[geom, site]]

  def _without_twins(self, branch: routes.Branch) -> routes.Branch:
    # a span that has no length in any pose has no direction and no effect
    stops: list[routes.Stop] = []
    for stop in branch.stops:
      if stops and self._together(stops[-1], stop):
        continue
      stops.append(stop)
    return routes.Branch(branch.divisor, tuple(stops))

  def _together(self, one: routes.Stop, two: routes.Stop) -> bool:
    if one.is_geom or two.is_geom:
      return False
    known = self._spans.get((one.id, two.id))
    return known is not None and bool(self._apart[known].max() < _SAME_PLACE)


def _pairs(branches: Sequence[routes.Branch]) -> dict[tuple[int, int], None]:
  # every wrap with its neighbors, each once
  found: dict[tuple[int, int], None] = {}
  for branch in branches:
    for stop, site in branch.neighbors():
      found[stop.id, site] = None
  return found


def _spans(branches: Sequence[routes.Branch]) -> dict[tuple[int, int], None]:
  # every two sites that follow each other
  found: dict[tuple[int, int], None] = {}
  for branch in branches:
    for one, two in pairwise(branch.stops):
      if not one.is_geom and not two.is_geom:
        found[one.id, two.id] = None
  return found


def _reach(model: mujoco.MjModel, place: Sequence[np.ndarray], pairs: list) -> np.ndarray:
  # distance of sites from a sphere's center or a cylinder's axis, over the radius
  if not pairs:
    return np.zeros(0)
  geom_xpos, geom_xmat, site_xpos = place
  geoms, sites = np.array(pairs).T
  frames = geom_xmat[geoms].reshape(-1, 3, 3)
  local = np.einsum("nji,nj->ni", frames, site_xpos[sites] - geom_xpos[geoms])
  local[model.geom_type[geoms] == int(mujoco.mjtGeom.mjGEOM_CYLINDER), 2] = 0.0
  return np.linalg.norm(local, axis=1) / model.geom_size[geoms, 0]


def _apart(data: mujoco.MjData, spans: list) -> np.ndarray:
  if not spans:
    return np.zeros(0)
  first, second = np.array(spans).T
  return np.linalg.norm(data.site_xpos[first] - data.site_xpos[second], axis=1)


def _without_idle(model, data, branch: routes.Branch) -> routes.Branch:
  stops = [
    stop
    for i, stop in enumerate(branch.stops)
    if not (stop.is_geom and routes.never_wraps(model, data, branch, i))
  ]
  return routes.Branch(branch.divisor, tuple(stops))
