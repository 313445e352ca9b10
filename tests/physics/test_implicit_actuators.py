"""Stiff cables beside actuators and springs that the integrator treats as implicit.

The tension of a cable that is stiff for the step is found with the motion of the step, so it must
be the one that the law has at the end of it. Judges: that law, from the velocity that MuJoCo
arrives at; under integrator="discrete" MuJoCo's own tendon of the same stiffness.
"""

import mujoco
import numpy as np
import pytest

import mujocable as mjc

STIFFNESS, MASS, STEP = 1e5, 0.1, 5e-3
HOME = 1 - MASS * 9.81 / STIFFNESS  # at rest under its weight alone
SERVO = '<position joint="z" kp="500" kv="10" {}/>'
BESIDE = {
  "servo": SERVO.format(""),
  "servo at its limit": SERVO.format('forcerange="-5 5"'),
  "motor at the limit of its joint": '<motor joint="limited" gear="100"/>',
  "servo that is off": SERVO.format('group="1"'),
  "velocity servo": '<velocity joint="z" kv="10"/>',
  "damped motor": '<motor joint="z" damping="5 1 .5"/>',
  "spring": '</actuator><tendon><spatial stiffness="1e4" damping="10" springlength=".1">'
  '<site site="hook"/><site site="floor"/></spatial></tendon><actuator>',
  "damper": '</actuator><tendon><spatial name="t" damping="10 1 .5"><site site="hook"/>'
  '<site site="floor"/></spatial></tendon><actuator>',
  "damper of a motor": '</actuator><tendon><spatial name="t"><site site="hook"/>'
  '<site site="floor"/></spatial></tendon><actuator><motor tendon="t" damping="10"/>',
}  # fmt: skip


def falling(spec, cable):
  """With a cable from the top to the hook, if it is to have one."""
  if cable:
    route = [mjc.Anchor("top"), mjc.Anchor("hook")]
    mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=STIFFNESS, home_length=HOME)))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.qvel[0] = -0.1
  return model, data


