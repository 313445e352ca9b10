"""Parameters at run time: per simulation, without recompiling.

Judge: a model compiled with the value. Bit-equal, since the engine reads the same number.
"""

import mujoco
import mujoco.batch
import numpy as np
import pytest

import mujocable as mjc
from mujocable.spec.keys import laws
from mujocable.study.parameters import parameter, settings, write_settings, written

SCENE = """
<mujoco><option timestep="0.001"/><worldbody>
  <site name="wall" pos="-.5 0 0"/>
  <site name="over" pos="0 0 1.2"/>
  <site name="guide" pos=".1 0 .8"/>
  <geom name="post" type="cylinder" size=".1 .02" pos="0 0 1" euler="90 0 0"/>
  <body pos=".1 0 .4">
    <joint type="slide" axis="0 0 1" damping="2"/>
    <geom size=".05" contype="0" conaffinity="0"/>
    <site name="hook"/>
  </body>
</worldbody></mujoco>"""
ROUTE = [mjc.Anchor("wall"), mjc.Wrap("post", side="over"), mjc.Eyelet("guide"), mjc.Anchor("hook")]
BASE = {
  "stiffness": 900.0,
  "damping": 3.0,
  "friction": 0.1,
  "max_tension": 60.0,
  "home_length": 2.0,
}
OTHER = {
  "stiffness": 1500.0,
  "damping": 1.0,
  "friction": 0.35,
  "max_tension": 20.0,
  "home_length": 1.9,
}


def compiled(**values):
  spec = mujoco.MjSpec.from_string(SCENE)
  mjc.add_cable(spec, mjc.Cable("cable", ROUTE, **laws(**(BASE | values))))
  model = spec.compile()
  return model, mujoco.MjData(model)


def run(model, data, steps=200):
  for _ in range(steps):
    mujoco.mj_step(model, data)
  return np.concatenate([data.qpos, data.qvel])


@pytest.mark.parametrize("name", OTHER)
def test_a_set_parameter_equals_a_compiled_one(name):
  model, data = compiled()
  view = mjc.bind(model, data)["cable"]
  before = np.array(getattr(view, name))
  setattr(view, name, OTHER[name])
  assert np.all(np.asarray(getattr(view, name)) == OTHER[name])
  assert np.array_equal(run(model, data), run(*compiled(**{name: OTHER[name]})))
  mujoco.mj_resetData(model, data)
  assert np.array_equal(getattr(view, name), before)


