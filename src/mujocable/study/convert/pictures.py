"""Conversion pictures: every tendon over its body, before and after, as small line drawings."""

from itertools import pairwise

import mujoco
import numpy as np

from mujocable.runtime.view import CableView, bind
from mujocable.study import routes
from mujocable.study.convert.conversion import Conversion, Converted
from mujocable.viewer.palette import color, hex_color
from mujocable.viewer.sketch import Line, View, best_view, outline, sketch

_CYLINDER = int(mujoco.mjtGeom.mjGEOM_CYLINDER)
_NATIVE = "#22313f"
_SHOWN_GROUPS = 3  # MuJoCo's viewers show groups 0 to 2


class Artist:
  """Draws the tendons of a conversion, at home until it is told another pose."""

  def __init__(self, conversion: Conversion):
    assert conversion.native is not None, "a conversion made by convert has the model as it was"
    self._before, self._after = conversion.native, conversion.spec.compile()
    self._old, self._new = mujoco.MjData(self._before), mujoco.MjData(self._after)
    self._views = bind(self._after, self._new)
    self._friction, self._places = conversion.friction, conversion.places
    self.pose(0)

  def pose(self, index: int) -> None:
    """Goes to one of the poses of the conversion."""
    for model, data in ((self._before, self._old), (self._after, self._new)):
      mujoco.mj_resetData(model, data)
      data.qpos[:] = self._places[index]
      mujoco.mj_forward(model, data)

  def before(self, name: str) -> str:
    """The tendon on MuJoCo's own path."""
    tendon = self._before.tendon(name).id
    lines = [Line(p, _NATIVE) for p in native_paths(self._before, self._old, tendon)]
    return self._draw(self._before, self._old, tendon, lines, f"{name}, native")

  def after(self, one: Converted) -> str:
    """Its cables, thick and red where all tension arrives, thin and blue where little does."""
    tendon = self._before.tendon(one.tendon).id
    lines = [
      line for cable in one.cables for line in cable_lines(self._views[cable], self._friction)
    ]
    return self._draw(self._after, self._new, tendon, lines, f"{one.tendon}, cable")

  def _draw(self, model, data, tendon: int, lines: list[Line], title: str) -> str:
    # both pictures of a tendon show the same, seen from the same side
    path = np.concatenate(native_paths(self._before, self._old, tendon))
    stops = [s for b in routes.branches(self._before, tendon) for s in b.stops]
    wraps = [s.id for s in stops if s.is_geom]
    view: View = best_view(path)
    rims = [outline(self._before, self._old, geom, view) for geom in wraps]
    frame = np.concatenate([path, *(rim for rim in rims if rim is not None)])
    bones = self._bones(stops, frame)
    return sketch(model, data, lines, bones, wraps, view=view, frame=frame, title=title)

  def _bones(self, stops: list[routes.Stop], frame: np.ndarray) -> list[int]:
    # what is seen of the bodies of a route and of those between them; of the world what is near
    model = self._before
    bodies = {int((model.geom_bodyid if s.is_geom else model.site_bodyid)[s.id]) for s in stops}
    lines = []
    for body in bodies:
      line = [body]
      while line[-1] > 0:
        line.append(int(model.body_parentid[line[-1]]))
      lines.append(line)
    shared = set.intersection(*map(set, lines)) if lines else set()
    shown = {b for line in lines for b in line if b not in shared} | bodies
    middle, size = frame.mean(axis=0), float(np.ptp(frame, axis=0).max())
    near = np.linalg.norm(self._old.geom_xpos - middle, axis=1) < size
    near &= model.geom_rbound < size
    return [
      g
      for g in range(model.ngeom)
      if int(model.geom_bodyid[g]) in shown
      and model.geom_group[g] < _SHOWN_GROUPS
      and (model.geom_bodyid[g] > 0 or near[g])
    ]


def native_paths(model: mujoco.MjModel, data: mujoco.MjData, tendon: int) -> list[np.ndarray]:
  """MuJoCo's path of a tendon at present, one polyline (n, 3) per branch, with its arcs."""
  points, objects = routes.points(data, tendon)
  paths: list[list[np.ndarray]] = [[]]
  for k, (point, geom) in enumerate(zip(points, objects, strict=True)):
    if geom == routes.PULLEY:
      paths.append([])
      continue
    path = paths[-1]
    if path and geom >= 0 and objects[k - 1] == geom:
      path.extend(_arc(model, data, int(geom), path[-1], point))
    path.append(point)
  return [np.array(path) for path in paths if len(path) > 1]


def _arc(model, data, geom: int, start: np.ndarray, end: np.ndarray) -> list[np.ndarray]:
  # between two points of a sphere or cylinder, the shorter way round
  axes = data.geom_xmat[geom].reshape(3, 3)
  first, last = ((p - data.geom_xpos[geom]) @ axes for p in (start, end))
  flat = np.array([1.0, 1.0, 0.0 if model.geom_type[geom] == _CYLINDER else 1.0])
  one, two = first * flat, last * flat
  turn = np.arctan2(np.linalg.norm(np.cross(one, two)), one @ two)
  if np.sin(turn) < 1e-6:
    return []
  found = []
  for t in np.linspace(0, 1, 9)[1:-1]:
    around = (np.sin((1 - t) * turn) * one + np.sin(t * turn) * two) / np.sin(turn)
    along = (1 - flat) * ((1 - t) * first + t * last)
    found.append(data.geom_xpos[geom] + (around + along) @ axes.T)
  return found


def cable_lines(view: CableView, friction: float) -> list[Line]:
  """The path of a cable, cut at its contacts, colored by the share of the tension that arrives."""
  points = view.points
  if len(points) < 2:
    return []
  cuts, shares, share = [0], [1.0], 1.0
  for i in np.flatnonzero(view.touching):
    for point, part in ((view.entry[i], 0.5), (view.exit[i], 1.0)):
      cut = int(np.linalg.norm(points - point, axis=1).argmin())
      cuts.append(max(cut, cuts[-1]))
      shares.append(share * float(np.exp(-part * friction * view.wrap_angle[i])))
    share = shares[-1]
  cuts.append(len(points) - 1)
  return [
    Line(points[a : b + 1], hex_color(color(share)), 1 + 2.5 * share)
    for (a, b), share in zip(pairwise(cuts), shares, strict=True)
    if b > a
  ]