def hanging(integrator, beside, springs="", cable=True):
  """A link on a slide below its cable, pulled down by what stands beside it."""
  limit = 'actuatorfrcrange="-5 5"' if "limited" in beside else ""
  beside = beside.replace("limited", "z")
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{STEP}" integrator="{integrator}" tolerance="1e-14" actuatorgroupdisable="1"/>
    <worldbody><site name="top" pos="0 0 1"/><site name="floor" pos="0 0 -1"/>
      <body><joint name="z" type="slide" axis="0 0 1" {limit}/><geom size=".02" mass="{MASS}"/>
        <site name="hook"/></body></worldbody>
    <tendon>{springs}</tendon><actuator>{beside}</actuator></mujoco>""")
  model, data = falling(spec, cable)
  if model.nu > 0:
    data.ctrl[0] = -0.5
  return model, data


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("beside", [name for name in BESIDE if name != "spring"])
def test_the_tension_is_that_of_the_end_of_the_step(beside, integrator):
  """By (19), (20) with the velocities before and after: the rounding of the solve at most."""
  model, data = hanging(integrator, BESIDE[beside])
  view = mjc.bind(model, data)["c"]
  settles = 1 - 4 / (STEP**2 * STIFFNESS / MASS)
  for _ in range(20):
    before = -data.qvel[0]
    mujoco.mj_step(model, data)
    after = -data.qvel[0]
    ahead = max(settles, min(1, 1 - view.stretch / (STEP * before)) if before > 0 else 0)
    longer = STEP * (ahead * after + (1 - ahead) / 4 * (after - before))
    assert view.solves >= 0
    assert view.tension[0] == pytest.approx(STIFFNESS * (view.stretch + longer), rel=1e-8)


@pytest.mark.skipif(mujoco.mj_version() < 3016000, reason="no cables under discrete")
@pytest.mark.parametrize("beside", [name for name in BESIDE if "damper" not in name])
def test_under_discrete_a_cable_moves_like_a_tendon_beside_anything(beside):
  """Also where the model has no actuator, and all is solved in the passive stage."""
  spring = f"""<spatial stiffness="{STIFFNESS}" springlength="0 {HOME}"><site site="top"/>
    <site site="hook"/></spatial>"""
  native_model, native = hanging("discrete", BESIDE[beside], spring, cable=False)
  model, data = hanging("discrete", BESIDE[beside])
  for _ in range(40):
    mujoco.mj_step(native_model, native)
    mujoco.mj_step(model, data)
    assert mjc.bind(model, data)["c"].tension[0] > 0
    assert abs(data.qvel[0] - native.qvel[0]) < 1e-9
    assert np.abs(data.qpos - native.qpos).max() < 1e-10


# What ties the link to another weight, which no cable does.
ACROSS = {
  "servo to another tree": ("", '<position tendon="t" kp="5" kv="20"/>'),
  "damper to another tree": ('damping="20"', ""),
}


def tied(integrator, across, springs="", cable=True, aside=False):
  """`aside`: to a wall, and the link moves in two directions, which that couples, or freely."""
  damping, servo = ACROSS[across]
  site = "wall" if aside else "far"
  joint = '<joint type="slide" axis="0 0 1"/>'
  if aside:
    joint = "<freejoint/>" if aside == "free" else joint + '<joint type="slide" axis="1 0 0"/>'
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{STEP}" integrator="{integrator}" tolerance="1e-14"/>
    <worldbody><site name="top" pos="0 0 1"/><site name="wall" pos=".3 0 -.4"/>
      <body>{joint}<geom size=".02" mass="{MASS}"/><site name="hook"/></body>
      <body pos=".3 0 -.4"><joint type="slide" axis="0 0 1"/><geom size=".02" mass="{MASS}"/>
        <site name="far"/></body></worldbody>
    <tendon>{springs}<spatial name="t" {damping}><site site="hook"/><site site="{site}"/></spatial>
    </tendon><actuator>{servo}</actuator></mujoco>""")
  model, data = falling(spec, cable)
  data.ctrl[:] = 0.4  # m; it begins with 0.5
  return model, data


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("aside", [False, True, "free"])
@pytest.mark.parametrize("across", ACROSS)
def test_dampers_are_implicit_where_the_integrator_has_a_place_for_them(integrator, aside, across):
  """Neither between two trees, nor, under implicitfast, between two slides of one body."""
  model, data = tied(integrator, across, aside=aside)
  view = mjc.bind(model, data)["c"]
  mobility = STEP**2 * STIFFNESS / MASS
  solved = 0
  for _ in range(20):
    before = data.qvel.copy()
    mujoco.mj_step(model, data)
    along = view.jacobian
    growth = STEP * along @ before
    ahead = max(1 - 4 / mobility, min(1, 1 - view.stretch / growth) if growth > 0 else 0)
    longer = STEP * along @ (ahead * data.qvel + (1 - ahead) / 4 * (data.qvel - before))
    solved += view.solves > 0
    tension = max(0.0, STIFFNESS * (view.stretch + longer))
    assert view.tension[0] == pytest.approx(tension, rel=1e-8, abs=1e-8)
  assert solved >= 5


@pytest.mark.skipif(mujoco.mj_version() < 3016000, reason="no cables under discrete")
@pytest.mark.parametrize("across", ACROSS)
def test_under_discrete_what_ties_two_trees_is_felt_through_both(across):
  spring = f"""<spatial stiffness="{STIFFNESS}" springlength="0 {HOME}"><site site="top"/>
    <site site="hook"/></spatial>"""
  native_model, native = tied("discrete", across, spring, cable=False)
  model, data = tied("discrete", across)
  for _ in range(40):
    mujoco.mj_step(native_model, native)
    mujoco.mj_step(model, data)
    assert np.abs(data.qvel - native.qvel).max() < 1e-9


def test_the_armature_of_a_tendon_is_felt_without_any_actuator():
  """A bead circles on a cable, and a flywheel hangs on it by a tendon: judged beside an idle motor,
  where the cable is solved in another stage."""

  def circling(motor):
    spec = mujoco.MjSpec.from_string(f"""<mujoco>
      <option timestep="2e-3" gravity="0 0 0"/>
      <worldbody><site name="hub"/><site name="far" pos="2 0 0"/>
        <body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
          <geom size=".02" mass=".2"/><site name="bead"/></body></worldbody>
      <tendon><spatial name="t" armature=".5"><site site="bead"/><site site="far"/></spatial>
      </tendon>
      <actuator>{motor}</actuator></mujoco>""")
    route = [mjc.Anchor("hub"), mjc.Anchor("bead")]
    mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1e6)))
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qvel[1] = 5
    view = mjc.bind(model, data)["c"]
    tension = []
    for _ in range(50):
      mujoco.mj_step(model, data)
      tension.append(view.tension[0])
    assert view.solves > 0
    return np.array(tension)

  alone, beside = circling(""), circling('<motor tendon="t"/>')
  assert alone.max() > 10
  np.testing.assert_allclose(alone, beside, rtol=1e-9, atol=1e-9)