DRUM = """
<mujoco><option timestep="0.001"/><worldbody>
  <site name="over" pos="0 0 .2"/>
  <site name="guide" pos=".05 0 -.1"/>
  <body>
    <joint name="drum" axis="0 1 0" damping=".1"/>
    <geom name="drum" type="cylinder" size=".05 .02" euler="90 0 0"/>
    <site name="clamp" pos="-.05 0 0"/>
  </body>
  <body pos=".05 0 -.3">
    <joint type="slide" axis="0 0 1"/>
    <geom size=".05" contype="0" conaffinity="0"/>
    <site name="hook"/>
  </body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("own", [None, 0.05])
def test_one_friction_for_all_leaves_out_a_drum_as_a_compiled_one_does(own):
  """A drum without friction of its own clamps the cable; one that has some is a contact."""

  def winch(friction, own):
    spec = mujoco.MjSpec.from_string(DRUM)
    wrap = mjc.Wrap("drum", side="over", friction=own)
    route = [mjc.Anchor("clamp"), wrap, mjc.Eyelet("guide"), mjc.Anchor("hook")]
    axial = mjc.Axial(stiffness=900.0, damping=3.0)
    mjc.add_cable(spec, mjc.Cable("cable", route, axial, friction=friction))
    return spec

  spec, one = winch(0.1, own), parameter("cable.friction")
  cables = mjc.read_cables(spec)
  judge = winch(0.3, None if own is None else 0.3).compile()
  expected = run(judge, mujoco.MjData(judge))
  model = spec.copy().compile()
  for put in (
    lambda data: setattr(mjc.bind(model, data)["cable"], "friction", 0.3),
    lambda data: write_settings(model, data, settings([(one, 0.3)], cables)),
  ):
    data = mujoco.MjData(model)
    put(data)
    assert mjc.bind(model, data)["cable"].friction.tolist() == [0.0 if own is None else 0.3, 0.3]
    assert np.array_equal(run(model, data), expected)
  model = written(spec, [(one, 0.3)], cables).compile()
  assert np.array_equal(run(model, mujoco.MjData(model)), expected)
  view = mjc.bind(model, data)["cable"]
  view.friction = [0.2, 0.3]  # each its own
  assert view.friction.tolist() == [0.2, 0.3]


def test_simulations_of_a_batch_have_their_own_parameters():
  frictions = np.array([0.0, 0.1, 0.25, 0.6])
  model, _ = compiled()
  where = mjc.parameter_slice(model, "cable", "friction")
  batch = mujoco.batch.Batch(model, nsim=4, nthread=2)
  batch.bind("plugin_state")[:, where] = frictions[:, None]
  batch.step(nstep=200)
  for i, friction in enumerate(frictions):
    want = run(*compiled(friction=friction))
    assert np.array_equal(np.concatenate([batch.qpos[i], batch.qvel[i]]), want)


def test_parameters_travel_with_the_state():
  model, data = compiled()
  view = mjc.bind(model, data)["cable"]
  view.friction = [0.2, 0.4]
  other = mujoco.MjData(model)
  state = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION))
  mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
  mujoco.mj_setState(model, other, state, mujoco.mjtState.mjSTATE_INTEGRATION)
  assert list(mjc.bind(model, other)["cable"].friction) == [0.2, 0.4]
  assert np.array_equal(run(model, data), run(model, other))


@pytest.mark.parametrize(
  ("name", "value"),
  [
    ("stiffness", 0.0),
    ("stiffness", np.inf),
    ("damping", -1.0),
    ("home_length", np.nan),
    ("max_tension", -2.0),
    ("friction", [0.1, -0.1]),
    ("friction", [0.1, 0.1, 0.1]),
    ("friction", "a"),
    ("stiffness", 1j),
    ("damping", None),
  ],
)
def test_bad_values_are_refused_and_change_nothing(name, value):
  model, data = compiled()
  view = mjc.bind(model, data)["cable"]
  before = data.plugin_state.copy()
  with pytest.raises(mjc.CableError, match=f"cable 'cable': {name} "):
    setattr(view, name, value)
  assert np.array_equal(before, data.plugin_state)


def test_wrong_kinds_of_objects_are_refused():
  model, data = compiled()
  with pytest.raises(mjc.CableError, match=r"parameter_slice\(.*\): model must be .* got MjSpec"):
    mjc.parameter_slice(mujoco.MjSpec(), "cable", "friction")  # pyright: ignore
  with pytest.raises(mjc.CableError, match=r"hush\(model, data\) takes .* got MjData, MjModel"):
    mjc.hush(data, model)  # pyright: ignore


def test_unknown_names_are_refused():
  model, _ = compiled()
  with pytest.raises(mjc.CableError, match="no parameter 'mass'; accepted: stiffness"):
    mjc.parameter_slice(model, "cable", "mass")
  with pytest.raises(mjc.CableError, match="cable 'rope' is not in this model"):
    mjc.parameter_slice(model, "rope", "friction")


@pytest.mark.parametrize("cables", [1, 5])
@pytest.mark.parametrize(
  ("parameter", "value"),
  [
    *((name, value) for name in ("stiffness", "damping", "friction") for value in (np.nan, -1.0)),
    ("stiffness", np.inf),
    *(("home_length", value) for value in (np.nan, -1.0, 0.0)),
    ("max_tension", np.nan),
    ("max_tension", -1.0),
  ],
)
def test_a_parameter_that_no_cable_has_is_invalid_and_pulls_nothing(parameter, value, cables):
  """Whoever writes plugin_state is not checked; the cable says so, and its neighbors go on."""
  spec = mujoco.MjSpec.from_string("""<mujoco><worldbody><site name="top" pos="0 0 1"/>
    <site name="eye" pos=".1 0 .5"/><body><joint type="slide" axis="0 0 1"/>
    <geom size=".1" mass="1"/><site name="hook"/></body></worldbody></mujoco>""")
  route = [mjc.Anchor("top"), mjc.Eyelet("eye"), mjc.Anchor("hook")]
  axial = mjc.Axial(stiffness=1000.0, pretension=20.0)
  for k in range(cables):
    mjc.add_cable(spec, mjc.Cable(f"c{k}", route, axial, friction=0.1))
  model = spec.compile()
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  mujoco.mj_step(model, data)
  data.plugin_state[mjc.parameter_slice(model, "c0", parameter)] = value
  mujoco.mj_forward(model, data)
  assert views["c0"].status == mjc.SolveStatus.INVALID
  assert not views["c0"].tension.any() and np.isfinite(data.qacc).all()
  for k in range(1, cables):
    assert views[f"c{k}"].status == mjc.SolveStatus.VALID and views[f"c{k}"].tension.all()


@pytest.mark.parametrize("passive", [True, False])
@pytest.mark.parametrize("cables", [1, 5])
@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize("field", ["qpos", "qvel", "act"])
def test_no_bad_number_is_shown(field, number, cables, passive):
  """Whatever is bad: the sensors hold numbers, and the status says that there is no load."""
  spec = mujoco.MjSpec.from_string("""<mujoco><worldbody><site name="top" pos="0 0 1"/>
    <site name="eye" pos=".1 0 .5"/><body><joint type="slide" axis="0 0 1"/>
    <geom size=".1" mass="1"/><site name="hook"/></body></worldbody></mujoco>""")
  route = [mjc.Anchor("top"), mjc.Eyelet("eye"), mjc.Anchor("hook")]
  axial = mjc.Axial(stiffness=1000.0, pretension=20.0)
  take_up = mjc.LengthCommand(range=(0, 1), lag=0.1) if field == "act" else None
  for k in range(cables):
    mjc.add_cable(spec, mjc.Cable(f"c{k}", route, axial, friction=0.1, take_up=take_up))
  if not passive:
    off = mujoco.mjtDisableBit
    spec.option.disableflags |= off.mjDSBL_SPRING | off.mjDSBL_DAMPER
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data)
  getattr(data, field)[0] = number
  mujoco.mj_forward(model, data)
  if passive or field == "act":  # else nothing calls the cables
    assert np.isfinite(data.sensordata).all()
  view = mjc.bind(model, data)["c0"]
  assert view.status == mjc.SolveStatus.INVALID and "invalid" in repr(view)
  assert not view.tension.any() and np.isfinite(view.load).all()
