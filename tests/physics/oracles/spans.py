"""A cable in the world over a list of obstacles, for the tests of one span."""

from __future__ import annotations

import numpy as np
from oracles import build
from oracles.taut import Obstacle

import mujocable as mjc


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
    spec, mjc.Cable(name="cable", route=route, **({"stiffness": 100.0} | cable))
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
