"""Meshes of 1k, 5k and 20k faces against the shapes they sample, and exact geodesics of facets.

Judges: closed forms and the certified smooth surfaces; `pygeodesic` (exact geodesics on polyhedra,
window propagation) on meshes that are not convex. The facets lie inside the surface they sample by
h^2 / (8 R), so their geodesics are that much shorter: the bound of the comparison.
"""

import mujoco
import numpy as np
import pygeodesic.geodesic
import pytest
from oracles import solids

import mujocable as mjc

PATH = np.column_stack([np.linspace(0, 0.4, 61), 0.03 * np.sin(np.linspace(0, 3, 61))])
ENDS, SIDE = ([-2.0, 0.0, -0.2], [2.0, 0.3, 0.1]), [0.0, 0.0, 1.5]
QUAT = (0.9, 0.1, -0.3, 0.2)


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
  monkeypatch.setenv("MUJOCABLE_PROGRESS", "off")
  monkeypatch.setenv("MUJOCABLE_CACHE", "off")


def run(spec, path=PATH):
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  return solids.sweep(model, data, path)


def shape(kind, size):
  spec = solids.scene(*solids.icosphere(2), ENDS, SIDE, quat=QUAT)
  mjc.remove_cable(spec, "cable")
  geom = spec.geom("solid")
  geom.type, geom.size, geom.meshname = kind, size, ""
  route = [mjc.Anchor("source"), mjc.Wrap("solid", side="side"), mjc.Anchor("end")]
  mjc.add_cable(spec, mjc.Cable("cable", route, stiffness=1000.0, pretension=10.0))
  return spec


def compare(mesh, truth, length, arm):
  lengths, arms, status, _ = run(mesh)
  want, want_arms, want_status, _ = run(truth)
  assert not status.any() and not want_status.any()
  assert np.abs(lengths / want - 1).max() < length
  error, scale = arms[:, 1] - want_arms[:, 1], np.abs(want_arms).max()
  assert np.abs(np.diff(error)).max() < arm * scale


# at 5k faces the targets: 2e-6 in length, 1e-4 in the ripple of the moment arm; at 1k five times
# the spacing squared, at 20k less
@pytest.mark.parametrize(("splits", "length"), [(7, 1e-5), (16, 2e-6), (32, 2e-6)])
def test_a_sphere(splits, length):
  mesh = solids.scene(*solids.icosphere(splits), ENDS, SIDE, quat=QUAT)
  # an ellipsoid of equal axes: a sphere geom alone holds the string to the plane of its hint
  compare(mesh, shape(mujoco.mjtGeom.mjGEOM_ELLIPSOID, [1, 1, 1]), length, 1e-4)


@pytest.mark.parametrize(("rows", "around", "length"), [(24, 22, 1e-4), (52, 50, 2e-5)])
def test_a_capsule(rows, around, length):
  # where cap and cylinder meet the curvature jumps: rounded off over a cell, hence ten times more
  vertices, faces = solids.capsule(0.6, 0.7, rows, around)
  mesh = solids.scene(vertices, faces, ENDS, SIDE, quat=QUAT)
  compare(mesh, shape(mujoco.mjtGeom.mjGEOM_CAPSULE, [0.6, 0.7, 0]), length, 1e-3)


def test_a_torus():
  vertices, faces = solids.torus(0.8, 0.25, 80, 32)  # 5,120 faces
  ends, side = ([-0.1, 0.7, 1.0], [0.2, 0.9, -1.2]), [0.0, 0.3, 0.0]
  mesh = solids.scene(vertices, faces, ends, side)
  truth = solids.scene(vertices, faces, ends, side)
  mjc.remove_cable(truth, "cable")
  truth.body("body").add_site(name="ring")
  route = [mjc.Anchor("source"), mjc.Ring("ring", 0.8, 0.25, side="side"), mjc.Anchor("end")]
  mjc.add_cable(truth, mjc.Cable("cable", route, stiffness=1000.0, pretension=10.0))
  compare(mesh, truth, 2e-6, 1e-4)


# ------------------------------------------------------------------------ exact geodesics


def saddle(n=61):
  """A thick sheet, bent up along x and down along y, its rim round."""
  ring, tube = solids.torus(1.0, 0.2, n, 24)
  x, y, z = ring.T
  return np.column_stack([x, y, z + 0.4 * (x**2 - y**2)]), tube


def bone():
  s = np.linspace(0, np.pi, 60)
  radius = (0.25 + 0.35 * np.cos(s) ** 2) * np.sin(s) ** 0.6
  return solids.lathe(np.column_stack([radius, -1.2 * np.cos(s)]), 64)


@pytest.mark.parametrize(
  ("body", "ends", "side"),
  [
    (bone, ([-0.3, 0.1, -1.6], [-0.3, 0.0, 1.5]), [-0.8, 0, 0]),
    (saddle, ([0.8, -1.4, 0.1], [1.1, 1.3, 0.3]), [1.6, 0, 0.9]),
  ],
)
def test_guided_arcs_are_geodesics_of_the_facets(body, ends, side):
  vertices, faces = body()
  spec = solids.scene(vertices, faces, ends, side, mode="guided")
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)["cable"]
  assert view.status == 0 and view.touching[0]
  points = view.points
  arc = np.linalg.norm(np.diff(points[1:-1], axis=0), axis=1).sum()
  # the nearest vertices to both ends of the arc, and the exact distance between them
  pose = data.geom("solid")
  local = (points[[1, -2]] - pose.xpos) @ pose.xmat.reshape(3, 3)
  mesh = model.mesh_vert.astype(float)
  ends = [int(np.argmin(np.linalg.norm(mesh - x, axis=1))) for x in local]
  apart = sum(np.linalg.norm(mesh[v] - x) for v, x in zip(ends, local, strict=True))
  exact = pygeodesic.geodesic.PyGeodesicAlgorithmExact(mesh, model.mesh_face)
  distance, _ = exact.geodesicDistance(*ends)
  assert abs(arc - distance) < apart + 2e-3 * arc
