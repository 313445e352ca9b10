"""Ellipsoid, ring, capsule and rounded box in moving models: gradient, virtual work, cable radius.

Judges: central differences of the length (1e-7 relative; truncation 1e-10 L''' and, where a
contact crosses a joint of a capsule or box in the step, 1e-5 times the jump of L''), the load that
MuJoCo receives (1e-12 relative), closed forms.
"""

import copy

import mujoco
import numpy as np
import pytest
from oracles import articulated, build
from test_length_gradient import numeric_gradient

import mujocable as mjc

KINDS = articulated.SMOOTH


def scenes(kind, spans, count=4):
  """Scenes of one kind whose route is valid: at random some surfaces lie in each other's way."""
  found = []
  for seed in range(40):
    try:
      s = articulated.scene([seed, 7, len(spans)], spans=spans, kinds=[kind])
    except ValueError as error:
      if "the route cannot start" in str(error) or "inside the surface" in str(error):
        continue
      raise
    if np.mean(np.asarray(s.view.touching, bool)) > 0.6:
      found.append((seed, s))
    if len(found) == count:
      return found
  raise AssertionError(f"only {len(found)} scenes of {kind}")


@pytest.mark.parametrize("spans", [(1,), (2,), (3, 1)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_the_derivative_of_length(kind, spans):
  for seed, s in scenes(kind, spans):
    articulated.shake(s, np.random.default_rng(seed))
    if not build.is_valid(s.view):
      continue
    gradient = numeric_gradient(s)
    scale = np.abs(gradient).max()
    assert np.abs(s.view.jacobian - gradient).max() < 1e-7 * max(1.0, scale)


@pytest.mark.parametrize("spans", [(1,), (2, 1)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_load_is_minus_tension_times_gradient(kind, spans):
  for seed, s in scenes(kind, spans):
    articulated.shake(s, np.random.default_rng(seed))
    if not build.is_valid(s.view) or s.view.source_tension < 1.0:
      continue
    tension = s.view.source_tension
    size = tension * np.abs(s.view.jacobian).max()
    assert np.abs(s.view.load + tension * s.view.jacobian).max() < 1e-12 * size
    terms = np.abs(s.view.load * s.data.qvel).sum()
    assert abs(s.view.load @ s.data.qvel + tension * s.view.length_rate) < 1e-12 * terms


def over(add, element, radius=0.0, height=0.0, reach=1.0):
  """A cable from (-reach, 0, height) to (reach, 0, height) over something at the origin."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.site(spec.worldbody, "a", (-reach, 0, height))
  build.site(spec.worldbody, "b", (reach, 0, height))
  add(spec.worldbody)
  route = [mjc.Anchor("a"), element, mjc.Anchor("b")]
  cable = mjc.Cable("cable", route, mjc.Axial(stiffness=100.0), radius=radius)
  _, _, views = build.compiled(spec, cable)
  assert build.is_valid(views["cable"])
  return views["cable"]


def around(distance, radius):
  """Length from -distance to distance over the upper half of a circle at the origin."""
  return 2 * np.sqrt(distance**2 - radius**2) + radius * (np.pi - 2 * np.arccos(radius / distance))


@pytest.mark.parametrize("radius", [0.0, 0.05])
def test_an_ellipsoid_of_revolution_is_rounded_like_its_circle(radius):
  add = lambda world: build.ellipsoid(world, "g", (0, 0, 0), (0.3, 0.5, 0.3))  # noqa: E731
  view = over(add, mjc.Wrap("g", side=(0, 0, 1)), radius)
  assert view.length == pytest.approx(around(1.0, 0.3 + radius), rel=1e-10)


def test_a_cable_that_balances_on_a_ball_is_refused_with_the_cure():
  add = lambda world: build.ellipsoid(world, "g", (0, 0, 0), (0.3, 0.3, 0.3))  # noqa: E731
  balances = r"balances on wrap 1 'g', ready to slip off .* give side= a point a little to the side"
  with pytest.raises(ValueError, match=balances):
    over(add, mjc.Wrap("g", side=(0, 0, 1)), height=-0.5)
  # what it says helps: off the ridge it slips down to the straight line below the ball
  view = over(add, mjc.Wrap("g", side=(0, 0.1, 1)), height=-0.5)
  assert view.length == pytest.approx(2.0, rel=1e-12) and not view.touching[0]


def test_a_hole_is_found_from_either_end():
  """One of a thousand random rows, in which it is missed from the first wrap on."""

  def turned(*rows):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.array(rows))
    return quat

  def route(eyelet):
    spec = build.new_spec(gravity=(0, 0, 0))
    build.idle_joint(spec)
    world = spec.worldbody
    quat = turned(0.4569, -0.8879, -0.0538, 0.5927, 0.2588, 0.7627, -0.6633, -0.3804, 0.6445)
    build.capsule(world, "pill", (-2.1, 0.284, -0.093), 0.255, 0.254, quat=quat)
    quat = turned(0.4342, -0.3491, -0.8304, 0.0344, -0.9147, 0.4026, -0.9002, -0.2033, -0.3852)
    build.box(world, "block", (2.1, -0.351, 0.352), (0.371, 0.204, 0.167), quat=quat)
    quat = turned(0.8782, -0.4764, -0.0418, 0.4244, 0.8166, -0.3913, 0.2205, 0.3260, 0.9193)
    build.site(world, "eye", (0, -0.262, -0.110)).quat = quat
    build.site(world, "a", (-4.1, -0.32, -0.194))
    build.site(world, "b", (4.1, -0.111, -0.022))
    build.site(world, "side_pill", (-2.1, -1.68, -0.471))
    build.site(world, "side_block", (2.1, -1.042, -1.525))
    elements = [mjc.Anchor("a"), mjc.Wrap("pill", side="side_pill")]
    elements += [mjc.Eyelet("eye")] if eyelet else []
    elements += [mjc.Ring("eye", 0.415, 0.076)]
    elements += [mjc.Wrap("block", side="side_block", rounding=0.078), mjc.Anchor("b")]
    return build.compiled(spec, mjc.Cable("cable", elements, mjc.Axial(stiffness=100.0)))[2][
      "cable"
    ]

  # from the first wrap to the last it is not found, the other way round it is
  view = route(eyelet=False)
  points = [(-4.1, -0.32, -0.194), *np.column_stack([view.entry, view.exit]).reshape(-1, 3)]
  points = np.array([*points, (4.1, -0.111, -0.022)])
  center, axis = np.array([0, -0.262, -0.110]), np.array([-0.0418, -0.3913, 0.9193])
  height = (points - center) @ axis
  crossings = [
    np.linalg.norm(p + h / (h - k) * (q - p) - center)
    for p, q, h, k in zip(points, points[1:], height, height[1:], strict=False)
    if h * k < 0
  ]
  assert build.is_valid(view) and len(crossings) == 1 and crossings[0] < 0.415
  assert build.is_valid(route(eyelet=True))


@pytest.mark.parametrize("radius", [0.0, 0.05])
def test_a_capsule_is_rounded_like_its_cylinder(radius):
  quat = build.quat_z_to((0, 1, 0))
  add = lambda world: build.capsule(world, "g", (0, 0, 0), 0.3, 0.2, quat=quat)  # noqa: E731
  view = over(add, mjc.Wrap("g", side=(0, -1, 0)), radius)
  assert view.length == pytest.approx(around(1.0, 0.3 + radius), rel=1e-12)


@pytest.mark.parametrize(("radius", "rounding"), [(0.05, None), (0.0, 0.1), (0.03, 0.1)])
def test_a_box_is_rounded_inside_and_offset_by_the_cable(radius, rounding):
  half, round_ = 0.3, (rounding or 0.0) + radius
  core = half - (rounding or 0.0)
  add = lambda world: build.box(world, "g", (0, 0, 0), (half, 0.4, half))  # noqa: E731
  view = over(add, mjc.Wrap("g", side=(0, 0, 1), rounding=rounding), radius)
  # from (-1, 0) to the circle about (-core, core), over the top
  x, z = 1 - core, core
  distance = np.hypot(x, z)
  turn = np.pi / 2 + np.arctan2(z, x) - np.arccos(round_ / distance)
  length = 2 * (np.sqrt(distance**2 - round_**2) + round_ * turn + core)
  assert view.length == pytest.approx(length, rel=1e-12)


def test_a_ring_holds_a_cable_that_runs_through_it():
  add = lambda world: build.site(world, "eye", (0, 0, 0.4)).__setattr__(  # noqa: E731
    "quat", build.quat_z_to((1, 0, 0))
  )
  view = over(add, mjc.Ring("eye", 0.2, 0.03))
  # over the lowest point of the inner rim, at height 0.2: a circle of the tube in the plane y = 0
  center = 0.2
  distance = np.hypot(1.0, center)
  angle = np.pi - 2 * (np.pi / 2 - np.arctan2(center, 1.0))
  turn = np.pi - 2 * np.arccos(0.03 / distance) + angle
  assert view.wrap_angle[0] == pytest.approx(turn, abs=1e-9)
  assert view.length == pytest.approx(2 * np.sqrt(distance**2 - 0.03**2) + 0.03 * turn, rel=1e-10)


def test_a_ring_lets_go_where_the_cable_needs_no_help():
  add = lambda world: build.site(world, "eye", (0, 0, 0)).__setattr__(  # noqa: E731
    "quat", build.quat_z_to((1, 0, 0))
  )
  view = over(add, mjc.Ring("eye", 0.2, 0.03))
  assert not view.touching[0]
  assert view.length == pytest.approx(2.0, rel=1e-14)


def test_a_ring_that_is_touched_on_both_sides_of_its_hole():
  """Over one lip and under the other, in the plane of the axis: two circles, one contact."""
  ring, tube, reach, height, mu = 0.3, 0.08, 1.0, 0.1, 0.3
  spec = build.new_spec(gravity=(0, 0, 0))
  body = build.body(spec.worldbody, "eye", (0, 0, 0), mass=1.0)
  body.add_joint(name="free", type=build.FREE)
  build.site(body, "eye", (0, 0, 0))
  build.site(spec.worldbody, "a", (-reach, 0, height))
  build.site(spec.worldbody, "b", (reach, 0, -height))
  route = [mjc.Anchor("a"), mjc.Ring("eye", ring, tube), mjc.Anchor("b")]
  cable = mjc.Cable(
    "cable",
    route,
    mjc.Axial(stiffness=100.0, pretension=5.0),
    friction=mjc.Sliding(mu, mode="forward"),
    integration="explicit",
  )
  model, data, views = build.compiled(spec, cable)
  view = views["cable"]
  assert build.is_valid(view)
  # tangent to a circle from the end, inner tangent between both circles, twice
  distance = np.hypot(reach - ring, height)
  turn = np.arcsin(tube / distance) - np.arctan2(height, reach - ring) + np.arcsin(tube / ring)
  straight = np.sqrt(distance**2 - tube**2) + np.sqrt(ring**2 - tube**2)
  assert view.length == pytest.approx(2 * (straight + tube * turn), rel=1e-12)
  assert view.wrap_angle[0] == pytest.approx(2 * turn, abs=1e-9)
  assert view.tension[1] / view.tension[0] == pytest.approx(np.exp(-mu * 2 * turn), rel=1e-9)
  assert np.allclose(view.entry[0], -view.exit[0], atol=1e-9)
  # the ring is pulled by both segments alone, what is between them is its own affair
  pull = view.tension[0] * (view.entry[0] - [-reach, 0, height])
  force = -pull / np.linalg.norm(view.entry[0] - [-reach, 0, height])
  away = np.array([reach, 0, -height]) - view.exit[0]
  force += view.tension[1] * away / np.linalg.norm(away)
  assert np.allclose(view.load[:3], force, atol=1e-12 * view.tension[0])

  # in motion, frictionless, the load is the gradient
  view.friction = 0.0
  rng = np.random.default_rng(5)
  for _ in range(20):
    mujoco.mj_resetData(model, data)
    view.friction = 0.0
    data.qvel[:] = 0.3 * rng.normal(size=6)
    for _ in range(20):
      mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    assert build.is_valid(view)
    step, slope = 1e-5, np.zeros(6)
    for k in range(6):
      lengths = []
      for sign in (1, -1):
        other = copy.copy(data)
        direction = np.zeros(6)
        direction[k] = sign * step
        mujoco.mj_integratePos(model, other.qpos, direction, 1.0)
        mujoco.mj_forward(model, other)
        lengths.append(mjc.bind(model, other)["cable"].length)
      slope[k] = (lengths[0] - lengths[1]) / (2 * step)
    assert np.abs(view.jacobian - slope).max() < 1e-7 * np.abs(slope).max()


@pytest.mark.parametrize("kind", KINDS)
def test_a_rolling_motion_keeps_its_energy(kind):
  """A pendulum hung over a surface by a stiff cable, no losses: energy drifts with the step."""
  spec = build.new_spec(timestep=2e-4, integrator="rk4")
  world = spec.worldbody
  build.site(world, "a", (-0.6, 0.05, 0.0))
  bob = build.body(world, "bob", (0.55, 0.0, -0.5), mass=0.5)
  bob.add_joint(name="free", type=build.FREE)
  build.site(bob, "b", (0, 0, 0))
  element = mjc.Wrap("g", side=(0, 0, 1), rounding=0.05 if kind == "box" else None)
  if kind == "ellipsoid":
    build.ellipsoid(world, "g", (0, 0, 0.3), (0.3, 0.4, 0.25))
  elif kind == "capsule":
    build.capsule(world, "g", (0, 0, 0.3), 0.25, 0.3, quat=build.quat_z_to((0, 1, 0)))
    element = mjc.Wrap("g", side=(0, -1, 0))
  elif kind == "box":
    build.box(world, "g", (0, 0, 0.3), (0.25, 0.4, 0.2))
  else:
    assert kind == "ring"
    build.site(world, "g", (0, 0, 0.6)).quat = build.quat_z_to((1, 0, 0))
    element = mjc.Ring("g", 0.3, 0.05)
  cable = mjc.Cable(
    "cable", [mjc.Anchor("a"), element, mjc.Anchor("b")], mjc.Axial(stiffness=2000.0)
  )
  model, data, views = build.compiled(spec, cable)
  view = views["cable"]
  data.qvel[:3] = (0.2, 0.1, 0.0)

  def energy():
    mujoco.mj_forward(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return data.energy.sum() + view.energy

  start, worst, bad = energy(), 0.0, 0
  for _ in range(2500):
    mujoco.mj_step(model, data)
    bad += not build.is_valid(view)
    worst = max(worst, abs(energy() - start))
  assert bad == 0
  assert worst < 2e-4 * (0.5 * 9.81)
