"""The path of OpenSim's Scholz2015GeometryPath over a scene."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.opensim.judge import depth
from experiments.opensim.scenes import Scene

# OpenSim draws its arcs as polylines; what these two allow is far above their resolution and far
# below the corner of a path that did not converge
CORNER = 0.3  # [rad]
DEPTH = 0.02  # [m]


@dataclass(frozen=True)
class Drawn:
  """A path as OpenSim draws it."""

  length: float
  corner: float  # largest angle between two pieces [rad]
  depth: float  # deepest cut into any surface [m]

  def is_a_path(self) -> bool:
    """Whether it is taut as far as the drawing shows."""
    return self.corner <= CORNER and self.depth <= DEPTH


def solve(scene: Scene) -> Drawn | None:
  """The path from the hints; None where OpenSim gives up."""
  opensim = _opensim()
  model = opensim.Model()
  ground = model.getGround()

  def vector(v) -> Any:
    return opensim.Vec3(*(float(x) for x in v))

  path = opensim.Scholz2015GeometryPath()
  path.setName("path")
  path.appendPathPoint(ground, vector(scene.origin))
  for i, s in enumerate(scene.surfaces):
    pose = (vector(s.pos), vector(_angles(s.mat)), ground, f"s{i}")
    if s.kind == "sphere":
      geometry = opensim.ContactSphere(s.radii[0], pose[0], ground, f"s{i}")
      geometry.set_orientation(pose[1])
    elif s.kind == "cylinder":
      geometry = opensim.ContactCylinder(s.radii[0], *pose)
    elif s.kind == "ellipsoid":
      geometry = opensim.ContactEllipsoid(vector(s.radii), *pose)
    else:
      geometry = opensim.ContactTorus(*s.radii, *pose)
    model.addContactGeometry(geometry)
    path.appendObstacle(geometry, vector(s.hint))
  path.appendPathPoint(ground, vector(scene.insertion))
  model.addComponent(path)
  try:
    state = model.initSystem()
    model.realizePosition(state)
    length = path.getLength(state)
    points = _points(opensim, model, path, state)
  except RuntimeError:
    return None
  if not math.isfinite(length):
    return None
  steps = np.diff(points, axis=0)
  steps = steps[np.linalg.norm(steps, axis=1) > 1e-9]
  along = steps / np.linalg.norm(steps, axis=1)[:, None]
  turns = np.arccos(np.clip(np.sum(along[1:] * along[:-1], axis=1), -1, 1))
  cut = max(depth(s, points, samples=101) for s in scene.surfaces)
  return Drawn(float(length), float(turns.max(initial=0.0)), cut)


def _opensim() -> Any:
  import opensim  # pyright: ignore[reportMissingImports]

  opensim.Logger.setLevelString("Off")
  return opensim


def _angles(mat: np.ndarray) -> tuple[float, float, float]:
  """Body-fixed rotations about x, y, z."""
  y = math.asin(max(-1.0, min(1.0, mat[0, 2])))
  return math.atan2(-mat[1, 2], mat[2, 2]), y, math.atan2(-mat[0, 1], mat[0, 0])


def _points(opensim, model, path, state) -> np.ndarray:
  """The corners of the polyline that OpenSim draws."""
  drawing = opensim.ArrayDecorativeGeometry()
  path.generateDecorations(False, model.getDisplayHints(), state, drawing)
  points: list[list[float]] = []

  class Reader(opensim.DecorativeGeometryImplementation):
    def implementLineGeometry(self, line):
      if not points:
        points.append([line.getPoint1()[i] for i in range(3)])
      points.append([line.getPoint2()[i] for i in range(3)])

    def implementSphereGeometry(self, _):
      pass  # the marks at its ends

    def implementPointGeometry(self, _):
      pass

  reader = Reader()
  for i in range(drawing.size()):
    drawing.at(i).implementGeometry(reader)
  return np.array(points)
