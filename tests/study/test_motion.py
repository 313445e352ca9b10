"""Motions fit the machine: servos start where they stand, antagonists pull in turn, loads stay."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import finger, hand, rolling_joint, winch
from mujocable.runtime.account import Follower
from mujocable.study import motion as motions
from mujocable.study.motion.levels import levels
from mujocable.study.simulate import simulate

# native tendons as people write them: a length servo and a motor, as antagonists
SERVO = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast" gravity="0 0 0"/>
  <worldbody>
    <site name="a" pos="-.1 0 .02"/> <site name="b" pos="-.1 0 -.02"/>
    <body>
      <joint name="hinge" axis="0 1 0" range="-60 60" limited="true" damping=".02" stiffness=".1"/>
      <geom type="capsule" fromto="0 0 0 .1 0 0" size=".01" mass=".05"/>
      <site name="c" pos=".05 0 .02"/> <site name="d" pos=".05 0 -.02"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="flexor"><site site="a"/><site site="c"/></spatial>
    <spatial name="extensor"><site site="b"/><site site="d"/></spatial>
  </tendon>
  <actuator>
    <position name="flex" tendon="flexor" kp="300" ctrlrange=".12 .16" forcerange="-40 0"/>
    <general name="ext" tendon="extensor" gear="-1" ctrlrange="0 5"/>
  </actuator>
</mujoco>
"""


def test_a_length_servo_starts_where_it_stands_and_pulls_with_a_small_target():
  model = mujoco.MjModel.from_xml_string(SERVO)
  found = levels(model)
  home = mujoco.MjData(model)
  mujoco.mj_forward(model, home)
  assert found.rest[0] == pytest.approx(home.ten_length[0])
  assert (found.pull[0], found.slack[0]) == (0.12, 0.16)
  assert (found.rest[1], found.pull[1]) == (0.0, 5.0)
  assert found.against[0, 1] and not found.against[0, 0]


def test_nothing_jolts_at_the_start():
  model = mujoco.MjModel.from_xml_string(SERVO)
  data = mujoco.MjData(model)
  data.ctrl[:] = motions.preset(model, "pull", 4.0)(0.0)
  mujoco.mj_forward(model, data)
  assert np.abs(data.actuator_force).max() < 1e-9


def test_antagonists_pull_in_turn():
  """One lets go while the other pulls; the joint goes both ways."""
  model = mujoco.MjModel.from_xml_string(SERVO)
  motion = motions.preset(model, "pull", 2.0)
  assert motion.turns == ((0,), (1,))
  table = motion.table(np.linspace(0, 2, 201))
  pulls = [table[:, 0] < motion.levels.rest[0] - 1e-9, table[:, 1] > 1e-9]
  assert pulls[0].any() and pulls[1].any() and not (pulls[0] & pulls[1]).any()
  assert table[50, 0] == pytest.approx(0.12) and table[150, 0] == pytest.approx(0.16)
  moved = simulate(model, motion, 2.0).recording["qpos.hinge"]
  assert moved.min() < -0.1 < 0.1 < moved.max()


@pytest.mark.parametrize(
  ("robot", "turns"),
  [
    (finger, ((0,), (1,))),
    (rolling_joint, ((0,), (1,))),
    (hand, (tuple(range(0, 10, 2)), tuple(range(1, 10, 2)))),
  ],
)
def test_the_robots_know_their_antagonists(robot, turns):
  assert motions.preset(robot.build().compile(), "pull", 1.0).turns == turns


def test_the_finger_flexes():
  model = finger.build().compile()
  motion = motions.fitted(model, motions.preset(model, "pull", 1.5))
  run = simulate(model, motion, 1.5)
  assert not run.troubles
  for joint in finger.JOINTS:
    assert run.recording[f"qpos.{joint}"].max() > 0.3


def test_the_payload_of_the_winch_stays_on_its_rope(capfd):
  model = winch.build().compile()
  whole = motions.preset(model, "pull", 4.0)
  assert {one.kind for one in simulate(model, whole, 4.0).troubles} >= {"invalid", "flies"}
  assert "let_go" in capfd.readouterr().err
  fitted = motions.fitted(model, whole)
  assert "let_go" not in capfd.readouterr().err  # a trial is no run
  run = simulate(model, fitted, 4.0)
  assert not run.troubles and run.accounts["hoist"].valid == 1
  assert 0.5 < fitted.reach[0] < 1 and "hoist pulls to" in fitted.notes[0]
  assert run.recording["qpos.payload_z"].max() > 0.8


