"""Survey: what the native tendons of a model look like over its poses, before conversion."""

from collections.abc import Sequence

import mujoco
import numpy as np

from mujocable.study import routes
from mujocable.study.poses import random_pose


class Survey:
  """Lengths of the tendons, and what their wraps look like, over random poses."""

  def __init__(self, model: mujoco.MjModel, tendons: Sequence[int], poses: int, seed: int):
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    self._model, self._poses = model, poses
    self._inside: dict[int, str] = {}
    self._buried: dict[int, dict[str, int]] = {t: {} for t in tendons}
    mujoco.mj_fwdPosition(model, data)
    self._branches = {
      t: [_without_idle(model, data, branch) for branch in routes.branches(model, t)]
      for t in tendons
    }
    rows = []
    for pose in range(poses + 1):
      mujoco.mj_resetData(model, data)
      if pose:
        data.qpos[:] = random_pose(model, rng)
      mujoco.mj_fwdPosition(model, data)
      rows.append(data.ten_length.copy())
      for tendon in tendons:
        self._look(data, tendon)
    self.lengths = np.array(rows).T

  def _look(self, data: mujoco.MjData, tendon: int) -> None:
    model = self._model
    for branch in self._branches[tendon]:
      for i, stop in enumerate(branch.stops):
        if not stop.is_geom:
          continue
        geom = model.geom(stop.id).name
        if stop.side >= 0 and routes.reach(model, data, stop.id, stop.side) < 1:
          side = model.site(stop.side).name
          self._inside.setdefault(
            tendon, f"wrap '{geom}' is an inside wrap (side site '{side}' lies inside it)"
          )
        for neighbor in (branch.stops[i - 1], branch.stops[i + 1]):
          if not neighbor.is_geom and routes.reach(model, data, stop.id, neighbor.id) <= 1:
            site = model.site(neighbor.id).name
            what = f"site '{site}' lies inside wrap '{geom}', where MuJoCo drops the wrap"
            self._buried[tendon][what] = self._buried[tendon].get(what, 0) + 1

  def refusal(self, tendon: int) -> str:
    """Why its wraps cannot be a cable's; empty where they can."""
    if tendon in self._inside:
      return self._inside[tendon]
    for what, count in self._buried[tendon].items():
      return f"{what} ({count} of {self._poses + 1} poses)"
    return ""

  def branches(self, tendon: int) -> list[routes.Branch]:
    """Its branches, without the geoms that have no effect."""
    return self._branches[tendon]


def _without_idle(model, data, branch: routes.Branch) -> routes.Branch:
  stops = [
    stop
    for i, stop in enumerate(branch.stops)
    if not (stop.is_geom and routes.never_wraps(model, data, branch, i))
  ]
  return routes.Branch(branch.divisor, tuple(stops))
