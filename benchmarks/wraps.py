"""Wraps: surfaces in one span, from a single one to eight."""

import mujoco
import numpy as np

import mujocable as mjc
from benchmarks.kinds import builder


def wraps(geom: str, count: int, friction: float = 0.1):
  """A weight on a cable over `count` fixed posts, cylinders or spheres, without a site between."""

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world, cylinder = spec.worldbody, geom == "cylinder"
    world.add_site(name="start", pos=[-0.3, 0, 0.0])
    route: list = [mjc.Anchor("start")]
    for i in range(count):
      center = np.array([0.2 * i, 0.0, -0.02 * i * i])
      world.add_geom(
        name=f"post_{i}",
        type=mujoco.mjtGeom.mjGEOM_CYLINDER if cylinder else mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[0.05, 0.02 if cylinder else 0, 0],
        pos=center,
        quat=[np.sqrt(0.5), np.sqrt(0.5), 0, 0],
        contype=0,
        conaffinity=0,
      )
      world.add_site(name=f"over_{i}", pos=center + np.array([0, 0, 0.1]))
      route.append(mjc.Wrap(f"post_{i}", side=f"over_{i}"))
    last = np.array([0.2 * (count - 1), 0.0, -0.02 * (count - 1) ** 2])
    load = world.add_body(pos=last + np.array([0.05, 0, -0.4]))
    load.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    load.add_geom(size=[0.02, 0, 0], mass=1.0, contype=0, conaffinity=0)
    load.add_site(name="end")
    route.append(mjc.Anchor("end"))
    return spec, [
      mjc.Cable("cable", route, mjc.Axial(stiffness=2000.0, pretension=10.0), friction=friction)
    ]

  return builder(make)


def ellipsoids(count: int, radius: float = 0.0):
  """A cable over and under `count` fixed ellipsoids in a row; its end slides on a spring.

  With a radius the cable's center runs outside them, on surfaces that are no ellipsoids.
  """

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world = spec.worldbody
    world.add_site(name="start", pos=[-0.2, 0, 0])
    route: list = [mjc.Anchor("start")]
    for i in range(count):
      # in the way of the straight line, and long across it, so that the cable stays on
      up = 1 if i % 2 == 0 else -1
      world.add_geom(
        name=f"post_{i}",
        type=mujoco.mjtGeom.mjGEOM_ELLIPSOID,
        size=[0.05, 0.12, 0.04],
        pos=[0.2 * i, 0.0, -0.01 * up],
        contype=0,
        conaffinity=0,
      )
      route.append(mjc.Wrap(f"post_{i}", side=(0.0, 0.01, 0.06 * up)))
    load = world.add_body(pos=[0.2 * count, 0, 0])
    load.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0], stiffness=[500.0, 0, 0])
    load.add_geom(size=[0.02, 0, 0], mass=1.0, contype=0, conaffinity=0)
    load.add_site(name="end")
    route.append(mjc.Anchor("end"))
    cable = mjc.Cable(
      "cable", route, mjc.Axial(stiffness=2000.0, pretension=10.0), friction=0.1, radius=radius
    )
    return spec, [cable]

  return builder(make)


def ring():
  """A cable that bears on both sides of the hole of a ring; its end slides on a spring."""

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world = spec.worldbody
    world.add_site(name="start", pos=[-0.2, 0, 0.02])
    world.add_site(name="eye", pos=[0, 0, 0])
    load = world.add_body(pos=[0.2, 0, -0.02])
    load.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], stiffness=[500.0, 0, 0])
    load.add_geom(size=[0.02, 0, 0], mass=1.0, contype=0, conaffinity=0)
    load.add_site(name="end")
    route = [mjc.Anchor("start"), mjc.Ring("eye", 0.05, 0.015), mjc.Anchor("end")]
    return spec, [
      mjc.Cable("cable", route, mjc.Axial(stiffness=2000.0, pretension=10.0), friction=0.1)
    ]

  return builder(make)


