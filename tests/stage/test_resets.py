"""Resets, keyframes and blank plugin state."""

import mujoco
import numpy as np
import pytest
from oracles import build, subjects, workshop

import mujocable as mjc


def test_reset_writes_every_slot():
  """plugin_state after a reset does not depend on what stood there."""
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  first = data.plugin_state.copy()
  workshop.run(model, data, 0, 100)
  assert not np.array_equal(data.plugin_state, first)
  data.plugin_state[:] = np.nan
  mujoco.mj_resetData(model, data)
  assert np.array_equal(data.plugin_state, first)


@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_a_keyframe_restores_the_run(subject):
  """A key taken from a running state: reset to it and go on as the run did.

  A keyframe holds no plugin state; with wraps that are touched by less than half a turn the route
  is a function of the pose: length and rest length come back (1e-9: another warm start), and the
  tension where no contact remembers how the cable came there.
  """
  spec = subject.spec("implicitfast")
  model = spec.compile()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 150)
  key = spec.add_key(name="later")
  key.qpos, key.qvel, key.act = data.qpos.copy(), data.qvel.copy(), data.act.copy()
  key.ctrl = data.ctrl.copy()
  model = spec.compile()
  again = mujoco.MjData(model)
  mujoco.mj_resetDataKeyframe(model, again, 0)
  mujoco.mj_forward(model, again)
  mujoco.mj_forward(model, data)
  here, there = mjc.bind(model, data), mjc.bind(model, again)
  for name in here:
    assert there[name].length == pytest.approx(here[name].length, rel=1e-9), name
    assert there[name].rest_length == pytest.approx(here[name].rest_length, rel=1e-9), name
    if not np.any(here[name].friction):
      assert there[name].source_tension == pytest.approx(here[name].source_tension, rel=1e-6)


def test_the_home_length_is_never_rezeroed():
  """Resetting to a keyframe away from qpos0 must not make that pose the home."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.site(spec.worldbody, "start", (0, 0, 0))
  cart = build.body(spec.worldbody, "cart", pos=(1, 0, 0))
  cart.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(cart, "end", (0, 0, 0))
  spec.add_key(name="away", qpos=[0.05])
  cable = mjc.Cable(
    name="cable",
    route=[mjc.Anchor("start"), mjc.Anchor("end")],
    axial=mjc.Axial(stiffness=100.0, transition=0.0),
  )
  model, data, views = build.compiled(spec, cable)
  mujoco.mj_resetDataKeyframe(model, data, 0)
  mujoco.mj_forward(model, data)
  assert views["cable"].rest_length == pytest.approx(1.0, rel=1e-14)
  assert views["cable"].source_tension == pytest.approx(5.0, rel=1e-12)


def test_blank_plugin_state_does_not_crash():
  """Tools that restore only qpos and qvel leave zeros behind; it recovers by itself."""
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 100)
  data.plugin_state[:] = 0
  workshop.run(model, data, 100, 200)
  assert np.all(np.isfinite(data.qpos)) and np.all(np.isfinite(data.sensordata))
  for name, view in mjc.bind(model, data).items():
    assert build.is_valid(view), name
    assert np.all(np.asarray(view.tension) >= 0)


@pytest.mark.parametrize("junk", [np.nan, np.inf, 1e300, -1.0])
def test_junk_plugin_state_does_not_crash(junk):
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 20)
  data.plugin_state[:] = junk
  mujoco.mj_forward(model, data)
  workshop.run(model, data, 20, 40)
  mujoco.mj_resetData(model, data)
  workshop.run(model, data, 0, 20)
  assert np.all(np.isfinite(data.qpos))


@pytest.mark.parametrize("junk", [np.nan, 1e9, 1e300, -3.0])
def test_one_bad_number_in_the_state_does_no_harm(junk):
  """Any slot but the one that says whose state it is; the cable may go slack, nothing may break."""
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 20)
  whole = mujoco.mjtState.mjSTATE_INTEGRATION
  start = np.empty(mujoco.mj_stateSize(model, whole))
  mujoco.mj_getState(model, data, start, whole)
  for slot in np.setdiff1d(np.arange(model.npluginstate), model.plugin_stateadr):
    mujoco.mj_setState(model, data, start, whole)
    data.plugin_state[slot] = junk
    mujoco.mj_step(model, data, nstep=2)
    assert np.all(np.isfinite(data.qpos)) and np.all(np.isfinite(data.qacc)), slot
    for name, view in mjc.bind(model, data).items():
      assert np.all(np.asarray(view.tension) >= 0), (slot, name)
