"""Events of paths: slack that lifts a cable out of its groove, the counter, the one warning.

Judges: the closed form of the slack that flanges hold; bits that a restored state must repeat;
MuJoCo's own warning handler.
"""

import re

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc

RADIUS, DEPTH = 0.05, 0.004
FLEET = np.arccos(RADIUS / (RADIUS + DEPTH))
HELD = 2 * RADIUS * (np.tan(FLEET) - FLEET)  # slack that the flanges hold [m]


@pytest.fixture
def warnings():
  """What MuJoCo warns of."""
  heard: list[str] = []
  before = mujoco.get_mju_user_warning()
  mujoco.set_mju_user_warning(heard.append)
  yield heard
  mujoco.set_mju_user_warning(before)


def hoist(names=("c",), **wrap):
  """Hooks that hang on cables over a sheave each; a motor gives cable out."""
  spec = build.new_spec(gravity=(0, 0, 0))
  cables = []
  for k, name in enumerate(names):
    y = 0.1 * k
    at = (0, y, 0)
    build.cylinder(spec.worldbody, f"sheave{k}", at, RADIUS, axis=(0, 1, 0), half_length=0.02)
    build.site(spec.worldbody, f"source{k}", (-RADIUS, y, -0.4))
    build.site(spec.worldbody, f"top{k}", (0, y, 0.1))
    hook = build.body(spec.worldbody, f"hook{k}", pos=(RADIUS, y, -0.5))
    hook.add_joint(name=f"z{k}", type=build.SLIDE, axis=(0, 0, 1))
    build.site(hook, f"hook{k}", (0, 0, 0))
    route = [
      mjc.Anchor(f"source{k}"),
      mjc.Wrap(f"sheave{k}", side=f"top{k}", groove=DEPTH, **wrap),
      mjc.Anchor(f"hook{k}"),
    ]
    motor = mjc.LengthCommand(range=(-0.1, 0.1))
    cables.append(mjc.Cable(name, route, mjc.Axial(stiffness=1000.0), take_up=motor))
  model, data, views = build.compiled(spec, *cables)
  return model, data, views


def give(model, data, slack):
  """Cable given out by every motor, for two steps: the second sees the slack of the first."""
  for _ in range(2):
    data.qpos[:], data.qvel[:], data.ctrl[:] = 0, 0, -slack
    mujoco.mj_step(model, data)


def test_the_flanges_hold_the_slack_of_the_closed_form():
  model, data, views = hoist()
  view = views["c"]
  give(model, data, 0.999 * HELD)
  assert build.is_valid(view) and view.touching[0] and view.derailments == 0
  assert view.slack == pytest.approx(0.999 * HELD, rel=1e-9)
  give(model, data, 1.001 * HELD)
  assert view.status == mjc.SolveStatus.DERAILED and not view.touching[0]
  assert view.derailments == 1 and view.status_contact == 0
  # taut again, past the wheel: it stays out
  give(model, data, -1e-3)
  assert not view.touching[0] and view.derailments == 1
  assert view.length == pytest.approx(np.hypot(2 * RADIUS, 0.1), rel=1e-12)


def test_a_keeper_holds_any_slack():
  model, data, views = hoist(permanent=True)
  give(model, data, 0.1)
  view = views["c"]
  assert build.is_valid(view) and view.touching[0] and view.derailments == 0


def test_the_counter_counts_events_and_a_reset_clears_it():
  model, data, views = hoist()
  give(model, data, 2 * HELD)
  for _ in range(20):
    mujoco.mj_step(model, data)
  assert views["c"].derailments == 1
  for _ in range(3):  # whoever only looks changes nothing
    mujoco.mj_forward(model, data)
  assert views["c"].derailments == 1
  mujoco.mj_resetData(model, data)
  mujoco.mj_forward(model, data)
  assert views["c"].derailments == 0 and views["c"].touching[0]