def test_a_machine_that_can_take_its_range_is_given_it():
  model = mujoco.MjModel.from_xml_string(SERVO)
  motion = motions.fitted(model, motions.preset(model, "pull", 4.0))
  assert motion.reach == (1.0, 1.0) and motion.notes == ()


@pytest.mark.parametrize("name", motions.PRESETS)
def test_a_table_is_the_command_at_many_times_and_stays_in_the_range(name):
  model = finger.build().compile()
  motion = motions.preset(model, name, 2.0)
  times = np.linspace(0, 2, 41)
  table = motions.table(motion, times)
  assert np.array_equal(table, [motion(t) for t in times])
  low, high = model.actuator_ctrlrange.T
  assert np.all(table >= low - 1e-12) and np.all(table <= high + 1e-12)
  assert table[0] == pytest.approx(motion.levels.rest)


def test_a_cycle_is_quasi_static_and_hold_lets_go_at_once():
  model = winch.build().compile()
  cycle = motions.preset(model, "cycle", 8.0).table(np.linspace(0, 8, 801))[:, 0]
  speed = np.abs(np.diff(cycle))
  assert speed[speed > 0].max() == pytest.approx(np.median(speed), rel=1e-9)  # one speed
  assert np.count_nonzero(np.diff(np.sign(np.diff(cycle)))) == 3  # up, down, up, down
  hold = motions.preset(model, "hold", 10.0)
  assert hold(5.9)[0] == pytest.approx(hold(3.0)[0]) and hold(6.3)[0] == 0


def test_a_spool_rate_goes_there_and_back():
  spec = mujoco.MjSpec.from_string(
    "<mujoco><worldbody><site name='a'/><body pos='0 0 -1'><joint type='slide' axis='0 0 1'/>"
    "<geom size='.1'/><site name='b'/></body></worldbody></mujoco>"
  )
  take_up = mjc.SpoolRate(radius=0.02, range=(-5.0, 5.0))
  mjc.add_cable(
    spec,
    mjc.Cable("c", [mjc.Anchor("a"), mjc.Anchor("b")], mjc.Axial(stiffness=1e4), take_up=take_up),
  )
  model = spec.compile()
  rate = motions.preset(model, "pull", 2.0).table(np.linspace(0, 2, 2001))[:, 0]
  assert rate.max() == pytest.approx(5, rel=1e-2) and rate.min() == pytest.approx(-5, rel=1e-2)
  assert abs(rate.sum()) < 1e-2 * np.abs(rate).sum()


def second_cycle(duration, friction, reach=0.006):
  """What the flexor does in the second of two quasi-static cycles; and the joints' own losses."""
  model = finger.build(finger.Finger(friction=friction, couplings=False)).compile()
  data = mujoco.MjData(model)
  steps = round(duration / model.opt.timestep)
  shape = 1 - np.abs(2 * ((2 * np.arange(steps) / steps) % 1.0) - 1)
  mujoco.mj_forward(model, data)
  followed, drag = None, 0.0
  for k, share in enumerate(shape):
    if k == steps // 2:
      followed = Follower(model, data)
    # the flexor never gets loose
    data.ctrl[:] = reach * (0.3 + share), -reach * (0.3 + share)
    mujoco.mj_step(model, data)
    if followed is not None:
      followed.step()
      drag += model.opt.timestep * float(model.dof_damping @ data.qvel**2)
  return followed.finish()["flexor"], drag


def test_the_area_of_a_slow_loop_is_the_heat_and_friction_knows_no_speed():
  """Energy over a closed cycle: what the motor puts in is rubbed off, or damped in the joints."""
  heats = []
  for duration in (4.0, 8.0):
    account, drag = second_cycle(duration, friction=0.2)
    assert account.lost > 0 and min(account.friction.values()) >= 0
    assert account.motor_work == pytest.approx(account.lost + account.damping + drag, rel=0.02)
    heats.append(account.lost)
  assert heats[0] == pytest.approx(heats[1], rel=0.01)
  assert second_cycle(4.0, friction=0.0)[0].lost == 0


@pytest.mark.parametrize(
  ("command", "message"),
  [
    ("pull", "a command must be a function of time"),
    (lambda t: np.zeros(7), "a command must return 1 numbers"),
  ],
)
def test_a_command_of_another_size_is_refused(command, message):
  with pytest.raises(mjc.CableError, match=message):
    simulate(winch.build().compile(), command, 0.1)
  with pytest.raises(mjc.CableError, match="model must be an MjModel, got MjSpec"):
    simulate(winch.build(), lambda t: np.zeros(1), 0.1)  # pyright: ignore
