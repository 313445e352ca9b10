"""Grooves, widths and derailing: wheels that hold a cable in one plane, as far as their flanges do.

Judges: closed forms of the fleet angle and of the height that flanges hold; finite differences;
MuJoCo's energy, which no event may raise.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc

RADIUS, DEPTH = 0.05, 0.005
EDGE = RADIUS + DEPTH


def sheave(side=0.0, reach=0.5, groove: float | bool = DEPTH, **wrap):
  """A cable from the left over a sheave, down to a hook `side` beside its plane, tension 100 N."""
  spec = build.new_spec(gravity=(0, 0, 0))
  wheel = build.body(spec.worldbody, "wheel", mass=1.0)
  wheel.add_joint(name="aside", type=build.SLIDE, axis=(0, 1, 0))
  build.cylinder(wheel, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-reach, 0, RADIUS))
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  hook = build.body(spec.worldbody, "hook", pos=(RADIUS, 0, -reach))
  hook.add_joint(name="y", type=build.SLIDE, axis=(0, 1, 0))
  build.site(hook, "hook", (0, 0, 0))
  route = [
    mjc.Anchor("source"),
    mjc.Wrap("sheave", side="top", groove=groove, **wrap),
    mjc.Anchor("hook"),
  ]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=1000.0, pretension=100.0))
  model, data, views = build.compiled(spec, cable)
  build.settle(model, data, [0, side])
  return model, data, views["c"]


def test_the_lateral_force_is_that_of_the_fleet_angle():
  """It was 4.0 N per 100 N over a plain wheel; a groove gives the sine of the fleet angle."""
  _model, _data, view = sheave(side=0.05)
  # the edge point slides to where the path is shortest: one step of a fixed point suffices here
  fall = 0.5 - np.sqrt(EDGE**2 - RADIUS**2)
  sine = 0.05 / np.hypot(0.05, fall)
  assert view.load[0] / view.tension[1] == pytest.approx(sine, rel=2e-3)
  assert view.load[0] == pytest.approx(-view.load[1], rel=1e-12)
  assert abs(view.entry[0][1]) < 1e-15 and abs(view.exit[0][1]) < 1e-15
  plain = sheave(side=0.05, groove=False, endless=True)[2]
  assert plain.load[0] / plain.tension[1] < 0.6 * sine


def test_the_load_is_the_gradient_of_the_length():
  model, data, view = sheave(side=0.04)
  h = 1e-6
  for k in range(2):
    lengths = []
    for sign in (1, -1):
      build.settle(model, data, [0, 0.04])
      data.qpos[k] += sign * h
      mujoco.mj_forward(model, data)
      lengths.append(view.length)
    build.settle(model, data, [0, 0.04])
    assert view.jacobian[k] == pytest.approx((lengths[0] - lengths[1]) / (2 * h), abs=1e-8)


@pytest.mark.parametrize("depth", [0.002, 0.005, 0.02])
def test_the_flanges_hold_the_fleet_angle_of_their_height(depth):
  """At most acos(r / (r + depth)) at the edge: there the cable leaves along the flange."""
  model, data, view = sheave(groove=depth)
  most = np.sqrt(1 - (RADIUS / (RADIUS + depth)) ** 2)
  held = 0.0
  for side in np.arange(0, 0.6, 2e-3):
    data.qpos[:], data.qvel[:] = [0, side], 0
    mujoco.mj_step(model, data)
    if view.status == mjc.SolveStatus.DERAILED:
      break
    assert build.is_valid(view)
    leg = np.array([RADIUS, side, -0.5]) - view.exit[0]
    held = leg[1] / np.linalg.norm(leg)
  assert view.status == mjc.SolveStatus.DERAILED and not view.touching[0]
  assert most - 0.01 < held <= most
  # past the wheel, straight: pulling in the same step
  assert view.length == pytest.approx(np.linalg.norm([0.55, side, 0.55]), rel=1e-9)
  # led back to its plane it is clear of the wheel, and does not climb in by itself
  for back in np.linspace(side, 0, 50):
    build.settle(model, data, [0, back])
    assert build.is_valid(view) and not view.touching[0]


def test_a_keeper_never_derails():
  model, data, view = sheave(permanent=True)
  for side in np.linspace(0, 0.6, 100):
    build.settle(model, data, [0, side])
    assert build.is_valid(view) and view.touching[0]


@pytest.mark.parametrize("half", [0.3, 0.6])
def test_a_v_groove_grips_by_the_sine_of_its_half_angle(half):
  """Two walls at half the angle carry N / sin(half) between them: T ratio exp(mu phi / sin)."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.cylinder(spec.worldbody, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-0.5, 0, RADIUS))
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  hook = build.body(spec.worldbody, "hook", pos=(RADIUS, 0, -0.5))
  hook.add_joint(name="z", type=build.SLIDE, axis=(0, 0, 1))
  build.site(hook, "hook", (0, 0, 0))
  wrap = mjc.Wrap("sheave", side="top", groove=True, half_angle=half, friction=0.1)
  route = [mjc.Anchor("source"), wrap, mjc.Anchor("hook")]
  cable = mjc.Cable(
    "c", route, mjc.Axial(stiffness=1000.0, pretension=100.0), friction=mjc.Sliding(0.0)
  )
  model, data, views = build.compiled(spec, cable)
  view = views["c"]
  data.qvel[0] = -1.0  # pulled over the wheel toward the hook
  mujoco.mj_forward(model, data)
  assert view.wrap_angle[0] == pytest.approx(np.pi / 2, rel=1e-6)
  ratio = view.tension[1] / view.tension[0]
  assert ratio == pytest.approx(np.exp(0.1 * np.pi / 2 / np.sin(half)), rel=1e-6)


