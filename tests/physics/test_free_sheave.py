"""A free sheave turns through any angle: no jump, no kick, and friction drives it.

Judges: a round sheave's angle does not change the length; without slip the rim travels with the
cable; the energy a braked sheave loses is what the contact dissipates. Public code jumps by 0.14 m
with a 100 N kick at 90 degrees.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc
from mujocable.spec.keys import laws

RADIUS = 0.05
TURNS = 10


def rig(friction=0.3, slip_speed=1e-3, take_up=None, inertia=1e-4, **cable):
  """Source to the left at rim height, sheave about +y, payload hanging at the right rim."""
  spec = build.new_spec(timestep=5e-4)
  sheave = build.body(spec.worldbody, "sheave", pos=(0, 0, 0.3), mass=0.08, inertia=inertia)
  sheave.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(sheave, "rim", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "motor", (-0.22, 0, 0.3 + RADIUS))
  build.site(spec.worldbody, "hint", (0.03, 0, 0.3 + 2 * RADIUS))
  payload = build.body(spec.worldbody, "payload", pos=(RADIUS, 0, -4.0), mass=0.2)
  payload.add_joint(name="lift", type=build.SLIDE, axis=(0, 0, 1))
  build.site(payload, "hook", (0, 0, 0))
  options = {"stiffness": 15000.0, "damping": 20.0, "pretension": 0.2 * 9.81} | cable
  cable = mjc.Cable(
    name="hoist",
    route=[mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Anchor("hook")],
    **laws(
      friction=friction, friction_law="sliding", slip_speed=slip_speed, take_up=take_up, **options
    ),
  )
  return build.compiled(spec, cable)


@pytest.mark.parametrize("stepped", [True, False])
def test_turning_the_sheave_does_not_change_the_length(stepped):
  model, data, views = rig()
  view = views["hoist"]
  length = view.length
  assert length == pytest.approx(0.22 + RADIUS * np.pi / 2 + 4.3, rel=1e-12)
  for angle in np.concatenate(
    [
      np.linspace(0, 2 * np.pi * TURNS, 500),
      np.linspace(2 * np.pi * TURNS, -2 * np.pi * TURNS, 700),
    ]
  ):
    data.qpos[0] = angle
    if stepped:
      build.settle(model, data)
    else:
      mujoco.mj_forward(model, data)
    assert build.is_valid(view)
    assert view.length == pytest.approx(length, rel=1e-12)
    assert view.wrap_angle[0] == pytest.approx(np.pi / 2, abs=1e-10)


def test_the_sheave_rolls_with_the_cable_for_ten_turns():
  """The winch takes in 10 turns' worth; with slip speed 1 mm/s the rim keeps up with the cable."""
  model, data, views = rig(take_up=mjc.SpoolRate(radius=0.1, range=(0.0, 20.0)))
  view = views["hoist"]
  travel = 2 * np.pi * RADIUS * TURNS
  before = view.length
  largest_jump = 0.0
  while data.qpos[1] < travel + 0.05 and data.time < 10:
    # smooth start, then 1 m/s
    data.ctrl[0] = 10.0 * min(1.0, data.time / 0.5)
    mujoco.mj_step(model, data)
    assert build.is_valid(view)
    largest_jump = max(largest_jump, abs(view.length - before))
    before = view.length
  turned = -data.qpos[0]
  assert abs(turned) > 2 * np.pi * TURNS
  # rim travel against cable travel: the slip needed to drive a 1e-4 kg m2 sheave is tiny
  assert RADIUS * abs(turned) == pytest.approx(data.qpos[1], rel=5e-3)
  assert largest_jump < 1.5 * 1.0 * model.opt.timestep + 1e-6


def test_a_spinning_sheave_is_braked_and_heats_the_contact():
  """Both ends still, sheave started at 40 rad/s: its kinetic energy goes into dissipation."""
  model, data, views = rig(friction=0.05, slip_speed=0.02, inertia=2e-3)
  view = views["hoist"]
  data.qvel[0] = 40.0
  energy, lost, angle = 0.5 * 2e-3 * 40.0**2, 0.0, 0.0
  hook = data.qpos[1]
  while abs(data.qvel[0]) > 1.0 and data.time < 60:
    mujoco.mj_forward(model, data)
    power = view.dissipation[0]
    assert power >= 0 and build.is_valid(view)
    mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    lost += 0.5 * (power + view.dissipation[0]) * model.opt.timestep
    angle = data.qpos[0]
  left = 0.5 * 2e-3 * data.qvel[0] ** 2
  assert abs(angle) > 2 * np.pi * TURNS
  # the payload shifts a little when friction changes the tension: first order in the step
  assert lost == pytest.approx(energy - left, rel=5e-3)
  assert abs(data.qpos[1] - hook) < 5e-3