def mesh(splits: int, shape: str = "egg"):
  """A cable over a mesh of about 8 splits^2 faces; its end slides on a spring.

  The shape is an "egg" (an ellipsoid) or a "pill" (a capsule, whose curvature jumps at its seams).
  """

  def make():
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world = spec.worldbody
    # in the way of the straight line, and long across it, so that the cable stays on
    if shape == "egg":
      vertices, faces = _ball(splits)
      vertices = vertices * [0.05, 0.12, 0.04]
    else:
      vertices, faces = _pill(0.04, 0.05, splits)
    spec.add_mesh(name="egg", uservert=vertices.ravel(), userface=faces.ravel())
    world.add_geom(
      name="egg",
      type=mujoco.mjtGeom.mjGEOM_MESH,
      meshname="egg",
      pos=[0, 0, -0.01],
      contype=0,
      conaffinity=0,
    )
    world.add_site(name="start", pos=[-0.2, 0, 0])
    world.add_site(name="over", pos=[0, 0, 0.1])
    load = world.add_body(pos=[0.2, 0, 0])
    load.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], stiffness=500.0)
    load.add_geom(size=[0.02, 0, 0], mass=1.0, contype=0, conaffinity=0)
    load.add_site(name="end")
    route = [mjc.Anchor("start"), mjc.Wrap("egg", side="over"), mjc.Anchor("end")]
    return spec, [
      mjc.Cable("cable", route, mjc.Axial(stiffness=2000.0, pretension=10.0), friction=0.1)
    ]

  return builder(make)


def _pill(radius: float, half: float, splits: int) -> tuple[np.ndarray, np.ndarray]:
  # a capsule about y: 2 splits rows of as many vertices, evenly along its profile
  n = 2 * splits
  quarter = radius * np.pi / 2
  along = np.linspace(-quarter - half, quarter + half, n + 2)[1:-1]
  beyond = np.clip(np.abs(along) - half, 0, None) / radius
  height = np.sign(along) * (np.minimum(np.abs(along), half) + radius * np.sin(beyond))
  around = 2 * np.pi * np.arange(n) / n
  rim = radius * np.cos(beyond)
  rows = np.stack(
    [np.outer(rim, np.sin(around)), np.outer(height, np.ones(n)), np.outer(rim, np.cos(around))], -1
  ).reshape(-1, 3)
  tips = [[0, -half - radius, 0], [0, half + radius, 0]]
  i = np.arange(n)
  j, last = (i + 1) % n, n * (n - 1)
  faces = [
    np.stack([np.full(n, n * n), j, i], -1),
    np.stack([np.full(n, n * n + 1), last + i, last + j], -1),
  ]
  for k in range(n - 1):
    a, b = n * k + i, n * k + j
    faces += [np.stack([a, b, b + n], -1), np.stack([a, b + n, a + n], -1)]
  return np.vstack([rows, tips]), np.concatenate(faces)


def _ball(splits: int) -> tuple[np.ndarray, np.ndarray]:
  # an octahedron with split edges, blown up: 8 splits^2 faces
  index: dict[tuple, int] = {}
  faces = []
  for sx in (1, -1):
    for sy in (1, -1):
      for sz in (1, -1):

        def at(i, j, sign=(sx, sy, sz)):
          point = (sign[0] * i, sign[1] * j, sign[2] * (splits - i - j))
          return index.setdefault(point, len(index))

        for i in range(splits):
          for j in range(splits - i):
            rows = [(at(i, j), at(i + 1, j), at(i, j + 1))]
            if i + j < splits - 1:
              rows.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
            faces += [row if sx * sy * sz > 0 else row[::-1] for row in rows]
  vertices = np.array(list(index), float)
  return vertices / np.linalg.norm(vertices, axis=1)[:, None], np.array(faces, np.int32)
