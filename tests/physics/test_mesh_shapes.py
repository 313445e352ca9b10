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
  return instead(solids.scene(*solids.icosphere(2), ENDS, SIDE, quat=QUAT), kind, size)


def instead(spec, kind, size):
  """A geom of the shape in the place of its mesh."""
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


def capsules(rows, around, ends, side, quat=(1, 0, 0, 0)):
  """A capsule as a mesh, and as a geom."""
  mesh = solids.scene(*solids.capsule(0.6, 0.7, rows, around), ends, side, quat=quat)
  truth = solids.scene(*solids.icosphere(2), ends, side, quat=quat)
  return mesh, instead(truth, mujoco.mjtGeom.mjGEOM_CAPSULE, [0.6, 0.7, 0])


@pytest.mark.parametrize(
  ("rows", "around", "length"), [(24, 22, 5e-6), (52, 50, 2e-6), (104, 100, 1e-6)]
)
def test_a_capsule(rows, around, length):
  # 1k, 5k and 20k faces; the string runs around the cylinder and over both caps' rims
  compare(*capsules(rows, around, ENDS, SIDE, QUAT), length, 1e-4)


ALONG = ([0.1, 0.3, -1.9], [0.2, 0.1, 1.8]), [1.5, 0, 0]
ACROSS = ([-1.2, 0.2, 1.3], [1.1, 0.3, 0.2]), [0, 1.5, 0.5]


@pytest.mark.parametrize(
  ("scene", "slide", "length", "arm"), [(ALONG, 0.3, 2e-5, 1e-3), (ACROSS, 0.5, 5e-5, 5e-2)]
)
def test_where_cap_and_cylinder_meet(scene, slide, length, arm):
  """The curvature jumps there by 1 / 0.6: smeared over a cell, an error of its square.

  Along the cylinder nothing bends, what is left of the fit's waves must not make the string lift;
  across the seam the end of the arc runs at once, and the moment arm errs most.
  """
  path = np.column_stack([0.3 * np.sin(np.linspace(0, 3, 121)), np.linspace(-slide, slide, 121)])
  errors = []
  for rows, around in [(52, 50), (104, 100)]:  # 5k and 20k
    mesh, truth = capsules(rows, around, *scene)
    lengths, arms, status, _ = run(mesh, path)
    want, want_arms, want_status, _ = run(truth, path)
    assert not status.any() and not want_status.any()
    scale = np.abs(want_arms).max()
    errors.append([np.abs(lengths / want - 1).max(), np.abs(arms - want_arms).max() / scale])
  assert errors[0][0] < length and errors[0][1] < arm
  # twice as fine in both directions: the square of the cell, a fourth, in both
  assert errors[1][0] < errors[0][0] / 4 and errors[1][1] < errors[0][1] / 4


@pytest.mark.parametrize(("around", "across"), [(80, 32), (160, 64)])  # 5k and 20k
def test_a_torus(around, across):
  vertices, faces = solids.torus(0.8, 0.25, around, across)
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
