"""(8): the tensions on both sides of a contact stand in the ratio exp(sigma mu phi).

Judge: the formula, with sigma = -1 in `forward` mode (pulling in: the source side is the tighter
one), +1 in `reverse`, tanh(v / v_s) in `velocity`. Tolerance 1e-12 (theory section 9).
"""

import dataclasses

import mujoco
import numpy as np
import pytest
from oracles import articulated, build

import mujocable as mjc

SLIP_SPEED = 0.05
AXIAL = mjc.Axial(stiffness=2000.0, damping=1.0)


def coefficients(route, default):
  own = [element.friction for element in route if not isinstance(element, mjc.Anchor)]
  return np.array([default if mu is None else mu for mu in own])


def expected_ratio(view, mu, mode):
  if mode == "velocity":
    sigma = np.tanh(np.asarray(view.slip_rate) / SLIP_SPEED)
  else:
    sigma = {"forward": -1.0, "reverse": 1.0}[mode]
  return np.exp(sigma * mu * np.asarray(view.wrap_angle))


@pytest.mark.parametrize("mode", ["velocity", "forward", "reverse"])
@pytest.mark.parametrize("spans", [(0, 0), (1, 1), (3,), (2, 0, 1)], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_ratio_at_every_contact(seed, spans, mode):
  s = articulated.scene(
    [seed, 20, *spans],
    spans=spans,
    friction=0.3,
    friction_law="sliding",
    friction_mode=mode,
    slip_speed=SLIP_SPEED,
  )
  rng = np.random.default_rng(seed)
  for _ in range(4):
    articulated.shake(s, rng)
    assert build.is_valid(s.view)
    tension = np.asarray(s.view.tension)
    assert tension[0] == s.view.source_tension and tension.min() > 0
    want = expected_ratio(s.view, 0.3, mode)
    assert np.abs(tension[1:] / tension[:-1] / want - 1).max() < 1e-12


@pytest.mark.parametrize("mode", ["velocity", "forward"])
def test_an_element_overrides_the_cable(mode):
  spec = build.new_spec(gravity=(0, 0, 0))
  cart = build.body(spec.worldbody, "cart", pos=(1, 0, 0))
  cart.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  for i, pos in enumerate([(0, 0, 0), (0.2, 0.1, 0), (0.4, 0, 0.1)]):
    build.site(spec.worldbody, f"p{i}", pos)
  build.site(cart, "end", (0, 0, 0))
  build.cylinder(spec.worldbody, "post", (0.7, 0.0, 0.03), 0.05, axis=(0, 1, 0))
  route = [
    mjc.Anchor("p0"),
    mjc.Eyelet("p1", friction=0.0),
    mjc.Eyelet("p2"),
    mjc.Wrap("post", side=(0.0, 0.0, 0.0), friction=0.7),
    mjc.Anchor("end"),
  ]
  # the side is the upper one: z up in the world is x or y in the geom's frame
  down = build.matrix(build.quat_z_to((0, 1, 0))).T @ np.array([0, 0, 0.1])
  route[3] = dataclasses.replace(route[3], side=tuple(down))
  cable = mjc.Cable(
    name="cable",
    route=route,
    axial=mjc.Axial(stiffness=1e3, pretension=10.0),
    friction=mjc.Sliding(0.2, mode=mode, slip_speed=SLIP_SPEED),
  )
  model, data, views = build.compiled(spec, cable)
  view = views["cable"]
  data.qvel[:] = 0.03
  mujoco.mj_forward(model, data)
  assert np.all(view.touching)
  mu = coefficients(route, 0.2)
  assert list(mu) == [0.0, 0.2, 0.7]
  tension = np.asarray(view.tension)
  assert np.abs(tension[1:] / tension[:-1] / expected_ratio(view, mu, mode) - 1).max() < 1e-12
  assert tension[1] == tension[0]  # the frictionless eyelet, bit for bit
  # the angle at an eyelet is the angle between its segments
  nodes = np.array([data.site(f"p{i}").xpos for i in range(3)])
  e0, e1 = np.diff(nodes, axis=0)
  cos = e0 @ e1 / np.linalg.norm(e0) / np.linalg.norm(e1)
  assert view.wrap_angle[0] == pytest.approx(np.arccos(cos), rel=1e-12)


@pytest.mark.parametrize("law", ["memory", "sliding"])
@pytest.mark.parametrize("behind", ["hole", "three holes", "post", "sheath", "from a sheath"])
@pytest.mark.parametrize("cables", [1, 5])
@pytest.mark.parametrize("rounded", [False, True])
def test_holes_in_one_place_rub_like_one(rounded, cables, behind, law):
  """A cable through the center of a hinge: the last hole of a link is where the next one begins.

  `rounded`: the frame of the link is elsewhere, so that the place is the same but for rounding.
  """
  spec = build.new_spec(gravity=(0, 0, 0))
  far = (0.7, 0.3, 0.9) if rounded else (0, 0, 0)
  base = build.body(spec.worldbody, "base", pos=far)
  base.quat = build.random_quat(np.random.default_rng(1)) if rounded else (1, 0, 0, 0)
  build.site(base, "motor", (-0.1, 0, 0))
  build.site(base, "last", (0, 0, 0))
  hinge = np.array((-0.071, 0.013, 0.033)) if rounded else np.zeros(3)
  link = build.body(base, "link", pos=-hinge)
  link.add_joint(name="hinge", axis=(0, 1, 0), pos=hinge)
  along = build.quat_z_to((1, 0, 0))
  for name, x in (("first", 0), ("second", 0), ("end", 0.1), ("entry", 0), ("exit", 0.05)):
    build.site(link, name, hinge + np.array([x, 0, 0])).quat = along
  build.site(link, "over", hinge + np.array([0.05, 0, 0.05]))
  # just below the cable
  build.cylinder(link, "post", hinge + np.array([0.05, 0, -0.021]), 0.02, axis=(0, 1, 0))
  build.site(base, "housing", (-0.05, 0, 0)).quat = along
  build.site(base, "housed", (0, 0, 0)).quat = along
  route = [mjc.Anchor("motor"), mjc.Eyelet("last"), mjc.Eyelet("first")]
  if behind == "from a sheath":
    route[1] = mjc.Sheath("housing", "housed", length=0.05)
  route += {
    "hole": [],
    "from a sheath": [],
    "three holes": [mjc.Eyelet("second")],
    "post": [mjc.Wrap("post", side="over")],
    "sheath": [mjc.Sheath("entry", "exit", length=0.05)],
  }[behind]
  route.append(mjc.Anchor("end"))
  friction = 0.3 if law == "memory" else mjc.Sliding(0.3, mode="forward")
  for k in range(cables):
    take_up = mjc.LengthCommand(range=(0.0, 0.1))
    cable = mjc.Cable(f"cable_{k}", route, AXIAL, friction=friction, take_up=take_up)
    mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  for k in range(100):
    data.qpos[0], data.qvel[0] = 0.8, 0.0  # held there
    data.ctrl[:] = 5e-5 * k
    mujoco.mj_step(model, data)
  for view in mjc.bind(model, data).values():
    assert np.sum(view.wrap_angle) == pytest.approx(0.8, abs=1e-12)
    assert view.tension[-1] / view.tension[0] == pytest.approx(np.exp(-0.3 * 0.8), rel=1e-12)