def test_half_the_angle_of_a_v_groove_is_read_back():
  spec = mujoco.MjSpec()
  build.cylinder(spec.worldbody, "g", (0, 0, 0), 0.1)
  build.site(spec.worldbody, "a", (-1, 0, 0))
  build.site(spec.worldbody, "b", (1, 0, 0))
  wrap = mjc.Wrap("g", groove=0.02, half_angle=0.35, endless=True)
  mjc.add_cable(
    spec, mjc.Cable("c", [mjc.Anchor("a"), wrap, mjc.Anchor("b")], mjc.Axial(stiffness=1.0))
  )
  assert mjc.read_cables(spec)["c"].route[1] == wrap


def dropping(groove, timestep=1e-3):
  """A payload on a rope over a sheave swings sideways until the rope derails."""
  spec = build.new_spec(timestep=timestep)
  build.cylinder(spec.worldbody, "sheave", (0, 0, 1.0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-0.3, 0, 1.0))
  build.site(spec.worldbody, "top", (0, 0, 1.2))
  load = build.body(spec.worldbody, "load", pos=(RADIUS, 0, 0.6), mass=1.0)
  for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
    load.add_joint(name=name, type=build.SLIDE, axis=axis)
  build.site(load, "hook", (0, 0, 0))
  route = [mjc.Anchor("source"), mjc.Wrap("sheave", side="top", groove=groove), mjc.Anchor("hook")]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=5000.0, damping=20.0, pretension=9.81))
  model, data, views = build.compiled(spec, cable)
  model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
  return model, data, views["c"]


def test_a_derailing_rope_pulls_on_and_gains_no_energy():
  model, data, view = dropping(groove=0.003)
  data.qvel[1] = 1.5
  mujoco.mj_forward(model, data)
  first = data.energy.sum() + view.energy
  derailed = None
  for k in range(1500):
    mujoco.mj_step(model, data)
    easing = view.length_rate < 0
    assert view.source_tension > 0 or view.slack > 0 or easing
    assert data.energy.sum() + view.energy < first + 0.02
    if view.status == mjc.SolveStatus.DERAILED and derailed is None:
      derailed = k
  assert derailed is not None
  # a deeper groove holds it
  model, data, view = dropping(groove=0.02)
  data.qvel[1] = 1.5
  for _ in range(1500):
    mujoco.mj_step(model, data)
    assert view.status != mjc.SolveStatus.DERAILED


def test_a_route_that_cannot_lie_in_its_groove_is_refused():
  spec = build.new_spec()
  build.cylinder(spec.worldbody, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-0.3, 0, 0))
  build.site(spec.worldbody, "top", (0, 0, 0.2))
  build.site(spec.worldbody, "hook", (0.05, 0.5, -0.3))
  wrap = mjc.Wrap("sheave", side="top", groove=True)
  mjc.add_cable(
    spec, mjc.Cable("c", [mjc.Anchor("source"), wrap, mjc.Anchor("hook")], mjc.Axial(stiffness=1.0))
  )
  with pytest.raises(ValueError, match=r"does not stay on wrap 1 'sheave'.*permanent"):
    spec.compile()
