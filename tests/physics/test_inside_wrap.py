"""Inside wraps: a side site inside a cylinder or sphere leads the cable through it.

Judges: MuJoCo's own tendon (its solver stops at 1e-6); a minimum over the circle by golden section;
finite differences; the Capstan law at the one point where the cable bends.
"""

import mujoco
import numpy as np
import pytest
from oracles import build
from scipy.optimize import minimize_scalar

import mujocable as mjc

RADIUS = 0.04


def tube(kind="cylinder", radius=0.0, friction=0.0):
  spec = build.new_spec(gravity=(0, 0, 0))
  if kind == "cylinder":
    build.cylinder(spec.worldbody, "tube", (0, 0, 0), RADIUS, axis=(0, 1, 0))
  else:
    build.sphere(spec.worldbody, "tube", (0, 0, 0), RADIUS)
  build.site(spec.worldbody, "within", (0.005, 0, 0.0))
  build.site(spec.worldbody, "source", (-0.3, 0, 0.1))
  end = build.body(spec.worldbody, "end", pos=(0.25, 0.05, 0.12))
  for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
    end.add_joint(name=name, type=build.SLIDE, axis=axis)
  build.site(end, "end", (0, 0, 0))
  tendon = spec.add_tendon(name="native")
  tendon.wrap_site("source")
  tendon.wrap_geom("tube", "within")
  tendon.wrap_site("end")
  route = [mjc.Anchor("source"), mjc.Wrap("tube", side="within"), mjc.Anchor("end")]
  cable = mjc.Cable(
    "c",
    route,
    mjc.Axial(stiffness=500.0, pretension=5.0),
    friction=mjc.Sliding(friction),
    radius=radius,
  )
  model, data, views = build.compiled(spec, cable)
  return model, data, views["c"]


POSES = np.random.default_rng(5).uniform(-1, 1, size=(40, 3)) * (0.2, 0.1, 0.3)


@pytest.mark.parametrize("kind", ["cylinder", "sphere"])
def test_length_and_moment_arms_are_those_of_the_native_tendon(kind):
  model, data, view = tube(kind)
  touched = 0
  for pose in POSES:
    build.settle(model, data, pose)
    assert build.is_valid(view)
    touched += bool(view.touching[0])
    assert view.length == pytest.approx(data.ten_length[0], rel=1e-7)
    assert view.jacobian == pytest.approx(build.tendon_jacobian(model, data), abs=1e-3)
  assert 10 < touched < 40


def test_it_bends_where_the_path_is_shortest():
  model, data, view = tube()
  source = np.array([-0.3, 0, 0.1])
  for pose in POSES:
    build.settle(model, data, pose)
    if not view.touching[0]:
      continue
    end = data.site("end").xpos
    flat = lambda x: np.array([x[0], x[2]])  # noqa: E731

    def planar(angle):
      point = RADIUS * np.array([np.cos(angle), np.sin(angle)])
      return np.linalg.norm(point - flat(source)) + np.linalg.norm(flat(end) - point)  # noqa: B023

    angles = np.linspace(-np.pi, np.pi, 721)
    best = angles[np.argmin([planar(a) for a in angles])]
    found = minimize_scalar(planar, bounds=(best - 0.02, best + 0.02), method="bounded")
    assert view.length == pytest.approx(np.hypot(found.fun, end[1]), rel=1e-9)
    assert np.linalg.norm(flat(view.entry[0])) == pytest.approx(RADIUS, rel=1e-12)


def test_the_cable_keeps_its_radius_from_the_wall():
  _, _, view = tube(radius=0.01)
  assert np.hypot(view.entry[0][0], view.entry[0][2]) == pytest.approx(RADIUS - 0.01, rel=1e-12)


def test_friction_acts_at_the_bend():
  model, data, view = tube(friction=0.3)
  data.qvel[:] = (1.0, 0, 0)
  mujoco.mj_forward(model, data)
  u = view.entry[0] - np.array([-0.3, 0, 0.1])
  v = data.site("end").xpos - view.entry[0]
  angle = np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))
  assert view.wrap_angle[0] == pytest.approx(angle, rel=1e-9)
  assert view.tension[1] / view.tension[0] == pytest.approx(np.exp(0.3 * angle), rel=1e-6)


def test_an_end_inside_is_where_it_belongs():
  model, data, view = tube()
  build.settle(model, data, [-0.25, -0.05, -0.12])  # on the axis
  assert build.is_valid(view) and not view.touching[0]
  assert view.length == pytest.approx(np.hypot(0.3, 0.1), rel=1e-12)


def test_two_sites_at_one_place_are_accepted():
  spec = build.new_spec(gravity=(0, 0, 0))
  build.site(spec.worldbody, "a", (-1, 0, 0))
  build.site(spec.worldbody, "one", (0, 0, 0.5))
  body = build.body(spec.worldbody, "body", pos=(0, 0, 0.5))
  body.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(body, "two", (0, 0, 0))
  build.site(spec.worldbody, "b", (1, 0, 0))
  route = [mjc.Anchor("a"), mjc.Eyelet("one"), mjc.Eyelet("two"), mjc.Anchor("b")]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=100.0, pretension=3.0))
  model, data, views = build.compiled(spec, cable)
  view = views["c"]
  assert build.is_valid(view)
  assert view.length == pytest.approx(2 * np.hypot(1, 0.5), rel=1e-12)
  assert np.isfinite(data.sensordata).all() and np.isfinite(view.load).all()
  build.settle(model, data, [0.1])
  assert view.length == pytest.approx(np.hypot(1, 0.5) + 0.1 + np.hypot(0.9, 0.5), rel=1e-12)
