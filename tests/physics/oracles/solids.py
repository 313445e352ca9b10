"""Triangle meshes of shapes whose answers are known, and scenes that wrap them."""

import mujoco
import numpy as np

import mujocable as mjc


def icosphere(splits):
  """Unit sphere: an icosahedron with every edge split; 20 splits^2 faces."""
  golden = (1 + 5**0.5) / 2
  corners = np.array(
    [
      [-1, golden, 0], [1, golden, 0], [-1, -golden, 0], [1, -golden, 0],
      [0, -1, golden], [0, 1, golden], [0, -1, -golden], [0, 1, -golden],
      [golden, 0, -1], [golden, 0, 1], [-golden, 0, -1], [-golden, 0, 1],
    ]
  )  # fmt: skip
  sides = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2],
    [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5],
    [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ]  # fmt: skip
  index, vertices, faces = {}, [], []

  def at(side, i, j):
    weights = dict(zip(side, (splits - i - j, i, j), strict=True))
    key = tuple(sorted((v, w) for v, w in weights.items() if w))
    if key not in index:
      index[key] = len(vertices)
      vertices.append(sum(w * corners[v] for v, w in weights.items()))
    return index[key]

  for side in sides:
    for i in range(splits):
      for j in range(splits - i):
        faces.append([at(side, i, j), at(side, i + 1, j), at(side, i, j + 1)])
        if i + j < splits - 1:
          faces.append([at(side, i + 1, j), at(side, i + 1, j + 1), at(side, i, j + 1)])
  vertices = np.array(vertices)
  return vertices / np.linalg.norm(vertices, axis=1)[:, None], np.array(faces)


def grid(points):
  """Faces of a closed grid of points, shape (around, across, 3): a torus by its connections."""
  n, m = points.shape[:2]
  i, j = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
  a, b = i * m + j, (i + 1) % n * m + j
  c, d = (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
  faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
  return points.reshape(-1, 3), faces


def box(half):
  """A cube of twelve faces."""
  corner = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)]) * 2 * half - half
  sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
  return corner, np.array([f for a, b, c, d in sides for f in ((a, b, c), (a, c, d))])


def torus(ring, tube, around, across):
  """A torus about z."""
  u = np.linspace(0, 2 * np.pi, around, endpoint=False)[:, None]
  v = np.linspace(0, 2 * np.pi, across, endpoint=False)[None, :]
  r = ring + tube * np.cos(v)
  return grid(np.stack([r * np.cos(u), r * np.sin(u), tube * np.sin(v) + 0 * u], -1))


def lathe(profile, around):
  """A closed body of revolution about z: profile (radius, height) from pole to pole, ends at 0."""
  profile = np.asarray(profile, float)
  angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
  inner = profile[1:-1]
  rings = np.stack(
    [
      inner[:, :1] * np.cos(angle), inner[:, :1] * np.sin(angle),
      np.broadcast_to(inner[:, 1:], (len(inner), around)),
    ],
    -1,
  )  # fmt: skip
  vertices = np.vstack([rings.reshape(-1, 3), [[0, 0, profile[0, 1]], [0, 0, profile[-1, 1]]]])
  low, high, last = len(vertices) - 2, len(vertices) - 1, (len(inner) - 1) * around
  faces = []
  for i in range(around):
    j = (i + 1) % around
    faces += [[low, j, i], [high, last + i, last + j]]
    for k in range(len(inner) - 1):
      a, b = k * around + i, k * around + j
      faces += [[a, b, b + around], [a, b + around, a + around]]
  return vertices, np.array(faces)


def capsule(radius, half, rows, around):
  """A capsule about z, rows of vertices evenly along its profile."""
  quarter = radius * np.pi / 2
  along = np.linspace(0, 2 * (quarter + half), rows)
  profile = []
  for s in along:
    if s < quarter:
      profile.append([radius * np.sin(s / radius), -half - radius * np.cos(s / radius)])
    elif s > quarter + 2 * half:
      rest = (2 * (quarter + half) - s) / radius
      profile.append([radius * np.sin(rest), half + radius * np.cos(rest)])
    else:
      profile.append([radius, s - quarter - half])
  return lathe(profile, around)


