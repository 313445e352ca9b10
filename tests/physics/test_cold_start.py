"""A route that has a taut path starts on it, from its side hints alone.

Judges: the relaxation of oracles.taut over rows of well separated surfaces, with deep wraps
(up to two radians on cylinders), at hand size; a drum with its knot among them. Every start must
succeed (1e-9 relative): public solvers fail a third of such starts.
"""

import numpy as np
import pytest
from oracles import build
from oracles.spans import compiled, on_hinted_sides
from oracles.taut import Obstacle, taut_path, turn_through

import mujocable as mjc

UP = np.array([0.0, 1.0, 0.0])


def zigzag(n, rng):
  """Cylinders far off the line on alternating or equal sides, spheres a little into it."""
  obstacles, y = [], 0.0
  for k in range(n):
    radius = rng.uniform(0.08, 0.2)
    x = 0.8 * (k + 1)
    if rng.random() < 0.7:
      up = rng.choice([-1.0, 1.0])
      y = rng.uniform(-0.25, 0.25)
      axis = np.array([0, 0, 1.0]) + rng.uniform(-0.35, 0.35, 3)
      mat = build.matrix(build.quat_z_to(axis))
      pos = np.array([x, y, rng.uniform(-0.1, 0.1)])
      obstacles.append(Obstacle("cylinder", radius, pos, mat, pos + 1.3 * radius * up * UP))
    else:
      push = rng.uniform(0, 2 * np.pi)
      normal = np.array([0, np.cos(push), np.sin(push)])
      pos = np.array([x, 0, 0]) + 0.4 * radius * normal
      obstacles.append(Obstacle("sphere", radius, pos, np.eye(3), pos - 1.3 * radius * normal))
  return np.zeros(3), np.array([0.8 * (n + 1), 0, 0]), obstacles


def judged_zigzag(n, rng):
  """A zigzag that the oracle can judge: it settles, on the hinted side of every sphere."""
  while True:
    start, end, obstacles = zigzag(n, rng)
    try:
      path = taut_path(start, end, obstacles, sweeps=3000)
    except RuntimeError:
      continue
    deepest = max((arc.wrap_angle for arc in path.arcs if arc is not None), default=0)
    if on_hinted_sides(start, end, obstacles, path, kinds=("sphere",)) and deepest < 2.5:
      return start, end, obstacles, path


@pytest.mark.parametrize("n", range(2, 9))
def test_deep_zigzags_start(n):
  failed = []
  for seed in range(30):
    start, end, obstacles, want = judged_zigzag(n, np.random.default_rng([seed, n, 31]))
    scale = (1.0, 1e-2, 1e2)[seed % 3]
    try:
      _, _, view = compiled(start, end, obstacles, scale)
    except ValueError as refusal:
      failed.append((seed, str(refusal).split("\n")[1][:120]))
      continue
    error = view.length / (want.length * scale) - 1
    if not build.is_valid(view) or abs(error) > 1e-9:
      failed.append((seed, int(view.status), error))
  assert not failed, (len(failed), failed[:6])


def knotted(n, rng):
  """A drum at the start with its knot on it, then a zigzag."""
  _, end, obstacles = zigzag(n, rng)
  radius = rng.uniform(0.05, 0.15)
  up = rng.choice([-1.0, 1.0])
  axis = np.array([0, 0, 1.0]) + rng.uniform(-0.3, 0.3, 3)
  mat = build.matrix(build.quat_z_to(axis))
  spoke = rng.uniform(0.6, 1.4) * np.pi
  knot = mat @ (radius * np.array([np.cos(spoke), np.sin(spoke), 0]))
  side = mat @ np.array([0, 1.3 * radius * up, 0])
  drum = Obstacle("cylinder", radius, np.zeros(3), mat, side)
  return knot, end, [drum, *obstacles]


@pytest.mark.parametrize("n", range(1, 4))
def test_a_knotted_drum_and_a_zigzag_start(n):
  failed, ran = [], 0
  for seed in range(40):
    rng = np.random.default_rng([seed, n, 32])
    start, end, obstacles = knotted(n, rng)
    try:
      want = taut_path(start, end, obstacles, sweeps=3000)
    except RuntimeError:
      continue
    drum = obstacles[0]
    if want.arcs[0] is None or not on_hinted_sides(start, end, obstacles, want, kinds=("sphere",)):
      continue
    local = [drum.mat.T @ (p - drum.pos) for p in (start, want.arcs[0].exit, drum.side)]
    if abs(turn_through(*local)) > 4:
      continue  # more than a turn: a question of the hint, not of the start
    ran += 1
    spec = build.new_spec(gravity=(0, 0, 0))
    build.idle_joint(spec)
    build.site(spec.worldbody, "knot", start)
    build.site(spec.worldbody, "end", end)
    route = [mjc.Anchor("knot")]
    for i, o in enumerate(obstacles):
      if o.kind == "sphere":
        build.sphere(spec.worldbody, f"w{i}", o.pos, o.radius)
      else:
        build.cylinder(spec.worldbody, f"w{i}", o.pos, o.radius, axis=o.mat[:, 2], half_length=4)
      build.site(spec.worldbody, f"side{i}", o.side)
      route.append(mjc.Wrap(f"w{i}", side=f"side{i}"))
    route.append(mjc.Anchor("end"))
    try:
      _, _, views = build.compiled(
        spec, mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=100.0))
      )
    except ValueError as refusal:
      failed.append((seed, str(refusal).split("\n")[1][:120]))
      continue
    view = views["cable"]
    error = view.length / want.length - 1
    if not build.is_valid(view) or abs(error) > 1e-9:
      failed.append((seed, int(view.status), error))
  assert ran > 15
  assert not failed, (len(failed), ran, failed[:6])
