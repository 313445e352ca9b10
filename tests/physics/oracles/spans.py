"""A cable in the world over a list of obstacles, for the tests of one span."""

from __future__ import annotations

import numpy as np

import mujocable as mjc
from mujocable.spec.keys import laws
from oracles import build
from oracles.taut import Obstacle, taut_path


def compiled(start, end, obstacles, scale=1.0, **cable):
  """Model, data, view; the obstacles (oracles.taut.Obstacle) are in units of the scale."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.site(spec.worldbody, "start", np.asarray(start) * scale)
  build.site(spec.worldbody, "end", np.asarray(end) * scale)
  route = [mjc.Anchor("start")]
  for i, o in enumerate(obstacles):
    name = f"w{i}"
    if o.kind == "sphere":
      build.sphere(spec.worldbody, name, o.pos * scale, o.radius * scale)
    else:
      build.cylinder(
        spec.worldbody,
        name,
        o.pos * scale,
        o.radius * scale,
        axis=o.mat[:, 2],
        half_length=4 * scale,
      )
    build.site(spec.worldbody, f"{name}_side", o.side * scale)
    route.append(mjc.Wrap(name, side=f"{name}_side"))
  route.append(mjc.Anchor("end"))
  model, data, views = build.compiled(
    spec, mjc.Cable(name="cable", route=route, **laws(**({"stiffness": 100.0} | cable)))
  )
  return model, data, views["cable"]


def skew(n, rng):
  """A row of skew cylinders and spheres, each pushed into the line of its neighbours."""
  obstacles = []
  for k in range(n):
    radius = rng.uniform(0.1, 0.2)
    push = rng.uniform(0, 2 * np.pi)
    normal = np.array([0, np.cos(push), np.sin(push)])
    pos = np.array([0.7 * (k + 1), 0, 0]) + rng.uniform(0.2, 0.6) * radius * normal
    axis = np.cross(normal, (1, 0, 0)) + rng.uniform(-0.4, 0.4, 3)
    mat = build.matrix(build.quat_z_to(axis))
    kind = "sphere" if rng.random() < 0.4 else "cylinder"
    obstacles.append(Obstacle(kind, radius, pos, mat, pos - 1.3 * radius * normal))
  return np.zeros(3), np.array([0.7 * (n + 1), 0, 0]), obstacles


def plain_skew(n, rng):
  """The next skew row whose shortest path runs on the hinted side of every sphere, and that path.

  A sphere has no homotopy classes: where the hint lies on the far side, two readings are possible
  (native tendons go the long way round, a shortest path does not), so such rows judge nothing.
  """
  while True:
    start, end, obstacles = skew(n, rng)
    path = taut_path(start, end, obstacles)
    if on_hinted_sides(start, end, obstacles, path):
      return start, end, obstacles, path


def on_hinted_sides(start, end, obstacles, path, kinds=("sphere", "cylinder")):
  """Whether the path passes every obstacle of these kinds on the side of its hint."""
  return all(
    _on_hinted_side(start, end, obstacles, path, i)
    for i, o in enumerate(obstacles)
    if o.kind in kinds
  )


def _on_hinted_side(start, end, obstacles, path, i):
  o, arc = obstacles[i], path.arcs[i]
  if arc is None:
    before = [a.exit for a in path.arcs[:i] if a is not None]
    after = [a.entry for a in path.arcs[i + 1 :] if a is not None]
    p, q = (before[-1] if before else start), (after[0] if after else end)
    t = np.clip((o.pos - p) @ (q - p) / ((q - p) @ (q - p)), 0, 1)
    where = p + t * (q - p) - o.pos
  else:
    where = (arc.entry + arc.exit) / 2 - o.pos
  hint = o.side - o.pos
  return where @ hint > 0.3 * np.linalg.norm(where) * np.linalg.norm(hint)