def test_a_restored_state_repeats_the_event():
  model, data, views = hoist()
  data.ctrl[:] = -1.5 * HELD
  mujoco.mj_step(model, data)
  full = mujoco.mjtState.mjSTATE_INTEGRATION
  saved = np.zeros(mujoco.mj_stateSize(model, full))
  mujoco.mj_getState(model, data, saved, full)
  runs = []
  for _ in range(2):
    mujoco.mj_setState(model, data, saved, full)
    for _ in range(5):
      mujoco.mj_step(model, data)
    runs.append((data.plugin_state.copy(), views["c"].derailments))
  assert np.array_equal(runs[0][0], runs[1][0])
  assert runs[0][1] == runs[1][1] == 1


def test_mujoco_warns_once_per_simulation(warnings):
  """Two cables derail in the same step, and again after a reset: one warning each time."""
  model, data, views = hoist(("left", "right"))
  for simulation in range(1, 3):
    give(model, data, 2 * HELD)
    for _ in range(10):
      mujoco.mj_step(model, data)
    assert all(view.derailments == 1 for view in views.values())
    assert len(warnings) == simulation, warnings
    assert re.match(
      r"cable 'left' left wrap 1 'sheave0', out of its groove or off its end \(status derailed\)",
      warnings[-1],
    )
    mujoco.mj_resetData(model, data)


def test_mj_forward_warns_of_nothing(warnings):
  model, data, _ = hoist()
  data.ctrl[:] = -2 * HELD
  mujoco.mj_step(model, data)
  for _ in range(3):
    mujoco.mj_forward(model, data)
  assert not warnings
  mujoco.mj_step(model, data)
  assert len(warnings) == 1


def test_an_end_inside_and_a_hushed_simulation(warnings):
  spec = build.new_spec(gravity=(0, 0, 0))
  build.sphere(spec.worldbody, "ball", (0, 0, 0), 0.1)
  build.site(spec.worldbody, "a", (-1, 0, 0.05))
  tip = build.body(spec.worldbody, "tip", pos=(0.2, 0, 0))
  tip.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(tip, "b", (0, 0, 0))
  route = [mjc.Anchor("a"), mjc.Wrap("ball"), mjc.Anchor("b")]
  model, data, views = build.compiled(spec, mjc.Cable("c", route, mjc.Axial(stiffness=10.0)))
  for quiet in (True, False):
    mujoco.mj_resetData(model, data)
    if quiet:
      mjc.hush(model, data)
    data.qpos[:] = -0.12
    mujoco.mj_step(model, data)
    assert views["c"].status == mjc.SolveStatus.LET_GO and views["c"].status_contact == 0
    assert len(warnings) == (0 if quiet else 1), warnings
  assert "cable 'c' has an end inside wrap 1 'ball'" in warnings[0]


def test_a_sensor_shows_the_counter():
  model, _data, _ = hoist()
  spec = mujoco.MjSpec()
  build.cylinder(spec.worldbody, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-RADIUS, 0, -0.4))
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  build.site(spec.worldbody, "hook", (RADIUS, 0, -0.5))
  route = [
    mjc.Anchor("source"),
    mjc.Wrap("sheave", side="top", groove=DEPTH),
    mjc.Anchor("hook"),
  ]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=10.0, home_length=2.0))
  mjc.add_cable(spec, cable)
  mjc.add_sensor(spec, "c", "derailments")
  model = spec.compile()
  data = mujoco.MjData(model)
  shown = []
  for _ in range(3):
    mujoco.mj_step(model, data)
    shown.append(float(data.sensor("c.derailments").data[0]))
  assert shown == [0, 1, 1]


def test_check_names_the_wheel_that_is_left():
  spec = build.new_spec(gravity=(0, 0, 0))
  build.cylinder(spec.worldbody, "sheave", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.02)
  build.site(spec.worldbody, "source", (-0.5, 0, RADIUS))
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  hook = build.body(spec.worldbody, "hook", pos=(RADIUS, 0, -0.5))
  hook.add_joint(name="y", type=build.SLIDE, axis=(0, 1, 0), range=(-0.6, 0.6), limited=True)
  build.site(hook, "hook", (0, 0, 0))
  wrap = mjc.Wrap("sheave", side="top", groove=DEPTH)
  route = [mjc.Anchor("source"), wrap, mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1000.0, pretension=100.0)))
  (found,) = [f for f in mjc.check(spec, goals=1).findings if f.kind == "derailed"]
  assert "at 'sheave'" in found.text and found.severity == "error"
  assert re.search(r"; left \d+ times", found.text)
