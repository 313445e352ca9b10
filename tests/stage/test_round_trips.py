"""Models saved, copied, attached, edited and compiled again: cables go on with the same bits."""

import subprocess
import sys

import mujoco
import numpy as np
import pytest
from oracles import subjects, workshop

import mujocable as mjc

CHILD = """
import sys
import mujocable
import mujoco
import numpy as np
model = mujoco.MjModel.from_binary_path(sys.argv[1])
data = mujoco.MjData(model)
for row in np.load(sys.argv[2]):
  data.ctrl[:] = row
  mujoco.mj_step(model, data)
np.save(sys.argv[3], np.concatenate([data.qpos, data.qvel, data.sensordata]))
"""


@pytest.fixture(params=subjects.ALL, ids=lambda s: s.name)
def subject(request):
  return request.param


def end_of(subject, model, steps=100):
  data = mujoco.MjData(model)
  subject.run(model, data, 0, steps)
  # not plugin_state: MuJoCo may order the instances of a copied spec anew
  return np.concatenate([data.qpos, data.qvel, data.sensordata])


def test_saved_and_loaded_models_move_alike(subject):
  """MuJoCo prints six digits or so, hence two loaded models: once printed, they are read alike."""
  spec = subject.spec("implicitfast")
  spec.compile()
  loaded = mujoco.MjSpec.from_string(spec.to_xml())
  first = loaded.compile()
  second = mujoco.MjModel.from_xml_string(loaded.to_xml())
  assert np.array_equal(end_of(subject, first), end_of(subject, second))
  for model in (first, second):
    assert {*mjc.bind(model, mujoco.MjData(model))} == {*mjc.read_cables(spec)}


def test_a_copied_spec_compiles_to_the_same_model(subject):
  spec = subject.spec("implicitfast")
  twin = spec.copy()
  assert mjc.read_cables(twin) == mjc.read_cables(spec)
  assert np.array_equal(end_of(subject, twin.compile()), end_of(subject, spec.compile()))


def test_a_spec_compiled_twice_gives_the_same_model(subject):
  spec = subject.spec("implicitfast")
  assert np.array_equal(end_of(subject, spec.compile()), end_of(subject, spec.compile()))


@pytest.mark.skipif(
  mujoco.mj_version() < 3014000, reason="MuJoCo before 3.14 forgets states when it recompiles"
)
def test_a_recompiled_simulation_goes_on(subject):
  spec = subject.spec("implicitfast")
  model = spec.compile()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 60)
  model, data = spec.recompile(model, data)
  subject.run(model, data, 60, 120)
  plain = subject.compile()
  want = mujoco.MjData(plain)
  subject.run(plain, want, 0, 120)
  assert workshop.same(plain, want, data)


def add_far(body):
  """Renumbers sites and geoms of the bodies behind it."""
  body.add_site(pos=[30, 30, 30])
  body.add_geom(size=[0.1, 0, 0], pos=[30, 30, 30], contype=0, conaffinity=0)


@pytest.mark.parametrize("carried", ["recompiled", "state"])
def test_an_edited_model_asks_for_its_own_sites_and_geoms(subject, carried):
  """What an earlier compilation numbered is never looked up in another one."""
  spec = subject.spec("implicitfast")
  model = spec.compile()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 60)
  before = {name: view.length for name, view in mjc.bind(model, data).items()}
  kind = mujoco.mjtState.mjSTATE_INTEGRATION
  state = np.zeros(mujoco.mj_stateSize(model, kind))
  mujoco.mj_getState(model, data, state, kind)
  add_far(spec.worldbody)
  if carried == "recompiled":
    model, data = spec.recompile(model, data)
  else:
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, state, kind)
  subject.run(model, data, 60, 62)
  for name, view in mjc.bind(model, data).items():
    assert view.status == mjc.SolveStatus.VALID
    assert view.length == pytest.approx(before[name], rel=0.01)


def test_a_recompiled_simulation_takes_new_values(subject):
  """Friction edited in the spec counts after recompile, as in a model compiled with it."""
  spec = subject.spec("implicitfast")
  model = spec.compile()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 60)
  for plugin in spec.plugins:
    plugin.config = {**plugin.config, "friction": "0.4"}
  model, data = spec.recompile(model, data)
  views = mjc.bind(model, data)
  for name, view in views.items():
    fresh = mjc.bind(model, mujoco.MjData(model))[name]
    assert np.array_equal(view.friction, fresh.friction)
    view.damping = 2 * fresh.damping + 1  # and what is set before the first step stays
  subject.run(model, data, 60, 61)
  for name, view in views.items():
    fresh = mjc.bind(model, mujoco.MjData(model))[name]
    assert np.array_equal(view.friction, fresh.friction)
    assert view.damping == 2 * fresh.damping + 1
    assert view.status == mjc.SolveStatus.VALID
  assert any((view.friction == 0.4).any() for view in mjc.bind(model, data).values()) or (
    subject.name == "tensegrity"  # no contacts
  )


def test_an_attached_model_moves_as_it_does_alone(subject):
  spec = subject.spec("implicitfast")
  names = set(mjc.read_cables(spec))
  scene = mujoco.MjSpec()
  for field in ("timestep", "integrator", "gravity"):
    setattr(scene.option, field, getattr(spec.option, field))
  scene.attach(spec, prefix="a-", suffix="-z", frame=scene.worldbody.add_frame())
  model = scene.compile()
  assert set(mjc.bind(model, mujoco.MjData(model))) == {f"a-{name}-z" for name in names}
  both = mujoco.MjSpec.from_string(scene.to_xml()).compile()
  assert set(mjc.bind(both, mujoco.MjData(both))) == {f"a-{name}-z" for name in names}
  alone = subject.compile()
  here, there = mujoco.MjData(model), mujoco.MjData(alone)
  for step in range(100):
    ctrl = subject.ctrl(alone, step)
    for k in range(alone.nu):
      here.ctrl[model.actuator(f"a-{alone.actuator(k).name}-z").id] = ctrl[k]
    there.ctrl[:] = ctrl
    mujoco.mj_step(model, here)
    mujoco.mj_step(alone, there)
  assert np.array_equal(here.qpos, there.qpos)


def test_a_binary_model_moves_alike_also_in_another_process(subject, tmp_path):
  model = subject.compile()
  file, commands, out = (str(tmp_path / name) for name in ("m.mjb", "ctrl.npy", "end.npy"))
  mujoco.mj_saveModel(model, file, None)
  want = end_of(subject, model)
  assert np.array_equal(end_of(subject, mujoco.MjModel.from_binary_path(file)), want)
  np.save(commands, [subject.ctrl(model, step) for step in range(100)])
  child = subprocess.run(
    [sys.executable, "-c", CHILD, file, commands, out],
    capture_output=True,
    text=True,
    timeout=120,
    cwd=tmp_path,
  )
  assert child.returncode == 0, child.stderr
  assert np.array_equal(np.load(out), want)
