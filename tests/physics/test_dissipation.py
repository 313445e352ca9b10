"""Friction never gives energy: material moves toward the higher tension, at every contact and step.

By the law it is the sum over the sub-contacts of an arc, which the tensions at its ends bound.
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated

import mujocable as mjc
from mujocable.models import winch

EYELET = 2  # of the contacts: between two wraps and one


@pytest.mark.parametrize("take_up", [None, mjc.SpoolRate(radius=0.02, range=(-20.0, 20.0))])
@pytest.mark.parametrize("seed", range(6))
def test_power_lost_at_each_contact_is_never_negative(seed, take_up):
  s = articulated.scene([seed, 22], spans=(2, 1), friction=0.35, take_up=take_up)
  rng = np.random.default_rng(seed)
  articulated.shake(s, rng)
  total = 0.0
  for step in range(500):
    if s.model.nu and step % 50 == 0:
      s.data.ctrl[:] = rng.uniform(-20, 20)
    mujoco.mj_step(s.model, s.data)
    lost = np.asarray(s.view.dissipation)
    assert lost.min() >= 0
    tension, slip = np.asarray(s.view.tension), np.asarray(s.view.slip_rate)
    # where the contact is a point: along an arc the slip differs
    x = tension / (s.view.stiffness * s.view.home_length)
    formula = np.diff(tension * (1 + x / 2 + x**2 / 3 + x**3 / 4)) * slip
    assert lost[EYELET] == pytest.approx(formula[EYELET], rel=1e-12, abs=1e-15)
    total += lost.sum() * s.model.opt.timestep
  assert total > 0


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("rigidity", [1e4, 300.0])
def test_what_weights_lose_over_a_post_is_its_heat(rigidity, integrator):
  """Also where the cable is strained by a tenth, and by every integrator."""
  timestep = 2.5e-4
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="top" pos="0 0 .2"/>
      <geom name="post" type="cylinder" size=".05 .01" euler="90 0 0" contype="0" conaffinity="0"/>
      <body pos="-.05 0 -3"><joint type="slide" axis="0 0 1" damping="10"/>
        <geom size=".01" mass="1"/><site name="a"/></body>
      <body pos=".05 0 -3"><joint type="slide" axis="0 0 1" damping="10"/>
        <geom size=".01" mass="3"/><site name="b"/></body></worldbody></mujoco>""")
  route = [mjc.Anchor("a"), mjc.Wrap("post", side="top"), mjc.Anchor("b")]
  axial = mjc.Axial(EA=rigidity, pretension=9.81)
  mjc.add_cable(spec, mjc.Cable("c", route, axial, friction=0.2))
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]

  def energy():
    mujoco.mj_forward(model, data)
    mass, speed = np.array([1.0, 3.0]), data.qvel
    return view.energy + mass @ (speed**2 / 2 + 9.81 * data.qpos)

  before, heat, slipped, drag = energy(), 0.0, 0.0, 0.0
  for _ in range(round(0.8 / timestep)):
    drag += 5 * (data.qvel**2).sum() * timestep
    mujoco.mj_step(model, data)
    heat += view.dissipation[0] * timestep
    slipped += view.slip[0]
    drag += 5 * (data.qvel**2).sum() * timestep
  # the view shows what passes in the step that begins there
  assert slipped == pytest.approx(view.slip_total[0], rel=1e-12)
  # a sum over steps: to their first order
  assert heat == pytest.approx(before - energy() - drag, rel=1e-3)


def test_what_is_pulled_out_at_the_tension_limit_is_no_heat_of_a_sheave():
  """Beyond the limit a stretch costs the limit: marks that are moved back join no energy there."""
  model = winch.build().compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["hoist"]
  heat = slid = 0.0
  while data.time < 0.2:
    data.ctrl[:] = 99.0 * data.time  # [rad]: far more than the payload follows
    mujoco.mj_step(model, data)
    heat += model.opt.timestep * view.dissipation.sum()
    slid += abs((view.tension[1] - view.tension[0]) * view.slip[0])
  assert view.source_tension == view.max_tension
  assert 0 < heat < 2 * slid  # elastic creep has its part