def drum(radius, half, rim, rows, around):
  """A cylinder about z with flat ends and rounded rims, rows evenly along its profile."""
  flat, quarter = radius - rim, rim * np.pi / 2
  pieces = np.cumsum([flat, quarter, 2 * (half - rim), quarter, flat])
  profile = []
  for s in np.linspace(0, pieces[-1], rows):
    mirror = 1 if 2 * s > pieces[-1] else -1
    rest = pieces[-1] - s if mirror > 0 else s
    if rest < flat:
      profile.append([rest, mirror * half])
    elif rest < flat + quarter:
      angle = (rest - flat) / rim
      profile.append([flat + rim * np.sin(angle), mirror * (half - rim + rim * np.cos(angle))])
    else:
      profile.append([radius, s - pieces[-1] / 2])
  return lathe(profile, around)


def rounded_box(core, radius, splits):
  """A box of half sizes `core` swept by a ball: what is nearest to a grid on the box around it."""
  core = np.asarray(core, float)
  index, faces = {}, []

  def add(x):
    inside = np.clip(x, -core, core)
    y = inside + radius * (x - inside) / np.linalg.norm(x - inside)
    return index.setdefault(tuple(y + 0.0), len(index))

  steps = np.linspace(-1, 1, splits + 1)
  for axis in range(3):
    for sign in (-1, 1):
      grid = np.empty((splits + 1, splits + 1), int)
      for i, p in enumerate(steps):
        for j, q in enumerate(steps):
          x = np.roll([sign, p, q], axis) * (core + radius)
          grid[i, j] = add(x)
      a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
      pair = [np.stack([a, b, c], -1), np.stack([a, c, d], -1)]
      both = np.concatenate(pair).reshape(-1, 3)
      faces.append(both if sign > 0 else both[:, ::-1])
  return np.array(list(index)), np.concatenate(faces)


def ellipsoid(size, splits):
  vertices, faces = icosphere(splits)
  return vertices * np.asarray(size), faces


def add_mesh(spec, name, vertices, faces):
  return spec.add_mesh(
    name=name,
    uservert=np.asarray(vertices, float).ravel(),
    userface=np.asarray(faces, np.int32).ravel(),
  )


def scene(vertices, faces, ends, side, friction=0.0, radius=0.0, quat=(1, 0, 0, 0), **options):
  """A mesh that turns and slides between two fixed ends; returns spec."""
  spec = mujoco.MjSpec()
  add_mesh(spec, "solid", vertices, faces)
  body = spec.worldbody.add_body(name="body")
  body.add_joint(name="turn", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.3, 0.2, 1])
  body.add_joint(name="slide", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0.1, 0.2, 1])
  body.add_geom(
    name="solid", type=mujoco.mjtGeom.mjGEOM_MESH, meshname="solid", quat=quat,
    contype=0, conaffinity=0,
  )  # fmt: skip
  spec.worldbody.add_site(name="source", pos=ends[0])
  spec.worldbody.add_site(name="end", pos=ends[1])
  spec.worldbody.add_site(name="side", pos=side)
  wrap = mjc.Wrap("solid", side="side", friction=friction, **options)
  cable = mjc.Cable(
    "cable",
    [mjc.Anchor("source"), wrap, mjc.Anchor("end")],
    mjc.Axial(stiffness=1000.0, pretension=10.0),
    radius=radius,
  )
  mjc.add_cable(spec, cable)
  return spec


def sweep(model, data, path):
  """Warm along a path of qpos, memory carried on: lengths, jacobians, status, iterations."""
  view = mjc.bind(model, data)["cable"]
  rows = []
  for q in path:
    data.qpos[:], data.qvel[:] = q, 0
    mujoco.mj_forward(model, data)
    rows.append((view.length, view.jacobian, int(view.status), view.iterations))
    mujoco.mj_step(model, data)
  lengths, jacobians, status, iterations = zip(*rows, strict=True)
  return np.array(lengths), np.array(jacobians), np.array(status), np.array(iterations)
