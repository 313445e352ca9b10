"""Friction in the step it acts in: light sheaves and long arms at long steps (22)-(23).

Judges: friction pulls a rim toward the speed of its cable and never past it; Capstan ratios and
losses that are never negative; weight over stiffness at rest; an explicit run with steps so short
that it is exact enough; brute-force differences; bits where nothing may change.
"""

import itertools
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from oracles import transitions, workshop

import mujocable as mjc
from mujocable.models import spirob

# (cables take "discrete" from MuJoCo 3.16 on)
INTEGRATORS = ["Euler", "implicitfast", "discrete"][: 3 if mujoco.mj_version() >= 3016000 else 2]
RADIUS, PAYLOAD, KAPPA, SLIP = 0.02, 0.5, 2e4, 0.01
WEIGHT = PAYLOAD * 9.81


def hoist(
  timestep,
  friction,
  integrator="Euler",
  take_up=None,
  sheave=1e-3,
  axle="",
  actuator="",
  **options,
):
  """A payload hangs over a free sheave; the other end is held, or wound in."""
  xml = f"""<mujoco><option timestep="{timestep}" integrator="{integrator}" tolerance="1e-13"
      iterations="200"/><worldbody>
    <site name="motor" pos="-.22 0 .35"/><site name="hint" pos=".03 0 .4"/>
    <body pos="0 0 .3"><joint name="axle" axis="0 1 0" {axle}/>
      <geom name="rim" type="cylinder" size="{RADIUS} .01" euler="90 0 0" mass="{sheave}"
        contype="0" conaffinity="0"/></body>
    <body pos="{RADIUS} 0 -.3"><joint name="z" type="slide" axis="0 0 1"/>
      <geom size=".02" mass="{PAYLOAD}"/><site name="hook"/></body></worldbody>
    {actuator}</mujoco>"""
  spec = mujoco.MjSpec.from_string(xml)
  given = {"stiffness": KAPPA, "damping": 0.1 * np.sqrt(KAPPA * PAYLOAD), "pretension": WEIGHT}
  if isinstance(take_up, mjc.TensionCommand):
    given = {}
  cable = mjc.Cable(
    "c",
    [mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Anchor("hook")],
    friction=friction,
    slip_speed=SLIP,
    take_up=take_up,
    **(given | options),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["c"]


@pytest.mark.parametrize("axle", ["", 'damping="1e-7" frictionloss="1e-4"'], ids=["free", "braked"])
@pytest.mark.parametrize("integrator", [*INTEGRATORS, "implicit"])
def test_a_light_rim_is_pulled_toward_its_cable_and_never_past_it(integrator, axle):
  """1 g under 5 N: as a force of the present slip, friction would turn it around 100 times over."""
  for timestep, friction in itertools.product((5e-4, 2e-3, 1e-2), (0.1, 0.3, 0.6)):
    take_up = mjc.LengthCommand(range=(-1, 1))
    model, data, view = hoist(timestep, friction, integrator, take_up, axle=axle)
    case = (timestep, friction)
    carried = 0
    for step in range(round(1.0 / timestep)):
      data.ctrl[0] = 0.1 * np.sin(2 * np.pi * step * timestep)
      before = abs(RADIUS * data.qvel[0])
      mujoco.mj_step(model, data)
      rim = RADIUS * data.qvel[0]  # +axle carries the top of the rim toward the hook
      cable = rim + view.slip_rate[0]
      if view.source_tension > 0:  # (below, the slip is that of the start)
        assert abs(rim) <= max(before, abs(cable)) + 1e-9, case
        carried += abs(view.slip_rate[0]) < SLIP and abs(rim) > 0.1
      assert np.all(view.dissipation >= 0), case
      ratio = np.exp(np.tanh(view.slip_rate[0] / SLIP) * friction * view.wrap_angle[0])
      assert view.tension[1] == pytest.approx(ratio * view.tension[0], rel=1e-12), case
    assert carried > 0.3 * 1.0 / timestep, case
    assert not any(w.number for w in data.warning), case


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_friction_does_not_move_where_a_load_rests(integrator):
  for timestep, friction in itertools.product((1e-3, 1e-2), (0.1, 0.6)):
    model, data, view = hoist(timestep, friction, integrator)
    data.qpos[1] = 1e-3
    for _ in range(round(3.0 / timestep)):
      mujoco.mj_step(model, data)
    assert view.stretch == pytest.approx(WEIGHT / KAPPA, rel=1e-6)
    assert view.tension == pytest.approx([WEIGHT, WEIGHT], rel=1e-6)
    assert np.abs(data.qvel).max() < 1e-6


def turn(timestep, integration, integrator="Euler"):
  """A torque on the axle, half of what friction holds, comes and goes: where it all ends.

  The rim creeps under the cable, slowly beside a step in which friction could stop it: explicit
  friction would undo 18, 9 and 4.5 times its slip in the steps below, all beyond the blend.
  """
  model, data, _ = hoist(timestep, 0.02, integrator, sheave=0.0125, integration=integration)
  while data.time < 0.24 - timestep / 2:
    data.qfrc_applied[0] = 1.6e-3 * np.sin(5 * data.time)
    mujoco.mj_step(model, data)
  return np.concatenate([data.qpos, data.qvel])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_short_steps_lead_to_the_explicit_motion_at_first_order(integrator):
  exact = turn(2e-5, "explicit", integrator)  # a hundredth of the shortest step below
  errors = [np.abs(turn(h, "auto", integrator) - exact).max() for h in (8e-3, 4e-3, 2e-3)]
  for before, after in itertools.pairwise(errors):
    assert 0.7 < np.log2(before / after) < 1.3
  # where friction is far from its limit nothing changes; the cable is not stiff there either
  soft = dict(stiffness=50.0, damping=0.1)
  ends = []
  for integration in ("auto", "explicit"):
    model, data, view = hoist(2e-5, 0.02, sheave=0.05, integration=integration, **soft)
    data.qvel[0] = 2.0
    for _ in range(300):
      mujoco.mj_step(model, data)
    assert view.source_tension > 0 and view.slip_rate[0] != 0
    ends.append(workshop.state_of(model, data))
  assert np.array_equal(ends[0][:4], ends[1][:4])


def test_the_ratio_has_no_jump_where_friction_begins_to_count_as_hard():
  """Ratio over the step length, from far below the limit to far above it, at a fixed state."""
  model, data, view = hoist(1e-3, 0.1, stiffness=50.0, damping=0.1, sheave=0.05)
  data.qvel[0] = 0.3
  ratios = []
  for timestep in np.geomspace(1e-5, 1e-1, 3001):
    model.opt.timestep = timestep
    mujoco.mj_forward(model, data)
    ratios.append(view.tension[1] / view.tension[0])
  change = np.abs(np.diff(ratios))
  assert change.max() < 1e-2 * np.ptp(ratios)  # the ramp is 0.3 decades of four, 3000 steps
  assert np.ptp(ratios) > 0.03  # of exp(0.1 pi / 2) - 1 = 0.17 there is much to lose


def test_without_friction_nothing_is_different():
  """Bit for bit: no friction in velocity mode and in a mode that never asks for the slip."""
  ends = []
  for mode in ("velocity", "forward"):
    model, data, _ = hoist(2e-3, 0.0, friction_mode=mode)
    data.qpos[1], data.qvel[0] = 1e-3, 3.0
    for _ in range(200):
      mujoco.mj_step(model, data)
    ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
  assert np.array_equal(*ends)


@pytest.mark.parametrize("drive", ["length", "tension"])
def test_an_arm_of_three_cables_through_rough_holes_is_stable_at_its_own_step(drive):
  """114 holes with friction 0.3: explicit friction throws the arm apart; a fifth of the step,
  implicit as well, moves it the same way."""
  arm = spirob.Spirob(cables=3, friction=0.3, friction_mode="velocity", drive=drive)
  stroke = 0.03 if drive == "length" else 2.0
  ends, speeds = {}, {}
  for share, integration in ((1, "auto"), (5, "auto"), (1, "explicit")):
    spec = spirob.build(replace(arm, timestep=arm.timestep / share))
    for plugin in spec.plugins:
      plugin.config = {**plugin.config, "integration": integration}
    model = spec.compile()
    data = mujoco.MjData(model)
    views = mjc.bind(model, data)
    fastest = 0.0
    for _ in range(300 * share):
      data.ctrl[:] = stroke * np.sin(8 * data.time + 0.7 * np.arange(3)) * min(1, data.time / 0.05)
      mujoco.mj_step(model, data)
      fastest = max(fastest, np.abs(data.qvel).max())
      if integration == "auto":
        assert all(np.all(view.dissipation >= 0) for view in views.values())
      elif fastest > 1e3:
        break
    if integration == "auto":
      assert fastest < 100
      ends[share], speeds[share] = data.qpos.copy(), fastest
    else:
      assert fastest > 1e3
  # first order: no further apart than the arm moves in one step at its fastest
  assert np.abs(ends[1] - ends[5]).max() < arm.timestep * speeds[5]


TAKE_UPS = {
  "passive": (None, "", 0.0),
  "passive beside a motor": (None, '<actuator><motor joint="z"/></actuator>', 0.3),
  "length": (mjc.LengthCommand(range=(-1, 1)), "", 1e-4),
  "tension": (mjc.TensionCommand(range=(0, 50)), "", 1.02 * WEIGHT),
}


@pytest.mark.parametrize("axle", ["", 'damping="1e-7" frictionloss="1e-4"'], ids=["free", "braked"])
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("kind", TAKE_UPS)
def test_derivatives_and_inverse_dynamics_see_it(kind, integrator, axle):
  take_up, actuator, command = TAKE_UPS[kind]
  model, data, view = hoist(
    2e-3, 0.3, integrator, take_up, sheave=0.01, axle=axle, actuator=actuator
  )
  for step in range(25):
    data.ctrl[:] = command * (1 + 0.02 * step)
    mujoco.mj_step(model, data)
  data.qvel[0] = 2.0
  mujoco.mj_forward(model, data)
  assert view.tension[0] > 0 and abs(view.slip_rate[0]) > 1e-5
  state = workshop.state_of(model, data)
  got = transitions.by_mujoco(model, data)
  want = transitions.brute_force(model, state)
  for one, other in zip(got, want, strict=True):
    if other.size == 0:
      continue
    largest = np.abs(other).max(axis=1, keepdims=True)
    assert np.all(np.abs(one - other) <= 1e-5 * largest + 1e-7)
  # forward, then inverse: the force that was applied from outside comes back
  data.qfrc_applied[:] = 1e-3, 0.1
  mujoco.mj_forward(model, data)
  mujoco.mj_inverse(model, data)
  outside = data.qfrc_applied + (data.qfrc_actuator if kind != "passive" else 0)
  if integrator == "discrete" and kind == "passive beside a motor":
    return  # MuJoCo's own metric enters there: tests/stage/test_inverse.py
  assert data.qfrc_inverse == pytest.approx(outside, rel=1e-6, abs=1e-8)


def test_copies_and_extra_calls_give_the_same_bits():
  ends = []
  for way in ("step", "forward", "copy", "halves"):
    model, data, _ = hoist(2e-3, 0.4, "implicitfast", mjc.LengthCommand(range=(-1, 1)))
    for step in range(200):
      data.ctrl[0] = 0.05 * np.sin(0.05 * step)
      if way == "forward":
        mujoco.mj_forward(model, data)
      if way == "copy" and step % 9 == 0:
        twin = mujoco.MjData(model)
        mujoco.mj_copyData(twin, model, data)
        data = twin
      if way == "halves":
        mujoco.mj_step1(model, data)
        mujoco.mj_step2(model, data)
      else:
        mujoco.mj_step(model, data)
    ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
  assert all(np.array_equal(end, ends[0]) for end in ends)


def test_rubbing_arms_that_share_no_body_do_not_see_each_other():
  """Two arms in one world move as each does alone, to the rounding of their own solutions."""
  arm = replace(spirob.Spirob(cables=2, friction=0.3, friction_mode="velocity"))
  alone = spirob.build(arm).compile()
  world = mujoco.MjSpec()
  world.option.timestep, world.option.integrator = arm.timestep, alone.opt.integrator
  world.option.gravity = [0, 0, 0]
  for side in ("left_", "right_"):
    frame = world.worldbody.add_frame(pos=[1.0 if side == "left_" else -1.0, 0, 0])
    world.attach(spirob.build(arm), prefix=side, frame=frame)
  both = world.compile()
  here, there = mujoco.MjData(alone), mujoco.MjData(both)
  for _ in range(200):
    command = 0.02 * np.array([np.sin(9 * here.time), np.cos(9 * here.time)])
    here.ctrl[:] = command
    there.ctrl[:] = np.concatenate([command, command[::-1]])
    mujoco.mj_step(alone, here)
    mujoco.mj_step(both, there)
  assert np.abs(here.qpos).max() > 0.1
  assert there.qpos[: alone.nq] == pytest.approx(here.qpos, rel=1e-7, abs=1e-8)
